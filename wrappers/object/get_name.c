/* MPI_*_get_name. By hand, because the answer is changed: it is that of the MPI without callsign. */
#include <string.h>

#include "functions.h"
#include "next.h"
#include "wrappers/object/apply.h"
#include "wrappers/call/about.h"
#include "wrappers/object/adopt.h"

typedef int get_name(uint64_t handle, char *name, int *length);

#ifdef CS_HAS_MPI_Comm_get_name
static int next_comm(uint64_t handle, char *name, int *length)
{
    return cs_next.MPI_Comm_get_name(CS_HANDLE_OF(MPI_Comm, handle), name, length);
}
#endif

#ifdef CS_HAS_MPI_Type_get_name
static int next_type(uint64_t handle, char *name, int *length)
{
    return cs_next.MPI_Type_get_name(CS_HANDLE_OF(MPI_Datatype, handle), name, length);
}
#endif

#ifdef CS_HAS_MPI_Win_get_name
static int next_win(uint64_t handle, char *name, int *length)
{
    return cs_next.MPI_Win_get_name(CS_HANDLE_OF(MPI_Win, handle), name, length);
}
#endif

static void answer(const struct cs_native_name *native, char *name, int *length)
{
    size_t bytes = strlen(native->name);
    memcpy(name, native->name, bytes + 1);
    if (native->filled)
        memset(name + bytes, 0, MPI_MAX_OBJECT_NAME - bytes);
    *length = (int)bytes;
}

static int named(struct cs_call *call, enum callsign_kind kind, uint64_t handle, char *name, int *length,
                 get_name *next)
{
    const struct callsign_record *object = name && length ? cs_applied(kind, handle) : NULL;
    struct cs_native_name own = {.filled = false};
    cs_start(call);
    int result = next(handle, object ? own.name : name, length);
    cs_stop(call);
    if (cs_succeeded(call, result))
        cs_adopt(call);
    if (object && result == MPI_SUCCESS) {
        if (cs_applied_hide(object, &own))
            answer(&own, name, length);
        else
            result = next(handle, name, length);
    }
    cs_leave(call);
    return result;
}

#ifdef CS_HAS_MPI_Comm_get_name
CS_EXPORT int MPI_Comm_get_name(MPI_Comm comm, char *comm_name, int *resultlen)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Comm_get_name, __builtin_return_address(0));
    cs_on_comm(&call, comm);
    return named(&call, CALLSIGN_COMMUNICATOR, CS_KEY(comm), comm_name, resultlen, next_comm);
}
#endif

#ifdef CS_HAS_MPI_Type_get_name
CS_EXPORT int MPI_Type_get_name(MPI_Datatype datatype, char *type_name, int *resultlen)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Type_get_name, __builtin_return_address(0));
    return named(&call, CALLSIGN_DATATYPE, CS_KEY(datatype), type_name, resultlen, next_type);
}
#endif

#ifdef CS_HAS_MPI_Win_get_name
CS_EXPORT int MPI_Win_get_name(MPI_Win win, char *win_name, int *resultlen)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Win_get_name, __builtin_return_address(0));
    cs_on_win(&call, win);
    return named(&call, CALLSIGN_WINDOW, CS_KEY(win), win_name, resultlen, next_win);
}
#endif
