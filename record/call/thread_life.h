/* Begin of a thread's state, abandoned calls, and its end. */
#pragma once

#include "record/process/thread.h"

/* Makes the state of the calling thread, or takes over that of an ended one. NULL: not recording, or no memory. */
struct cs_thread *cs_thread_begin(void);

/* Forgets the innermost call, which the thread left by longjmp. The call counts, but its time is unknown. */
void cs_thread_abandon(struct cs_thread *thread);

/* In a forked child: forgets all threads; the journal belongs to the parent. */
void cs_thread_forget(void);
