/* Locks of windows that this process holds: between MPI_Win_lock and MPI_Win_unlock, for callsign hang. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* target: rank, or CS_PEER_ANY: all. */
void cs_window_lock_taken(uint32_t window, int32_t target, bool exclusive);
void cs_window_lock_released(uint32_t window, int32_t target);

/* In a forked child. */
void cs_window_lock_forget(void);
