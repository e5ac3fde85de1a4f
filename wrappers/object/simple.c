#include "wrappers/object/simple.h"

#include <string.h>

#include "base/hash.h"
#include "functions.h"
#include "journal/datatype_name.h"
#include "next.h"
#include "pmpi_queries.h"
#include "wrappers/object/any_object.h"
#include "wrappers/object/birth.h"

/* Handles that the MPI may return and the program does not own. Not static: in some MPIs these constants are
   addresses. */
static bool is_borrowed(uint64_t handle, enum callsign_kind kind)
{
    const struct {
        enum callsign_kind kind;
        uint64_t handle;
    } predefined[] = {
        {CALLSIGN_GROUP, CS_KEY(MPI_GROUP_NULL)},
        {CALLSIGN_GROUP, CS_KEY(MPI_GROUP_EMPTY)},
        {CALLSIGN_ERRHANDLER, CS_KEY(MPI_ERRHANDLER_NULL)},
        {CALLSIGN_ERRHANDLER, CS_KEY(MPI_ERRORS_ARE_FATAL)},
        {CALLSIGN_ERRHANDLER, CS_KEY(MPI_ERRORS_RETURN)},
#ifdef MPI_ERRORS_ABORT
        {CALLSIGN_ERRHANDLER, CS_KEY(MPI_ERRORS_ABORT)},
#endif
#ifdef MPIR_ERRORS_THROW_EXCEPTIONS
        {CALLSIGN_ERRHANDLER, CS_KEY(MPIR_ERRORS_THROW_EXCEPTIONS)}, /* of the C++ binding */
#endif
        {CALLSIGN_INFO, CS_KEY(MPI_INFO_NULL)},
        {CALLSIGN_INFO, CS_KEY(MPI_INFO_ENV)},
        {CALLSIGN_MEMORY, 0}, /* an allocation of no bytes may have no address */
    };
    for (size_t i = 0; i < sizeof predefined / sizeof *predefined; i++)
        if (predefined[i].kind == kind && predefined[i].handle == handle)
            return true;
    return false;
}

/* Only if the query has no side effect: some MPIs number requests, messages and files at the first query. */
static int64_t fortran_handle(enum callsign_kind kind, uint64_t handle)
{
    switch (kind) {
    case CALLSIGN_GROUP:
        return cs_mpi_Group_c2f(CS_HANDLE_OF(MPI_Group, handle));
    case CALLSIGN_OP:
        return cs_mpi_Op_c2f(CS_HANDLE_OF(MPI_Op, handle));
    case CALLSIGN_ERRHANDLER:
        return cs_mpi_Errhandler_c2f(CS_HANDLE_OF(MPI_Errhandler, handle));
    case CALLSIGN_INFO:
        return cs_mpi_Info_c2f(CS_HANDLE_OF(MPI_Info, handle));
    default:
        return INT64_MIN;
    }
}

void cs_made(struct cs_call *call, enum callsign_kind kind, uint64_t handle)
{
    if (is_borrowed(handle, kind))
        return;
    struct cs_birth birth;
    cs_birth_begin(&birth, call, kind, handle);
    birth.fortran_handle = fortran_handle(kind, handle);
    /* A group of a communicator, or an error handler that was set, may be returned again: each time the program gets
       one more reference. */
    birth.shared = kind == CALLSIGN_GROUP || kind == CALLSIGN_ERRHANDLER;
    cs_birth_register(&birth, call);
}

/* The tool interface accepts NULL for results that the program does not need. */
void cs_handed_out_info(struct cs_call *call, const MPI_Info *info)
{
    if (info)
        cs_made(call, CALLSIGN_INFO, CS_KEY(*info));
}

void cs_made_memory(struct cs_call *call, const void *address, MPI_Aint size)
{
    uint64_t handle = CS_KEY(*(void *const *)address);
    if (is_borrowed(handle, CALLSIGN_MEMORY))
        return;
    struct cs_birth birth;
    cs_birth_begin(&birth, call, CALLSIGN_MEMORY, handle);
    birth.bytes = size;
    cs_birth_register(&birth, call);
}

/* ---- ports: strings instead of handles ---- */

/* The name as a text and as a key. */
static uint64_t port_key(const char *name, size_t most, char text[MPI_MAX_PORT_NAME + 1])
{
    size_t length = strnlen(name, most < MPI_MAX_PORT_NAME ? most : MPI_MAX_PORT_NAME);
    while (length > 0 && name[length - 1] == ' ')
        length--;
    memcpy(text, name, length);
    text[length] = '\0';
    return cs_hash_bytes(CS_HASH_BEGIN, text, length);
}

void cs_made_port(struct cs_call *call, const char *name, size_t length)
{
    char text[MPI_MAX_PORT_NAME + 1];
    uint64_t key = port_key(name, length, text);
    struct cs_birth birth;
    cs_birth_begin(&birth, call, CALLSIGN_PORT, key);
    birth.name = *text ? text : NULL;
    birth.origin = CALLSIGN_MPI;
    cs_birth_register(&birth, call);
}

void cs_begin_free_port(struct cs_call *call, const char *name, size_t length)
{
    char text[MPI_MAX_PORT_NAME + 1];
    cs_begin_free(call, CALLSIGN_PORT, port_key(name, length, text));
}

/* Written by hand, because the Fortran function has other arguments. */
#ifdef CS_HAS_SESSIONS /* both came with MPI 4, and with Open MPI 5 */
CS_EXPORT int MPI_Info_create_env(int argc, char *argv[], MPI_Info *info)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Info_create_env, __builtin_return_address(0));
    cs_start(&call);
    int result = cs_next.MPI_Info_create_env(argc, argv, info);
    cs_stop(&call);
    cs_note_failure(&call, result);
    if (cs_succeeded(&call, result))
        cs_made(&call, CALLSIGN_INFO, CS_KEY(*info));
    cs_leave(&call);
    return result;
}
#endif

/* ---- files ---- */

static_assert((int)CS_DATATYPE_NAME_BYTES == (int)CS_NAME_BYTES, "a name of either kind has room");

/* The communicator tells all that is needed of a file. The Fortran handle is not queried: in MPICH the query creates
   one. */
void cs_made_file(struct cs_call *call, MPI_File file)
{
    if (file == MPI_FILE_NULL)
        return;
    struct cs_birth birth;
    cs_birth_begin(&birth, call, CALLSIGN_FILE, CS_KEY(file));
    if (birth.from) {
        birth.size = birth.from->size;
        birth.rank = birth.from->rank;
    }
    cs_birth_identify_and_name(&birth);
    /* The path identifies a file better than its lineage. */
    if (cs_file_name(birth.detail, birth.detail_bytes, birth.name_buffer))
        cs_birth_use_buffer(&birth);
    cs_birth_register(&birth, call);
}
