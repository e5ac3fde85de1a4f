/* An MPI of the tests' own: real names, made-up prototypes, so that every way of passing arguments goes through the
 * front library. */
#pragma once

struct big {
    long words[5]; /* too big for registers: returned through a hidden address */
};

int MPI_Init(int *argc, char ***argv);
int MPI_Initialized(int *flag);
int MPI_Finalize(void);
int MPI_Comm_rank(int comm, int *rank);
long MPI_Alltoallw(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k, long l);
double MPI_Wtime(double a, double b, double c, double d, double e, double f, double g, double h, double i);
struct big MPI_Get_count(long a, double b, long c, double d);
double MPI_Pcontrol(int count, ...);
int MPI_Abi_get_version(int *major, int *minor);
/* Only in the library that programs are linked against, not in the one that they run with. */
int MPI_Session_init(int a, int b, void *session);

#ifndef ONLY_FUNCTIONS
extern int ompi_mpi_comm_world;
#define USE_MPI_DATA() (ompi_mpi_comm_world == 1)
#else
#define USE_MPI_DATA() 1
#endif

int PMPI_Init(int *argc, char ***argv);
