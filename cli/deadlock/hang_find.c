#include "cli/deadlock/hang_find.h"

#include <stdlib.h>

#include "base/array.h"
#include "cli/deadlock/hang_needs.h"

/* ---- who is stuck ---- */

static bool cannot_give(const struct cs_hang *hang, int giver)
{
    if (giver == CS_HANG_NONE)
        return false;
    enum cs_hang_outcome outcome = hang->rank[giver].outcome;
    /* If the job was ended, nobody knows what a rank that left otherwise would have done. */
    return hang->rank[giver].stuck || outcome == CS_HANG_FINALIZED || (outcome == CS_HANG_GONE && !hang->ended);
}

/* True if the need will never be met. */
static bool is_hopeless(const struct cs_hang *hang, const struct cs_hang_need *need)
{
    size_t stuck = 0;
    for (size_t i = 0; i < need->givers; i++)
        stuck += cannot_give(hang, need->giver[i]);
    return need->givers && (need->any ? stuck == need->givers : stuck > 0);
}

static bool is_thread_stuck(const struct cs_hang *hang, const struct cs_hang_thread *thread)
{
    size_t missing = 0, may_be = 0, perhaps = 0, hopeless = 0, hopeless_perhaps = 0;
    for (size_t i = 0; i < thread->needs; i++) {
        const struct cs_hang_need *need = &hang->need[thread->need + i];
        bool lost = is_hopeless(hang, need);
        missing += need->state == CS_HANG_MISSING;
        may_be += need->state == CS_HANG_MAY_BE;
        perhaps += need->state == CS_HANG_PERHAPS;
        hopeless += need->state == CS_HANG_MISSING && lost;
        hopeless_perhaps += need->state == CS_HANG_PERHAPS && lost;
    }
    if (thread->any)
        return thread->needs && hopeless + hopeless_perhaps == thread->needs;
    if (hopeless)
        return true;
    /* The call waits for one of these; nobody knows for which. */
    return !missing && !may_be && perhaps && hopeless_perhaps == perhaps;
}

static bool is_rank_stuck(const struct cs_hang *hang, const struct cs_hang_rank *rank)
{
    size_t inside = 0;
    for (size_t i = 0; i < rank->threads; i++) {
        const struct cs_hang_thread *thread = &hang->thread[rank->thread + i];
        if (thread->doing == CS_THREAD_ENDED || (thread->doing == CS_THREAD_OUTSIDE && rank->open))
            continue;
        if (!thread->wait || !is_thread_stuck(hang, thread))
            return false;
        inside++;
    }
    return inside;
}

/* True if the thread may compute in a function of the program that its call has run. */
static bool may_be_in_callback(const struct cs_hang_rank *rank, const struct cs_hang_thread *thread)
{
    const struct cs_function *function = cs_function_find(thread->call.function);
    return thread->doing == CS_THREAD_INSIDE && !thread->inner.function &&
           (rank->handles_errors || (rank->handles_attributes && function && function->runs_callbacks));
}

static void find_stuck(struct cs_hang *hang)
{
    for (size_t i = 0; i < hang->ranks; i++) {
        struct cs_hang_rank *rank = &hang->rank[i];
        for (size_t t = 0; t < rank->threads; t++) {
            rank->waits |= hang->thread[rank->thread + t].wait != CS_NO_WAIT;
            rank->open_callback |= may_be_in_callback(rank, &hang->thread[rank->thread + t]);
        }
        rank->stuck = rank->waits && rank->steady && rank->outcome == CS_HANG_RUNNING;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < hang->ranks; i++)
            if (hang->rank[i].stuck && !is_rank_stuck(hang, &hang->rank[i])) {
                hang->rank[i].stuck = false;
                changed = true;
            }
    }
}

/* ---- deadlocks: strongly connected parts of who waits for whom ---- */

struct search {
    struct cs_hang *hang;
    int *index, *low, *path, *work;
    size_t *thread_at, *need_at, *giver_at; /* where the walk continues */
    int count, depth, on;
    bool *on_path;
};

/* The next stuck rank that this one waits for; CS_HANG_NONE: no more. */
static int next_giver(struct search *search, int rank)
{
    const struct cs_hang *hang = search->hang;
    const struct cs_hang_rank *it = &hang->rank[rank];
    for (; search->thread_at[rank] < it->threads; search->thread_at[rank]++, search->need_at[rank] = 0) {
        const struct cs_hang_thread *thread = &hang->thread[it->thread + search->thread_at[rank]];
        for (; search->need_at[rank] < thread->needs; search->need_at[rank]++, search->giver_at[rank] = 0) {
            const struct cs_hang_need *need = &hang->need[thread->need + search->need_at[rank]];
            bool counts = (need->state == CS_HANG_MISSING || need->state == CS_HANG_PERHAPS) && is_hopeless(hang, need);
            while (counts && search->giver_at[rank] < need->givers) {
                int giver = need->giver[search->giver_at[rank]++];
                if (giver != CS_HANG_NONE && hang->rank[giver].stuck)
                    return giver;
            }
        }
    }
    return CS_HANG_NONE;
}

