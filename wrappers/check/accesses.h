/* One-sided accesses that no call has completed, to the windows of other processes: those of one window, found by their
   places. The caller has the lock of windows, or is alone. */
#pragma once

#include "base/interval_tree.h"
#include "journal/format.h"
#include "wrappers/check/arguments.h"

/* Accesses that no call has completed, of one call site to neighbouring places. */
struct cs_access {
    struct cs_interval places; /* found by it, so it comes first */
    enum cs_use use;
    bool by_request; /* its request may complete it before its epoch does */
    int32_t target;
    int64_t displacement;
    int64_t offset; /* bytes from there to the first one */
    uint64_t bytes, site, basic;
    uint32_t meeting_object, meeting; /* as in the table window_access */
    int64_t step;                     /* in displacements, from each access to the next one; 0: only one access */
    int64_t count;
    struct cs_access_cell *cell;   /* for other processes; NULL: no room */
    struct cs_access *prev, *next; /* of the same window; next: also of those not in use */
    struct cs_access *same;        /* the next one whose place has the same hash; only of single accesses */
};

struct cs_accesses {
    int64_t unit_bytes; /* displacement unit of this process; 0: unknown */
    int count;
    struct cs_access *first, *last; /* first: of all; last: was added last; NULL: none, or it has ended */
    struct cs_access **single;      /* those of one place, by its hash; NULL: none yet */
    struct cs_interval *runs;       /* the others, by their places */
};

static inline bool cs_access_reads(const struct cs_access *a)
{
    return a->use == CS_USE_READ || a->use == CS_USE_FETCH;
}

static inline bool cs_access_is_atomic(const struct cs_access *a)
{
    return a->use == CS_USE_ACCUMULATE || a->use == CS_USE_FETCH;
}

/* Sets its places from its target, displacement, step and count. */
void cs_access_place(struct cs_access *it);

struct cs_access_search {
    const struct cs_access *it;
    uint64_t bytes; /* that both use */
    bool known;     /* the same access is pending already */
};
/* The first one that conflicts; NULL: none. */
const struct cs_access *cs_accesses_find(const struct cs_accesses *all, struct cs_access_search *search);

/* Adds an access to the last one, if it follows that in the memory of the target, by the unit of this process. */
bool cs_accesses_extend(struct cs_accesses *all, const struct cs_access *it);
/* The next access follows this one, which is no single one. */
void cs_accesses_lengthen(struct cs_accesses *all, struct cs_access *it);
/* Adds a copy of a single access. NULL: there are too many, or no memory. */
struct cs_access *cs_accesses_add(struct cs_accesses *all, const struct cs_access *it);

/* The same in two steps, without another copy: a single access like this one, whose place the caller sets. NULL: use
   cs_accesses_add. next: for the second step, which returns false, and adds nothing, if another access has the place.
 */
struct cs_access *cs_accesses_prepare(const struct cs_accesses *all, const struct cs_access *like,
                                      struct cs_access **next);
bool cs_accesses_add_prepared(struct cs_accesses *all, struct cs_access *it, struct cs_access *next);

/* Begins to remove all; then cs_accesses_remove takes fewer steps. */
void cs_accesses_open(struct cs_accesses *all);
void cs_accesses_remove(struct cs_accesses *all, struct cs_access *it, bool opened);
/* The window is freed. */
void cs_accesses_forget(struct cs_accesses *all);
