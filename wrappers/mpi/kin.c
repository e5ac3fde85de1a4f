#include "wrappers/mpi/kin.h"

#include <string.h>

#include "asked.h"

#ifdef CS_WHOSE_MPI_IS_ASKED
bool cs_is_mpich(void)
{
    enum { UNKNOWN, IS, IS_NOT };
    static int known = UNKNOWN; /* atomic */
    int is = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (is == UNKNOWN) {
        char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
        int length;
        cs_mpi_Get_library_version(version, &length);
        is = strstr(version, "MPICH") ? IS : IS_NOT;
        __atomic_store_n(&known, is, __ATOMIC_RELAXED);
    }
    return is == IS;
}
#endif
