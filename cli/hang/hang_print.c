#include "cli/hang/hang_print.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/log.h"
#include "cli/hang/hang_head.h"
#include "cli/hang/hang_reason.h"
#include "cli/report/report_checks.h"
#include "cli/rows/location.h"
#include "cli/text/text.h"

enum { CORES_MOST = 3, LINES_MOST = 8, TEAMS_MOST = 5, GROUPS_MOST = 3 };

typedef const struct cs_hang_output *out;

/* ---- parts of sentences ---- */

static void put_duration(sqlite3_str *text, int64_t least, int64_t most)
{
    char one[64], other[64];
    cs_text_duration(one, sizeof one, (double)(least > 0 ? least : 0));
    cs_text_duration(other, sizeof other, (double)(most > 0 ? most : 0));
    sqlite3_str_appendf(text, ", for %s", one);
    if (most > least && strcmp(one, other) != 0)
        sqlite3_str_appendf(text, " to %s", other);
}

static void put_place(out o, sqlite3_str *text, int64_t site)
{
    char place[512];
    if (site)
        sqlite3_str_appendf(text, ", at %s", cs_location_of_site(o->db, o->resolver, site, place, sizeof place));
}

/* Where a request was made. */
static void put_beginning(out o, sqlite3_str *text, int64_t site)
{
    char place[512];
    if (site)
        sqlite3_str_appendf(text, ", begun at %s", cs_location_of_site(o->db, o->resolver, site, place, sizeof place));
}

static void put_process(sqlite3_str *text, const struct cs_hang_rank *rank)
{
    if (rank->pid)
        sqlite3_str_appendf(text, " (pid %u on %s)", rank->pid, rank->node);
}

static const char *name_of(uint16_t number)
{
    const struct cs_function *function = cs_function_find(number);
    return function ? function->name : "?";
}

static const struct cs_hang_object *object_of(out o, int rank, uint32_t object)
{
    return cs_hang_object_of(o->hang, o->hang->rank[rank].rank, object);
}

static void put_object(sqlite3_str *text, const struct cs_hang_object *object)
{
    if (object && object->label && *object->label)
        sqlite3_str_appendf(text, " on %s", object->label);
}

/* "rank 3 (rank 1 in rows)", "rank 1 in rows" */
static void put_rank_in(sqlite3_str *text, const struct cs_hang_rank *rank, const struct cs_hang_object *object,
                        int32_t peer)
{
    const char *label = object && object->label && *object->label ? object->label : "that group";
    if (rank)
        sqlite3_str_appendf(text, "rank %d (rank %d in %s)", rank->rank, peer, label);
    else
        sqlite3_str_appendf(text, "rank %d in %s", peer, label);
}

/* " from rank 3 (rank 1 in rows), which died". */
static void put_peer(out o, sqlite3_str *text, const char *how, const struct cs_hang_object *object, int32_t peer)
{
    if (peer == CS_NO_PEER)
        return;
    int number = cs_hang_peer(o->hang, object, peer);
    const struct cs_hang_rank *rank = number == CS_HANG_NONE ? NULL : &o->hang->rank[number];
    sqlite3_str_appendall(text, how);
    if (peer == CS_PEER_ANY)
        sqlite3_str_appendall(text, "any rank");
    else if (peer == CS_PEER_NULL)
        sqlite3_str_appendall(text, "MPI_PROC_NULL");
    else if (peer == CS_PEER_ROOT)
        sqlite3_str_appendall(text, "MPI_ROOT");
    else if (!rank || rank->rank != peer)
        put_rank_in(text, rank, object, peer);
    else
        sqlite3_str_appendf(text, "rank %d", peer);
    if (rank && rank->outcome != CS_HANG_RUNNING)
        sqlite3_str_appendf(text, ", which %s", rank->outcome_word);
}

static void put_tag(sqlite3_str *text, int32_t tag)
{
    if (tag == CS_TAG_ANY)
        sqlite3_str_appendall(text, ", any tag");
    else if (tag != CS_NO_TAG)
        sqlite3_str_appendf(text, ", tag %d", tag);
}

/* Appends the purpose of a request: "MPI_Irecv on rows from rank 1, tag 7". */
static void put_request(out o, sqlite3_str *text, const struct cs_hang_request *request)
{
    const struct cs_hang_object *object = cs_hang_object_of(o->hang, request->rank, request->object);
    sqlite3_str_appendall(text, name_of(request->function));
    put_object(text, object);
    if (request->collective) {
        put_peer(o, text, ", root ", object, request->peer);
        return;
    }
    put_peer(o, text, request->sends ? " to " : request->receives ? " from " : " with ", object, request->peer);
    put_tag(text, request->tag);
}

