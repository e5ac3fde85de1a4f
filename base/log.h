/* Writes one line to stderr with one write: "callsign: <message>". Never writes to stdout, never exits. In ranks,
   use cs_log_once: each process prints a message once, however often it occurs. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

void cs_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* cs_log, but only if *said is false; sets *said. Safe from several threads. */
#define cs_log_once(...)                                                                                               \
    do {                                                                                                               \
        static _Atomic bool cs_said;                                                                                   \
        if (!atomic_exchange_explicit(&cs_said, true, memory_order_relaxed))                                           \
            cs_log(__VA_ARGS__);                                                                                       \
    } while (0)
