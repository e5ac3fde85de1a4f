#include "wrappers/fallback/native.h"

#include <stdbool.h>

#include "asked.h"
#include "wrappers/fallback/predefined_name.h"

struct cs_next cs_native;
static struct cs_mpi native_asked;

void cs_native_keep(void)
{
    cs_native = cs_next;
    native_asked = cs_mpi;
}

/* The cheapest question about a window that makes nothing. */
static int check_window(MPI_Win win)
{
#ifdef CS_HAS_MPI_Win_get_attr
    void *base;
    int flag;
    if (cs_native.MPI_Win_get_attr)
        return native_asked.Win_get_attr(win, MPI_WIN_BASE, &base, &flag);
#endif
    MPI_Group group;
    int result = cs_mpi_Win_get_group(win, &group);
    if (result == MPI_SUCCESS)
        cs_mpi_Group_free(&group);
    return result;
}

/* An MPI that lacks the question cannot say even that. */
static int check_null(enum callsign_kind kind, uint64_t handle)
{
    if (kind == CALLSIGN_COMMUNICATOR && handle == CS_KEY(MPI_COMM_NULL))
        return cs_native_raise_without_object(MPI_ERR_COMM);
    if (kind == CALLSIGN_DATATYPE && handle == CS_KEY(MPI_DATATYPE_NULL))
        return cs_native_raise_without_object(MPI_ERR_TYPE);
    return MPI_SUCCESS;
}

int cs_native_check(enum callsign_kind kind, uint64_t handle)
{
    int answer, result;
    if (kind == CALLSIGN_COMMUNICATOR)
        result = cs_mpi_Comm_test_inter(CS_HANDLE_OF(MPI_Comm, handle), &answer);
    else if (kind == CALLSIGN_WINDOW)
        result = check_window(CS_HANDLE_OF(MPI_Win, handle));
    else
        result = cs_mpi_Type_size(CS_HANDLE_OF(MPI_Datatype, handle), &answer);
    return result == MPI_SUCCESS ? check_null(kind, handle) : result;
}

/* Errors of no object belong to MPI_COMM_SELF since MPI 4.0, to MPI_COMM_WORLD before: as the MPI at hand has it.
   Open MPI 5 has the former and still calls itself 3.1; MPICH calls itself 4.0 and has the latter. */
int cs_native_raise_without_object(int code)
{
#if defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5
    cs_mpi_Comm_call_errhandler(MPI_COMM_SELF, code);
#else
    cs_mpi_Comm_call_errhandler(MPI_COMM_WORLD, code);
#endif
    return code;
}

/* MPICH takes errors of a window whose error handler was never set to that of no object. */
static bool has_handler(MPI_Win win)
{
#if defined(MPICH_VERSION) || defined(MPICH_NAME)
    MPI_Errhandler handler;
    if (cs_mpi_Win_get_errhandler(win, &handler) != MPI_SUCCESS)
        return true;
    if (handler == MPI_ERRORS_ARE_FATAL)
        return false;
    if (handler != MPI_ERRORS_RETURN)
        cs_mpi_Errhandler_free(&handler);
#endif
    (void)win;
    return true;
}

int cs_native_raise(enum callsign_kind kind, uint64_t handle, int code)
{
    if (kind == CALLSIGN_COMMUNICATOR)
        cs_mpi_Comm_call_errhandler(CS_HANDLE_OF(MPI_Comm, handle), code);
    else if (kind == CALLSIGN_WINDOW && has_handler(CS_HANDLE_OF(MPI_Win, handle)))
        cs_mpi_Win_call_errhandler(CS_HANDLE_OF(MPI_Win, handle), code);
    else
        cs_native_raise_without_object(code);
    return code;
}

int cs_native_is_predefined(MPI_Datatype type)
{
    MPI_Count integers, addresses, counts, types;
    int combiner = MPI_COMBINER_NAMED;
    cs_mpi_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner);
    if (combiner == MPI_UNDEFINED) /* an MPI that cannot say */
        return cs_predefined_name(CALLSIGN_DATATYPE, CS_KEY(type))[0] != '\0';
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
           combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}
