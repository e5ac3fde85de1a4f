/* What a thread in a call waits for: messages, members of collective calls, windows. */
#pragma once

#include "cli/deadlock/hang_model.h"

/* Adds the needs of the call that the thread is in. */
void cs_hang_find_needs(struct cs_hang *hang, struct cs_hang_thread *thread);
