/* A flavour library of the tests' own: counts calls, forwards them, and writes the counts to the file FAKE_COUNTS at
   the end. REFUSE: attach fails. */
#include "fake_mpi.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "preload/front.h"

static const struct cs_front *front;
static int attached;
static int calls;

__attribute__((visibility("default"))) int callsign_flavour_attach(const struct cs_front *given)
{
#ifdef REFUSE
    (void)given;
    return -1;
#else
    if (given->version != CS_FRONT_VERSION || given->bytes != sizeof *given)
        return -1;
    front = given;
    attached++;
    return 0;
#endif
}

static void *next(const char *name)
{
    __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
    void *found = front ? front->next(name) : dlsym(RTLD_NEXT, name);
    if (!found) {
        void *mpi = dlopen("libmpi.so.40", RTLD_LAZY | RTLD_NOLOAD);
        found = mpi ? dlsym(mpi, name) : NULL;
    }
    if (!found)
        abort();
    return found;
}

__attribute__((destructor)) static void report(void)
{
    const char *path = getenv("FAKE_COUNTS");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file)
        return;
    fprintf(file, "attached %d calls %d\n", attached, calls);
    fclose(file);
}

int MPI_Init(int *argc, char ***argv)
{
    return ((int (*)(int *, char ***))next("MPI_Init"))(argc, argv);
}

int MPI_Finalize(void)
{
    return ((int (*)(void))next("MPI_Finalize"))();
}

int MPI_Comm_rank(int comm, int *rank)
{
    return ((int (*)(int, int *))next("MPI_Comm_rank"))(comm, rank);
}

long MPI_Alltoallw(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k, long l)
{
    long (*real)(long, long, long, long, long, long, long, long, long, long, long, long) = next("MPI_Alltoallw");
    return real(a, b, c, d, e, f, g, h, i, j, k, l);
}

double MPI_Wtime(double a, double b, double c, double d, double e, double f, double g, double h, double i)
{
    double (*real)(double, double, double, double, double, double, double, double, double) = next("MPI_Wtime");
    return real(a, b, c, d, e, f, g, h, i);
}

struct big MPI_Get_count(long a, double b, long c, double d)
{
    return ((struct big(*)(long, double, long, double))next("MPI_Get_count"))(a, b, c, d);
}
/* No MPI here has it: the flavour was built for another. */
int MPI_Abi_get_version(int *major, int *minor)
{
    return ((int (*)(int *, int *))next("MPI_Abi_get_version"))(major, minor);
}

/* MPI_Pcontrol and MPI_Initialized: names that the flavour lacks. */
