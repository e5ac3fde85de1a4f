/* Accesses to windows, for comparison with those of other processes: the view misuses joins them. */
#pragma once

#include "journal/format.h"

/* Limits for each process. */
enum { CS_ACCESSES_MOST = 4096, CS_MEMORY_USES_MOST = 2048, CS_EXPOSURES_MOST = 2048 };

/* True if another access can be kept. */
bool cs_window_access_has_room(void);

/* Keeps an access with these values; NULL: no room. The caller changes the result only while no other thread does. */
struct cs_access_cell *cs_window_access_add(const struct cs_access_cell *access);

/* In a forked child. */
void cs_window_access_forget(void);
