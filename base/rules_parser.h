/* Reads naming rules (base/rules.h) from text and files. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rules.h"
#include "base/status.h"

enum { CS_RULE_LINE_MAX = 4000 };

/* Options of the parser. */
struct cs_rules_options {
    const char *(*kind_name)(int64_t kind); /* returns the word for a kind, from 1 on; NULL: no such kind */
    uint32_t usual_kinds;                   /* bit 1 << kind: kinds of a rule without kind= */
    /* Called for each line that is no rule. line and column (of the mistake, in characters) begin at 1. NULL:
       mistakes are not reported. */
    void (*complain)(void *context, unsigned line, unsigned column, const char *what);
    void *context;
};

/* Parses rules from a text, which may contain anything. Lines with mistakes are reported and skipped. Returns CS_OK
   or CS_NO_MEMORY. */
enum cs_status cs_rules_parse(const char *text, size_t bytes, const struct cs_rules_options *options,
                              struct cs_rules **rules);

/* ---- naming rules from a file ---- */

enum { CS_RULES_BYTES_MAX = 1 << 20 };

/* Parses the rules of a regular file of at most CS_RULES_BYTES_MAX bytes. Logs at most ten mistakes as
   "FILE:LINE:COLUMN: ..." and counts all in *mistakes (never NULL). With `quiet` (further ranks of a launch)
   mistakes are only counted. Ignores options->complain. Returns CS_IO, CS_INVALID or CS_NO_MEMORY and logs one line;
   with `quiet` one rank of each node logs it. */
enum cs_status cs_rules_load(const char *path, const struct cs_rules_options *options, bool quiet,
                             struct cs_rules **rules, size_t *mistakes);
