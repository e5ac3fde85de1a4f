/* Writes the events of a run as an OTF2 trace, for Vampir, Scalasca and others. */
#pragma once

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct cs_otf2_counts {
    int64_t calls, messages; /* messages: received ones */
    size_t incomplete;       /* communicators of which not all members are known: their messages are left out */
};

/* Loads the library that cs_otf2_write needs. CS_INVALID: it is not here; logged. */
enum cs_status cs_otf2_find(void);

/* Writes traces.otf2 and its other files into the folder, which exists. CS_SQL, CS_NO_MEMORY, CS_IO: logged. */
enum cs_status cs_otf2_write(sqlite3 *db, const char *folder, struct cs_otf2_counts *counts);
