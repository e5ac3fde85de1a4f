/* Internal interface of the test double's sources. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "mpi.h"

#pragma GCC visibility push(hidden)

/* ---- handles: small numbers, the lowest that is free first ---- */

enum { MOST = 4096 };

struct table {
    void *objects[MOST]; /* NULL: the handle is free */
    int first;           /* the lowest handle that is not predefined */
};

/* 0 when the table is full. */
int table_add(struct table *table, void *object);
void *table_get(const struct table *table, int handle);
void *table_remove(struct table *table, int handle);

/* ---- errors ---- */

/* Calls the error handler of the communicator (of MPI_COMM_WORLD if it is none), and returns the code if that comes
 * back. */
int failed(MPI_Comm comm, int code);

/* Ends a program that would wait for itself for ever. */
_Noreturn void deadlock(const char *function);

/* ---- communicators: all of them have the one process ---- */

struct comm {
    MPI_Errhandler handler;
    int topology, ndims, *periods;
};

struct comm *comm_of(MPI_Comm comm);

/* ---- datatypes ---- */

struct block {
    long at;
    int bytes;
};

struct type {
    int references, count, size;
    long lower, upper;         /* MPI_Aint has no sign */
    bool has_lower, has_upper; /* set by MPI_LB, MPI_UB */
    struct block *blocks;
};

struct type *type_of(MPI_Datatype type);
void type_keep(struct type *type);
void type_drop(struct type *type);

/* The bytes of `count` elements, one after the other, and back. unpack takes no more than `bytes`. */
void pack(const void *from, int count, const struct type *type, char *to);
void unpack(const char *from, size_t bytes, void *to, const struct type *type);

/* ---- messages ---- */

/* A copy from the process to itself, as collectives make it. */
int copy(const void *from, int count, MPI_Datatype type, void *to, int room, MPI_Datatype to_type, MPI_Comm comm);

#pragma GCC visibility pop
