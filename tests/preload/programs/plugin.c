/* Linked to the MPI and opened at run time. CONSTRUCTOR: makes the first call while it is being loaded. SLOWLY: not
   before another thread had time to begin its own. */
#include "fake_mpi.h"

#include <time.h>

int plugin_run(void);

#ifdef CONSTRUCTOR
__attribute__((constructor)) static void begin(void)
{
#ifdef SLOWLY
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, 0);
#endif
    MPI_Init(0, 0);
}
#endif

int plugin_run(void)
{
    int failed = MPI_Init(0, 0);
    failed += MPI_Alltoallw(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) != 650;
    return failed + MPI_Finalize();
}
