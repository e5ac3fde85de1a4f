/* The small MPI of ../library in a release that is newer than callsign. */
#include "../library/mpi.h"

int MPIX_Future(int *answer);
int MPI_Future_thing(MPI_Comm comm, int *answer);