static const char *relation(enum cs_wait wait)
{
    switch (wait) {
    case CS_WAIT_RECEIVE:
    case CS_WAIT_MESSAGE:
        return " from ";
    case CS_WAIT_SEND:
    case CS_WAIT_SYNCHRONOUS_SEND:
    case CS_WAIT_EXCHANGE:
        return " to ";
    case CS_WAIT_COLLECTIVE:
        return ", root ";
    case CS_WAIT_TARGET:
        return " at ";
    default:
        return " with ";
    }
}

/* Appends the call of a thread, without time and place. */
static void put_call(out o, sqlite3_str *text, const struct cs_hang_thread *thread)
{
    const struct cs_hang_call *call = cs_hang_call_of(thread);
    const struct cs_function *function = cs_function_find(call->function);
    const struct cs_hang_object *object = object_of(o, thread->rank, call->object);
    sqlite3_str_appendall(text, name_of(call->function));
    if (thread->wait == CS_WAIT_ALL_REQUESTS || thread->wait == CS_WAIT_ANY_REQUEST) {
        size_t requests = 0;
        int last = CS_HANG_NONE;
        bool missing = false; /* the others have come, or are on their way */
        for (size_t i = 0; i < thread->needs; i++)
            missing |= o->hang->need[thread->need + i].state == CS_HANG_MISSING;
        for (size_t i = 0; i < thread->needs; i++) {
            const struct cs_hang_need *need = &o->hang->need[thread->need + i];
            if (need->request == CS_HANG_NONE || need->request == last || need->state == CS_HANG_GIVEN ||
                (missing && need->state == CS_HANG_MAY_BE))
                continue;
            last = need->request;
            if (requests++ < 3) {
                sqlite3_str_appendall(text, requests == 1 ? " for " : thread->any ? " or " : " and ");
                put_request(o, text, &o->hang->request[last]);
            }
        }
        if (requests > 3)
            sqlite3_str_appendf(text, " and %d more", (int)requests - 3);
        if (!requests) {
            put_object(text, object);
            put_peer(o, text, " with ", object, call->peer);
        }
    } else {
        put_object(text, object);
        put_peer(o, text, relation(function ? function->wait : CS_NO_WAIT), object, call->peer);
        put_tag(text, call->tag);
        if (thread->wait == CS_WAIT_EXCHANGE && call == &thread->call) {
            put_peer(o, text, " and from ", object, thread->source);
            put_tag(text, thread->source_tag);
        }
    }
    if (thread->inner.function)
        sqlite3_str_appendf(text, ", in a callback of %s", name_of(thread->call.function));
}

static int64_t since_of(const struct cs_hang_thread *thread)
{
    return cs_hang_call_of(thread)->since_ns;
}

static void put_time_and_place(out o, sqlite3_str *text, const struct cs_hang_thread *thread)
{
    const struct cs_hang_rank *rank = &o->hang->rank[thread->rank];
    if (rank->outcome == CS_HANG_RUNNING)
        put_duration(text, rank->seen_ns - since_of(thread), rank->seen_ns - since_of(thread));
    put_place(o, text, cs_hang_call_of(thread)->site);
}

/* ---- who cannot go on ---- */

static void put_wait(out o, sqlite3_str *text, const struct cs_hang_rank *rank, int core)
{
    const struct cs_hang_thread *thread = NULL;
    const struct cs_hang_need *need = cs_hang_hopeless_need(o->hang, rank, core, &thread);
    size_t givers = 0;
    int *giver = need ? cs_hang_givers_of(o->hang, need, core, &givers) : NULL;
    sqlite3_str_appendf(text, "%d", rank->rank);
    put_process(text, rank);
    sqlite3_str_appendall(text, " waits for ");
    if (giver)
        cs_hang_add_ranks(text, NULL, giver, givers);
    sqlite3_str_appendall(text, ": ");
    if (thread && need && need->request != CS_HANG_NONE) {
        const struct cs_hang_request *request = &o->hang->request[need->request];
        sqlite3_str_appendf(text, "%s for ", name_of(cs_hang_call_of(thread)->function));
        put_request(o, text, request);
        put_beginning(o, text, request->site);
    } else if (thread) {
        put_call(o, text, thread);
    }
    if (thread && giver)
        cs_hang_add_reason(o, text, thread, need, giver, givers);
    if (thread)
        put_time_and_place(o, text, thread);
    free(giver);
}

