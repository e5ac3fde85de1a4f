/* Fills the tables rank_time and summary of the files of nodes that scaled_run.py makes, as their conversion does. */
#include <sqlite3.h>
#include <stdio.h>

#include "db/summary/rank_times.h"

static int add(const char *path)
{
    sqlite3 *db;
    int result = sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL);
    if (result == SQLITE_OK)
        result = sqlite3_exec(db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN", NULL, NULL, NULL);
    if (result == SQLITE_OK)
        result = cs_rank_times_fill(db);
    if (result == SQLITE_OK)
        result = sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    if (result != SQLITE_OK)
        fprintf(stderr, "%s: %s\n", path, sqlite3_errmsg(db));
    sqlite3_close(db);
    return result == SQLITE_OK ? 0 : 1;
}

int main(int count, char **word)
{
    int failed = 0;
    for (int i = 1; i < count; i++)
        failed |= add(word[i]);
    return failed;
}
