/* The parts of mpi.h that Rust cannot use, compiled into the program as in rsmpi: constants that are macros, and
 * functions that may be macros. */
#include <mpi.h>

extern const MPI_Comm shim_world;
extern const MPI_Datatype shim_int;
extern const MPI_Op shim_sum;
double shim_wtime(void);

const MPI_Comm shim_world = MPI_COMM_WORLD;
const MPI_Datatype shim_int = MPI_INT;
const MPI_Op shim_sum = MPI_SUM;

double shim_wtime(void)
{
    return MPI_Wtime();
}
