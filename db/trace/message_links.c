#include "db/trace/message_links.h"

#include <stdlib.h>

#include "base/hash_table.h"
#include "db/trace/each_row.h"

/* A peer of a communicator, in one direction. */
struct link {
    struct link_key {
        int64_t rank, object, sent, peer;
    } key;
    UT_hash_handle hh;
    struct cs_message_link found;
};

struct cs_message_links {
    struct link *link;
};

static int add_link(void *context, sqlite3_stmt *row)
{
    struct cs_message_links *links = context;
    struct link *link = calloc(1, sizeof *link);
    if (!link)
        return SQLITE_NOMEM;
    *link = (struct link){
        .key = {sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 1), sqlite3_column_int64(row, 2),
                sqlite3_column_int64(row, 3)},
        .found = {sqlite3_column_int64(row, 4), sqlite3_column_int64(row, 5), sqlite3_column_int64(row, 6)}};
    CS_TABLE_ADD(links->link, key, link);
    return link ? SQLITE_OK : SQLITE_NOMEM;
}

static const char links_sql[] =
    "SELECT t.rank, t.object, t.direction = 'send', t.peer, o.uid, max(t.source), max(t.dest)"
    " FROM main.traffic t JOIN main.object o ON o.rank = t.rank AND o.object = t.object"
    " WHERE t.direction IN ('send', 'receive') AND t.peer >= 0 AND o.uid IS NOT NULL"
    " GROUP BY 1, 2, 3, 4 HAVING max(t.source) IS NOT NULL AND max(t.dest) IS NOT NULL";

int cs_message_links_read(sqlite3 *db, struct cs_message_links **links)
{
    *links = calloc(1, sizeof **links);
    return *links ? cs_each_row(db, links_sql, add_link, *links) : SQLITE_NOMEM;
}

const struct cs_message_link *cs_message_links_find(const struct cs_message_links *links, int64_t rank, int64_t object,
                                                    bool sent, int64_t peer)
{
    const struct link_key key = {rank, object, sent, peer};
    const struct link *link;
    HASH_FIND(hh, links->link, &key, sizeof key, link);
    return link ? &link->found : NULL;
}

void cs_message_links_free(struct cs_message_links *links)
{
    if (links)
        CS_TABLE_FREE(links->link);
    free(links);
}
