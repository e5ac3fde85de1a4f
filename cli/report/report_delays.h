/* The report delays: which code makes ranks wait. */
#pragma once

#include <sqlite3.h>

#include "base/status.h"

/* Makes the tables delay and delayed, which the report reads. */
enum cs_status cs_delays_write(sqlite3 *run, sqlite3 *to);
