/* How the MPI test programs report their own counts, so that tests/mpi/run.py can compare them with the trace.
 *
 * A program makes every MPI call through CALL(), which counts it. It states the bytes that it moved and the objects
 * that it made and freed. At the end check_write() writes all of it as tab-separated lines into the file facts.<pid>
 * in CHECK_FOLDER. In a bare run that variable is not set, and nothing is written. stdout must be equal in every
 * run. */
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* CALL(MPI_Send)(buf, 1, ...): the call, and one more on its count. Through a pointer, so that macros of mpi.h do not
 * apply. */
#define CALL(name) (*(check_count(#name, 1), &name))

/* Makes a parent for MPI_Dist_graph_create: a new duplicate. In that call Open MPI sends with tags -50 and -51 on the
 * parent. Its nonblocking collectives count down to these tags when about twenty communicators were made of one parent.
 * Then the call may hang (open-mpi/ompi#13918, mended in 2026). */
#define DUP_FOR_DIST_GRAPH(parent, made) CALL(MPI_Comm_dup)(parent, made)

/* Adds n calls of a function: for calls that are made on the program's behalf, as by a Fortran layer. */
void check_count(const char *function, long n);

/* Bytes of a function on the communicator of that name; sums up. NULL: an unnamed communicator. */
void check_bytes(const char *function, const char *communicator, long sent, long received);

/* n more objects of the kind ("communicator", "datatype", "window", "file") were made or freed by a function. */
void check_made(const char *kind, const char *function, int n);
void check_freed(const char *kind, const char *function, int n);

/* One more message in the tables traffic and tag. object: name of the communicator or window; direction as in
 * traffic; peer: rank there or -2; source and dest: ranks in MPI_COMM_WORLD or -1; tag -1: none. A program that
 * reports one message must report all. */
void check_message(const char *object, const char *direction, int peer, int source, int dest, int tag, long bytes);

/* A query that must answer one row with the value 1. Plain SQL on the trace of this rank. */
void check_sql(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The trace must say so of the process: finalized, aborted, exited, died. */
void check_outcome(const char *outcome);

/* Excludes something from the comparison: "calls", "bytes", "objects". The caller gives the reason. */
void check_skip(const char *what);

/* One line on stdout, in one write. */
void check_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Says so on stdout, and makes check_write return 1, when the condition does not hold. */
#define CHECK(condition) check_that(condition, #condition, __FILE__, __LINE__)
void check_that(bool holds, const char *condition, const char *file, int line);

#ifdef MPI_MAX_LIBRARY_VERSION_STRING
/* True for MPICH and its derivatives. Queries the library directly: a program of the standard ABI may run with any
 * MPI. */
bool check_is_mpich(void);
#endif

/* Says why, and ends the whole job: where going on could go on for ever. So do many failed CHECKs. */
void check_give_up(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Writes the facts (over those written before). Returns the exit code of the program: 0, or 1 after a failed CHECK. */
int check_write(void);
