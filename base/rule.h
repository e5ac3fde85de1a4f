/* Inside the naming rules: what a line became. */
#ifndef CS_BASE_RULE_H
#define CS_BASE_RULE_H

#include "base/rules.h"

enum cs_rule_condition {
    CS_RULE_KIND,
    CS_RULE_LIBRARY,
    CS_RULE_FUNCTION,
    CS_RULE_CALLER,
    CS_RULE_AT,
    CS_RULE_PARENT,
    CS_RULE_CONDITIONS
};

enum cs_rule_placeholder {
    CS_PLACE_COLOR,
    CS_PLACE_KEY,
    CS_PLACE_RANK,
    CS_PLACE_FIRST,
    CS_PLACE_N,
    CS_PLACE_PARENT,
    CS_PLACE_FUNCTION,
    CS_PLACE_CALLER,
    CS_PLACE_LIBRARY,
    CS_PLACEHOLDERS
};

struct cs_rule {
    unsigned line;
    uint32_t kinds;
    char *text;
    char *pattern[CS_RULE_CONDITIONS]; /* NULL: anything; AT: of the file; KIND: unused */
    int at_line;                       /* 0: any */
    char *name;                        /* with its placeholders; every brace was checked */
    bool needs_source;
};

struct cs_rules {
    size_t count, room;
    struct cs_rule *rule;
    uint32_t kinds;
    bool needs_source;
};

/* The placeholder of this word; CS_PLACEHOLDERS: there is none. */
enum cs_rule_placeholder cs_rule_placeholder_of(const char *word, size_t length);

#endif