/* The member of the deadlock that this one waits for, if it was not shown yet, else the first one not shown. */
static int next_of_core(const struct cs_hang *hang, int rank, int core, const bool *shown)
{
    const struct cs_hang_thread *thread;
    const struct cs_hang_need *need = cs_hang_hopeless_need(hang, &hang->rank[rank], core, &thread);
    for (size_t i = 0; need && i < need->givers; i++)
        if (need->giver[i] != CS_HANG_NONE && hang->rank[need->giver[i]].core == core && !shown[need->giver[i]])
            return need->giver[i];
    for (size_t i = 0; i < hang->ranks; i++)
        if (hang->rank[i].core == core && !shown[i])
            return (int)i;
    return CS_HANG_NONE;
}

static void print_core(out o, int core, bool *shown)
{
    const struct cs_hang *hang = o->hang;
    int *rank = calloc(hang->ranks + 1, sizeof *rank), *open = calloc(hang->ranks + 1, sizeof *open);
    size_t count = 0, opens = 0, lines = 0;
    bool elsewhere = false, callback = false, threads = false;
    int at = CS_HANG_NONE;
    for (size_t i = 0; rank && open && i < hang->ranks; i++) {
        if (hang->rank[i].core != core)
            continue;
        at = at == CS_HANG_NONE ? (int)i : at;
        elsewhere |= hang->rank[i].elsewhere;
        rank[count++] = hang->rank[i].rank;
        if (hang->rank[i].open || hang->rank[i].open_callback)
            open[opens++] = hang->rank[i].rank;
        callback |= hang->rank[i].open_callback;
        threads |= hang->rank[i].open;
    }
    sqlite3_str *text = cs_hang_line(opens ? "Possible deadlock: " : elsewhere ? "Probable deadlock: " : "Deadlock: ");
    cs_hang_add_ranks(text, "rank", rank, count);
    sqlite3_str_appendall(text, count == 1 ? " waits for itself" : " wait for each other");
    if (opens) {
        sqlite3_str_appendf(text, ", unless %s of ",
                            !callback  ? "another thread"
                            : !threads ? "a callback"
                                       : "another thread or a callback");
        cs_hang_add_ranks(text, "rank", open, opens);
        sqlite3_str_appendall(text, " calls MPI");
    }
    cs_hang_end_line(o, text);
    for (; at != CS_HANG_NONE && lines < LINES_MOST; at = next_of_core(hang, at, core, shown), lines++) {
        shown[at] = true;
        text = cs_hang_line("  ");
        put_wait(o, text, &hang->rank[at], core);
        cs_hang_end_line(o, text);
    }
    if (count > lines) {
        text = sqlite3_str_new(NULL);
        sqlite3_str_appendf(text, "  and %d more", (int)(count - lines));
        cs_hang_end_line(o, text);
    }
    free(rank);
    free(open);
}

/* Prints ranks that wait for a deadlock, or for a rank that has ended. */
static void print_others_stuck(out o, bool *shown)
{
    const struct cs_hang *hang = o->hang;
    int lines = 0;
    for (size_t i = 0; i < hang->ranks; i++) {
        if (!hang->rank[i].stuck || hang->rank[i].core != CS_HANG_NONE)
            continue;
        shown[i] = true;
        if (lines++ >= LINES_MOST)
            continue;
        sqlite3_str *text = cs_hang_line("Rank ");
        put_wait(o, text, &hang->rank[i], CS_HANG_NONE);
        cs_hang_end_line(o, text);
    }
    if (lines > LINES_MOST) {
        sqlite3_str *text = sqlite3_str_new(NULL);
        sqlite3_str_appendf(text, "and %d more ranks wait for these", lines - LINES_MOST);
        cs_hang_end_line(o, text);
    }
}

static void print_mismatch(out o, const struct cs_hang_mismatch *mismatch)
{
    const struct cs_hang *hang = o->hang;
    size_t count;
    const int *member = cs_hang_members(hang, mismatch->uid, &count);
    bool *done = calloc(count + 1, sizeof *done);
    int *rank = calloc(count + 1, sizeof *rank);
    if (!done || !rank || !count) {
        free(done);
        free(rank);
        return;
    }
    sqlite3_str *text = sqlite3_str_new(NULL);
    sqlite3_str_appendall(text, "Mismatch");
    put_object(text, &hang->object[member[0]]);
    sqlite3_str_appendf(text, " in collective call %u:", mismatch->number);
    for (size_t i = 0, groups = 0; i < count; i++) {
        const struct cs_hang_object *first = &hang->object[member[i]];
        size_t ranks = 0;
        if (done[i] || first->freed || first->begun != mismatch->number)
            continue;
        for (size_t j = i; j < count; j++) {
            const struct cs_hang_object *other = &hang->object[member[j]];
            if (other->freed || other->begun != first->begun || other->function != first->function ||
                other->root != first->root)
                continue;
            done[j] = true;
            rank[ranks++] = other->rank;
        }
        sqlite3_str_appendall(text, groups++ ? ", " : " ");
        cs_hang_add_ranks(text, "rank", rank, ranks);
        sqlite3_str_appendf(text, " called %s", name_of(first->function));
        put_peer(o, text, " with root ", first, first->root);
    }
    cs_hang_end_line(o, text);
    free(done);
    free(rank);
}

