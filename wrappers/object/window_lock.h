/* Locks of windows: roles after success. */
#pragma once

#include "wrappers/call/call.h"

void cs_locked_window(struct cs_call *call, int lock_type);
void cs_locked_all(struct cs_call *call);
void cs_unlocked_window(struct cs_call *call);
void cs_unlocked_all(struct cs_call *call);
