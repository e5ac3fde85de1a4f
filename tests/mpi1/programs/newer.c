/* Calls functions that callsign knows and functions that it does not, from C and as Fortran does, and prints what the
   MPI answers. With -DLOADED the program loads its MPI itself and looks all of them up. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "mpi.h"

void mpi_init_(int *error);
void mpi_comm_rank_(const int *comm, int *rank, int *error);
void mpi_future_(int *answer, int *error);
void mpi_finalize_(int *error);

#ifdef LOADED
static void *find(const char *name)
{
    static void *libraries[2];
    static const char *const files[] = {"libnewer.so.1", "libmpifort.so.1"};
    void *found = NULL;
    for (int i = 0; i < 2 && !found; i++) {
        if (!libraries[i])
            libraries[i] = dlopen(files[i], RTLD_NOW | RTLD_LOCAL);
        found = libraries[i] ? dlsym(libraries[i], name) : NULL;
    }
    if (!found) {
        printf("no %s\n", name);
        exit(1);
    }
    return found;
}
#define CALL(function) ((__typeof__(&function))find(#function))
#else
#define CALL(function) function
#endif

#ifdef CS_LATER
int MPIX_Later(int *answer);
#endif

int main(void)
{
    int world = MPI_COMM_WORLD, error = -1, errors = 0, rank = -1, size = -1, extension = -1, thing = -1, entry = -1;
    CALL(mpi_init_)(&error);
    errors += error;
    for (int i = 0; i < 3; i++) {
        CALL(mpi_comm_rank_)(&world, &rank, &error);
        errors += error;
    }
    for (int i = 0; i < 2; i++)
        errors += CALL(MPI_Comm_size)(MPI_COMM_WORLD, &size);
    errors += CALL(MPIX_Future)(&extension);
    errors += CALL(MPI_Future_thing)(MPI_COMM_WORLD, &thing);
    CALL(mpi_future_)(&entry, &error);
    errors += error;
#ifdef CS_LATER
    int later = -1;
    errors += CALL(MPIX_Later)(&later);
    printf("later %d, ", later);
#endif
    CALL(mpi_finalize_)(&error);
    errors += error;
    printf("errors %d, rank %d, size %d, extension %d, thing %d, entry %d\n", errors, rank, size, extension, thing,
           entry);
    return 0;
}
