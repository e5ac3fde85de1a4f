#include "wrappers/fallback/fortran_object.h"

#include "asked.h"

#include <stdlib.h>

#include "wrappers/fallback/lifetime.h"

static void comm_dup(MPI_Fint *comm, MPI_Fint *made, MPI_Fint *error)
{
    MPI_Comm duplicate = MPI_COMM_NULL;
    *error = cs_fallback_Comm_dup(cs_mpi_Comm_f2c(*comm), &duplicate);
    *made = cs_mpi_Comm_c2f(duplicate);
}

#ifdef CS_HAS_MPI_Comm_dup_with_info
static void comm_dup_with_info(MPI_Fint *comm, MPI_Fint *info, MPI_Fint *made, MPI_Fint *error)
{
    MPI_Comm duplicate = MPI_COMM_NULL;
    *error = cs_fallback_Comm_dup_with_info(cs_mpi_Comm_f2c(*comm), cs_mpi_Info_f2c(*info), &duplicate);
    *made = cs_mpi_Comm_c2f(duplicate);
}
#endif

#ifdef CS_HAS_MPI_Comm_idup
static void comm_idup(MPI_Fint *comm, MPI_Fint *made, MPI_Fint *request, MPI_Fint *error)
{
    MPI_Comm duplicate = MPI_COMM_NULL;
    MPI_Request pending = MPI_REQUEST_NULL;
    *error = cs_fallback_Comm_idup(cs_mpi_Comm_f2c(*comm), &duplicate, &pending);
    *made = cs_mpi_Comm_c2f(duplicate);
    *request = cs_mpi_Request_c2f(pending);
}
#endif

#ifdef CS_HAS_MPI_Comm_idup_with_info
static void comm_idup_with_info(MPI_Fint *comm, MPI_Fint *info, MPI_Fint *made, MPI_Fint *request, MPI_Fint *error)
{
    MPI_Comm duplicate = MPI_COMM_NULL;
    MPI_Request pending = MPI_REQUEST_NULL;
    *error = cs_fallback_Comm_idup_with_info(cs_mpi_Comm_f2c(*comm), cs_mpi_Info_f2c(*info), &duplicate, &pending);
    *made = cs_mpi_Comm_c2f(duplicate);
    *request = cs_mpi_Request_c2f(pending);
}
#endif

#ifdef CS_HAS_MPI_Type_dup
static void type_dup(MPI_Fint *type, MPI_Fint *made, MPI_Fint *error)
{
    MPI_Datatype duplicate = MPI_DATATYPE_NULL;
    *error = cs_fallback_Type_dup(cs_mpi_Type_f2c(*type), &duplicate);
    *made = cs_mpi_Type_c2f(duplicate);
}
#endif

static void comm_free(MPI_Fint *comm, MPI_Fint *error)
{
    MPI_Comm freed = cs_mpi_Comm_f2c(*comm);
    *error = cs_fallback_Comm_free(&freed);
    if (*error == MPI_SUCCESS)
        *comm = cs_mpi_Comm_c2f(freed);
}

#ifdef CS_HAS_MPI_Comm_disconnect
static void comm_disconnect(MPI_Fint *comm, MPI_Fint *error)
{
    MPI_Comm freed = cs_mpi_Comm_f2c(*comm);
    *error = cs_fallback_Comm_disconnect(&freed);
    if (*error == MPI_SUCCESS)
        *comm = cs_mpi_Comm_c2f(freed);
}
#endif

static void type_free(MPI_Fint *type, MPI_Fint *error)
{
    MPI_Datatype freed = cs_mpi_Type_f2c(*type);
    *error = cs_fallback_Type_free(&freed);
    if (*error == MPI_SUCCESS)
        *type = cs_mpi_Type_c2f(freed);
}

#ifdef CS_HAS_MPI_Win_free
static void win_free(MPI_Fint *win, MPI_Fint *error)
{
    MPI_Win freed = cs_mpi_Win_f2c(*win);
    *error = cs_fallback_Win_free(&freed);
    if (*error == MPI_SUCCESS)
        *win = cs_mpi_Win_c2f(freed);
}
#endif