/* Calls whose arguments differ, from what each rank kept of its calls. */
struct checked {
    out o;
    struct cs_hang_mismatch *call;
    size_t calls, room;
};

static void print_check(void *context, const struct cs_check *check, struct cs_phrase *sentence)
{
    struct checked *checked = context;
    sqlite3_str *text = cs_hang_line("Mismatch: ");
    sqlite3_str_appendall(text, cs_phrase_text(sentence));
    cs_hang_end_line(checked->o, text);
    if (check->number && cs_array_grow(&checked->call, checked->calls, &checked->room, sizeof *checked->call))
        checked->call[checked->calls++] = (struct cs_hang_mismatch){(uint64_t)check->id, (uint32_t)check->number};
}

/* True if such a call on the object, before or with this number, was printed. */
static bool is_checked(const struct checked *checked, uint64_t uid, uint32_t number)
{
    for (size_t i = 0; i < checked->calls; i++)
        if (checked->call[i].uid == uid && checked->call[i].number <= number)
            return true;
    return false;
}

/* Returns false if the database cannot be read. */
static bool print_mismatches(out o, struct checked *checked)
{
    const struct cs_hang *hang = o->hang;
    const struct cs_report_output report = {.db = o->db, .resolver = o->resolver};
    bool good = cs_checks_tell(&report, print_check, checked) == CS_OK;
    for (size_t i = 0; i < hang->mismatches; i++)
        if (!is_checked(checked, hang->mismatch[i].uid, hang->mismatch[i].number))
            print_mismatch(o, &hang->mismatch[i]);
    return good;
}

/* ---- for whom all wait in the end ---- */

/* Marks the ranks at the ends of the chains of waits from this rank: those that can still continue. */
static void add_ends(const struct cs_hang *hang, int at, bool *seen, bool *end)
{
    int *path = calloc(hang->ranks + 1, sizeof *path);
    size_t depth = 0;
    if (!path)
        return;
    seen[at] = true;
    path[depth++] = at;
    while (depth > 0) {
        const struct cs_hang_rank *rank = &hang->rank[path[--depth]];
        bool waits = false;
        for (size_t t = 0; t < rank->threads; t++) {
            const struct cs_hang_thread *thread = &hang->thread[rank->thread + t];
            for (size_t n = 0; rank->steady && n < thread->needs; n++) {
                const struct cs_hang_need *need = &hang->need[thread->need + n];
                for (size_t g = 0; need->state != CS_HANG_GIVEN && g < need->givers; g++) {
                    int giver = need->giver[g];
                    if (giver == CS_HANG_NONE || (need->state == CS_HANG_MAY_BE && hang->rank[giver].waits))
                        continue;
                    waits = true;
                    if (!seen[giver]) {
                        seen[giver] = true;
                        path[depth++] = giver;
                    }
                }
            }
        }
        if (!waits)
            end[rank - hang->rank] = true;
    }
    free(path);
}

static void put_state(out o, sqlite3_str *text, const struct cs_hang_rank *rank);

/* An MPI call may be on a core while it waits: its state would say nothing. */
static void put_activity(const struct cs_hang *hang, sqlite3_str *text, const struct cs_hang_rank *rank)
{
    const char *word = cs_activity_word(rank->activity);
    if (rank->outcome == CS_HANG_RUNNING && !cs_hang_is_inside(hang, rank) && word)
        sqlite3_str_appendf(text, "%s ", word);
}

static void print_end(out o, bool *reported)
{
    const struct cs_hang *hang = o->hang;
    bool *seen = calloc(hang->ranks + 1, sizeof *seen), *end = calloc(hang->ranks + 1, sizeof *end);
    int waiting = 0, ends = 0, last = CS_HANG_NONE, others = 0;
    for (size_t i = 0; seen && end && i < hang->ranks; i++) {
        const struct cs_hang_rank *rank = &hang->rank[i];
        if (rank->outcome != CS_HANG_RUNNING || rank->stuck)
            continue;
        waiting += rank->waits;
        if (rank->waits && !seen[i])
            add_ends(hang, (int)i, seen, end);
    }
    for (size_t i = 0; seen && end && i < hang->ranks; i++) {
        ends += end[i];
        last = end[i] ? (int)i : last;
        others += hang->rank[i].outcome == CS_HANG_RUNNING && !hang->rank[i].stuck && !end[i] && !hang->rank[i].waits;
    }
    free(seen);
    free(end);
    if (waiting < 1 || ends != 1 || hang->rank[last].waits)
        return;
    sqlite3_str *text = cs_hang_line(hang->cores ? "" : "No deadlock is proven. ");
    sqlite3_str_appendall(text, waiting == 1 && hang->ranks > 2 ? "The waiting rank waits for "
                                : others                        ? "All waiting ranks wait for "
                                : hang->ranks == 2              ? "The other rank waits for "
                                                                : "All others wait for ");
    sqlite3_str_appendf(text, "rank %d", hang->rank[last].rank);
    put_process(text, &hang->rank[last]);
    sqlite3_str_appendall(text, ", ");
    put_activity(hang, text, &hang->rank[last]);
    put_state(o, text, &hang->rank[last]);
    cs_hang_end_line(o, text);
    reported[last] = true;
}

