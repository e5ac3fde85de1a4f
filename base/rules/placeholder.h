/* Naming rules: the name that a rule gives, and the words in braces that may be part of it. */
#pragma once

#include "base/rules/match.h"

enum cs_placeholder {
    CS_PLACEHOLDER_COLOR,
    CS_PLACEHOLDER_KEY,
    CS_PLACEHOLDER_RANK,
    CS_PLACEHOLDER_FIRST,
    CS_PLACEHOLDER_N,
    CS_PLACEHOLDER_PARENT,
    CS_PLACEHOLDER_FUNCTION,
    CS_PLACEHOLDER_CALLER,
    CS_PLACEHOLDER_LIBRARY,
    CS_PLACEHOLDERS
};

/* Their words, without braces. */
extern const char *const cs_placeholders[CS_PLACEHOLDERS] __attribute__((visibility("hidden")));

/* The placeholder of this word; CS_PLACEHOLDERS: there is none. */
enum cs_placeholder cs_placeholder_of(const char *word, size_t length);

/* What a name may have besides the site (function, caller, library). */
struct cs_rules_values {
    const char *parent; /* {parent}: its name; NULL: none */
    int64_t color, key; /* {color} {key}: arguments of MPI_Comm_split and the like; INT64_MIN: none */
    int64_t rank;       /* {rank}: of this process in the parent; -1: none */
    int64_t first;      /* {first}: rank in the parent of the new object's first member, equal on all; -1: none */
    uint32_t nth;       /* {n}: number of this creation on the parent, from 1; 0: not known */
};

/* Writes the name that the rule gives, at most size - 1 bytes, cut at a whole UTF-8 character. What is not known is
   "?". */
void cs_rule_write_name(const struct cs_rule *rule, const struct cs_rules_site *site,
                        const struct cs_rules_values *values, char *name, size_t size);
