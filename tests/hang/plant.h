/* Programs that are slow and programs that deadlock, planted for `callsign hang`. A program is a table of modes; the
   test names one. With --list it prints the table: name, ranks, answer, only, tab-separated. */
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

struct plant {
    const char *name;
    int ranks;
    void (*run)(int rank);
    /* slow: what holds the run up. "1": rank 1, for which all wait in the end ("": nobody can tell); "moves": nothing,
       all ranks communicate; "dies": the MPI or a signal ends the job. stuck: the ranks of each deadlock, as "0,1 2,3".
       "0,1 (2)": rank 2 waits for them and may be named with them.
       "0,1?": nobody can prove that no other thread helps. */
    const char *answer;
    const char *only; /* the MPI that it is for; NULL: each */
    bool threads;     /* with MPI_THREAD_MULTIPLE */
    bool over_tcp;    /* Open MPI only: messages go through sockets */
};

/* Each program has these. */
extern const struct plant plants[];
extern const size_t plants_count;

/* Computes until the test lets it go on, or PLANT_SECONDS have passed. */
void plant_hold(void);

/* True while a program that never stops may continue. */
bool plant_goes_on(void);

/* A file in the folder of the test. */
const char *plant_file(const char *name);

/* One int, blocking. */
void plant_send(int dest, int tag, MPI_Comm comm);
void plant_receive(int source, int tag, MPI_Comm comm);

/* The size of MPI_COMM_WORLD. */
int plant_size(void);

/* The members of MPI_COMM_WORLD whose bit is set; MPI_COMM_NULL for the others. */
MPI_Comm plant_team(unsigned members);
