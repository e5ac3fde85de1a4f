#include "wrappers/fallback/underlying_mpi.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "pmpi_queries.h"
#include "wrappers/mpi/constants.h"

struct cs_next cs_native;
static struct cs_mpi native_asked;

void cs_native_save(void)
{
    cs_native = cs_next;
    native_asked = cs_mpi;
}

/* Checks a window with the cheapest query that creates nothing. */
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

/* If the MPI lacks the query, only null handles can be checked. */
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

/* Errors without object belong to MPI_COMM_SELF since MPI 4.0, to MPI_COMM_WORLD before. Versions are unreliable:
   Open MPI 5 does the former and reports 3.1; MPICH reports 4.0 and does the latter. */
int cs_native_raise_without_object(int code)
{
#if defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5
    cs_mpi_Comm_call_errhandler(MPI_COMM_SELF, code);
#else
    cs_mpi_Comm_call_errhandler(MPI_COMM_WORLD, code);
#endif
    return code;
}

/* MPICH handles errors of a window without its own error handler like errors without object. */
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
    if (combiner == MPI_UNDEFINED) /* an MPI without this query */
        return cs_predefined_name(CALLSIGN_DATATYPE, CS_KEY(type))[0] != '\0';
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
           combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}

/* ---- predefined objects ---- */

static const char *name_of_comm(MPI_Comm comm)
{
    MPI_Comm parent = MPI_COMM_NULL;
    if (comm == MPI_COMM_WORLD)
        return "MPI_COMM_WORLD";
    if (comm == MPI_COMM_SELF)
        return "MPI_COMM_SELF";
    cs_mpi_Comm_get_parent(&parent);
    return comm == parent ? "MPI_COMM_PARENT" : "";
}

/* An MPI may have been built without a datatype: then its constant is the null handle. */
static const char *name_of_type(uint64_t type)
{
    const char *name = type == CS_KEY(MPI_DATATYPE_NULL) ? NULL : cs_constant_name(CALLSIGN_DATATYPE, type);
    return name ? name : "";
}

const char *cs_predefined_name(enum callsign_kind kind, uint64_t handle)
{
    return kind == CALLSIGN_COMMUNICATOR ? name_of_comm(CS_HANDLE_OF(MPI_Comm, handle))
           : kind == CALLSIGN_DATATYPE   ? name_of_type(handle)
                                         : "";
}

const char *cs_name_of_null(enum callsign_kind kind, uint64_t handle)
{
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
    if (kind == CALLSIGN_COMMUNICATOR && handle == CS_KEY(MPI_COMM_NULL))
        return "MPI_COMM_NULL";
    if (kind == CALLSIGN_DATATYPE && handle == CS_KEY(MPI_DATATYPE_NULL))
        return "MPI_DATATYPE_NULL";
    if (kind == CALLSIGN_WINDOW && handle == CS_KEY(MPI_WIN_NULL))
        return "MPI_WIN_NULL";
#endif
    (void)kind, (void)handle;
    return NULL;
}

/* ---- error classes that an mpi.h lacks ---- */

/* gen/standard/names.h gives constants that an mpi.h lacks numbers from here on; real error classes are small. */
enum { STAND_INS = 0x24000000 };

/* NULL: the MPI knows the class, or nobody does. */
static const char *words_of(int code)
{
    return code < STAND_INS         ? NULL
           : code == MPI_ERR_KEYVAL ? "MPI_ERR_KEYVAL: invalid keyval"
           : code == MPI_ERR_WIN    ? "MPI_ERR_WIN: invalid window"
                                    : NULL;
}

#ifdef CS_HAS_MPI_Error_class
int cs_fallback_Error_class(int code, int *class_of_code)
{
    if (!class_of_code || !words_of(code))
        return cs_native.MPI_Error_class(code, class_of_code);
    *class_of_code = code;
    return MPI_SUCCESS;
}
#endif

#ifdef CS_HAS_MPI_Error_string
int cs_fallback_Error_string(int code, char *string, int *length)
{
    const char *words = words_of(code);
    if (!string || !length || !words)
        return cs_native.MPI_Error_string(code, string, length);
    *length = (int)strlen(words);
    memcpy(string, words, (size_t)*length + 1);
    return MPI_SUCCESS;
}
#endif
