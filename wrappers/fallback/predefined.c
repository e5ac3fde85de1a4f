#include "wrappers/fallback/predefined.h"

#include "asked.h"

#include <limits.h>
#include <stddef.h>

/* MPICH and its kin have two numbers for each: Fortran's is the next. */
#if defined(MPICH_VERSION) || defined(MPICH_NAME)
enum { NUMBERS = 2 };
#else
enum { NUMBERS = 1 };
#endif

bool cs_predefined_is_for(enum callsign_kind kind, int keyval)
{
    const struct {
        enum callsign_kind kind;
        int keyval;
    } all[] = {
        {CALLSIGN_COMMUNICATOR, MPI_TAG_UB},
        {CALLSIGN_COMMUNICATOR, MPI_HOST},
        {CALLSIGN_COMMUNICATOR, MPI_IO},
        {CALLSIGN_COMMUNICATOR, MPI_WTIME_IS_GLOBAL},
        {CALLSIGN_COMMUNICATOR, MPI_UNIVERSE_SIZE},
        {CALLSIGN_COMMUNICATOR, MPI_LASTUSEDCODE},
        {CALLSIGN_COMMUNICATOR, MPI_APPNUM},
        {CALLSIGN_WINDOW, MPI_WIN_BASE},
        {CALLSIGN_WINDOW, MPI_WIN_SIZE},
        {CALLSIGN_WINDOW, MPI_WIN_DISP_UNIT},
        {CALLSIGN_WINDOW, MPI_WIN_CREATE_FLAVOR},
        {CALLSIGN_WINDOW, MPI_WIN_MODEL},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].kind == kind && keyval >= all[i].keyval && keyval < all[i].keyval + NUMBERS)
            return true;
    return false;
}

bool cs_predefined_is_any(int keyval)
{
    return cs_predefined_is_for(CALLSIGN_COMMUNICATOR, keyval) || cs_predefined_is_for(CALLSIGN_WINDOW, keyval);
}

const int *cs_predefined_answer(MPI_Comm comm, int keyval)
{
    static const int tag_ub = INT_MAX, host = MPI_PROC_NULL, io = MPI_ANY_SOURCE, last = MPI_ERR_LASTCODE;
    static const int yes = 1, no = 0;
    int size = 0;
    if (keyval == MPI_TAG_UB)
        return &tag_ub;
    if (keyval == MPI_HOST)
        return &host;
    if (keyval == MPI_IO)
        return &io;
    if (keyval == MPI_LASTUSEDCODE)
        return &last;
    if (keyval != MPI_WTIME_IS_GLOBAL)
        return NULL;
    cs_mpi_Comm_size(comm, &size);
    return size == 1 ? &yes : &no;
}