/* ---- what each rank does ---- */

static const struct cs_hang_thread *latest(const struct cs_hang *hang, const struct cs_hang_rank *rank)
{
    const struct cs_hang_thread *it = NULL;
    for (size_t i = 0; i < rank->threads; i++) {
        const struct cs_hang_thread *thread = &hang->thread[rank->thread + i];
        if (thread->doing == CS_THREAD_INSIDE)
            return thread;
        if (!it || thread->until_ns > it->until_ns)
            it = thread;
    }
    return it;
}

/* "outside MPI for 9.1 s, after MPI_Send on rows, at main a.c:3"; "in MPI_Recv ..., for 3 s, at ..." */
static void put_state(out o, sqlite3_str *text, const struct cs_hang_rank *rank)
{
    const struct cs_hang_thread *thread = latest(o->hang, rank);
    if (rank->outcome == CS_HANG_FINALIZED) {
        sqlite3_str_appendall(text, "finalized");
        return;
    }
    if (rank->outcome != CS_HANG_RUNNING)
        sqlite3_str_appendf(text, "%s ", rank->outcome_word);
    else if (rank->stopped)
        sqlite3_str_appendall(text, "stopped by a signal ");
    if (thread && thread->doing == CS_THREAD_INSIDE) {
        sqlite3_str_appendall(text, "in ");
        put_call(o, text, thread);
        put_time_and_place(o, text, thread);
        return;
    }
    sqlite3_str_appendall(text, rank->bypasses ? "in no call that callsign sees" : "outside MPI");
    if (!thread)
        return;
    if (rank->outcome == CS_HANG_RUNNING && thread->until_ns) {
        char time[64];
        int64_t spent = rank->seen_ns - thread->until_ns;
        sqlite3_str_appendf(text, " for %s", cs_text_duration(time, sizeof time, (double)(spent > 0 ? spent : 0)));
    }
    if (thread->call.function) {
        sqlite3_str_appendf(text, ", after %s", name_of(thread->call.function));
        put_object(text, object_of(o, thread->rank, thread->call.object));
        put_place(o, text, thread->call.site);
    }
}

/* Ranks that share a line because the same words fit. */
struct group {
    char *text;
    int *rank;
    size_t ranks, room;
};

struct groups {
    struct group *group;
    size_t count, room;
};

static void add_to_group(struct groups *groups, sqlite3_str *made, int rank)
{
    char *text = sqlite3_str_finish(made);
    size_t i = 0;
    while (text && i < groups->count && strcmp(groups->group[i].text, text) != 0)
        i++;
    if (!text ||
        (i == groups->count && !cs_array_grow(&groups->group, groups->count, &groups->room, sizeof *groups->group))) {
        sqlite3_free(text);
        return;
    }
    if (i == groups->count)
        groups->group[groups->count++] = (struct group){.text = text};
    else
        sqlite3_free(text);
    struct group *group = &groups->group[i];
    if (cs_array_grow(&group->rank, group->ranks, &group->room, sizeof *group->rank))
        group->rank[group->ranks++] = rank;
}

static int by_size(const void *left, const void *right)
{
    const struct group *a = left, *b = right;
    int order = cs_compare((int64_t)b->ranks, (int64_t)a->ranks);
    return order ? order : cs_compare(a->rank[0], b->rank[0]);
}

static void free_groups(struct groups *groups)
{
    for (size_t i = 0; i < groups->count; i++) {
        sqlite3_free(groups->group[i].text);
        free(groups->group[i].rank);
    }
    free(groups->group);
}

