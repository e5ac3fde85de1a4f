/* Calls of synchronizing collectives, counted for each communicator: db/journal/format.h says what is kept and
   why.

   All members must count alike without a word between them. Therefore everything counts that the program calls, while
   recording is paused too; and where a call did not return, or failed, nobody can say whether it counted for the
   others: nothing more is kept of that communicator.

   Threads may use a communicator one after the other, never at once (MPI 4.1, 6.14): what is counted takes no lock. */
#pragma once

#include <stdint.h>

struct cs_thread;

/* What a call tells of the clocks, in ticks. */
struct cs_synchronization_span {
    uint64_t entered; /* 0: nobody waits for this process */
    uint64_t left;    /* 0: this process waits for nobody */
};

/* The thread enters such a call on the communicator of this id. */
void cs_synchronization_enter(struct cs_thread *thread, uint32_t object);

/* It returned without error, and exchanged data. */
void cs_synchronization_leave(struct cs_thread *thread, uint32_t object, struct cs_synchronization_span span);

/* It returned without error, but there was nothing to exchange: it did not synchronize, for any member. */
void cs_synchronization_pass(struct cs_thread *thread, uint32_t object);

/* The communicator is dead. */
void cs_synchronization_end(uint32_t object);

/* In a forked child. */
void cs_synchronization_forget(void);
