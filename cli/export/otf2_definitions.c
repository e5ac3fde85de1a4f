#include "cli/export/otf2_definitions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/ascii.h"
#include "base/hash.h"
#include "base/hash_table.h"
#include "base/log.h"
#include "cli/rows/rows.h"
#include "reports_sql.h"

/* Appends a zeroed item to an array of the definitions; NULL without memory. */
#define ADD(definitions, array, count, room)                                                                           \
    (definitions_add(definitions, &(definitions)->array, &(definitions)->count, &(definitions)->room,                  \
                     sizeof *(definitions)->array)                                                                     \
         ? &(definitions)->array[(definitions)->count - 1]                                                             \
         : NULL)

static bool definitions_add(struct cs_otf2_definitions *definitions, void *array, size_t *count, size_t *room,
                            size_t bytes)
{
    if (!cs_array_grow(array, *count, room, bytes)) {
        definitions->failed = true;
        return false;
    }
    memset(*(char **)array + *count * bytes, 0, bytes);
    ++*count;
    return true;
}

/* ---- texts ---- */

struct cs_otf2_text {
    UT_hash_handle hh;
    uint32_t number;
    char text[];
};

uint32_t cs_otf2_text(struct cs_otf2_definitions *definitions, const char *text)
{
    struct cs_otf2_text *found;
    size_t length = strlen(text ? text : "");
    HASH_FIND(hh, definitions->text, text ? text : "", length, found);
    if (found)
        return found->number;
    found = calloc(1, sizeof *found + length + 1);
    if (found) {
        found->number = (uint32_t)definitions->texts;
        memcpy(found->text, text ? text : "", length);
        CS_TABLE_ADD_UNDER(definitions->text, found->text, length, found);
    }
    if (!found) {
        definitions->failed = true;
        return 0;
    }
    definitions->texts++;
    return found->number;
}

/* ---- functions ---- */

/* OTF2_CollectiveOp: the number of each is its place. */
static const char *const operations[] = {"Barrier",
                                         "Bcast",
                                         "Gather",
                                         "Gatherv",
                                         "Scatter",
                                         "Scatterv",
                                         "Allgather",
                                         "Allgatherv",
                                         "Alltoall",
                                         "Alltoallv",
                                         "Alltoallw",
                                         "Allreduce",
                                         "Reduce",
                                         "Reduce_scatter",
                                         "Scan",
                                         "Exscan",
                                         "Reduce_scatter_block"};

/* Ibarrier is a Barrier, too. */
static int operation_of(const char *name)
{
    static const char prefix[] = "MPI_";
    const char *word = strncmp(name, prefix, sizeof prefix - 1) == 0 ? name + sizeof prefix - 1 : name;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        const char *end = cs_ascii_after(*word == 'I' ? word + 1 : word, operations[i]);
        if (end && (!*end || strcmp(end, "_c") == 0))
            return (int)i;
    }
    return -1;
}

static uint8_t role_of(const char *class, const char *collective, int operation)
{
    if (operation == CS_OTF2_BARRIER)
        return CS_OTF2_ROLE_BARRIER;
    if (strcmp(class, "point-to-point") == 0 || strcmp(class, "completion") == 0)
        return CS_OTF2_ROLE_POINT_TO_POINT;
    if (strcmp(class, "one-sided") == 0 || strcmp(class, "window") == 0)
        return CS_OTF2_ROLE_ONE_SIDED;
    if (strcmp(class, "io") == 0)
        return CS_OTF2_ROLE_FILE;
    if (!*collective)
        return CS_OTF2_ROLE_FUNCTION;
    return strcmp(collective, "all") == 0         ? CS_OTF2_ROLE_ALL_TO_ALL
           : strcmp(collective, "from-root") == 0 ? CS_OTF2_ROLE_ONE_TO_ALL
           : strcmp(collective, "to-root") == 0   ? CS_OTF2_ROLE_ALL_TO_ONE
                                                  : CS_OTF2_ROLE_OTHER_COLLECTIVE;
}

