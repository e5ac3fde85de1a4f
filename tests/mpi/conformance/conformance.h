/* Probes of names and attributes: each finds out one thing in words, which are compared with what the standard says. */
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The standard ABI lacks functions that MPI 3.0 removed: their replacements stand for them. */
#ifdef STANDARD_ABI
#define MPI_Attr_put      MPI_Comm_set_attr
#define MPI_Attr_get      MPI_Comm_get_attr
#define MPI_Attr_delete   MPI_Comm_delete_attr
#define MPI_Keyval_create MPI_Comm_create_keyval
#define MPI_Keyval_free   MPI_Comm_free_keyval
#undef MPI_DUP_FN
#undef MPI_NULL_COPY_FN
#undef MPI_NULL_DELETE_FN
#define MPI_DUP_FN         MPI_COMM_DUP_FN
#define MPI_NULL_COPY_FN   MPI_COMM_NULL_COPY_FN
#define MPI_NULL_DELETE_FN MPI_COMM_NULL_DELETE_FN
#endif

struct probe {
    const char *name;     /* the behaviour */
    const char *expected; /* by the standard */
    void (*run)(void);
};

extern const struct probe name_probes[], attribute_probes[], callback_probes[], error_probes[];

/* Records the result of a probe, and the reports of its callbacks. */
void found(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "MPI_ERR_COMM", "success", or "code 9999" where the MPI knows no class. */
const char *class_of(int result);

/* A keyval of communicators whose callbacks tell: "+1" for the copy of value 1, "-1" for its deletion. */
int telling(void);
int telling_type(void);
int telling_win(void);

/* Values of them. */
extern char values[16];
#define VALUE(number) ((void *)&values[number])

/* The value whose copy or deletion is refused, and the code; meddle: another action of a deletion. */
extern int refused, refusal;
extern void (*meddle)(MPI_Comm comm, int value);

MPI_Comm duplicate(void);
MPI_Datatype pair(void);
MPI_Win window(void);

/* "1", or "none". */
const char *held(MPI_Comm comm, int keyval);