static void print_groups(out o, struct groups *groups, const char *start, const char *word, size_t most,
                         const char *rest)
{
    size_t left = 0;
    if (groups->count)
        qsort(groups->group, groups->count, sizeof *groups->group, by_size);
    for (size_t i = 0; i < groups->count; i++) {
        struct group *group = &groups->group[i];
        if (i >= most) {
            left += group->ranks;
            continue;
        }
        sqlite3_str *text = cs_hang_line(start);
        cs_hang_add_ranks(text, word, group->rank, group->ranks);
        sqlite3_str_appendall(text, group->text);
        cs_hang_end_line(o, text);
    }
    if (left) {
        sqlite3_str *text = sqlite3_str_new(NULL);
        sqlite3_str_appendf(text, "%sand %d more %s", word[0] == 'r' ? "  " : "", (int)left, rest);
        cs_hang_end_line(o, text);
    }
    free_groups(groups);
}

/* One collective call that some rank waits in. */
struct team {
    uint64_t uid; /* 0: MPI_Finalize */
    uint32_t number;
    uint16_t function;
    const struct cs_hang_object *object;
    int *rank;
    size_t ranks, room;
    int64_t least, most, site;
    int32_t tag; /* CS_NO_TAG: none, or several */
    bool one_site, ended;
};

struct teams {
    struct team *team;
    size_t count, room;
};

static void add_to_team(out o, struct teams *teams, const struct cs_hang_thread *thread,
                        const struct cs_hang_object *object, uint32_t number, uint16_t function)
{
    const struct cs_hang_rank *rank = &o->hang->rank[thread->rank];
    uint64_t uid = thread->wait == CS_WAIT_EVERYBODY || !object ? 0 : object->uid;
    int64_t spent = rank->seen_ns - since_of(thread), site = cs_hang_call_of(thread)->site;
    size_t i = 0;
    while (i < teams->count &&
           (teams->team[i].uid != uid || teams->team[i].number != number || teams->team[i].function != function))
        i++;
    if (i == teams->count) {
        if (!cs_array_grow(&teams->team, teams->count, &teams->room, sizeof *teams->team))
            return;
        teams->team[teams->count++] = (struct team){.uid = uid,
                                                    .number = number,
                                                    .function = function,
                                                    .object = object,
                                                    .least = spent,
                                                    .most = spent,
                                                    .site = site,
                                                    .tag = cs_hang_call_of(thread)->tag,
                                                    .one_site = true,
                                                    .ended = true};
    }
    struct team *team = &teams->team[i];
    team->least = spent < team->least ? spent : team->least;
    team->most = spent > team->most ? spent : team->most;
    team->one_site &= team->site == site;
    if (team->tag != cs_hang_call_of(thread)->tag)
        team->tag = CS_NO_TAG;
    team->ended &= rank->outcome != CS_HANG_RUNNING;
    if ((!team->ranks || team->rank[team->ranks - 1] != rank->rank) &&
        cs_array_grow(&team->rank, team->ranks, &team->room, sizeof *team->rank))
        team->rank[team->ranks++] = rank->rank;
}

static bool is_member(const struct cs_hang *hang, const struct team *team, int rank)
{
    size_t count;
    const int *member = cs_hang_members(hang, team->uid, &count);
    for (size_t i = 0; i < count; i++)
        if (hang->object[member[i]].rank == rank)
            return true;
    return team->uid == 0;
}

/* Adds the members that have not begun it, by their current activity. Returns how many are known to be missing. */
static size_t add_missing(out o, const struct team *team, struct groups *missing, bool *reported)
{
    const struct cs_hang *hang = o->hang;
    size_t count = 0, members;
    const int *member = cs_hang_members(hang, team->uid, &members);
    for (size_t i = 0; i < hang->ranks; i++) {
        const struct cs_hang_rank *rank = &hang->rank[i];
        bool away = team->uid == 0 && rank->outcome != CS_HANG_FINALIZED;
        for (size_t m = 0; team->uid && m < members; m++)
            away |= hang->object[member[m]].rank == rank->rank && !hang->object[member[m]].adopted &&
                    !cs_hang_has_begun(&hang->object[member[m]], team->number);
        for (size_t t = 0; away && team->uid == 0 && t < rank->threads; t++)
            away = hang->thread[rank->thread + t].call.function != team->function ||
                   hang->thread[rank->thread + t].doing != CS_THREAD_INSIDE;
        if (!away || rank->bypasses)
            continue;
        sqlite3_str *text = cs_hang_line(", ");
        if (missing->count < 64)
            put_state(o, text, rank);
        add_to_group(missing, text, rank->rank);
        reported[i] = true;
        count++;
    }
    return count;
}

