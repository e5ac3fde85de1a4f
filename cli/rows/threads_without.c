#include "cli/rows/threads_without.h"

#include <inttypes.h>

#include "cli/rows/rows.h"

/* Such threads found no room for a ring, or made no call while events were recorded. */
enum cs_status cs_threads_without_events(sqlite3 *db, struct cs_phrase *line)
{
    struct cs_rows row =
        cs_rows_begin(db, "WITH known (rank, thread) AS MATERIALIZED (SELECT DISTINCT rank, thread FROM event)\n"
                          "SELECT count(*) AS threads, count(*) - count(k.rank) AS without\n"
                          "FROM thread t LEFT JOIN known k ON k.rank = t.rank AND k.thread = t.thread\n"
                          "WHERE t.rank IN (SELECT rank FROM known)");
    if (cs_rows_next(&row) && cs_rows_integer(&row, "without")) {
        cs_phrase_add(line, "%" PRId64 " of ", cs_rows_integer(&row, "without"));
        cs_phrase_add_count(line, cs_rows_integer(&row, "threads"), "thread", "threads");
        cs_phrase_add(line, " of these ranks have no events: their calls and waits are not here. A larger ring "
                            "(CALLSIGN_RING) has room for more threads.");
    }
    return cs_rows_end(&row);
}
