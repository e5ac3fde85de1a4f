/* A program that calls every function of ../roles.tsv that the MPI at hand has, chapter by chapter, on two ranks. What
   is made is freed. What the trace must say of each stands in that table; roles.py compares. */
#pragma once

#if defined(__has_include)
#define HAS_EXTENSIONS __has_include(<mpi-ext.h>)
#endif
#include "check.h"
#if defined(OPEN_MPI) && HAS_EXTENSIONS
#include <mpi-ext.h>
#endif

/* MPICH as Debian builds it, on UCX, cannot open ports and starts no processes; its functions for failed processes end
   the program. */
#ifdef MPICH_VERSION
#define HAS_PORTS 0
#else
#define HAS_PORTS 1
#endif

/* HAS_MPI_4, HAS_MPI_4_1, HAS_MPI_5, HAS_EVENTS, HAS_LARGE_COUNTS, HAS_STREAMS, HAS_STATE_OF_CALLBACKS: the build asked
 * the compiler (tests/mpi/CMakeLists.txt). */

extern int rank, size;
extern MPI_Comm comm; /* of both ranks, its errors return */
extern MPI_Comm own;  /* of this rank alone, likewise */
extern const char *folder;

bool is_child(void); /* started by another program; it has said good-bye to that one */

void communicators(void);
void processes(void);
void groups(void);
void handlers(void); /* ops, error handlers, infos, keyvals */
void datatypes(void);
void windows(void);
void files(void);
void transfers(void);
void collectives(void);
void environment(void); /* memory, ports, the tool interface, sessions */

void free_group(MPI_Group group);
void free_info(MPI_Info info);
void free_handler(MPI_Errhandler handler);
