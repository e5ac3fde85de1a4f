#include "db/trace/event_collectives.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/hash_table.h"

/* The call of a member. */
struct member {
    struct cs_event_call call;
    const struct cs_partner_function *function;
    const struct cs_partner_object *on;
    int64_t object;
    struct cs_event_number peer;
    struct cs_event_number part; /* of an intercommunicator: its group, by the root that it passes, or by its id */
};

struct collective {
    struct collective_key {
        int64_t id, number;
    } key;
    UT_hash_handle hh;
    struct member *member;
    size_t members, room;
    int64_t ranks; /* different ones among them */
};

/* A communicator, window or file. */
struct team {
    int64_t id;
    UT_hash_handle hh;
    int64_t with_events; /* members that have events */
};

struct cs_event_collectives {
    struct cs_pass *pass;
    const struct cs_partners *partners;
    bool rows_of_waits;
    struct cs_event_rows *rows;
    struct collective *collectives;
    struct team *teams;
};

/* ---- the members of a call ---- */

static struct cs_event_number part_of(const struct cs_partner_object *on, struct cs_event_number peer)
{
    if (!on->has_two_groups || (peer.known && peer.value == -2)) /* MPI_PROC_NULL */
        return (struct cs_event_number){0, false};
    if (!peer.known)
        return (struct cs_event_number){on->group, on->has_group};
    return (struct cs_event_number){peer.value == -3, true}; /* MPI_ROOT */
}

static struct collective *collective_of(struct cs_event_collectives *collectives, const struct collective_key *key)
{
    struct collective *collective;
    HASH_FIND(hh, collectives->collectives, key, sizeof *key, collective);
    if (collective)
        return collective;
    collective = calloc(1, sizeof *collective);
    if (collective) {
        collective->key = *key;
        CS_TABLE_ADD(collectives->collectives, key, collective);
    }
    return collective;
}

/* The number of ranks with events that share the object of this id. */
static int64_t count_with_events(struct cs_event_collectives *collectives, int64_t id)
{
    struct team *team;
    HASH_FIND(hh, collectives->teams, &id, sizeof id, team);
    return team ? team->with_events : 0;
}

static bool is_new_rank(const struct collective *collective, int64_t rank)
{
    for (size_t i = 0; i < collective->members; i++)
        if (collective->member[i].call.rank == rank)
            return false;
    return true;
}

/* ---- who waits ---- */

static bool is_whole(const struct collective *collective)
{
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < collective->members; i++)
        least = collective->member[i].on->all < least ? collective->member[i].on->all : least;
    return least > 1 && collective->ranks == least;
}

static const struct member *find_last(const struct collective *collective)
{
    const struct member *last = collective->member;
    for (size_t i = 1; i < collective->members; i++)
        if (collective->member[i].call.start_ns > last->call.start_ns)
            last = &collective->member[i];
    return last;
}

/* The possible error of the clocks of all members together. */
static struct cs_event_number find_error(const struct cs_event_collectives *collectives,
                                         const struct collective *collective)
{
    int64_t node = 0, most_ns = 0;
    bool one_node = true, bounded = true;
    for (size_t i = 0; i < collective->members; i++) {
        const struct cs_partner_process *process =
            cs_partners_process(collectives->partners, collective->member[i].call.rank);
        if (process->node && node && process->node != node)
            one_node = false;
        node = process->node ? process->node : node;
        bounded = bounded && process->has_error;
        most_ns = process->error_ns > most_ns ? process->error_ns : most_ns;
    }
    if (one_node && node)
        return (struct cs_event_number){0, true};
    int64_t error_ns;
    bool known = bounded && !__builtin_add_overflow(most_ns, most_ns, &error_ns);
    return (struct cs_event_number){known ? error_ns : 0, known};
}

static void add_wait(struct cs_event_collectives *collectives, const struct member *member, enum cs_event_wait kind,
                     const struct member *cause, struct cs_event_number function, const struct member *named,
                     const struct cs_event_number *error)
{
    struct cs_event_cause why = {.kind = kind,
                                 .rank = cause->call.rank,
                                 .until_ns = cause->call.start_ns,
                                 .id = member->on->id,
                                 .named_by = named->call.rank,
                                 .object = named->object,
                                 .function = function,
                                 .site = cause->call.site};
    if (error)
        why.error_ns = *error;
    else
        why.error_ns.known =
            cs_partners_clock_error(collectives->partners, member->call.rank, cause->call.rank, &why.error_ns.value);
    if (member->call.end_ns >= cause->call.start_ns)
        cs_event_rows_add_wait(collectives->rows, &member->call, &why);
}

