/* How the MPI test programs say what they did, so that tests/mpi/run.py can compare it with the trace.
 *
 * A program makes every MPI call through CALL(), which counts it, and states the bytes that it moved and the objects
 * that it made and freed. At the end check_write() puts all of it as tab-separated lines into the file facts.<pid> of
 * the folder CHECK_FOLDER (in a bare run that variable is not set and nothing is written). What goes to stdout must be
 * the same in every run. */
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

/* One more message in the tables traffic and tag: object is the name of the communicator or window, direction as in
 * traffic, the peer its rank there or -2, source and dest ranks in MPI_COMM_WORLD or -1, the tag -1 for none. A program
 * that tells of one must tell of all. */
void check_message(const char *object, const char *direction, int peer, int source, int dest, int tag, long bytes);

/* A query that must answer one row with the value 1. Plain SQL on the trace of this rank. */
void check_sql(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The trace must say so of the process: finalized, aborted, exited, died. */
void check_outcome(const char *outcome);

/* What is not compared in this program, and why it cannot be: "calls", "bytes", "objects". */
void check_skip(const char *what);

/* One line on stdout, in one write. */
void check_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Says so on stdout, and makes check_write return 1, when the condition does not hold. */
#define CHECK(condition) check_that(condition, #condition, __FILE__, __LINE__)
void check_that(bool holds, const char *condition, const char *file, int line);

#ifdef MPI_MAX_LIBRARY_VERSION_STRING
/* Whether the MPI is MPICH or of its kin. Asked of the library, past callsign: a program of the standard ABI meets any.
 */
bool check_is_mpich(void);
#endif

/* Says why, and ends the whole job: where going on could go on for ever. So do many failed CHECKs. */
void check_give_up(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Writes the facts (over those written before). Returns the exit code of the program: 0, or 1 after a failed CHECK. */
int check_write(void);
