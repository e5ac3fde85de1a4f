#include "wrappers/check/attached.h"

#include "record/object/object.h"
#include "wrappers/object/datatype.h"

/* Bytes of the attached buffer, which the MPI lets only one thread change at a time. 0: none. */
enum { UNKNOWN = -1 };
static _Atomic int64_t attached;

/* MPI_BUFFER_AUTOMATIC and the like are no addresses of memory. */
static bool is_constant(const void *buffer)
{
    enum { PAGE = 4096 };
    uintptr_t address = (uintptr_t)buffer;
    return address < PAGE || address > UINTPTR_MAX - PAGE;
}

void cs_checks_buffered(struct cs_call *call, MPI_Count count, MPI_Datatype type, int peer)
{
    int64_t room = atomic_load_explicit(&attached, memory_order_relaxed);
    if (room == UNKNOWN || peer == MPI_PROC_NULL || count <= 0 || type == MPI_DATATYPE_NULL)
        return;
    const struct callsign_record *known = cs_type_before_call(call, type);
    int64_t bytes = known && known->bytes > 0 && known->bytes < INT64_MAX / count ? known->bytes * count : 0;
    if (bytes && !room)
        cs_misuse_note(call, CS_MISUSE_NO_ATTACHED_BUFFER, bytes, 0);
    else if (bytes && bytes > room - MPI_BSEND_OVERHEAD)
        cs_misuse_note(call, CS_MISUSE_ATTACHED_TOO_SMALL, bytes, 0);
}

void cs_checks_attaching(struct cs_call *call)
{
    if (atomic_load_explicit(&attached, memory_order_relaxed) > 0)
        cs_misuse_note(call, CS_MISUSE_ATTACHED_TWICE, 0, 0);
}

static void set(int64_t bytes)
{
    if (atomic_load_explicit(&attached, memory_order_relaxed) != UNKNOWN)
        atomic_store_explicit(&attached, bytes, memory_order_relaxed);
}

void cs_check_attached(struct cs_call *call, const void *buffer, MPI_Count bytes)
{
    (void)call;
    set(is_constant(buffer) || bytes <= 0 ? UNKNOWN : (int64_t)bytes);
}

void cs_check_detached(struct cs_call *call)
{
    (void)call;
    set(0);
}

void cs_check_attached_elsewhere(struct cs_call *call)
{
    (void)call;
    set(UNKNOWN);
}
