#include "wrappers/fallback/error.h"

#include <stddef.h>
#include <string.h>

#include "wrappers/fallback/native.h"

/* From here on gen/standard/names.h has numbers for what an mpi.h lacks; classes of an MPI are small. */
enum { STAND_INS = 0x24000000 };

/* NULL: the MPI knows it, or nobody does. */
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
