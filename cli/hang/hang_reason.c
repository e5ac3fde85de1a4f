#include "cli/hang/hang_reason.h"

#include <stdlib.h>

#include "base/array.h"
#include "cli/rows/location.h"
#include "cli/text/text.h"

typedef const struct cs_hang_output *out;

enum { LINE_BYTES = 16000 };

sqlite3_str *cs_hang_line(const char *start)
{
    sqlite3_str *text = sqlite3_str_new(NULL);
    sqlite3_str_appendall(text, start);
    return text;
}

void cs_hang_end_line(out o, sqlite3_str *text)
{
    char *line = sqlite3_str_finish(text);
    if (line)
        cs_text_put_line(o->stream, line, LINE_BYTES, o->width);
    sqlite3_free(line);
}

static int by_number(const void *left, const void *right)
{
    return cs_compare(*(const int *)left, *(const int *)right);
}

/* Appends "rank 2" or "ranks 0-3,7"; `word` is "Rank" or "rank", NULL: only the numbers. The list is sorted. */
void cs_hang_add_ranks(sqlite3_str *text, const char *word, int *rank, size_t count)
{
    qsort(rank, count, sizeof *rank, by_number);
    if (word)
        sqlite3_str_appendf(text, "%s%s ", word, count == 1 ? "" : "s");
    for (size_t i = 0; i < count;) {
        size_t last = i;
        while (last + 1 < count && rank[last + 1] - rank[last] <= 1)
            last++;
        sqlite3_str_appendf(text, "%s%d", i ? "," : "", rank[i]);
        if (last > i)
            sqlite3_str_appendf(text, "%s%d", rank[last] == rank[i] + 1 ? "," : "-", rank[last]);
        i = last + 1;
    }
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

/* The need that blocks a thread of the rank, and the thread. With `core`, a need that ranks of that deadlock do not
   meet. */
const struct cs_hang_need *cs_hang_hopeless_need(const struct cs_hang *hang, const struct cs_hang_rank *rank, int core,
                                                 const struct cs_hang_thread **where)
{
    for (size_t i = 0; i < rank->threads; i++) {
        const struct cs_hang_thread *thread = &hang->thread[rank->thread + i];
        for (size_t n = 0; n < thread->needs; n++) {
            const struct cs_hang_need *need = &hang->need[thread->need + n];
            bool counts = need->state == CS_HANG_MISSING || need->state == CS_HANG_PERHAPS;
            for (size_t g = 0; counts && g < need->givers; g++) {
                const struct cs_hang_rank *giver = need->giver[g] == CS_HANG_NONE ? NULL : &hang->rank[need->giver[g]];
                bool fits = giver && (core != CS_HANG_NONE ? giver->core == core
                                                           : giver->stuck || giver->outcome != CS_HANG_RUNNING);
                if (!fits)
                    continue;
                *where = thread;
                return need;
            }
        }
    }
    return NULL;
}

/* The ranks that must give it and cannot, as ranks in MPI_COMM_WORLD; to be freed. */
int *cs_hang_givers_of(const struct cs_hang *hang, const struct cs_hang_need *need, int core, size_t *count)
{
    int *rank = calloc(need->givers + 1, sizeof *rank);
    *count = 0;
    for (size_t i = 0; rank && i < need->givers; i++) {
        const struct cs_hang_rank *giver = need->giver[i] == CS_HANG_NONE ? NULL : &hang->rank[need->giver[i]];
        if (giver && (core != CS_HANG_NONE ? giver->core == core : giver->stuck || giver->outcome != CS_HANG_RUNNING))
            rank[(*count)++] = giver->rank;
    }
    return rank;
}

/* Appends the place from which the giver sent all its messages on the communicator, and their tag. */
static void put_sent_tag(out o, sqlite3_str *text, const struct cs_hang_object *own, int giver)
{
    const struct cs_hang *hang = o->hang;
    const struct cs_hang_tag *only = NULL;
    bool one_tag = true;
    for (size_t i = 0; own && own->uid && i < hang->tags; i++) {
        const struct cs_hang_tag *it = &hang->tag[i];
        const struct cs_hang_object *object = it->rank == giver ? cs_hang_object_of(hang, giver, it->object) : NULL;
        if (!object || object->uid != own->uid)
            continue;
        if (only && only->site != it->site)
            return;
        one_tag &= !only && it->first == it->last;
        only = it;
    }
    char place[512];
    if (!only || only->site <= 0)
        return;
    sqlite3_str_appendf(text, ", at %s", cs_location_of_site(o->db, o->resolver, only->site, place, sizeof place));
    if (one_tag)
        sqlite3_str_appendf(text, " with tag %d", only->first);
}

/* Appends the call of the giver that sent such a message to MPI_PROC_NULL. */
static void put_dropped(out o, sqlite3_str *text, const struct cs_hang_object *own, int32_t tag, int giver)
{
    const struct cs_hang *hang = o->hang;
    for (size_t i = 0; own && own->uid && i < hang->droppeds; i++) {
        const struct cs_hang_dropped *it = &hang->dropped[i];
        const struct cs_hang_object *object = it->rank == giver ? cs_hang_object_of(hang, giver, it->object) : NULL;
        if (!object || object->uid != own->uid || (tag != CS_TAG_ANY && tag != it->tag))
            continue;
        char place[512];
        sqlite3_str_appendf(text, ", whose %s with tag %d went to MPI_PROC_NULL", name_of(it->function), it->tag);
        if (it->site)
            sqlite3_str_appendf(text, " at %s", cs_location_of_site(o->db, o->resolver, it->site, place, sizeof place));
        return;
    }
}

static bool receives(enum cs_wait wait)
{
    return wait == CS_WAIT_RECEIVE || wait == CS_WAIT_EXCHANGE;
}

/* Appends why it was not given. */
void cs_hang_add_reason(out o, sqlite3_str *text, const struct cs_hang_thread *thread, const struct cs_hang_need *need,
                        int *giver, size_t givers)
{
    const struct cs_hang *hang = o->hang;
    const struct cs_hang_request *request = need->request == CS_HANG_NONE ? NULL : &hang->request[need->request];
    bool collective = request ? request->collective : thread->wait == CS_WAIT_COLLECTIVE;
    if (thread->wait == CS_WAIT_EVERYBODY || collective) {
        uint32_t number = request ? request->collective : cs_hang_call_of(thread)->collective;
        const struct cs_hang_object *own =
            object_of(o, thread->rank, request ? request->object : cs_hang_call_of(thread)->object);
        size_t count;
        const int *member = cs_hang_members(hang, own ? own->uid : 0, &count);
        bool begun = false;
        for (size_t i = 0; collective && i < count; i++)
            begun |= hang->object[member[i]].rank == giver[0] && cs_hang_has_begun(&hang->object[member[i]], number);
        sqlite3_str_appendall(text, ", but ");
        cs_hang_add_ranks(text, "rank", giver, givers);
        if (begun)
            sqlite3_str_appendall(text, givers == 1 ? " is in a call that does not match"
                                                    : " are in calls that do not match");
        else
            sqlite3_str_appendall(text, givers == 1 ? " has not called it" : " have not called it");
    }
    if (need->not_ready)
        sqlite3_str_appendall(text, ", but a partition was never marked ready");
    if (need->holds_lock)
        sqlite3_str_appendall(text, givers == 1 ? ", which holds a lock on it" : ", which hold locks on it");
    if (need->post || need->complete) {
        sqlite3_str_appendall(text, ", but ");
        cs_hang_add_ranks(text, "rank", giver, givers);
        sqlite3_str_appendf(text, " %s not %s", givers == 1 ? "has" : "have",
                            need->post                       ? "called MPI_Win_post"
                            : need->state == CS_HANG_PERHAPS ? "left MPI_Win_complete"
                                                             : "called MPI_Win_complete");
    }
    const struct cs_hang_call *call = cs_hang_call_of(thread);
    const struct cs_hang_object *object = object_of(o, thread->rank, request ? request->object : call->object);
    bool exchange = !request && thread->wait == CS_WAIT_EXCHANGE;
    int32_t tag = request ? request->tag : exchange ? thread->source_tag : call->tag;
    bool receive = request ? request->receives && !collective : receives(thread->wait);
    if (need->taken) {
        sqlite3_str_appendall(text, ", but receives that were posted before take what was sent");
    } else if (need->wrong_tag) {
        sqlite3_str_appendall(text, ", which sent only messages with other tags");
        put_sent_tag(o, text, object, giver[0]);
    } else if (receive && need->state == CS_HANG_MISSING && !need->any && !need->not_ready && givers == 1) {
        put_dropped(o, text, object, tag, giver[0]);
    }
}