/* Takes the ranks of one component from the end of the path. A component of one rank is a deadlock if the rank waits
   for itself. */
static void take_part(struct search *search, int first)
{
    struct cs_hang *hang = search->hang;
    int size = 0;
    for (int i = search->on - 1; i >= 0 && (size++, search->path[i] != first); i--)
        ;
    bool cyclic = size > 1;
    if (!cyclic) {
        search->thread_at[first] = search->need_at[first] = search->giver_at[first] = 0;
        for (int giver; (giver = next_giver(search, first)) != CS_HANG_NONE;)
            cyclic |= giver == first;
    }
    for (int i = 0; i < size; i++) {
        int rank = search->path[--search->on];
        search->on_path[rank] = false;
        hang->rank[rank].core = cyclic ? hang->cores : CS_HANG_NONE;
    }
    hang->cores += cyclic;
}

static void search_from(struct search *search, int first)
{
    search->depth = 0;
    search->work[search->depth++] = first;
    search->index[first] = search->low[first] = ++search->count;
    search->path[search->on++] = first;
    search->on_path[first] = true;
    while (search->depth > 0) {
        int rank = search->work[search->depth - 1], giver = next_giver(search, rank);
        if (giver == CS_HANG_NONE) {
            search->depth--;
            if (search->depth > 0) {
                int before = search->work[search->depth - 1];
                if (search->low[rank] < search->low[before])
                    search->low[before] = search->low[rank];
            }
            if (search->low[rank] == search->index[rank])
                take_part(search, rank);
        } else if (!search->index[giver]) {
            search->index[giver] = search->low[giver] = ++search->count;
            search->path[search->on++] = giver;
            search->on_path[giver] = true;
            search->work[search->depth++] = giver;
        } else if (search->on_path[giver] && search->index[giver] < search->low[rank]) {
            search->low[rank] = search->index[giver];
        }
    }
}

static void find_cores(struct cs_hang *hang)
{
    size_t n = hang->ranks + 1;
    struct search search = {.hang = hang,
                            .index = calloc(n, sizeof(int)),
                            .low = calloc(n, sizeof(int)),
                            .path = calloc(n, sizeof(int)),
                            .work = calloc(n, sizeof(int)),
                            .thread_at = calloc(n, sizeof(size_t)),
                            .need_at = calloc(n, sizeof(size_t)),
                            .giver_at = calloc(n, sizeof(size_t)),
                            .on_path = calloc(n, sizeof(bool))};
    hang->failed |= !search.index || !search.low || !search.path || !search.work || !search.thread_at ||
                    !search.need_at || !search.giver_at || !search.on_path;
    for (size_t i = 0; !hang->failed && i < hang->ranks; i++)
        if (hang->rank[i].stuck && !search.index[i])
            search_from(&search, (int)i);
    free(search.index);
    free(search.low);
    free(search.path);
    free(search.work);
    free(search.thread_at);
    free(search.need_at);
    free(search.giver_at);
    free(search.on_path);
}

/* qsort has no context. */
static const struct cs_hang_object *sorted;

static int by_uid(const void *left, const void *right)
{
    const struct cs_hang_object *a = &sorted[*(const int *)left], *b = &sorted[*(const int *)right];
    if (a->uid != b->uid)
        return a->uid < b->uid ? -1 : 1;
    return a->rank != b->rank ? cs_compare(a->rank, b->rank) : cs_compare(a->object, b->object);
}

bool cs_hang_find(struct cs_hang *hang)
{
    hang->member = calloc(hang->objects + 1, sizeof *hang->member);
    if (!hang->member)
        return false;
    for (size_t i = 0; i < hang->objects; i++)
        hang->member[i] = (int)i;
    sorted = hang->object;
    if (hang->objects)
        qsort(hang->member, hang->objects, sizeof *hang->member, by_uid);
    for (size_t i = 0; i < hang->ranks; i++)
        hang->rank[i].core = CS_HANG_NONE;
    for (size_t i = 0; i < hang->threads && !hang->failed; i++)
        cs_hang_find_needs(hang, &hang->thread[i]);
    if (!hang->failed)
        find_stuck(hang);
    if (!hang->failed)
        find_cores(hang);
    return !hang->failed;
}