static enum cs_event_wait kind_of(const struct cs_partner_function *function)
{
    return function->carries_data ? CS_WAIT_AT_NXN : CS_WAIT_AT_BARRIER;
}

/* A member that waits for the last one of all. */
static void wait_for_last(struct cs_event_collectives *collectives, const struct member *member,
                          const struct member *last, const struct cs_event_number *error)
{
    const struct cs_partner_function *function = member->function;
    if (member->call.rank == last->call.rank)
        return;
    if (function->members == CS_MEMBERS_ALL && function->synchronizing && member->on->has_own &&
        !member->on->has_two_groups)
        add_wait(collectives, member, function->one_sided ? CS_WAIT_AT_FENCE : kind_of(function), last,
                 last->call.function, last, error);
    if (function->members == CS_MEMBERS_AT_ROOT && member->on->has_own && !member->on->has_two_groups &&
        member->peer.known && member->peer.value == member->on->own)
        add_wait(collectives, member, CS_EARLY_REDUCE, last, last->call.function, last, error);
}

/* Between groups, a member waits for the last one of the other group. */
static void wait_for_group(struct cs_event_collectives *collectives, const struct collective *collective,
                           const struct member *member)
{
    const struct cs_partner_function *function = member->function;
    const struct cs_event_number peer = member->peer;
    bool waits = function->members == CS_MEMBERS_ALL       ? function->synchronizing && !peer.known
                 : function->members == CS_MEMBERS_ROOT    ? peer.known && peer.value >= 0
                 : function->members == CS_MEMBERS_AT_ROOT ? peer.known && peer.value == -3
                                                           : false;
    const struct member *last = NULL;
    for (size_t i = 0; waits && member->part.known && i < collective->members; i++) {
        const struct member *other = &collective->member[i];
        if (other->function->blocking && other->part.known && other->part.value != member->part.value &&
            (!last || other->call.start_ns > last->call.start_ns))
            last = other;
    }
    if (last)
        add_wait(collectives, member,
                 function->members == CS_MEMBERS_ROOT      ? CS_LATE_BROADCAST
                 : function->members == CS_MEMBERS_AT_ROOT ? CS_EARLY_REDUCE
                                                           : kind_of(function),
                 last, last->call.function, member, NULL);
}

/* A member that waits for the root, or for the last one of those with lower ranks. */
static void wait_for_some(struct cs_event_collectives *collectives, const struct collective *collective,
                          const struct member *member)
{
    const enum cs_partner_collective members = member->function->members;
    const struct member *found = NULL;
    if ((members != CS_MEMBERS_ROOT && members != CS_MEMBERS_LOWER) || member->on->has_two_groups)
        return;
    for (size_t i = 0; i < collective->members; i++) {
        const struct member *other = &collective->member[i];
        if (!other->function->blocking || !other->on->has_own || other->on->has_two_groups)
            continue;
        bool counts = members == CS_MEMBERS_ROOT ? member->peer.known && other->on->own == member->peer.value &&
                                                       other->call.rank != member->call.rank
                                                 : member->on->has_own && other->on->own < member->on->own;
        if (counts && (!found || other->call.start_ns > found->call.start_ns))
            found = other;
    }
    if (found)
        add_wait(collectives, member, members == CS_MEMBERS_ROOT ? CS_LATE_BROADCAST : CS_EARLY_SCAN, found,
                 member->call.function, member, NULL);
}

static void add_waits(struct cs_event_collectives *collectives, const struct collective *collective)
{
    bool whole = is_whole(collective);
    const struct cs_event_number error =
        whole ? find_error(collectives, collective) : (struct cs_event_number){0, false};
    const struct member *last = find_last(collective);
    for (size_t i = 0; i < collective->members; i++) {
        const struct member *member = &collective->member[i];
        if (!member->function->blocking)
            continue;
        if (whole)
            wait_for_last(collectives, member, last, &error);
        wait_for_group(collectives, collective, member);
        wait_for_some(collectives, collective, member);
    }
}

