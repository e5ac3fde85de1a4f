/* Numbers of collective calls: the n-th on a communicator, window or file belongs to the n-th of all other members, of
   whatever functions (MPI 4.1, 6.1). callsign hang finds from it who has not come, and who came to another call. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct cs_thread;

/* The thread begins the next call of this function on the object. last: the call frees the object, which needs no count
   for a single call. Returns the number of the call; 0: it could not be counted (without memory). */
uint32_t cs_collective_begin(struct cs_thread *thread, uint32_t object, uint16_t function, int32_t root, bool last);

/* The object is dead: its count can be another's. */
void cs_collective_end(uint32_t object);

/* In a forked child. */
void cs_collective_forget(void);
