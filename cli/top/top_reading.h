/* Sums over the live journals of a run, read again and again without stopping any process. `callsign top` shows the
   differences between two readings. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/activity.h"
#include "base/status.h"
#include "cli/top/top_activity.h"

/* The sums of a process at one instant. */
struct cs_top_sums {
    double at_ns;    /* the instant; monotonic */
    double mpi_ns;   /* of all threads: in completed outermost calls, and in the current ones so far */
    double lived_ns; /* of all threads */
    uint64_t calls;
    uint64_t messages; /* sent, as in the view `traffic` */
    uint64_t bytes;    /* sent in these messages */
};

struct cs_top_rank {
    int rank; /* in MPI_COMM_WORLD; -1: not known yet */
    uint32_t pid;
    bool running;
    bool silent; /* it does not run, or runs on another node and has written nothing for ten minutes */
    bool ran;    /* at the reading before */
    bool is_new; /* there is no reading before */
    bool inside; /* a thread is in an MPI call */
    /* of the thread that is in its call for longest; if none is, of the one that left one last; 0: none yet */
    uint16_t function;
    double state_ns;     /* how long that thread has been in the call, or outside MPI */
    double age_ns;       /* time since the journal began */
    struct cs_look look; /* known if the process is on this machine and runs */
    enum cs_activity
        activity; /* outside MPI, since the reading before if it was outside all the time, else at this one */
    struct cs_top_sums before, now;
};

struct cs_journal_reader;

struct cs_top_journal {
    uint64_t device, inode;
    char *path;
    struct cs_journal_reader *reader; /* NULL: it is read no more */
    bool left_out;                    /* of another node, and only_node; unread, too */
    bool unread;                      /* it cannot be read; that was logged, unless it is elsewhere */
    char *node;                       /* it is on the storage of this node, and not to be seen here; else NULL */
    size_t number;                    /* as in struct cs_top_where */
    struct cs_top_process *process;   /* NULL likewise */
    struct cs_top_rank rank;
};

/* A run that is looked at. Begin with {.run = path}. */
struct cs_top {
    const char *run;
    bool only_node;                 /* only processes of this machine */
    struct cs_top_journal *journal; /* by rank */
    size_t count, room;
    uint64_t changed;                 /* when its folder last changed, ns; 0: list it again */
    int clock;                        /* enum cs_clock_kind of this machine; 0: not chosen yet */
    size_t traces;                    /* files of ranks that ended before the first reading */
    double read_ns, interval_ns;      /* the last reading, monotonic, and the time since the one before; 0: none */
    struct cs_top_activity *activity; /* made by the first reading */
};

/* Reads the sums of all processes. Journals that appeared are opened; those that ended are read once more, and then
   closed. CS_INVALID: no such run; CS_IO, CS_NO_MEMORY. Logs each failure once. */
enum cs_status cs_top_read(struct cs_top *top);

void cs_top_free(struct cs_top *top);

/* Time in MPI of the time that all threads lived, between the two readings: 0 to 1. */
double cs_top_share(const struct cs_top_rank *rank);
