#include "fake_mpi.h"

#include <stdarg.h>

static int initialized;

int PMPI_Init(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    initialized = 1;
    return 0;
}

int MPI_Init(int *argc, char ***argv)
{
    return PMPI_Init(argc, argv);
}

int MPI_Initialized(int *flag)
{
    *flag = initialized;
    return 0;
}

int MPI_Finalize(void)
{
    initialized = 0;
    return 0;
}

int MPI_Comm_rank(int comm, int *rank)
{
    *rank = comm + 1;
    return 0;
}

long MPI_Alltoallw(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k, long l)
{
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l;
}

double MPI_Wtime(double a, double b, double c, double d, double e, double f, double g, double h, double i)
{
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i;
}

struct big MPI_Get_count(long a, double b, long c, double d)
{
    return (struct big){{a, (long)b, c, (long)d, a + c}};
}

double MPI_Pcontrol(int count, ...)
{
    va_list arguments;
    va_start(arguments, count);
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (i + 1) * va_arg(arguments, double);
    va_end(arguments);
    return sum;
}

/* Open MPI's predefined objects are data, MPICH's are numbers. */
#ifndef ONLY_FUNCTIONS
int ompi_mpi_comm_world = 1;
#endif

#ifdef WITH_SESSIONS
int MPI_Session_init(int a, int b, void *session)
{
    (void)a, (void)b, (void)session;
    return 0;
}
#endif
