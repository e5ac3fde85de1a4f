/* Windows. */
#pragma once

#include "record/object/object.h"
#include "wrappers/call/call.h"

/* Role, after success. MPI_WIN_NULL is no object. */
void cs_made_win(struct cs_call *call, MPI_Win win);

/* See cs_record_of. */
const struct callsign_record *cs_win_record(const struct cs_call *call, MPI_Win win);

/* ---- locks ---- */

void cs_locked_window(struct cs_call *call, int lock_type);
void cs_locked_all(struct cs_call *call);
void cs_unlocked_window(struct cs_call *call);
void cs_unlocked_all(struct cs_call *call);
