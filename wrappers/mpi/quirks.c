#include "wrappers/mpi/quirks.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "fortran_next.h"
#include "pmpi_queries.h"

/* ---- which MPI ---- */

#ifdef CS_WHOSE_MPI_IS_ASKED
bool cs_is_mpich(void)
{
    enum { UNKNOWN, IS, IS_NOT };
    static atomic_int known = UNKNOWN;
    int is = atomic_load_explicit(&known, memory_order_relaxed);
    if (is == UNKNOWN) {
        char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
        int length;
        cs_mpi_Get_library_version(version, &length);
        is = strstr(version, "MPICH") ? IS : IS_NOT;
        atomic_store_explicit(&known, is, memory_order_relaxed);
    }
    return is == IS;
}
#endif

/* ---- questions in the words of an older function ---- */

int cs_type_size_x(MPI_Datatype type, MPI_Count *size)
{
    int small = 0;
    int result = cs_mpi_Type_size(type, &small);
    *size = small;
    return result;
}

int cs_type_get_extent(MPI_Datatype type, MPI_Aint *lower, MPI_Aint *extent)
{
    int result = cs_mpi_Type_lb(type, lower);
    return result == MPI_SUCCESS ? cs_mpi_Type_extent(type, extent) : result;
}

int cs_type_get_extent_x(MPI_Datatype type, MPI_Count *lower, MPI_Count *extent)
{
    MPI_Aint small_lower = 0, small_extent = 0;
    int result = cs_mpi_Type_get_extent(type, &small_lower, &small_extent);
    *lower = small_lower;
    *extent = small_extent;
    return result;
}

int cs_type_get_envelope_c(MPI_Datatype type, MPI_Count *integers, MPI_Count *addresses, MPI_Count *counts,
                           MPI_Count *types, int *combiner)
{
    int small_integers = 0, small_addresses = 0, small_types = 0;
    int result = cs_mpi_Type_get_envelope(type, &small_integers, &small_addresses, &small_types, combiner);
    *integers = small_integers;
    *addresses = small_addresses;
    *counts = 0;
    *types = small_types;
    return result;
}

/* The number of elements of a byte type equals the number of whole ones. */
int cs_get_elements(const MPI_Status *status, MPI_Datatype type, int *count)
{
    return cs_mpi_Get_count(status, type, count);
}

int cs_get_elements_x(const MPI_Status *status, MPI_Datatype type, MPI_Count *count)
{
    int small = 0;
    int result = cs_mpi_Get_elements(status, type, &small);
    *count = small;
    return result;
}

/* True if a Fortran status has the layout of C: the same size, and the same positions of the public fields. */
static bool has_words_of_c(void)
{
    enum { WORD = sizeof(MPI_Fint) };
    return CS_MPIF_STATUS_SIZE * WORD == sizeof(MPI_Status) &&
           (CS_MPIF_SOURCE - 1) * WORD == offsetof(MPI_Status, MPI_SOURCE) &&
           (CS_MPIF_TAG - 1) * WORD == offsetof(MPI_Status, MPI_TAG) &&
           (CS_MPIF_ERROR - 1) * WORD == offsetof(MPI_Status, MPI_ERROR);
}

int cs_status_c2f(const MPI_Status *status, MPI_Fint *words)
{
    if (!has_words_of_c())
        return MPI_ERR_OTHER;
    memcpy(words, status, sizeof *status);
    return MPI_SUCCESS;
}

int cs_status_f2c(const MPI_Fint *words, MPI_Status *status)
{
    if (!has_words_of_c())
        return MPI_ERR_OTHER;
    memcpy(status, words, sizeof *status);
    return MPI_SUCCESS;
}

/* ---- error codes ---- */

#define NAME(class)                                                                                                    \
    {                                                                                                                  \
        class, #class                                                                                                  \
    }

