#include "db/journal/names.h"

#include <stddef.h>

#include "callsign/debug.h"
#include "db/journal/format.h"

#define NAME_IN(table, number)                                                                                         \
    ((number) >= 0 && (uint64_t)(number) < sizeof(table) / sizeof *(table) ? (table)[number] : NULL)

const char *cs_name_of_combiner(int64_t number)
{
    static const char *const names[CS_COMBINER_COUNT] = {
        [CS_COMBINER_NAMED] = "named",
        [CS_COMBINER_DUP] = "dup",
        [CS_COMBINER_CONTIGUOUS] = "contiguous",
        [CS_COMBINER_VECTOR] = "vector",
        [CS_COMBINER_HVECTOR] = "hvector",
        [CS_COMBINER_INDEXED] = "indexed",
        [CS_COMBINER_HINDEXED] = "hindexed",
        [CS_COMBINER_INDEXED_BLOCK] = "indexed_block",
        [CS_COMBINER_HINDEXED_BLOCK] = "hindexed_block",
        [CS_COMBINER_STRUCT] = "struct",
        [CS_COMBINER_SUBARRAY] = "subarray",
        [CS_COMBINER_DARRAY] = "darray",
        [CS_COMBINER_F90_REAL] = "f90_real",
        [CS_COMBINER_F90_COMPLEX] = "f90_complex",
        [CS_COMBINER_F90_INTEGER] = "f90_integer",
        [CS_COMBINER_RESIZED] = "resized",
        [CS_COMBINER_VALUE_INDEX] = "value_index",
        [CS_COMBINER_HVECTOR_INTEGER] = "hvector_integer",
        [CS_COMBINER_HINDEXED_INTEGER] = "hindexed_integer",
        [CS_COMBINER_STRUCT_INTEGER] = "struct_integer",
    };
    return NAME_IN(names, number);
}

const char *cs_name_of_kind(int64_t number)
{
    static const char *const names[CALLSIGN_KINDS] = {
        [CALLSIGN_COMMUNICATOR] = "communicator",
        [CALLSIGN_DATATYPE] = "datatype",
        [CALLSIGN_WINDOW] = "window",
        [CALLSIGN_GROUP] = "group",
        [CALLSIGN_OP] = "op",
        [CALLSIGN_ERRHANDLER] = "errhandler",
        [CALLSIGN_INFO] = "info",
        [CALLSIGN_REQUEST] = "request",
        [CALLSIGN_FILE] = "file",
        [CALLSIGN_SESSION] = "session",
        [CALLSIGN_KEYVAL] = "keyval",
        [CALLSIGN_MESSAGE] = "message",
        [CALLSIGN_MEMORY] = "memory",
        [CALLSIGN_PORT] = "port",
        [CALLSIGN_TOOL_HANDLE] = "tool_handle",
        [CALLSIGN_GREQUEST_CLASS] = "grequest_class",
    };
    return NAME_IN(names, number);
}

const char *cs_name_of_origin(int64_t number)
{
    static const char *const names[] = {
        [CALLSIGN_PROGRAM] = "program",
        [CALLSIGN_MPI] = "mpi",
        [CALLSIGN_RULE] = "rule",
        [CALLSIGN_DERIVED] = "derived",
    };
    return NAME_IN(names, number);
}

const char *cs_name_of_outcome(int64_t number)
{
    static const char *const names[] = {
        [CS_OUTCOME_RUNNING] = "running", [CS_OUTCOME_FINALIZED] = "finalized", [CS_OUTCOME_ABORTED] = "aborted",
        [CS_OUTCOME_EXITED] = "exited",   [CS_OUTCOME_DIED] = "died",
    };
    return NAME_IN(names, number);
}

const char *cs_name_of_doing(int64_t number)
{
    static const char *const names[] = {
        [CS_THREAD_OUTSIDE] = "outside", [CS_THREAD_INSIDE] = "inside", [CS_THREAD_ENDED] = "ended"};
    return NAME_IN(names, number);
}

const char *cs_name_of_topology(int64_t number)
{
    static const char *const names[] = {"none", "graph", "cart", "dist_graph"};
    return NAME_IN(names, number);
}

const char *cs_name_of_flavor(int64_t number)
{
    static const char *const names[] = {NULL, "create", "allocate", "dynamic", "shared"};
    return NAME_IN(names, number);
}

const char *cs_name_of_model(int64_t number)
{
    static const char *const names[] = {NULL, "separate", "unified"};
    return NAME_IN(names, number);
}

const char *cs_name_of_reason(int64_t number)
{
    static const char *const names[] = {
        [CS_PLACED_START] = "start",
        [CS_PLACED_ASKED] = "asked",
        [CS_PLACED_MOVED] = "moved",
        [CS_PLACED_END] = "end",
    };
    return NAME_IN(names, number);
}

const char *cs_name_of_operation(int64_t number)
{
    static const char *const names[] = {
        [CS_ATTRIBUTE_GET] = "get",   [CS_ATTRIBUTE_SET] = "set",       [CS_ATTRIBUTE_DELETE] = "delete",
        [CS_ATTRIBUTE_FREE] = "free", [CS_ATTRIBUTE_SURVEY] = "survey", [CS_ATTRIBUTE_COPY] = "copy",
    };
    return NAME_IN(names, number);
}

const char *cs_name_of_language(int64_t number)
{
    static const char *const names[] = {
        [CS_LANGUAGE_C] = "C", [CS_LANGUAGE_FORTRAN] = "mpif.h", [CS_LANGUAGE_F08] = "mpi_f08"};
    return NAME_IN(names, number);
}

const char *cs_name_of_direction(int64_t number)
{
    static const char *const names[] = {
        [CS_SEND] = "send",
        [CS_RECEIVE] = "receive",
        [CS_PUT] = "put",
        [CS_GET] = "get",
        [CS_RECEIVE_UNTOLD] = "receive untold",
        [CS_SEND_UNTOLD] = "send untold",
    };
    return NAME_IN(names, number);
}

const char *cs_name_of_value(int64_t number)
{
    static const char *const names[] = {
        [CS_VALUE_NONE] = "none", [CS_VALUE_ADDRESS] = "address", [CS_VALUE_INTEGER] = "integer",
        [CS_VALUE_MANY] = "many", [CS_VALUE_ERROR] = "error",
    };
    return NAME_IN(names, number);
}

const char *cs_name_of_answer(int64_t number)
{
    static const char *const names[] = {
        [CS_COMPARED_IDENT] = "MPI_IDENT",
        [CS_COMPARED_CONGRUENT] = "MPI_CONGRUENT",
        [CS_COMPARED_SIMILAR] = "MPI_SIMILAR",
        [CS_COMPARED_UNEQUAL] = "MPI_UNEQUAL",
    };
    return NAME_IN(names, number);
}