static bool read_functions(struct cs_otf2_definitions *definitions)
{
    struct cs_rows rows = cs_rows_begin(definitions->db, cs_sql_otf2_functions);
    while (!definitions->failed && cs_rows_next(&rows)) {
        struct cs_otf2_function *function = ADD(definitions, function, functions, function_room);
        if (!function)
            break;
        const char *name = cs_rows_text(&rows, "name"), *transfer = cs_rows_text(&rows, "transfer");
        const char *collective = cs_rows_text(&rows, "collective");
        bool both = strcmp(transfer, "both") == 0;
        int operation = *collective ? operation_of(name) : -1;
        *function = (struct cs_otf2_function){
            .number = cs_rows_integer(&rows, "function"),
            .name = cs_otf2_text(definitions, name),
            .role = role_of(cs_rows_text(&rows, "class"), collective, operation),
            .operation =
                operation < 0 && *collective && cs_rows_integer(&rows, "creates") ? CS_OTF2_CREATE_HANDLE : operation,
            .from_root = strcmp(collective, "from-root") == 0,
            .to_root = strcmp(collective, "to-root") == 0,
            .nonblocking = cs_rows_integer(&rows, "nonblocking") != 0,
            .blocking = cs_rows_integer(&rows, "blocking") != 0,
            .sends = both || strcmp(transfer, "send") == 0,
            .receives = both || strcmp(transfer, "receive") == 0,
            .combines = cs_rows_integer(&rows, "combines") != 0,
            .one_sided = cs_rows_integer(&rows, "one_sided") != 0,
            .awaits = cs_rows_integer(&rows, "awaits") != 0,
            .locks = cs_rows_integer(&rows, "locks") != 0,
            .unlocks = cs_rows_integer(&rows, "unlocks") != 0,
        };
    }
    return cs_rows_end(&rows) == CS_OK && !definitions->failed;
}

static int by_number(const void *item, const void *key)
{
    return cs_compare(((const struct cs_otf2_function *)item)->number, *(const int64_t *)key);
}

const struct cs_otf2_function *cs_otf2_function(const struct cs_otf2_definitions *definitions, int64_t number)
{
    size_t at = cs_array_lower_bound(definitions->function, definitions->functions, sizeof *definitions->function,
                                     &number, by_number);
    return at < definitions->functions && definitions->function[at].number == number ? &definitions->function[at]
                                                                                     : NULL;
}

/* ---- communicators, windows, files ---- */

static int by_handle(const void *left, const void *right)
{
    const struct cs_otf2_handle *a = left, *b = right;
    int order = cs_compare(a->rank, b->rank);
    return order ? order : cs_compare(a->object, b->object);
}

/* Among the first handles, which are sorted. */
static const struct cs_otf2_handle *find_handle(const struct cs_otf2_definitions *definitions, size_t count,
                                                int64_t rank, int64_t object)
{
    struct cs_otf2_handle key = {.rank = rank, .object = object};
    size_t at = cs_array_lower_bound(definitions->handle, count, sizeof key, &key, by_handle);
    return at < count && by_handle(&definitions->handle[at], &key) == 0 ? &definitions->handle[at] : NULL;
}

const struct cs_otf2_handle *cs_otf2_handle(const struct cs_otf2_definitions *definitions, int64_t rank, int64_t object)
{
    return find_handle(definitions, definitions->handles, rank, object);
}

static void add_handle(struct cs_otf2_definitions *definitions, int64_t rank, int64_t object, uint32_t communicator,
                       uint32_t window, uint32_t name)
{
    struct cs_otf2_handle *handle = ADD(definitions, handle, handles, handle_room);
    if (handle)
        *handle = (struct cs_otf2_handle){rank, object, communicator, window, name};
}

static void sort_handles(struct cs_otf2_definitions *definitions)
{
    if (definitions->handles)
        qsort(definitions->handle, definitions->handles, sizeof *definitions->handle, by_handle);
}

