/* Databases that may come from strangers. */
#pragma once

#include <sqlite3.h>

#include "base/status.h"

/* Opens a database, path or file: address, so that nothing a hostile file could bring along does more than return rows:
   no triggers, no functions of its own, no virtual tables, no extensions. flags as of sqlite3_open_v2; vfs: as of
   cs_long_path_vfs. CS_SQL, CS_NO_MEMORY: *db is NULL. */
enum cs_status cs_untrusted_open(const char *address, int flags, const char *vfs, sqlite3 **db);
