/* Goes to the folder argv[1] before it calls MPI. */
#include "check.h"

#include <unistd.h>

int main(int argc, char **argv)
{
    CHECK(argc == 2 && chdir(argv[1]) == 0);
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Barrier)(MPI_COMM_WORLD);
    check_outcome("finalized");
    CALL(MPI_Finalize)();
    return check_write();
}
