/* Naming rules from a file. */
#pragma once

#include "base/rules/parse.h"

enum { CS_RULES_BYTES_MAX = 1 << 20 };

/* Makes rules of a file, which must be a regular one of at most CS_RULES_BYTES_MAX bytes. Mistakes are logged as
   "FILE:LINE:COLUMN: ...", at most ten, and counted in *mistakes (not NULL); with `quiet` (further ranks of a launch)
   they are only counted. options->complain is not used. CS_IO, CS_INVALID, CS_NO_MEMORY: logged in one line, with
   `quiet` by one rank of each node. */
enum cs_status cs_rules_load(const char *path, const struct cs_rules_options *options, bool quiet,
                             struct cs_rules **rules, size_t *mistakes);