/* The group of these members, which are ranks. It takes `members`. CS_OTF2_NONE: one is unknown. */
static uint32_t group_of(struct cs_otf2_definitions *definitions, uint64_t *members, uint32_t count)
{
    uint64_t hash = cs_hash_bytes(CS_HASH_BEGIN, members, count * sizeof *members);
    uint32_t number = CS_OTF2_NONE;
    for (uint32_t i = 0; i < count; i++)
        if (members[i] >= definitions->ranks)
            goto end;
    for (size_t i = 0; i < definitions->groups; i++)
        if (definitions->group[i].hash == hash && definitions->group[i].count == count &&
            memcmp(definitions->group[i].members, members, count * sizeof *members) == 0) {
            number = (uint32_t)i + CS_OTF2_GROUPS_FIRST;
            goto end;
        }
    struct cs_otf2_group *group = ADD(definitions, group, groups, group_room);
    if (group) {
        *group = (struct cs_otf2_group){hash, members, count};
        return (uint32_t)definitions->groups - 1 + CS_OTF2_GROUPS_FIRST;
    }
end:
    free(members);
    return number;
}

/* One rank's view of a communicator. */
struct member {
    int64_t rank, object, uid, own, size, remote_size, side;
    bool shared, inter, has_side;
    uint32_t name;
};

/* Sets members that have no file from the list that the first member has: "0-6:2,9". */
static void fill(uint64_t *members, uint32_t count, const char *list)
{
    uint32_t at = 0;
    while (list && *list && at < count) {
        char *end;
        long first = strtol(list, &end, 10), last = first, step = 1;
        if (end == list)
            return; /* a member without a rank, or the list is cut */
        if (*end == '-')
            last = strtol(end + 1, &end, 10);
        if (*end == ':')
            step = strtol(end + 1, &end, 10);
        for (long rank = first; step > 0 && rank <= last && at < count; rank += step, at++)
            if (members[at] == UINT64_MAX)
                members[at] = (uint64_t)rank;
        list = *end == ',' ? end + 1 : "";
    }
}

/* The group of the members with this side, in their order. */
static uint32_t group_of_side(struct cs_otf2_definitions *definitions, const struct member *member, size_t count,
                              int64_t side, int64_t size, const char *list)
{
    uint64_t *members = size > 0 && size <= definitions->ranks ? malloc((size_t)size * sizeof *members) : NULL;
    if (!members)
        return CS_OTF2_NONE;
    memset(members, 0xff, (size_t)size * sizeof *members);
    for (size_t i = 0; i < count; i++)
        if ((!member[i].inter || member[i].side == side) && member[i].own >= 0 && member[i].own < size)
            members[member[i].own] = (uint64_t)member[i].rank;
    fill(members, (uint32_t)size, list);
    return group_of(definitions, members, (uint32_t)size);
}

/* Adds the communicator that these rows are of. */
static void add_communicator(struct cs_otf2_definitions *definitions, const struct member *member, size_t count,
                             const char *list)
{
    uint32_t group = CS_OTF2_NONE, other = CS_OTF2_NONE, number = CS_OTF2_NONE;
    if (!member->shared && member->size == 1 && !member->inter) {
        group = CS_OTF2_SELF;
    } else if (member->shared && !member->inter) {
        group = group_of_side(definitions, member, count, 0, member->size, list);
    } else if (member->shared && member->has_side && member[count - 1].side != member->side) {
        group = group_of_side(definitions, member, count, member->side, member->size, NULL);
        other = group_of_side(definitions, member, count, member[count - 1].side, member->remote_size, NULL);
        group = other == CS_OTF2_NONE ? CS_OTF2_NONE : group;
    }
    struct cs_otf2_communicator *last =
        definitions->communicators ? &definitions->communicator[definitions->communicators - 1] : NULL;
    if (group == CS_OTF2_SELF && last && last->group == CS_OTF2_SELF && last->name == member->name) {
        number = (uint32_t)definitions->communicators - 1;
    } else if (group != CS_OTF2_NONE) {
        struct cs_otf2_communicator *communicator = ADD(definitions, communicator, communicators, communicator_room);
        if (communicator)
            *communicator = (struct cs_otf2_communicator){member->name, group, other};
        number = (uint32_t)definitions->communicators - 1;
    } else {
        definitions->incomplete++;
    }
    for (size_t i = 0; i < count; i++)
        add_handle(definitions, member[i].rank, member[i].object, number, CS_OTF2_NONE, member[i].name);
}

