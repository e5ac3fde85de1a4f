#include "wrappers/mpi/constants.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "whole_mpi.h"
#include "wrappers/mpi/handle.h"

#define IS(kind, name)                                                                                                 \
    {                                                                                                                  \
        CS_KEY(name), CALLSIGN_##kind, #name                                                                           \
    }

enum { ROOM = 160 };
static struct callsign_constant constants[ROOM];
static size_t count;
static const struct callsign_constant *nulls[CALLSIGN_KINDS]; /* the null handle of each kind, before its others */
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Filled at run time: these are numbers in one MPI, addresses of its objects in another, variables in a third. */
static void fill(void)
{
    const struct callsign_constant all[] = {
        IS(COMMUNICATOR, MPI_COMM_NULL),
        IS(COMMUNICATOR, MPI_COMM_WORLD),
        IS(COMMUNICATOR, MPI_COMM_SELF),
        IS(DATATYPE, MPI_DATATYPE_NULL),
        IS(DATATYPE, MPI_CHAR),
        IS(DATATYPE, MPI_SIGNED_CHAR),
        IS(DATATYPE, MPI_UNSIGNED_CHAR),
        IS(DATATYPE, MPI_BYTE),
        IS(DATATYPE, MPI_WCHAR),
        IS(DATATYPE, MPI_SHORT),
        IS(DATATYPE, MPI_UNSIGNED_SHORT),
        IS(DATATYPE, MPI_INT),
        IS(DATATYPE, MPI_UNSIGNED),
        IS(DATATYPE, MPI_LONG),
        IS(DATATYPE, MPI_UNSIGNED_LONG),
        IS(DATATYPE, MPI_LONG_LONG_INT),
        IS(DATATYPE, MPI_UNSIGNED_LONG_LONG),
        IS(DATATYPE, MPI_FLOAT),
        IS(DATATYPE, MPI_DOUBLE),
        IS(DATATYPE, MPI_LONG_DOUBLE),
        IS(DATATYPE, MPI_INT8_T),
        IS(DATATYPE, MPI_INT16_T),
        IS(DATATYPE, MPI_INT32_T),
        IS(DATATYPE, MPI_INT64_T),
        IS(DATATYPE, MPI_UINT8_T),
        IS(DATATYPE, MPI_UINT16_T),
        IS(DATATYPE, MPI_UINT32_T),
        IS(DATATYPE, MPI_UINT64_T),
        IS(DATATYPE, MPI_C_BOOL),
        IS(DATATYPE, MPI_C_COMPLEX),
        IS(DATATYPE, MPI_C_DOUBLE_COMPLEX),
        IS(DATATYPE, MPI_C_LONG_DOUBLE_COMPLEX),
        IS(DATATYPE, MPI_AINT),
        IS(DATATYPE, MPI_COUNT),
        IS(DATATYPE, MPI_OFFSET),
        IS(DATATYPE, MPI_PACKED),
        IS(DATATYPE, MPI_FLOAT_INT),
        IS(DATATYPE, MPI_DOUBLE_INT),
        IS(DATATYPE, MPI_LONG_INT),
        IS(DATATYPE, MPI_2INT),
        IS(DATATYPE, MPI_SHORT_INT),
        IS(DATATYPE, MPI_LONG_DOUBLE_INT),
        IS(DATATYPE, MPI_CHARACTER),
        IS(DATATYPE, MPI_LOGICAL),
        IS(DATATYPE, MPI_INTEGER),
        IS(DATATYPE, MPI_REAL),
        IS(DATATYPE, MPI_DOUBLE_PRECISION),
        IS(DATATYPE, MPI_COMPLEX),
        IS(DATATYPE, MPI_DOUBLE_COMPLEX),
        IS(DATATYPE, MPI_2INTEGER),
        IS(DATATYPE, MPI_2REAL),
        IS(DATATYPE, MPI_2DOUBLE_PRECISION),
#ifdef MPI_INTEGER1
        IS(DATATYPE, MPI_INTEGER1),
#endif
        IS(DATATYPE, MPI_INTEGER2),
        IS(DATATYPE, MPI_INTEGER4),
        IS(DATATYPE, MPI_INTEGER8),
        IS(DATATYPE, MPI_REAL4),
        IS(DATATYPE, MPI_REAL8),
#ifdef MPI_REAL16
        IS(DATATYPE, MPI_REAL16),
#endif
        IS(DATATYPE, MPI_COMPLEX8),
        IS(DATATYPE, MPI_COMPLEX16),
#ifdef MPI_COMPLEX32
        IS(DATATYPE, MPI_COMPLEX32),
#endif
#ifdef MPI_CXX_BOOL
        IS(DATATYPE, MPI_CXX_BOOL),
#endif
#ifdef MPI_CXX_FLOAT_COMPLEX
        IS(DATATYPE, MPI_CXX_FLOAT_COMPLEX),
#endif
#ifdef MPI_CXX_DOUBLE_COMPLEX
        IS(DATATYPE, MPI_CXX_DOUBLE_COMPLEX),
#endif
#ifdef MPI_CXX_LONG_DOUBLE_COMPLEX
        IS(DATATYPE, MPI_CXX_LONG_DOUBLE_COMPLEX),
#endif
#ifdef MPI_2COMPLEX
        IS(DATATYPE, MPI_2COMPLEX),
#endif
#ifdef MPI_2DOUBLE_COMPLEX
        IS(DATATYPE, MPI_2DOUBLE_COMPLEX),
#endif
#ifdef MPI_INTEGER16
        IS(DATATYPE, MPI_INTEGER16),
#endif
#ifdef MPI_REAL2
        IS(DATATYPE, MPI_REAL2),
#endif
#ifdef MPI_COMPLEX4
        IS(DATATYPE, MPI_COMPLEX4),
#endif
#ifdef MPI_LOGICAL1
        IS(DATATYPE, MPI_LOGICAL1),
#endif
#ifdef MPI_LOGICAL2
        IS(DATATYPE, MPI_LOGICAL2),
#endif
#ifdef MPI_LOGICAL4
        IS(DATATYPE, MPI_LOGICAL4),
#endif
#ifdef MPI_LOGICAL8
        IS(DATATYPE, MPI_LOGICAL8),
#endif
#ifdef MPI_LB
        IS(DATATYPE, MPI_LB),
#endif
#ifdef MPI_UB
        IS(DATATYPE, MPI_UB),
#endif
        IS(WINDOW, MPI_WIN_NULL),
        IS(GROUP, MPI_GROUP_NULL),
        IS(GROUP, MPI_GROUP_EMPTY),
        IS(OP, MPI_OP_NULL),
        IS(OP, MPI_MAX),
        IS(OP, MPI_MIN),
        IS(OP, MPI_SUM),
        IS(OP, MPI_PROD),
        IS(OP, MPI_LAND),
        IS(OP, MPI_BAND),
        IS(OP, MPI_LOR),
        IS(OP, MPI_BOR),
        IS(OP, MPI_LXOR),
        IS(OP, MPI_BXOR),
        IS(OP, MPI_MAXLOC),
        IS(OP, MPI_MINLOC),
        IS(OP, MPI_REPLACE),
        IS(OP, MPI_NO_OP),
        IS(ERRHANDLER, MPI_ERRHANDLER_NULL),
        IS(ERRHANDLER, MPI_ERRORS_ARE_FATAL),
        IS(ERRHANDLER, MPI_ERRORS_RETURN),
#ifdef MPI_ERRORS_ABORT
        IS(ERRHANDLER, MPI_ERRORS_ABORT),
#endif
        IS(INFO, MPI_INFO_NULL),
        IS(INFO, MPI_INFO_ENV),
        IS(REQUEST, MPI_REQUEST_NULL),
        IS(FILE, MPI_FILE_NULL),
#ifdef MPI_SESSION_NULL
        IS(SESSION, MPI_SESSION_NULL),
#endif
        IS(MESSAGE, MPI_MESSAGE_NULL),
        IS(MESSAGE, MPI_MESSAGE_NO_PROC),
    };
    static_assert(sizeof all <= sizeof constants, "there is room for all");
    memcpy(constants, all, sizeof all);
    count = sizeof all / sizeof *all;
    for (size_t i = count; i-- > 0;)
        nulls[constants[i].kind] = &constants[i];
}

bool cs_constant_is_null(enum callsign_kind kind, uint64_t handle)
{
    uint64_t null;
    return cs_constant_null(kind, &null) && handle == null;
}

bool cs_constant_null(enum callsign_kind kind, uint64_t *handle)
{
    pthread_once(&once, fill);
    if (nulls[kind])
        *handle = nulls[kind]->handle;
    return nulls[kind] != NULL;
}

struct callsign_constant *cs_constants(size_t *number)
{
    pthread_once(&once, fill);
    *number = count;
    return constants;
}

const char *cs_constant_name(enum callsign_kind kind, uint64_t handle)
{
    pthread_once(&once, fill);
    const struct callsign_constant *it = nulls[kind];
    for (; it && it < constants + count && it->kind == kind; it++)
        if (it->handle == handle)
            return it->name;
    return NULL;
}