/* A row of computed_collectives. */
static void add_times(struct cs_event_collectives *collectives, const struct collective *collective)
{
    if (!is_whole(collective))
        return;
    const struct member *last = find_last(collective);
    int64_t first_ns = INT64_MAX, left_ns = INT64_MIN, wait_ns = 0;
    for (size_t i = 0; i < collective->members; i++) {
        const struct cs_event_call *call = &collective->member[i].call;
        int64_t until_ns = call->end_ns < last->call.start_ns ? call->end_ns : last->call.start_ns;
        first_ns = call->start_ns < first_ns ? call->start_ns : first_ns;
        left_ns = call->end_ns > left_ns ? call->end_ns : left_ns;
        wait_ns = cs_event_plus(wait_ns, until_ns > call->start_ns ? cs_event_minus(until_ns, call->start_ns) : 0);
    }
    struct cs_event_row *row = cs_event_rows_add(collectives->rows);
    if (row)
        *row = (struct cs_event_row){{{last->object, true},
                                      {collective->key.id, true},
                                      {collective->key.number, true},
                                      last->call.function,
                                      last->call.site,
                                      {collective->ranks, true},
                                      {first_ns, true},
                                      {last->call.start_ns, true},
                                      {last->call.rank, true},
                                      {left_ns, true},
                                      {wait_ns, true},
                                      find_error(collectives, collective)}};
}

static void finish(struct cs_event_collectives *collectives, struct collective *collective)
{
    if (collectives->rows_of_waits)
        add_waits(collectives, collective);
    else
        add_times(collectives, collective);
    HASH_DELETE(hh, collectives->collectives, collective);
    free(collective->member);
    free(collective);
}

/* ---- all ---- */

int cs_event_collectives_take(struct cs_event_collectives *collectives, const struct cs_pass_thread *thread,
                              const struct cs_pass_event *event)
{
    if (!event->collective)
        return SQLITE_OK;
    const struct cs_partner_object *on = cs_partners_object(collectives->partners, thread->rank, event->message.object);
    if (!on || !on->has_communicator || !cs_partners_process(collectives->partners, thread->rank))
        return SQLITE_OK;
    struct collective *collective = collective_of(collectives, &(struct collective_key){on->id, event->collective});
    if (!collective ||
        !cs_array_grow(&collective->member, collective->members, &collective->room, sizeof *collective->member))
        return SQLITE_NOMEM;
    collective->ranks += is_new_rank(collective, thread->rank);
    const struct cs_event_number peer = {event->message.peer, event->names_peer};
    collective->member[collective->members++] =
        (struct member){.call = {thread->rank,
                                 thread->thread,
                                 event->event,
                                 event->start_ns,
                                 event->end_ns,
                                 {event->function, event->has_function},
                                 {event->site, event->has_site}},
                        .function = cs_partners_function(collectives->partners, event->function),
                        .on = on,
                        .object = event->message.object,
                        .peer = peer,
                        .part = part_of(on, peer)};
    if (collective->ranks == count_with_events(collectives, on->id))
        finish(collectives, collective);
    return SQLITE_OK;
}

void cs_event_collectives_end(struct cs_event_collectives *collectives)
{
    while (collectives->collectives)
        finish(collectives, collectives->collectives);
}

/* Threads are in order of ranks. */
static bool has_events(struct cs_pass *pass, int64_t rank)
{
    size_t from = 0, to = cs_pass_threads(pass);
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (cs_pass_thread(pass, middle)->rank < rank)
            from = middle + 1;
        else
            to = middle;
    }
    return from < cs_pass_threads(pass) && cs_pass_thread(pass, from)->rank == rank;
}

static bool count_member(void *context, int64_t rank, const struct cs_partner_object *object)
{
    struct cs_event_collectives *collectives = context;
    if (!has_events(collectives->pass, rank))
        return true;
    struct team *team;
    HASH_FIND(hh, collectives->teams, &object->id, sizeof object->id, team);
    if (!team) {
        team = calloc(1, sizeof *team);
        if (!team)
            return false;
        team->id = object->id;
        CS_TABLE_ADD(collectives->teams, id, team);
    }
    if (team)
        team->with_events++;
    return team != NULL;
}

struct cs_event_collectives *cs_event_collectives_create(struct cs_pass *pass, const struct cs_partners *partners,
                                                         bool rows_of_waits, struct cs_event_rows *rows)
{
    struct cs_event_collectives *collectives = calloc(1, sizeof *collectives);
    if (!collectives)
        return NULL;
    *collectives =
        (struct cs_event_collectives){.pass = pass, .partners = partners, .rows_of_waits = rows_of_waits, .rows = rows};
    if (cs_partners_each_object(partners, count_member, collectives))
        return collectives;
    cs_event_collectives_free(collectives);
    return NULL;
}

void cs_event_collectives_free(struct cs_event_collectives *collectives)
{
    if (!collectives)
        return;
    for (struct collective *it = collectives->collectives; it; it = it->hh.next)
        free(it->member);
    CS_TABLE_FREE(collectives->collectives);
    CS_TABLE_FREE(collectives->teams);
    free(collectives);
}
