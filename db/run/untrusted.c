#include "db/run/untrusted.h"

#include <stddef.h>

#include "db/trace/long_path.h"

enum cs_status cs_untrusted_open(const char *address, int flags, const char *vfs, sqlite3 **db)
{
    int result = sqlite3_open_v2(address, db, flags | SQLITE_OPEN_URI, cs_long_path_vfs(vfs));
    if (result != SQLITE_OK) {
        sqlite3_close(*db);
        *db = NULL;
        return result == SQLITE_NOMEM ? CS_NO_MEMORY : CS_SQL;
    }
    sqlite3_db_config(*db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    sqlite3_exec(*db, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;", NULL, NULL, NULL);
    return CS_OK;
}