#ifdef CS_HAS_MPI_Type_get_contents
/* Room for what is handed out, as C has it. NULL: no memory. */
static MPI_Datatype *room_for(MPI_Count most)
{
    size_t count = most > 0 ? (size_t)most : 0;
    MPI_Datatype *found = malloc((count + 1) * sizeof *found);
    for (size_t i = 0; found && i < count; i++)
        found[i] = MPI_DATATYPE_NULL;
    return found;
}

static void hand_out(MPI_Datatype *found, MPI_Count most, MPI_Fint *types, MPI_Fint error)
{
    for (MPI_Count i = 0; i < most && error == MPI_SUCCESS; i++)
        if (found[i] != MPI_DATATYPE_NULL)
            types[i] = cs_mpi_Type_c2f(found[i]);
    free(found);
}

static void type_get_contents(MPI_Fint *type, MPI_Fint *max_integers, MPI_Fint *max_addresses, MPI_Fint *max_types,
                              MPI_Fint *integers, MPI_Aint *addresses, MPI_Fint *types, MPI_Fint *error)
{
    MPI_Datatype *found = room_for(*max_types);
    *error = found ? cs_fallback_Type_get_contents(cs_mpi_Type_f2c(*type), *max_integers, *max_addresses, *max_types,
                                                   integers, addresses, found)
                   : cs_native_raise_without_object(MPI_ERR_NO_MEM);
    hand_out(found, *max_types, types, *error);
}
#endif

#ifdef CS_HAS_MPI_Type_get_contents_c
static void type_get_contents_large(MPI_Fint *type, MPI_Count *max_integers, MPI_Count *max_addresses,
                                    MPI_Count *max_counts, MPI_Count *max_types, MPI_Fint *integers,
                                    MPI_Aint *addresses, MPI_Count *counts, MPI_Fint *types, MPI_Fint *error)
{
    MPI_Datatype *found = room_for(*max_types);
    *error = found ? cs_fallback_Type_get_contents_c(cs_mpi_Type_f2c(*type), *max_integers, *max_addresses, *max_counts,
                                                     *max_types, integers, addresses, counts, found)
                   : cs_native_raise_without_object(MPI_ERR_NO_MEM);
    hand_out(found, *max_types, types, *error);
}
#endif

static void finalize(MPI_Fint *error)
{
    *error = cs_fallback_Finalize();
}

const struct cs_fortran_own cs_fortran_objects[] = {
    CS_FORTRAN_OWN(Comm_dup, "mpi_comm_dup", comm_dup, NULL),
#ifdef CS_HAS_MPI_Comm_dup_with_info
    CS_FORTRAN_OWN(Comm_dup_with_info, "mpi_comm_dup_with_info", comm_dup_with_info, NULL),
#endif
#ifdef CS_HAS_MPI_Comm_idup
    CS_FORTRAN_OWN(Comm_idup, "mpi_comm_idup", comm_idup, NULL),
#endif
#ifdef CS_HAS_MPI_Comm_idup_with_info
    CS_FORTRAN_OWN(Comm_idup_with_info, "mpi_comm_idup_with_info", comm_idup_with_info, NULL),
#endif
#ifdef CS_HAS_MPI_Type_dup
    CS_FORTRAN_OWN(Type_dup, "mpi_type_dup", type_dup, NULL),
#endif
    CS_FORTRAN_OWN(Comm_free, "mpi_comm_free", comm_free, NULL),
#ifdef CS_HAS_MPI_Comm_disconnect
    CS_FORTRAN_OWN(Comm_disconnect, "mpi_comm_disconnect", comm_disconnect, NULL),
#endif
    CS_FORTRAN_OWN(Type_free, "mpi_type_free", type_free, NULL),
#ifdef CS_HAS_MPI_Win_free
    CS_FORTRAN_OWN(Win_free, "mpi_win_free", win_free, NULL),
#endif
#ifdef CS_HAS_MPI_Type_get_contents
    CS_FORTRAN_OWN(Type_get_contents, "mpi_type_get_contents", type_get_contents, NULL),
#endif
#ifdef CS_HAS_MPI_Type_get_contents_c
    CS_FORTRAN_OWN(Type_get_contents_c, "mpi_type_get_contents_f08_large", type_get_contents_large, NULL),
#endif
    CS_FORTRAN_OWN(Finalize, "mpi_finalize", finalize, NULL),
};
const size_t cs_fortran_objects_count = sizeof cs_fortran_objects / sizeof *cs_fortran_objects;