static bool read_communicators(struct cs_otf2_definitions *definitions)
{
    struct cs_rows rows = cs_rows_begin(definitions->db, cs_sql_otf2_communicators);
    struct member *member = NULL;
    size_t count = 0, room = 0;
    char *list = NULL;
    bool more = cs_rows_next(&rows);
    while (more && !definitions->failed) {
        if (!cs_array_grow(&member, count, &room, sizeof *member)) {
            definitions->failed = true;
            break;
        }
        member[count++] = (struct member){
            .rank = cs_rows_integer(&rows, "rank"),
            .object = cs_rows_integer(&rows, "object"),
            .uid = cs_rows_integer(&rows, "uid"),
            .own = cs_rows_integer(&rows, "own"),
            .size = cs_rows_integer(&rows, "size"),
            .remote_size = cs_rows_integer(&rows, "remote_size"),
            .side = cs_rows_integer(&rows, "side"),
            .shared = cs_rows_integer(&rows, "shared") != 0,
            .inter = cs_rows_has(&rows, "remote_size"),
            .has_side = cs_rows_has(&rows, "side"),
            .name = cs_otf2_text(definitions, cs_rows_text(&rows, "name")),
        };
        if (!list && cs_rows_has(&rows, "members") && !(list = strdup(cs_rows_text(&rows, "members"))))
            definitions->failed = true;
        more = cs_rows_next(&rows);
        if (more && member->shared && cs_rows_integer(&rows, "shared") && cs_rows_integer(&rows, "uid") == member->uid)
            continue;
        add_communicator(definitions, member, count, list);
        count = 0;
        free(list);
        list = NULL;
    }
    free(list);
    free(member);
    sort_handles(definitions);
    return cs_rows_end(&rows) == CS_OK && !definitions->failed;
}

/* Windows, and files, which have no definition. */
static bool read_windows(struct cs_otf2_definitions *definitions)
{
    struct cs_rows rows = cs_rows_begin(definitions->db, cs_sql_otf2_windows);
    size_t communicators = definitions->handles; /* sorted; the others follow them */
    int64_t uid = 0;
    uint32_t window = CS_OTF2_NONE;
    while (!definitions->failed && cs_rows_next(&rows)) {
        int64_t rank = cs_rows_integer(&rows, "rank");
        const struct cs_otf2_handle *of =
            find_handle(definitions, communicators, rank, cs_rows_integer(&rows, "communicator"));
        uint32_t communicator = of ? of->communicator : CS_OTF2_NONE;
        uint32_t name = cs_otf2_text(definitions, cs_rows_text(&rows, "name"));
        if (!cs_rows_integer(&rows, "window") || communicator == CS_OTF2_NONE) {
            window = CS_OTF2_NONE;
        } else if (window == CS_OTF2_NONE || cs_rows_integer(&rows, "uid") != uid) {
            struct cs_otf2_window *made = ADD(definitions, window, windows, window_room);
            if (made)
                *made = (struct cs_otf2_window){name, communicator};
            window = (uint32_t)definitions->windows - 1;
        }
        uid = cs_rows_integer(&rows, "uid");
        add_handle(definitions, rank, cs_rows_integer(&rows, "object"), communicator, window, name);
    }
    sort_handles(definitions);
    return cs_rows_end(&rows) == CS_OK && !definitions->failed;
}

/* ---- locations ---- */

struct cs_otf2_location *cs_otf2_location(struct cs_otf2_definitions *definitions, int64_t rank, int64_t thread)
{
    if (rank < 0 || rank >= definitions->ranks) {
        cs_log("export: the trace has calls of rank %lld, but no such process", (long long)rank);
        return NULL;
    }
    if (thread == 0)
        return &definitions->location[rank];
    struct cs_otf2_location *location = ADD(definitions, location, locations, location_room);
    if (location)
        *location = (struct cs_otf2_location){rank, thread, 0};
    return location;
}

/* As Score-P numbers them. */
uint64_t cs_otf2_location_number(const struct cs_otf2_location *location)
{
    return (uint64_t)location->thread << 32 | (uint64_t)location->rank;
}

/* More than any machine has. The ranks of a damaged trace must not become the size of an array. */
#define MOST_RANKS (1 << 24)

