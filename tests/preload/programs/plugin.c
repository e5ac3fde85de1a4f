/* Linked to the MPI and opened at run time. CONSTRUCTOR: makes the first call while it is being loaded. */
#include "fake_mpi.h"

int plugin_run(void);

#ifdef CONSTRUCTOR
__attribute__((constructor)) static void begin(void)
{
    MPI_Init(0, 0);
}
#endif

int plugin_run(void)
{
    int failed = MPI_Init(0, 0);
    failed += MPI_Alltoallw(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) != 650;
    return failed + MPI_Finalize();
}
