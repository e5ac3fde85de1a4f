/* Functions that callsign does not know: an extension, and one that might be in a later standard. */
#include "mpi.h"

int MPIX_Future(int *answer)
{
    *answer = 42;
    return MPI_SUCCESS;
}

/* It calls what callsign does know. */
int MPI_Future_thing(MPI_Comm comm, int *answer)
{
    int error = MPI_Comm_size(comm, answer);
    *answer += 1000;
    return error;
}

#ifdef CS_LATER
/* In the release after that, which has the same name. */
int MPIX_Later(int *answer);
int MPIX_Later(int *answer)
{
    *answer = 7;
    return MPI_SUCCESS;
}
#endif
