/* One line on stderr, in one write: "callsign: <message>". Never stdout, never an exit.
   In a rank of an MPI program every message is printed once per process however often it occurs (cs_log_once). */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

void cs_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Like cs_log, the first time that *said is false; sets it. Safe from several threads. */
#define cs_log_once(...)                                                                                               \
    do {                                                                                                               \
        static _Atomic bool cs_said;                                                                                   \
        if (!atomic_exchange_explicit(&cs_said, true, memory_order_relaxed))                                           \
            cs_log(__VA_ARGS__);                                                                                       \
    } while (0)
