#include "wrappers/fallback/predefined.h"

#include "asked.h"

#include <limits.h>
#include <stddef.h>

#include "wrappers/fallback/handle.h"
#include "wrappers/fallback/kept.h"

/* MPICH and its kin have two numbers for each: Fortran's is the next. */
#if defined(MPICH_VERSION) || defined(MPICH_NAME)
enum { NUMBERS = 2 };
#else
enum { NUMBERS = 1 };
#endif

static bool is(int keyval, int predefined)
{
    return keyval >= predefined && keyval < predefined + NUMBERS;
}

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
        if (all[i].kind == kind && is(keyval, all[i].keyval))
            return true;
    return false;
}

bool cs_predefined_is_any(int keyval)
{
    return cs_predefined_is_for(CALLSIGN_COMMUNICATOR, keyval) || cs_predefined_is_for(CALLSIGN_WINDOW, keyval);
}

/* Integers of the MPI are read as if Fortran had set them: their address in C, their value in Fortran. */
static struct cs_own_answer integer(const int *value)
{
    return (struct cs_own_answer){true, {.integer = *value, .kind = CS_OWN_INTEGER}, value};
}

static struct cs_own_answer of_communicator(MPI_Comm comm, int keyval)
{
    static const int tag_ub = INT_MAX, host = MPI_PROC_NULL, io = MPI_ANY_SOURCE, last = MPI_ERR_LASTCODE;
    static const int yes = 1, no = 0;
    int size = 0;
    if (is(keyval, MPI_TAG_UB))
        return integer(&tag_ub);
    if (is(keyval, MPI_HOST))
        return integer(&host);
    if (is(keyval, MPI_IO))
        return integer(&io);
    if (is(keyval, MPI_LASTUSEDCODE))
        return integer(&last);
    if (!is(keyval, MPI_WTIME_IS_GLOBAL))
        return (struct cs_own_answer){.found = false};
    cs_mpi_Comm_size(comm, &size);
    return integer(size == 1 ? &yes : &no);
}

static struct cs_own_answer of_window(uint64_t window, int keyval)
{
    const struct cs_own_window *kept = cs_own_window_kept(window);
    if (!kept)
        return (struct cs_own_answer){.found = false};
    if (is(keyval, MPI_WIN_BASE))
        return (struct cs_own_answer){true, {.pointer = kept->base, .kind = CS_OWN_POINTER}, NULL};
    if (is(keyval, MPI_WIN_SIZE))
        return (struct cs_own_answer){true, {.address = kept->size_bytes, .kind = CS_OWN_ADDRESS}, &kept->size_bytes};
    return integer(is(keyval, MPI_WIN_DISP_UNIT)       ? &kept->displacement_unit_bytes
                   : is(keyval, MPI_WIN_CREATE_FLAVOR) ? &kept->flavor
                                                       : &kept->model);
}

struct cs_own_answer cs_predefined_answer(enum callsign_kind kind, uint64_t object, int keyval)
{
    return kind == CALLSIGN_WINDOW ? of_window(object, keyval)
                                   : of_communicator(CS_HANDLE_OF(MPI_Comm, object), keyval);
}
