#include "db/replay/partners.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "db/trace/each_row.h"
#include "db/trace/message_links.h"

enum { FUNCTIONS = UINT16_MAX + 1 };

struct object {
    struct object_key {
        int64_t rank, object;
    } key;
    UT_hash_handle hh;
    struct cs_partner_object found;
};

struct process {
    int64_t rank;
    UT_hash_handle hh;
    int64_t node;
};

struct cs_partners {
    struct cs_message_links *links;
    struct object *objects;
    struct process *processes;
    struct cs_partner_function function[FUNCTIONS];
    bool persistent;
};

static int add_function(void *context, sqlite3_stmt *row)
{
    struct cs_partners *partners = context;
    int64_t number = sqlite3_column_int64(row, 0);
    if (number < 0 || number >= FUNCTIONS)
        return SQLITE_OK;
    partners->function[number] = (struct cs_partner_function){
        .known = true,
        .network = sqlite3_column_int(row, 1) != 0,
        .lifecycle = sqlite3_column_int(row, 2) != 0,
        .nonblocking = sqlite3_column_int(row, 3) != 0,
        .starts = sqlite3_column_int(row, 4) != 0,
        .synchronous = sqlite3_column_int(row, 5) != 0,
        .completes = sqlite3_column_int(row, 6) != 0,
        .chooses = sqlite3_column_int(row, 11) != 0,
        .sends = sqlite3_column_int(row, 7) != 0,
        .barrier = sqlite3_column_int(row, 8) != 0,
        .synchronizing = sqlite3_column_int(row, 12) != 0,
        .waits = (enum cs_partner_wait)sqlite3_column_int(row, 9),
        .members = (enum cs_partner_collective)sqlite3_column_int(row, 10),
    };
    partners->persistent = partners->persistent || partners->function[number].starts;
    return SQLITE_OK;
}

/* The columns 9 and 10 have the numbers of enum cs_partner_wait and enum cs_partner_collective. */
static const char functions_sql[] =
    "SELECT function, class IN ('point-to-point', 'collective', 'completion', 'one-sided', 'communicator', 'window'),"
    " class IS 'lifecycle', mode IS 'nonblocking', mode IS 'start', coalesce(synchronous, 0),"
    " request_act IS NOT NULL AND request_act LIKE 'complete%', transfer IN ('send', 'both'),"
    " class IS 'collective' AND collective IS 'all' AND transfer IS NULL,"
    " CASE WHEN waits IS NULL THEN 0 WHEN waits = 'send' THEN 1 WHEN waits = 'synchronous-send' THEN 2"
    " WHEN waits IN ('receive', 'message') THEN 3 WHEN waits = 'exchange' THEN 4"
    " WHEN waits IN ('all-requests', 'any-request') THEN 5 ELSE 6 END,"
    " CASE WHEN collective IS NULL THEN 0 WHEN collective = 'all' THEN 1 WHEN collective = 'from-root' THEN 2"
    " WHEN collective = 'to-root' THEN 3 WHEN collective = 'lower-ranks' THEN 4 ELSE 5 END,"
    " request_act IN ('complete-any', 'complete-some'),"
    " mode IS 'blocking' AND collective IS 'all' AND coalesce(synchronizing, 0) FROM main.function";

static int add_object(void *context, sqlite3_stmt *row)
{
    struct cs_partners *partners = context;
    struct object *object = calloc(1, sizeof *object);
    if (!object)
        return SQLITE_NOMEM;
    *object = (struct object){.key = {sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 1)},
                              .found = {sqlite3_column_int64(row, 2), sqlite3_column_int64(row, 3),
                                        sqlite3_column_int64(row, 4), sqlite3_column_int64(row, 5)}};
    CS_TABLE_ADD(partners->objects, key, object);
    return object ? SQLITE_OK : SQLITE_NOMEM;
}

static const char objects_sql[] =
    "SELECT o.rank, o.object, o.uid, coalesce(o.similar, o.uid), c.own_rank, iif(c.remote_size IS NULL, c.size, 0)"
    " FROM main.object o LEFT JOIN main.window w ON w.rank = o.rank AND w.object = o.object"
    " LEFT JOIN main.communicator c ON c.rank = o.rank AND c.object = CASE o.kind WHEN 'window' THEN w.communicator"
    " WHEN 'file' THEN o.parent ELSE o.object END"
    " WHERE o.kind IN ('communicator', 'window', 'file') AND o.uid IS NOT NULL";

static int add_process(void *context, sqlite3_stmt *row)
{
    struct cs_partners *partners = context;
    struct process *process = calloc(1, sizeof *process);
    if (!process)
        return SQLITE_NOMEM;
    *process = (struct process){.rank = sqlite3_column_int64(row, 0), .node = sqlite3_column_int64(row, 1)};
    CS_TABLE_ADD(partners->processes, rank, process);
    return process ? SQLITE_OK : SQLITE_NOMEM;
}

static const char processes_sql[] = "SELECT rank, rank() OVER (ORDER BY node) FROM main.process";

int cs_partners_read(sqlite3 *db, struct cs_partners **read)
{
    struct cs_partners *partners = calloc(1, sizeof *partners);
    if (!partners)
        return SQLITE_NOMEM;
    int result = cs_message_links_read(db, &partners->links);
    if (result == SQLITE_OK)
        result = cs_each_row(db, functions_sql, add_function, partners);
    if (result == SQLITE_OK)
        result = cs_each_row(db, objects_sql, add_object, partners);
    if (result == SQLITE_OK)
        result = cs_each_row(db, processes_sql, add_process, partners);
    *read = partners;
    if (result != SQLITE_OK) {
        cs_partners_free(partners);
        *read = NULL;
    }
    return result;
}

void cs_partners_free(struct cs_partners *partners)
{
    if (!partners)
        return;
    cs_message_links_free(partners->links);
    CS_TABLE_FREE(partners->objects);
    CS_TABLE_FREE(partners->processes);
    free(partners);
}

const struct cs_partner_function *cs_partners_function(const struct cs_partners *partners, int64_t function)
{
    static const struct cs_partner_function unknown = {.waits = CS_WAIT_OTHER};
    if (function < 0 || function >= FUNCTIONS || !partners->function[function].known)
        return &unknown;
    return &partners->function[function];
}

bool cs_partners_have_persistent(const struct cs_partners *partners)
{
    return partners->persistent;
}

const struct cs_partner_object *cs_partners_object(const struct cs_partners *partners, int64_t rank, int64_t object)
{
    const struct object_key key = {rank, object};
    const struct object *found;
    HASH_FIND(hh, partners->objects, &key, sizeof key, found);
    return found ? &found->found : NULL;
}

bool cs_partners_message(const struct cs_partners *partners, int64_t rank, const struct cs_pass_message *said,
                         struct cs_partner_message *message)
{
    if (said->direction == CS_PASS_NEITHER || said->nth <= 0)
        return false;
    const struct cs_message_link *link =
        cs_message_links_find(partners->links, rank, said->object, said->direction == CS_PASS_SEND, said->peer);
    if (link)
        *message = (struct cs_partner_message){link->id, link->source, link->dest, said->tag, said->nth};
    return link != NULL;
}

bool cs_partners_are_apart(const struct cs_partners *partners, int64_t rank, int64_t other)
{
    const struct process *a, *b;
    HASH_FIND(hh, partners->processes, &rank, sizeof rank, a);
    HASH_FIND(hh, partners->processes, &other, sizeof other, b);
    return !a || !b || a->node != b->node;
}
