#include "wrappers/fortran/roles.h"

#include "wrappers/request/arrays.h"

void cs_bytes_received_fortran(struct cs_call *call, const void *status)
{
    MPI_Status decoded;
    cs_bytes_received(call, cs_status_of_fortran(status, &decoded));
}

void cs_named_comm_fortran(struct cs_call *call, MPI_Comm comm, const char *name, size_t length)
{
    char kept[MPI_MAX_OBJECT_NAME] = "";
    int kept_length;
    (void)name;
    (void)length;
    PMPI_Comm_get_name(comm, kept, &kept_length);
    cs_named_comm(call, comm, kept);
}

void cs_named_type_fortran(struct cs_call *call, MPI_Datatype type, const char *name, size_t length)
{
    char kept[MPI_MAX_OBJECT_NAME] = "";
    int kept_length;
    (void)name;
    (void)length;
    PMPI_Type_get_name(type, kept, &kept_length);
    cs_named_type(call, type, kept);
}

void cs_named_win_fortran(struct cs_call *call, MPI_Win win, const char *name, size_t length)
{
    char kept[MPI_MAX_OBJECT_NAME] = "";
    int kept_length;
    (void)name;
    (void)length;
    PMPI_Win_get_name(win, kept, &kept_length);
    cs_named_win(call, win, kept);
}
