#include "cli/rows/threads_without.h"

#include <inttypes.h>

#include "cli/rows/rows.h"
#include "reports_sql.h"

/* Such threads found no room for a ring, or made no call while events were recorded. */
enum cs_status cs_threads_without_events(sqlite3 *db, struct cs_phrase *line)
{
    struct cs_rows row = cs_rows_begin(db, cs_sql_threads_without);
    if (cs_rows_next(&row) && cs_rows_integer(&row, "without")) {
        cs_phrase_add(line, "%" PRId64 " of ", cs_rows_integer(&row, "without"));
        cs_phrase_add_count(line, cs_rows_integer(&row, "threads"), "thread", "threads");
        cs_phrase_add(line, " of these ranks have no events: their calls and waits are not here. A larger ring "
                            "(CALLSIGN_RING) has room for more threads.");
    }
    return cs_rows_end(&row);
}