/* Members whose journals are not in this run, or do not have the object. */
static void print_unknown_members(out o, const struct team *team, int count)
{
    const struct cs_hang *hang = o->hang;
    bool one = count == 1, whole = hang->ranks == (size_t)hang->world_size;
    sqlite3_str *text = sqlite3_str_new(NULL);
    sqlite3_str_appendf(text, "  %d member%s ", count, one ? "" : "s");
    if (team->object && team->object->spans_worlds)
        sqlite3_str_appendf(text, "%s of another world, which has a run folder of its own", one ? "is" : "are");
    else if (whole)
        sqlite3_str_appendf(text, "%s not have it yet, or %s of another world", one ? "does" : "do",
                            one ? "is" : "are");
    else
        sqlite3_str_appendf(text, "%s no journal here", one ? "has" : "have");
    cs_hang_end_line(o, text);
}

static bool is_in_team(const struct team *team, int rank)
{
    for (size_t i = 0; i < team->ranks; i++)
        if (team->rank[i] == rank)
            return true;
    return false;
}

/* Prints the members whose calls callsign may not see: their numbers of calls are not those of others. Returns how many
   there are. *inside: some of them are in the call; then nobody is known to be missing. */
static size_t print_unseen_members(out o, const struct team *team, bool *inside)
{
    const struct cs_hang *hang = o->hang;
    size_t count = 0;
    int *rank = calloc(hang->ranks + 1, sizeof *rank);
    *inside = false;
    for (size_t i = 0; rank && i < hang->ranks; i++) {
        const struct cs_hang_rank *it = &hang->rank[i];
        if (!it->bypasses || it->outcome == CS_HANG_FINALIZED || !is_member(hang, team, it->rank))
            continue;
        *inside |= is_in_team(team, it->rank);
        rank[count++] = it->rank;
    }
    if (count) {
        sqlite3_str *text = cs_hang_line(*inside ? "  who is missing is not known: " : "  ");
        cs_hang_add_ranks(text, "rank", rank, count);
        sqlite3_str_appendf(text, " may %s that callsign does not see", *inside ? "make calls" : "be in it by a call");
        cs_hang_end_line(o, text);
    }
    free(rank);
    return count;
}

/* True if several calls of the function on the object are listed. */
static bool has_namesake(const struct teams *teams, const struct team *team)
{
    size_t count = 0;
    for (size_t i = 0; i < teams->count; i++)
        count += teams->team[i].uid == team->uid && teams->team[i].function == team->function;
    return count > 1;
}

static void print_team(out o, const struct teams *teams, const struct team *team, const struct checked *checked,
                       bool *reported)
{
    const struct cs_hang *hang = o->hang;
    struct groups missing = {0};
    int size = team->uid && team->object->size > 0
                   ? team->object->size + (team->object->remote_size > 0 ? team->object->remote_size : 0)
                   : hang->world_size;
    const struct cs_function *function = cs_function_find(team->function);
    bool blocks = function && function->wait;
    size_t members;
    cs_hang_members(hang, team->uid, &members);
    size_t known = team->uid ? members : hang->ranks;
    bool others = function && function->collective == CS_COLLECTIVE_AND_OTHERS;
    sqlite3_str *text = cs_hang_line(name_of(team->function));
    put_object(text, team->object);
    if (has_namesake(teams, team))
        sqlite3_str_appendf(text, ", collective call %u", team->number);
    if (others)
        put_tag(text, team->tag);
    const char *verb = team->ended ? (team->ranks == 1 ? "was" : "were") : team->ranks == 1 ? "is" : "are";
    sqlite3_str_appendf(text, ": %d of %d members %s %s, ", (int)team->ranks, size, verb,
                        blocks ? "in it" : "waiting for it");
    cs_hang_add_ranks(text, "rank", team->rank, team->ranks);
    if (!team->ended)
        put_duration(text, team->least, team->most);
    if (team->one_site)
        put_place(o, text, team->site);
    cs_hang_end_line(o, text);
    bool unseen_inside;
    size_t unseen = print_unseen_members(o, team, &unseen_inside);
    if (unseen_inside)
        return;
    size_t away = add_missing(o, team, &missing, reported);
    print_groups(o, &missing, "  missing: ", "rank", GROUPS_MOST, "are missing");
    bool mismatch = is_checked(checked, team->uid, team->number);
    for (size_t i = 0; i < hang->mismatches; i++)
        mismatch |= hang->mismatch[i].uid == team->uid && hang->mismatch[i].number == team->number;
    if (known < (size_t)size)
        print_unknown_members(o, team, size - (int)known);
    else if (!away && !mismatch && !unseen)
        cs_hang_end_line(o, cs_hang_line(team->ended ? "  all members had called it"
                                         : others    ? "  no member is missing: it waits for other processes"
                                         : team->ranks == (size_t)size ? "  no member is missing: the call is under way"
                                                                       : "  no member is missing: all have called it"));
}

