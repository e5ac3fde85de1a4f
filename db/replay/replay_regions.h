/* The regions of the program that named some with MPI_Pcontrol. Events do not say which region they are in, but calls
   of MPI_Pcontrol do: the profile has each in the region that the process is in after it. */
#pragma once

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

enum { CS_REPLAY_REGIONS_MOST = 64 }; /* a bit for each; those with the most time */

struct cs_replay_region {
    int64_t region;
    char *path;
    uint64_t within; /* its bit, and those of the regions around it */
    int64_t code_ns; /* between calls, all ranks */
};

struct cs_replay_regions {
    int64_t function; /* MPI_Pcontrol */
    struct cs_replay_region region[CS_REPLAY_REGIONS_MOST];
    size_t count; /* 0: none, or a call site leads to several ones */
    struct cs_replay_region_site *sites;
};

/* Returns SQLite's code. {0} is empty. */
int cs_replay_regions_read(sqlite3 *db, struct cs_replay_regions *regions);

/* The bits of the regions that a process is in after a call of MPI_Pcontrol from there. */
uint64_t cs_replay_regions_after(const struct cs_replay_regions *regions, int64_t site);

void cs_replay_regions_add(struct cs_replay_regions *regions, uint64_t within, int64_t code_ns);

void cs_replay_regions_free(struct cs_replay_regions *regions);
