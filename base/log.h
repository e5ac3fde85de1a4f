/* One line on stderr, in one write: "callsign: <message>". Never stdout, never an exit.
   In a rank of an MPI program every message is printed once per process however often it occurs (cs_log_once). */
#pragma once

#include <stdbool.h>

void cs_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Like cs_log, the first time that *said is false; sets it. Safe from several threads. */
#define cs_log_once(...)                                                                                               \
    do {                                                                                                               \
        static _Bool cs_said;                                                                                          \
        if (!__atomic_exchange_n(&cs_said, 1, __ATOMIC_RELAXED))                                                       \
            cs_log(__VA_ARGS__);                                                                                       \
    } while (0)
