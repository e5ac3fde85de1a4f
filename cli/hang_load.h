/* The model of a run, from its database. */
#pragma once

#include <sqlite3.h>

#include "base/status.h"
#include "cli/hang_find.h"
#include "cli/hang_pulse.h"

struct cs_hang_source {
    sqlite3 *db;
    /* Looks before and after the database was made. Ranks without one are taken from traces, where only the times tell
       that all were in their calls at one moment. */
    struct cs_hang_pulse *before, *after;
    size_t befores, afters;
};

/* *undecided: some rank had no processor between the looks. CS_SQL (logged), CS_NO_MEMORY. */
enum cs_status cs_hang_load(const struct cs_hang_source *source, struct cs_hang *hang, bool *undecided);

/* Frees all, conclusions too. */
void cs_hang_free(struct cs_hang *hang);