static bool read_ranks(struct cs_otf2_definitions *definitions)
{
    int64_t last = -1;
    struct cs_rows rows =
        cs_rows_begin(definitions->db, "SELECT max(coalesce(max(rank), -1), coalesce(max(world_size), 0) - 1) AS last\n"
                                       "FROM process");
    if (cs_rows_next(&rows))
        last = cs_rows_integer(&rows, "last");
    if (last >= MOST_RANKS) {
        cs_log("export: the trace is damaged: it has a rank %lld", (long long)last);
        cs_rows_end(&rows);
        return false;
    }
    definitions->ranks = (uint32_t)(last + 1);
    for (uint32_t rank = 0; !definitions->failed && rank < definitions->ranks; rank++) {
        struct cs_otf2_location *location = ADD(definitions, location, locations, location_room);
        if (location)
            location->rank = rank;
    }
    return cs_rows_end(&rows) == CS_OK && !definitions->failed;
}

bool cs_otf2_definitions_read(struct cs_otf2_definitions *definitions)
{
    cs_otf2_text(definitions, ""); /* number 0 */
    bool done = read_ranks(definitions) && read_functions(definitions) && read_communicators(definitions) &&
                read_windows(definitions);
    if (definitions->failed)
        cs_log("export: out of memory");
    return done;
}

/* ---- writing ---- */

/* The number of a text, which is written now unless it was before. */
static uint32_t text(struct cs_otf2_definitions *definitions, void *to, const char *name)
{
    size_t before = definitions->texts;
    uint32_t number = cs_otf2_text(definitions, name);
    if (definitions->texts > before && definitions->otf2.text(to, number, name) != 0)
        definitions->failed = true;
    return number;
}

/* Nodes, processes and threads. */
static bool write_locations(struct cs_otf2_definitions *definitions, void *to)
{
    struct cs_otf2 *otf2 = &definitions->otf2;
    uint32_t *node = calloc(definitions->ranks + 1, sizeof *node), nodes = 0, last = CS_OTF2_NONE;
    if (!node)
        return false;
    uint32_t kind = text(definitions, to, "node");
    bool failed =
        otf2->node(to, nodes++, text(definitions, to, "run"), text(definitions, to, "machine"), CS_OTF2_NONE) != 0;
    struct cs_rows rows =
        cs_rows_begin(definitions->db, "SELECT rank, coalesce(node, '') AS node FROM process WHERE rank >= 0\n"
                                       "ORDER BY node, rank");
    while (cs_rows_next(&rows)) {
        uint32_t name = text(definitions, to, cs_rows_text(&rows, "node"));
        if (name != last)
            failed |= otf2->node(to, nodes++, name, kind, 0) != 0;
        last = name;
        node[cs_rows_integer(&rows, "rank")] = nodes - 1;
    }
    failed |= cs_rows_end(&rows) != CS_OK;
    for (uint32_t rank = 0; rank < definitions->ranks; rank++) {
        char name[32];
        snprintf(name, sizeof name, "rank %u", (unsigned)rank);
        failed |= otf2->process(to, rank, text(definitions, to, name), CS_OTF2_PROCESS, node[rank], CS_OTF2_NONE) != 0;
    }
    for (size_t i = 0; i < definitions->locations; i++) {
        const struct cs_otf2_location *location = &definitions->location[i];
        char name[32];
        snprintf(name, sizeof name, "thread %lld", (long long)location->thread);
        failed |= otf2->location(to, cs_otf2_location_number(location), text(definitions, to, name), CS_OTF2_THREAD,
                                 location->events, (uint32_t)location->rank) != 0;
    }
    free(node);
    return !failed;
}

