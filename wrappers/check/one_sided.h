/* Local checks of one-sided calls: epochs, locks, accesses. The state of a window is kept only while calls are
   checked. */
#pragma once

#include "wrappers/check/arguments.h"

/* ---- before the call ---- */

/* A one-sided access needs a fence, a lock of its target or an access epoch. */
void cs_checks_epoch(struct cs_call *call, int target);
/* Programs access one place after another from one call site. words: the arguments, without displacement and origin,
   and 0. Returns what need not be checked, because the access before was. */
enum { CS_ROW_WORDS = 6 };
enum cs_continuation { CS_CONTINUES_NOTHING, CS_CONTINUES_AT_TARGET /* all but the origin */, CS_CONTINUES_ALL };
enum cs_continuation cs_continues_row(struct cs_call *call, const uint64_t words[static CS_ROW_WORDS], uint64_t origin,
                                      int64_t displacement);
/* Two accesses of one epoch to one place conflict, unless both read it or both accumulate. */
void cs_use_target(struct cs_call *call, enum cs_use use, int target, int64_t displacement, MPI_Count count,
                   MPI_Datatype type);
/* The same for accumulations, and for those of one element. With MPI_NO_OP they read. */
void cs_accumulate_at(struct cs_call *call, int target, int64_t displacement, MPI_Count count, MPI_Datatype type,
                      MPI_Op op);
void cs_fetch_at(struct cs_call *call, int target, int64_t displacement, MPI_Datatype type, MPI_Op op);
void cs_swap_at(struct cs_call *call, int target, int64_t displacement, MPI_Datatype type);
/* The same for accesses that a request may complete before their epoch ends. They are compared only with those of
   processes that can have heard nothing since all have met. */
void cs_get_by_request(struct cs_call *call, int target, int64_t displacement, MPI_Count count, MPI_Datatype type);
void cs_accumulate_by_request(struct cs_call *call, int target, int64_t displacement, MPI_Count count,
                              MPI_Datatype type, MPI_Op op);
/* The data of the source must fit into the buffer that gets it. */
void cs_checks_room(struct cs_call *call, MPI_Count count, MPI_Datatype type, MPI_Count room, MPI_Datatype room_type);
/* Checks the data, and keeps how far the access reaches into the window of its target: only that knows its size. */
void cs_reaches_target(struct cs_call *call, int target, int64_t displacement, MPI_Count count, MPI_Datatype type);
/* The origin's buffer stays in use until the window is synchronized. */
void cs_keeps_origin(struct cs_call *call);
/* The call completes the accesses to its peer, or to all targets: none of them conflicts with later ones. */
void cs_ends_accesses(struct cs_call *call);
/* ... only at the origin. */
void cs_ends_origins(struct cs_call *call);
/* A fence completes accesses, so MPI_MODE_NOPRECEDE is wrong. */
void cs_checks_fence(struct cs_call *call, int64_t assertion);
void cs_checks_lock(struct cs_call *call);
void cs_checks_unlock(struct cs_call *call);
/* Calls that begin or end an epoch. */
void cs_checks_all_locked(struct cs_call *call);
void cs_checks_locking_all(struct cs_call *call);
void cs_checks_flush(struct cs_call *call);
void cs_checks_started(struct cs_call *call);
void cs_checks_starting(struct cs_call *call);
void cs_checks_posted(struct cs_call *call);
void cs_checks_posting(struct cs_call *call);
void cs_checks_freed_window(struct cs_call *call);
/* MPI_Finalize: windows in an epoch. */
void cs_check_open_epochs(struct cs_call *call);

/* ---- after success ---- */

enum cs_access_change {
    CS_ACCESS_LOCK,
    CS_ACCESS_LOCK_EXCLUSIVE,
    CS_ACCESS_LOCK_ALL,
    CS_ACCESS_UNLOCK,
    CS_ACCESS_UNLOCK_ALL,
    CS_ACCESS_START,
    CS_ACCESS_COMPLETE,
    CS_ACCESS_FENCE,
    CS_ACCESS_NO_FENCE,
    CS_ACCESS_POST,
    CS_ACCESS_WAIT
};
void cs_note_access(struct cs_call *call, enum cs_access_change change);

static inline void cs_check_access(struct cs_call *call, enum cs_access_change change)
{
    if (cs_is_checked(call))
        cs_note_access(call, change);
}

static inline void cs_check_locked(struct cs_call *call, int64_t lock_type)
{
    cs_check_access(call, lock_type == MPI_LOCK_EXCLUSIVE ? CS_ACCESS_LOCK_EXCLUSIVE : CS_ACCESS_LOCK);
}

void cs_note_window(struct cs_call *call);
static inline void cs_check_new_window(struct cs_call *call)
{
    if (cs_is_checked(call))
        cs_note_window(call);
}

void cs_note_exposure(struct cs_call *call);
static inline void cs_check_exposed(struct cs_call *call)
{
    if (cs_is_checked(call))
        cs_note_exposure(call);
}

void cs_forget_window(const struct cs_call *call);
static inline void cs_check_forgotten_window(struct cs_call *call)
{
    if (cs_is_checked(call))
        cs_forget_window(call);
}

static inline void cs_check_fenced(struct cs_call *call, int64_t assertion)
{
    cs_check_access(call, assertion & MPI_MODE_NOSUCCEED ? CS_ACCESS_NO_FENCE : CS_ACCESS_FENCE);
}
