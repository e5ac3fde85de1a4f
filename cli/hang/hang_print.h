/* Prints the findings about a run. */
#pragma once

#include <sqlite3.h>
#include <stdio.h>

#include "base/symbols/resolver.h"
#include "cli/deadlock/hang_model.h"

struct cs_hang_output {
    const struct cs_hang *hang;
    sqlite3 *db; /* for call sites, and for what the model lacks */
    struct cs_resolver *resolver;
    FILE *stream;
    size_t width; /* width of the terminal; 0: lines are not broken */
};

/* Returns false without memory, or if the database cannot be read. */
bool cs_hang_print(const struct cs_hang_output *output);
