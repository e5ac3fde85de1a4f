/* The processes of a command that a launcher started several times, connected by an MPI. Only the library
   libcallsign-parallel-<flavour>.so (wrappers/parallel_mpi.c) is linked with an MPI; the command loads it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define CS_PARALLEL_VERSION 1

/* All functions are called by one thread. They return false if the MPI reports an error. */
struct cs_parallel {
    unsigned version; /* CS_PARALLEL_VERSION */
    /* Begins MPI: the number of this process, and how many there are. */
    bool (*begin)(int *rank, int *size);
    /* Sends a message of at most INT_MAX bytes. Returns when the bytes may be changed. */
    bool (*send)(int to, const void *bytes, size_t length);
    /* Waits for the next message of a process: its length. */
    bool (*wait)(int from, size_t *length);
    /* Takes the message that `wait` found. */
    bool (*take)(int from, void *bytes, size_t length);
    /* Ends MPI; all processes call it. */
    bool (*end)(void);
    /* Ends all processes. */
    void (*abort)(int code);
};

/* What the library exports. */
#define CS_PARALLEL_SYMBOL "callsign_parallel"
