#include "wrappers/call/error_words.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "asked.h"
#include "wrappers/mpi/kin.h"

#define NAME(class)                                                                                                    \
    {                                                                                                                  \
        class, #class                                                                                                  \
    }

/* Filled at run time: these constants are variables in some MPIs. NULL: not one of the standard's. */
static const char *name_of(int class)
{
    const struct {
        int class;
        const char *name;
    } names[] = {
        NAME(MPI_ERR_BUFFER),   NAME(MPI_ERR_COUNT),
        NAME(MPI_ERR_TYPE),     NAME(MPI_ERR_TAG),
        NAME(MPI_ERR_COMM),     NAME(MPI_ERR_RANK),
        NAME(MPI_ERR_REQUEST),  NAME(MPI_ERR_ROOT),
        NAME(MPI_ERR_GROUP),    NAME(MPI_ERR_OP),
        NAME(MPI_ERR_TOPOLOGY), NAME(MPI_ERR_DIMS),
        NAME(MPI_ERR_ARG),      NAME(MPI_ERR_UNKNOWN),
        NAME(MPI_ERR_TRUNCATE), NAME(MPI_ERR_OTHER),
        NAME(MPI_ERR_INTERN),   NAME(MPI_ERR_IN_STATUS),
        NAME(MPI_ERR_PENDING),  NAME(MPI_ERR_KEYVAL),
        NAME(MPI_ERR_NO_MEM),   NAME(MPI_ERR_INFO),
        NAME(MPI_ERR_WIN),      NAME(MPI_ERR_NAME),
        NAME(MPI_ERR_NO_SPACE), NAME(MPI_ERR_UNSUPPORTED_OPERATION),
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].class == class)
            return names[i].name;
    return NULL;
}

/* MPICH and its kin return codes with the class in some of their bits and an account of what happened behind the rest;
   its function for the class looks at nothing else. Of a number that it did not make up it has no account. That of Open
   MPI, whose codes are classes, calls the program's error handler when it does not know a code: it may not be asked. */
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

struct cs_error_words cs_error_words(int result)
{
    const char *name = name_of(result);
    struct cs_error_words error = {.error = name ? result : class_of(result)};
    if (!name)
        name = name_of(error.error);
    if (name)
        snprintf(error.words, sizeof error.words, "%s", name);
    else
        snprintf(error.words, sizeof error.words, "code %d", error.error);
    return error;
}
