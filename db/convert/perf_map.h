/* Names of code that was generated at run time, from the map that just-in-time compilers write for Linux perf:
   /tmp/perf-PID.map, with a line "START SIZE NAME" for each function, the numbers in hexadecimal. The file may be that
   of another process, or damaged: everything in it is checked, and a doubtful address has no name. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { CS_PERF_NAME_MOST = 512 }; /* bytes of a name, with its NUL */

/* Which file may be believed. */
struct cs_perf_map_wanted {
    char path[64];
    uid_t owner;                    /* user of the process */
    int64_t earliest_ns, latest_ns; /* when the file may have been written last, since 1970-01-01 UTC */
};

struct cs_perf_map;

struct cs_conversion;

/* The map of the process that wrote the journal. path is "" if it may not be there: the process ran on another machine
   or in another container, or its times are unknown. */
void cs_perf_map_choose(const struct cs_conversion *conversion, struct cs_perf_map_wanted *wanted);

/* Reads the map. Returns NULL if there is none, if it belongs to another user, if it was written before or after the
   process, if it is larger than 64 MiB, or without memory. */
struct cs_perf_map *cs_perf_map_read(const struct cs_perf_map_wanted *wanted);

void cs_perf_map_free(struct cs_perf_map *map);

/* The name of the function that a call with this return address is in, and the address relative to its beginning.
   Returns NULL if there is none, or if several functions have been there. map may be NULL. */
const char *cs_perf_map_find(const struct cs_perf_map *map, uint64_t return_address, uint64_t *offset);
