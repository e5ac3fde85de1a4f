#include "wrappers/check/accesses.h"

#include <stdlib.h>
#include <utlist.h>

#include "base/hash.h"
#include "record/object/window_access.h"

enum { PLACES_LOG2 = 12 };

static struct cs_access *unused; /* of all windows */

/* The unit of displacements belongs to the target: only equal ones surely meet. 0: they may be apart. */
static uint64_t common_bytes(const struct cs_access *a, const struct cs_access *run)
{
    int64_t distance = a->displacement - run->displacement;
    bool same =
        distance == 0 || (run->step && distance > 0 && distance % run->step == 0 && distance / run->step < run->count);
    int64_t a_end = a->offset + (int64_t)a->bytes, run_end = run->offset + (int64_t)run->bytes;
    int64_t begin = a->offset > run->offset ? a->offset : run->offset, end = a_end < run_end ? a_end : run_end;
    return same && end > begin ? (uint64_t)(end - begin) : 0;
}

/* 0: they do not conflict. */
static uint64_t conflicting_bytes(const struct cs_access *a, const struct cs_access *b)
{
    if (a->target != b->target || (cs_access_reads(a) && cs_access_reads(b)) ||
        (cs_access_is_atomic(a) && cs_access_is_atomic(b) && a->basic == b->basic))
        return 0;
    return common_bytes(a, b);
}

/* Displacements, far apart from those at other targets. */
static uint64_t begin_of_places(const struct cs_access *it)
{
    return (uint64_t)it->displacement + cs_hash_mix(0, (uint32_t)it->target);
}

static uint64_t end_of_places(const struct cs_access *it)
{
    return begin_of_places(it) + (uint64_t)(it->step * (it->count - 1)) + 1;
}

void cs_access_place(struct cs_access *it)
{
    it->places.begin = begin_of_places(it);
    it->places.end = end_of_places(it);
}

/* True if the earlier access, or one of a run, is the same one. */
static bool is_same(const struct cs_access *it, const struct cs_access *earlier)
{
    return it->use == earlier->use && it->site == earlier->site && it->basic == earlier->basic &&
           it->target == earlier->target && it->bytes == earlier->bytes && it->offset == earlier->offset &&
           it->meeting == earlier->meeting && it->meeting_object == earlier->meeting_object &&
           common_bytes(it, earlier) == it->bytes;
}

static bool conflicts(struct cs_interval *found, void *context)
{
    const struct cs_access *earlier = (const void *)found;
    struct cs_access_search *search = context;
    search->bytes = conflicting_bytes(search->it, earlier);
    search->known |= is_same(search->it, earlier);
    return search->bytes != 0;
}

/* Programs access thousands of places that do not follow each other. Two such accesses only meet at the same place, so
   they are found by its hash. */
static struct cs_access **with_hash_of(const struct cs_accesses *all, const struct cs_access *it)
{
    return &all->single[cs_hash_place(it->places.begin, PLACES_LOG2)];
}

/* False without memory. */
static bool put(struct cs_accesses *all, struct cs_access *it)
{
    if (!all->single && !(all->single = calloc((size_t)1 << PLACES_LOG2, sizeof *all->single)))
        return false;
    LL_PREPEND2(*with_hash_of(all, it), it, same);
    return true;
}

static void take_out(struct cs_accesses *all, struct cs_access *it)
{
    if (it->count > 1)
        cs_intervals_remove(&all->runs, &it->places);
    else
        LL_DELETE2(*with_hash_of(all, it), it, same);
}

const struct cs_access *cs_accesses_find(const struct cs_accesses *all, struct cs_access_search *search)
{
    const struct cs_interval *places = &search->it->places;
    struct cs_access *one = all->single ? *with_hash_of(all, search->it) : NULL;
    while (one && !conflicts(&one->places, search))
        one = one->same;
    return one ? one : (const void *)cs_intervals_find(all->runs, places->begin, places->end, conflicts, search);
}

void cs_accesses_lengthen(struct cs_accesses *all, struct cs_access *it)
{
    it->count++;
    cs_intervals_extend(all->runs, &it->places, end_of_places(it));
    if (it->cell) {
        it->cell->unit_bytes = (uint32_t)all->unit_bytes;
        it->cell->span_bytes += (int64_t)it->bytes;
    }
}

bool cs_accesses_extend(struct cs_accesses *all, const struct cs_access *it)
{
    struct cs_access *last = all->last;
    int64_t step = last && last->step ? last->step : all->unit_bytes ? (int64_t)it->bytes / all->unit_bytes : 0;
    if (!last || step == 0 || step * all->unit_bytes != (int64_t)it->bytes || last->use != it->use ||
        last->target != it->target || last->site != it->site || last->basic != it->basic || last->bytes != it->bytes ||
        last->meeting != it->meeting || last->meeting_object != it->meeting_object || last->offset || it->offset ||
        it->displacement != last->displacement + step * last->count)
        return false;
    if (last->count == 1) {
        take_out(all, last);
        cs_intervals_add(&all->runs, &last->places);
    }
    last->step = step;
    cs_accesses_lengthen(all, last);
    return true;
}

struct cs_access *cs_accesses_add(struct cs_accesses *all, const struct cs_access *it)
{
    struct cs_access *added = unused;
    if (all->count == CS_ACCESSES_MOST)
        return NULL;
    if (added)
        LL_DELETE(unused, added);
    else if (!(added = malloc(sizeof *added)))
        return NULL;
    *added = *it;
    if (!put(all, added)) {
        LL_PREPEND(unused, added);
        return NULL;
    }
    DL_APPEND(all->first, added);
    all->last = added;
    all->count++;
    return added;
}

static bool is_any(struct cs_interval *found, void *nothing)
{
    (void)found, (void)nothing;
    return true;
}

/* True if another access has the place. */
static bool is_accessed(const struct cs_accesses *all, const struct cs_access *it)
{
    const struct cs_access *one = *with_hash_of(all, it);
    while (one && one->places.begin != it->places.begin)
        one = one->same;
    return one || (all->runs && cs_intervals_find(all->runs, it->places.begin, it->places.end, is_any, NULL));
}

struct cs_access *cs_accesses_prepare(const struct cs_accesses *all, const struct cs_access *like,
                                      struct cs_access **next)
{
    struct cs_access *it = unused;
    if (!it || !all->single || all->count == CS_ACCESSES_MOST)
        return NULL;
    *next = it->next;
    *it = *like;
    it->count = 1;
    it->step = 0;
    it->cell = NULL;
    return it;
}

bool cs_accesses_add_prepared(struct cs_accesses *all, struct cs_access *it, struct cs_access *next)
{
    if (is_accessed(all, it)) {
        it->next = next;
        return false;
    }
    unused = next;
    LL_PREPEND2(*with_hash_of(all, it), it, same);
    DL_APPEND(all->first, it);
    all->last = it;
    all->count++;
    return true;
}

void cs_accesses_open(struct cs_accesses *all)
{
    all->runs = NULL;
}

void cs_accesses_remove(struct cs_accesses *all, struct cs_access *it, bool opened)
{
    if (it == all->last)
        all->last = NULL;
    if (!opened)
        take_out(all, it);
    else if (it->count == 1)
        *with_hash_of(all, it) = NULL;
    DL_DELETE(all->first, it);
    LL_PREPEND(unused, it);
    all->count--;
}

void cs_accesses_forget(struct cs_accesses *all)
{
    LL_CONCAT(unused, all->first);
    free(all->single);
}
