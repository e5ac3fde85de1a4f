/* Two libraries that Python calls: rows.so has the init function of an extension of Python, libplain.so has not. */
#include <mpi.h>

#ifdef EXTENSION
__attribute__((visibility("default"))) void *PyInit_rows(void);
void *PyInit_rows(void)
{
    return 0;
}
#endif

__attribute__((visibility("default"))) int meet(void);
int meet(void)
{
    volatile int result = MPI_Barrier(MPI_COMM_WORLD); /* no tail call */
    return result;
}
