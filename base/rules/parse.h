/* Naming rules: from text to data. */
#pragma once

#include "base/rules/rules.h"
#include "base/status.h"

enum { CS_RULE_LINE_MAX = 4000 };

/* What the parser of rules does not know itself. */
struct cs_rules_options {
    const char *(*kind_name)(int64_t kind); /* the word for a number from 1 on; NULL: there is no such kind */
    uint32_t usual_kinds;                   /* bit 1 << kind: those of a rule without kind= */
    /* Called for each line that is no rule, with its number and the column, in characters, of the mistake, both from 1.
       NULL: mistakes are not reported. */
    void (*complain)(void *context, unsigned line, unsigned column, const char *what);
    void *context;
};

/* Makes rules of a text, which may be anything; lines with mistakes are reported and left out. CS_NO_MEMORY. */
enum cs_status cs_rules_parse(const char *text, size_t bytes, const struct cs_rules_options *options,
                              struct cs_rules **rules);
