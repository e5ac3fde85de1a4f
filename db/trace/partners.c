#include "db/trace/partners.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "db/trace/each_row.h"

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
    struct cs_partner_process found;
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
        .waits = (enum cs_partner_wait)sqlite3_column_int(row, 9),
        .members = (enum cs_partner_collective)sqlite3_column_int(row, 10),
        .blocking = sqlite3_column_int(row, 12) != 0,
        .completes_one = sqlite3_column_int(row, 13) != 0,
        .completes_all = sqlite3_column_int(row, 14) != 0,
        .takes = sqlite3_column_int(row, 15) != 0,
        .exchanges = sqlite3_column_int(row, 16) != 0,
        .carries_data = sqlite3_column_int(row, 17) != 0,
        .one_sided = sqlite3_column_int(row, 18) != 0,
        .synchronizing = sqlite3_column_int(row, 19) != 0,
    };
    partners->persistent = partners->persistent || partners->function[number].starts;
    return SQLITE_OK;
}

/* Columns 9 and 10 have the numbers of enum cs_partner_wait and enum cs_partner_collective. */
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
    " request_act IN ('complete-any', 'complete-some'), mode IS 'blocking', request_act IS 'complete-one',"
    " request_act IS 'complete-all', waits IS 'message', transfer IS 'both', transfer IS NOT NULL,"
    " class IS 'one-sided', coalesce(synchronizing, 0) FROM main.function";

static int add_object(void *context, sqlite3_stmt *row)
{
    struct cs_partners *partners = context;
    struct object *object = calloc(1, sizeof *object);
    if (!object)
        return SQLITE_NOMEM;
    *object = (struct object){.key = {sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 1)},
                              .found = {.id = sqlite3_column_int64(row, 2),
                                        .similar = sqlite3_column_int64(row, 3),
                                        .own = sqlite3_column_int64(row, 4),
                                        .members = sqlite3_column_int64(row, 5),
                                        .all = sqlite3_column_int64(row, 6),
                                        .group = sqlite3_column_int64(row, 7),
                                        .has_communicator = sqlite3_column_int(row, 8) != 0,
                                        .has_own = sqlite3_column_type(row, 4) != SQLITE_NULL,
                                        .has_group = sqlite3_column_type(row, 7) != SQLITE_NULL,
                                        .has_two_groups = sqlite3_column_int(row, 9) != 0}};
    CS_TABLE_ADD(partners->objects, key, object);
    return object ? SQLITE_OK : SQLITE_NOMEM;
}

static const char objects_sql[] =
    "SELECT o.rank, o.object, o.uid, coalesce(o.similar, o.uid), c.own_rank, iif(c.remote_size IS NULL, c.size, 0),"
    " c.size + coalesce(c.remote_size, 0), g.uid, c.rank IS NOT NULL, c.remote_size IS NOT NULL"
    " FROM main.object o LEFT JOIN main.window w ON w.rank = o.rank AND w.object = o.object"
    " LEFT JOIN main.communicator c ON c.rank = o.rank AND c.object = CASE o.kind WHEN 'window' THEN w.communicator"
    " WHEN 'file' THEN o.parent ELSE o.object END"
    " LEFT JOIN main.object g ON c.remote_size IS NOT NULL AND g.rank = o.rank AND g.object = o.parent"
    " WHERE o.kind IN ('communicator', 'window', 'file') AND o.uid IS NOT NULL";

static int add_process(void *context, sqlite3_stmt *row)
{
    struct cs_partners *partners = context;
    struct process *process = calloc(1, sizeof *process);
    if (!process)
        return SQLITE_NOMEM;
    process->rank = sqlite3_column_int64(row, 0);
    process->found = (struct cs_partner_process){.node = sqlite3_column_int64(row, 1),
                                                 .error_ns = sqlite3_column_int64(row, 2),
                                                 .has_error = sqlite3_column_type(row, 2) != SQLITE_NULL};
    CS_TABLE_ADD(partners->processes, rank, process);
    return process ? SQLITE_OK : SQLITE_NOMEM;
}

static const char processes_sql[] =
    "SELECT rank, iif(node IS NULL, 0, rank() OVER (ORDER BY node)), clock_error_ns FROM main.process";

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

bool cs_partners_each_object(const struct cs_partners *partners,
                             bool (*each)(void *context, int64_t rank, const struct cs_partner_object *object),
                             void *context)
{
    for (const struct object *it = partners->objects; it; it = it->hh.next)
        if (!each(context, it->key.rank, &it->found))
            return false;
    return true;
}

const struct cs_message_link *cs_partners_link(const struct cs_partners *partners, int64_t rank,
                                               const struct cs_pass_message *said, enum cs_pass_direction direction)
{
    return cs_message_links_find(partners->links, rank, said->object, direction == CS_PASS_SEND, said->peer);
}

bool cs_partners_message(const struct cs_partners *partners, int64_t rank, const struct cs_pass_message *said,
                         struct cs_partner_message *message)
{
    if (said->direction == CS_PASS_NEITHER || said->nth <= 0)
        return false;
    const struct cs_message_link *link = cs_partners_link(partners, rank, said, said->direction);
    if (link)
        *message = (struct cs_partner_message){link->id, link->source, link->dest, said->tag, said->nth};
    return link != NULL;
}

static const struct process *find_process(const struct cs_partners *partners, int64_t rank)
{
    const struct process *process;
    HASH_FIND(hh, partners->processes, &rank, sizeof rank, process);
    return process;
}

const struct cs_partner_process *cs_partners_process(const struct cs_partners *partners, int64_t rank)
{
    const struct process *process = find_process(partners, rank);
    return process ? &process->found : NULL;
}

bool cs_partners_clock_error(const struct cs_partners *partners, int64_t rank, int64_t other, int64_t *error_ns)
{
    const struct cs_partner_process *a = cs_partners_process(partners, rank), *b = cs_partners_process(partners, other);
    *error_ns = 0;
    if (a && b && a->node && a->node == b->node)
        return true;
    return a && b && a->has_error && b->has_error && !__builtin_add_overflow(a->error_ns, b->error_ns, error_ns);
}