/* Filled at run time: in some MPIs these constants are variables. NULL: no class of the standard. */
static const char *name_of_class(int class)
{
    const struct {
        int class;
        const char *name;
    } names[] = {
        NAME(MPI_ERR_BUFFER),     NAME(MPI_ERR_COUNT),
        NAME(MPI_ERR_TYPE),       NAME(MPI_ERR_TAG),
        NAME(MPI_ERR_COMM),       NAME(MPI_ERR_RANK),
        NAME(MPI_ERR_REQUEST),    NAME(MPI_ERR_ROOT),
        NAME(MPI_ERR_GROUP),      NAME(MPI_ERR_OP),
        NAME(MPI_ERR_TOPOLOGY),   NAME(MPI_ERR_DIMS),
        NAME(MPI_ERR_ARG),        NAME(MPI_ERR_UNKNOWN),
        NAME(MPI_ERR_TRUNCATE),   NAME(MPI_ERR_OTHER),
        NAME(MPI_ERR_INTERN),     NAME(MPI_ERR_IN_STATUS),
        NAME(MPI_ERR_PENDING),    NAME(MPI_ERR_KEYVAL),
        NAME(MPI_ERR_NO_MEM),     NAME(MPI_ERR_INFO),
        NAME(MPI_ERR_WIN),        NAME(MPI_ERR_NAME),
        NAME(MPI_ERR_NO_SPACE),   NAME(MPI_ERR_UNSUPPORTED_OPERATION),
#ifdef MPI_ERR_RMA_SYNC /* MPI 2 */
        NAME(MPI_ERR_BASE),       NAME(MPI_ERR_SIZE),
        NAME(MPI_ERR_DISP),       NAME(MPI_ERR_LOCKTYPE),
        NAME(MPI_ERR_ASSERT),     NAME(MPI_ERR_RMA_CONFLICT),
        NAME(MPI_ERR_RMA_SYNC),   NAME(MPI_ERR_NO_SUCH_FILE),
#endif
#ifdef MPI_ERR_RMA_RANGE /* MPI 3 */
        NAME(MPI_ERR_RMA_RANGE),  NAME(MPI_ERR_RMA_ATTACH),
        NAME(MPI_ERR_RMA_SHARED), NAME(MPI_ERR_RMA_FLAVOR),
#endif
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].class == class)
            return names[i].name;
    return NULL;
}

/* In MPICH and its derivatives an error code has the class in some bits, and a reference to details in others.
   MPI_Error_class reads only these bits. In Open MPI codes are classes, and MPI_Error_class calls the program's
   error handler for unknown codes: do not call it. */
static int class_of(int code)
{
    if (!cs_is_mpich())
        return code;
    char text[MPI_MAX_ERROR_STRING] = "";
    int class = code, length;
    cs_mpi_Error_string(code, text, &length);
    if (strstr(text, "error stack") && !strstr(text, "(unknown)()"))
        cs_mpi_Error_class(code, &class);
    return class;
}

/* Codes of MPICH above this limit refer to details, so they are the MPI's own; bit 7 marks those of the program. The
   text of such a code has no error stack if the details are no longer there. */
enum { MPICH_DETAILS = 1 << 19, MPICH_BY_PROGRAM = 1 << 7 };

struct cs_error_words cs_error_of_call(int result)
{
    int class;
    bool own = cs_is_mpich() && result >= MPICH_DETAILS && !(result & MPICH_BY_PROGRAM);
    return cs_error_words(own && cs_mpi_Error_class(result, &class) == MPI_SUCCESS ? class : result);
}

struct cs_error_words cs_error_words(int result)
{
    const char *name = name_of_class(result);
    struct cs_error_words error = {.error = name ? result : class_of(result)};
    if (!name)
        name = name_of_class(error.error);
    if (name)
        snprintf(error.words, sizeof error.words, "%s", name);
    else
        snprintf(error.words, sizeof error.words, "code %d", error.error);
    return error;
}