static bool write_objects(struct cs_otf2_definitions *definitions, void *to)
{
    struct cs_otf2 *otf2 = &definitions->otf2;
    bool failed = false;
    uint64_t *world = calloc(definitions->ranks + 1, sizeof *world);
    if (!world)
        return false;
    for (uint32_t rank = 0; rank < definitions->ranks; rank++)
        world[rank] = rank;
    failed |=
        otf2->group(to, CS_OTF2_WORLD, 0, CS_OTF2_GROUP_LOCATIONS, CS_OTF2_MPI, 0, definitions->ranks, world) != 0;
    free(world);
    failed |= otf2->group(to, CS_OTF2_SELF, 0, CS_OTF2_GROUP_SELF, CS_OTF2_MPI, 0, 0, NULL) != 0;
    for (size_t i = 0; i < definitions->groups; i++)
        failed |= otf2->group(to, (uint32_t)i + CS_OTF2_GROUPS_FIRST, 0, CS_OTF2_GROUP_RANKS, CS_OTF2_MPI, 0,
                              definitions->group[i].count, definitions->group[i].members) != 0;
    for (size_t i = 0; i < definitions->communicators; i++) {
        const struct cs_otf2_communicator *each = &definitions->communicator[i];
        uint32_t self = (uint32_t)i;
        failed |= each->other == CS_OTF2_NONE
                      ? otf2->communicator(to, self, each->name, each->group, CS_OTF2_NONE, 0) != 0
                      : otf2->intercommunicator(to, self, each->name, each->group, each->other, CS_OTF2_NONE, 0) != 0;
    }
    for (size_t i = 0; i < definitions->windows; i++)
        failed |=
            otf2->window(to, (uint32_t)i, definitions->window[i].name, definitions->window[i].communicator, 0) != 0;
    return !failed;
}

static int64_t read_utc(struct cs_otf2_definitions *definitions)
{
    int64_t utc_ns = -1;
    struct cs_rows rows =
        cs_rows_begin(definitions->db, "SELECT zero_utc_ns FROM process WHERE rank >= 0 ORDER BY rank LIMIT 1");
    if (cs_rows_next(&rows) && cs_rows_has(&rows, "zero_utc_ns"))
        utc_ns = cs_rows_integer(&rows, "zero_utc_ns");
    cs_rows_end(&rows);
    return utc_ns;
}

bool cs_otf2_definitions_write(struct cs_otf2_definitions *definitions, void *archive, int64_t zero_ns,
                               int64_t length_ns)
{
    struct cs_otf2 *otf2 = &definitions->otf2;
    void *to = otf2->definitions(archive);
    if (!to)
        return false;
    int64_t utc_ns = read_utc(definitions);
    static const struct {
        const char *name, *description;
        uint8_t type;
    } attributes[] = {
        [CS_OTF2_CALL_SITE] = {"call_site", "function, file and line that called MPI", CS_OTF2_TYPE_STRING},
        [CS_OTF2_CALLS] = {"calls", "equal calls in turn that polled", CS_OTF2_TYPE_UINT64},
        [CS_OTF2_OBJECT] = {"object", "communicator, window or file of the call", CS_OTF2_TYPE_STRING},
    };
    bool failed = otf2->clock(to, 1000000000, 0, (uint64_t)length_ns + 1,
                              utc_ns < 0 ? UINT64_MAX : (uint64_t)(utc_ns + zero_ns)) != 0;
    for (const struct cs_otf2_text *each = definitions->text; each; each = each->hh.next)
        failed |= otf2->text(to, each->number, each->text) != 0;
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        failed |= otf2->attribute(to, (uint32_t)i, text(definitions, to, attributes[i].name),
                                  text(definitions, to, attributes[i].description), attributes[i].type) != 0;
    failed |= !write_locations(definitions, to);
    for (size_t i = 0; i < definitions->functions; i++) {
        const struct cs_otf2_function *function = &definitions->function[i];
        failed |= otf2->region(to, (uint32_t)i, function->name, function->name, 0, function->role, CS_OTF2_MPI, 0, 0, 0,
                               0) != 0;
    }
    failed |= !write_objects(definitions, to);
    return !failed && !definitions->failed;
}

void cs_otf2_definitions_free(struct cs_otf2_definitions *definitions)
{
    for (size_t i = 0; i < definitions->groups; i++)
        free(definitions->group[i].members);
    free(definitions->function);
    free(definitions->handle);
    free(definitions->group);
    free(definitions->communicator);
    free(definitions->window);
    free(definitions->location);
    CS_TABLE_FREE(definitions->text);
}
