/* Whether ranks that run do anything: their journals and processes, looked at twice. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cs_hang_pulse {
    int rank; /* in MPI_COMM_WORLD */
    uint32_t pid;
    uint64_t state; /* a hash of what all its threads do */
    bool here;      /* it runs on this machine, and the rest is known */
    bool stopped;
    bool sleeps;
    uint64_t cpu_ticks; /* that it has run */
    long os_threads;
};

/* The journals of all ranks of a run that have not ended; *pulses is to be freed. False: there is no such run, logged.
 */
bool cs_hang_pulse_take(const char *run, struct cs_hang_pulse **pulses, size_t *count);

/* Whether the rank did nothing between the two, although it may have run. *undecided: the system gave it no processor.
 */
bool cs_hang_pulse_is_still(const struct cs_hang_pulse *before, const struct cs_hang_pulse *after, bool *undecided);
