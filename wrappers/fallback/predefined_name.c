#include "wrappers/fallback/predefined_name.h"

#include "asked.h"

#include <stdbool.h>

#include "wrappers/fallback/native.h"

#define IS(name)                                                                                                       \
    {                                                                                                                  \
        name, #name                                                                                                    \
    }

/* Of several names of one handle the first: MPI_LONG_LONG is MPI_LONG_LONG_INT. Filled at run time: these constants are
   variables in some MPIs. */
static const char *name_of_type(MPI_Datatype type)
{
    const struct {
        MPI_Datatype type;
        const char *name;
    } names[] = {
        IS(MPI_CHAR),
        IS(MPI_SIGNED_CHAR),
        IS(MPI_UNSIGNED_CHAR),
        IS(MPI_BYTE),
        IS(MPI_WCHAR),
        IS(MPI_SHORT),
        IS(MPI_UNSIGNED_SHORT),
        IS(MPI_INT),
        IS(MPI_UNSIGNED),
        IS(MPI_LONG),
        IS(MPI_UNSIGNED_LONG),
        IS(MPI_LONG_LONG_INT),
        IS(MPI_UNSIGNED_LONG_LONG),
        IS(MPI_FLOAT),
        IS(MPI_DOUBLE),
        IS(MPI_LONG_DOUBLE),
        IS(MPI_INT8_T),
        IS(MPI_INT16_T),
        IS(MPI_INT32_T),
        IS(MPI_INT64_T),
        IS(MPI_UINT8_T),
        IS(MPI_UINT16_T),
        IS(MPI_UINT32_T),
        IS(MPI_UINT64_T),
        IS(MPI_C_BOOL),
        IS(MPI_C_COMPLEX),
        IS(MPI_C_DOUBLE_COMPLEX),
        IS(MPI_C_LONG_DOUBLE_COMPLEX),
        IS(MPI_AINT),
        IS(MPI_COUNT),
        IS(MPI_OFFSET),
        IS(MPI_PACKED),
        IS(MPI_FLOAT_INT),
        IS(MPI_DOUBLE_INT),
        IS(MPI_LONG_INT),
        IS(MPI_2INT),
        IS(MPI_SHORT_INT),
        IS(MPI_LONG_DOUBLE_INT),
        IS(MPI_CHARACTER),
        IS(MPI_LOGICAL),
        IS(MPI_INTEGER),
        IS(MPI_REAL),
        IS(MPI_DOUBLE_PRECISION),
        IS(MPI_COMPLEX),
        IS(MPI_DOUBLE_COMPLEX),
        IS(MPI_2INTEGER),
        IS(MPI_2REAL),
        IS(MPI_2DOUBLE_PRECISION),
#ifdef MPI_CXX_BOOL
        IS(MPI_CXX_BOOL),
#endif
#ifdef MPI_CXX_FLOAT_COMPLEX
        IS(MPI_CXX_FLOAT_COMPLEX),
#endif
#ifdef MPI_CXX_DOUBLE_COMPLEX
        IS(MPI_CXX_DOUBLE_COMPLEX),
#endif
#ifdef MPI_CXX_LONG_DOUBLE_COMPLEX
        IS(MPI_CXX_LONG_DOUBLE_COMPLEX),
#endif
#ifdef MPI_2COMPLEX
        IS(MPI_2COMPLEX),
#endif
#ifdef MPI_2DOUBLE_COMPLEX
        IS(MPI_2DOUBLE_COMPLEX),
#endif
#ifdef MPI_INTEGER1
        IS(MPI_INTEGER1),
#endif
#ifdef MPI_INTEGER2
        IS(MPI_INTEGER2),
#endif
#ifdef MPI_INTEGER4
        IS(MPI_INTEGER4),
#endif
#ifdef MPI_INTEGER8
        IS(MPI_INTEGER8),
#endif
#ifdef MPI_INTEGER16
        IS(MPI_INTEGER16),
#endif
#ifdef MPI_REAL2
        IS(MPI_REAL2),
#endif
#ifdef MPI_REAL4
        IS(MPI_REAL4),
#endif
#ifdef MPI_REAL8
        IS(MPI_REAL8),
#endif
#ifdef MPI_REAL16
        IS(MPI_REAL16),
#endif
#ifdef MPI_COMPLEX4
        IS(MPI_COMPLEX4),
#endif
#ifdef MPI_COMPLEX8
        IS(MPI_COMPLEX8),
#endif
#ifdef MPI_COMPLEX16
        IS(MPI_COMPLEX16),
#endif
#ifdef MPI_COMPLEX32
        IS(MPI_COMPLEX32),
#endif
#ifdef MPI_LOGICAL1
        IS(MPI_LOGICAL1),
#endif
#ifdef MPI_LOGICAL2
        IS(MPI_LOGICAL2),
#endif
#ifdef MPI_LOGICAL4
        IS(MPI_LOGICAL4),
#endif
#ifdef MPI_LOGICAL8
        IS(MPI_LOGICAL8),
#endif
#ifdef MPI_LB
        IS(MPI_LB),
#endif
#ifdef MPI_UB
        IS(MPI_UB),
#endif
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].type == type)
            return names[i].name;
    return "";
}

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

const char *cs_predefined_name(enum callsign_kind kind, uint64_t handle)
{
    return kind == CALLSIGN_COMMUNICATOR ? name_of_comm(CS_HANDLE_OF(MPI_Comm, handle))
           : kind == CALLSIGN_DATATYPE   ? name_of_type(CS_HANDLE_OF(MPI_Datatype, handle))
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
