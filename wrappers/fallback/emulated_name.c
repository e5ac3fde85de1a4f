#include "wrappers/fallback/emulated_name.h"

#include <string.h>
#include <unistd.h>

#include "wrappers/fallback/emulated_store.h"
#include "wrappers/fallback/underlying_mpi.h"

int cs_fallback_set_name(enum callsign_kind kind, uint64_t handle, const char *name, size_t bytes)
{
    int result = cs_native_check(kind, handle);
    if (result != MPI_SUCCESS)
        return result;
    if (!name)
        return cs_native_raise(kind, handle, MPI_ERR_ARG);
    size_t most = MPI_MAX_OBJECT_NAME - 1;
    if (!cs_emulated_name_set(kind, handle, name, bytes < most ? bytes : most))
        return cs_native_raise(kind, handle, MPI_ERR_NO_MEM);
    return MPI_SUCCESS;
}

/* MPI_*_get_name returns the name that was set, else the name of a predefined object, else "". Writes only the name
   and its NUL. */
int cs_fallback_get_name(enum callsign_kind kind, uint64_t handle, char *name, int *length)
{
    char found[MPI_MAX_OBJECT_NAME];
    const char *null = cs_name_of_null(kind, handle);
    int result = null ? MPI_SUCCESS : cs_native_check(kind, handle);
    if (result != MPI_SUCCESS)
        return result;
    if (!name || !length)
        return null ? cs_native_raise_without_object(MPI_ERR_ARG) : cs_native_raise(kind, handle, MPI_ERR_ARG);
    const char *answer = null                                                      ? null
                         : cs_emulated_name_get(kind, handle, found, sizeof found) ? found
                                                                                   : cs_predefined_name(kind, handle);
    size_t bytes = strlen(answer);
    memcpy(name, answer, bytes + 1);
    *length = (int)bytes;
    return MPI_SUCCESS;
}

int cs_fallback_Get_processor_name(char *name, int *length)
{
    char node[MPI_MAX_PROCESSOR_NAME] = "";
    if (!name || !length)
        return cs_native_raise_without_object(MPI_ERR_ARG);
    gethostname(node, sizeof node - 1);
    *length = (int)strlen(node);
    memcpy(name, node, (size_t)*length + 1);
    return MPI_SUCCESS;
}
