/* Prints the changes between two sides of runs, for terminals and as Markdown. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

struct cs_compare_output {
    sqlite3 *figures;
    FILE *stream;
    size_t rows; /* rows of a table, at most; 0: all */
    bool markdown;
};

/* Prints the comparison. CS_SQL, CS_NO_MEMORY: logged. */
enum cs_status cs_compare_print(const struct cs_compare_output *output);