static void print_teams(out o, const struct checked *checked, bool *reported)
{
    const struct cs_hang *hang = o->hang;
    struct teams teams = {0};
    for (size_t i = 0; i < hang->threads; i++) {
        const struct cs_hang_thread *thread = &hang->thread[i];
        const struct cs_hang_call *call = cs_hang_call_of(thread);
        const struct cs_hang_object *object = object_of(o, thread->rank, call->object);
        if (hang->rank[thread->rank].outcome == CS_HANG_FINALIZED || hang->rank[thread->rank].moved)
            continue;
        if (thread->wait == CS_WAIT_EVERYBODY || (thread->wait == CS_WAIT_COLLECTIVE && object && object->uid))
            add_to_team(o, &teams, thread, object, call->collective, call->function);
        for (size_t n = 0; n < thread->needs; n++) {
            const struct cs_hang_need *need = &hang->need[thread->need + n];
            const struct cs_hang_request *request =
                need->request == CS_HANG_NONE ? NULL : &hang->request[need->request];
            object = request ? cs_hang_object_of(hang, request->rank, request->object) : NULL;
            if (request && request->collective && object && object->uid)
                add_to_team(o, &teams, thread, object, request->collective, request->function);
        }
    }
    for (size_t i = 0; i < teams.count; i++) {
        if (i < TEAMS_MOST)
            print_team(o, &teams, &teams.team[i], checked, reported);
        free(teams.team[i].rank);
    }
    if (teams.count > TEAMS_MOST) {
        sqlite3_str *text = sqlite3_str_new(NULL);
        sqlite3_str_appendf(text, "and %d more collective calls: view missing", (int)teams.count - TEAMS_MOST);
        cs_hang_end_line(o, text);
    }
    free(teams.team);
}

/* Prints the ranks in other calls that were not mentioned yet, then those outside of MPI. */
static void print_rest(out o, const bool *shown, const bool *reported)
{
    const struct cs_hang *hang = o->hang;
    struct groups waiting = {0}, outside = {0};
    for (size_t i = 0; i < hang->ranks; i++) {
        const struct cs_hang_rank *rank = &hang->rank[i];
        for (size_t t = 0; t < rank->threads && !shown[i] && rank->outcome != CS_HANG_FINALIZED; t++) {
            const struct cs_hang_thread *thread = &hang->thread[rank->thread + t];
            const struct cs_hang_object *object = object_of(o, thread->rank, cs_hang_call_of(thread)->object);
            bool team =
                thread->wait == CS_WAIT_EVERYBODY || (thread->wait == CS_WAIT_COLLECTIVE && object && object->uid);
            if (thread->doing != CS_THREAD_INSIDE || (rank->moved ? reported[i] : team))
                continue;
            sqlite3_str *text = cs_hang_line(": ");
            if (rank->outcome != CS_HANG_RUNNING)
                sqlite3_str_appendf(text, "%s ", rank->outcome_word);
            sqlite3_str_appendall(text, "in ");
            put_call(o, text, thread);
            put_time_and_place(o, text, thread);
            add_to_group(&waiting, text, rank->rank);
        }
        if (cs_hang_is_inside(hang, rank) || reported[i])
            continue;
        sqlite3_str *text = cs_hang_line(": ");
        put_state(o, text, rank);
        add_to_group(&outside, text, rank->rank);
    }
    print_groups(o, &waiting, "", "Rank", LINES_MOST, "ranks wait: view waits");
    print_groups(o, &outside, "", "Rank", LINES_MOST, "ranks: view threads");
}

bool cs_hang_print(const struct cs_hang_output *o)
{
    const struct cs_hang *hang = o->hang;
    /* shown: ranks whose waits were printed; reported: ranks whose activity was printed. */
    bool *shown = calloc(hang->ranks + 1, sizeof *shown), *reported = calloc(hang->ranks + 1, sizeof *reported);
    if (!shown || !reported) {
        free(shown);
        free(reported);
        return false;
    }
    bool good = true;
    if (cs_hang_print_head(o, &good)) {
        for (int i = 0; i < hang->cores && i < CORES_MOST; i++)
            print_core(o, i, shown);
        if (hang->cores > CORES_MOST) {
            sqlite3_str *text = sqlite3_str_new(NULL);
            sqlite3_str_appendf(text, "and %d more deadlocks", hang->cores - CORES_MOST);
            cs_hang_end_line(o, text);
        }
        struct checked checked = {.o = o};
        good = print_mismatches(o, &checked) && good;
        print_others_stuck(o, shown);
        print_end(o, reported);
        print_teams(o, &checked, reported);
        free(checked.call);
        print_rest(o, shown, reported);
    }
    free(shown);
    free(reported);
    return good;
}
