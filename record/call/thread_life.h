/* When a thread is first seen, what it abandons, when it ends. */
#pragma once

#include "record/process/thread.h"

/* Makes the state for the calling thread, or takes over that of one that has ended. NULL: not recording, or no
   memory. */
struct cs_thread *cs_thread_begin(void);

/* Forgets the innermost call, which the thread left by longjmp. It counts, without its time, which nobody knows. */
void cs_thread_abandon(struct cs_thread *thread);

/* In a forked child: forgets everything, the journal belongs to the parent. */
void cs_thread_forget(void);
