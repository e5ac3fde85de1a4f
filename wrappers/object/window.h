/* Windows. */
#pragma once

#include "record/object/object.h"
#include "wrappers/call/call.h"

/* Role, after success. MPI_WIN_NULL is no object. */
void cs_made_win(struct cs_call *call, MPI_Win win);

/* See cs_record_of. */
const struct callsign_record *cs_win_record(const struct cs_call *call, MPI_Win win);

/* The displacement unit of the own part of a valid window; 1: unknown. */
int64_t cs_win_displacement_unit(MPI_Win win);

/* ---- locks ---- */

void cs_locked_window(struct cs_call *call, int lock_type);
void cs_locked_all(struct cs_call *call);
void cs_unlocked_window(struct cs_call *call);
void cs_unlocked_all(struct cs_call *call);

/* ---- epochs of MPI_Win_start and MPI_Win_post ---- */

/* Before the native call: the group may be garbage, and is looked at only if callsign knows it. */
void cs_open_access(struct cs_call *call, MPI_Group group, int64_t assertion);
void cs_opened_access(struct cs_call *call, int result);
void cs_closed_access(struct cs_call *call);
void cs_opened_exposure(struct cs_call *call, MPI_Group group);
void cs_closed_exposure(struct cs_call *call);
