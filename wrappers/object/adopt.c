#include "wrappers/object/adopt.h"

#include "wrappers/object/communicator.h"
#include "wrappers/object/datatype.h"
#include "wrappers/object/window.h"

const struct callsign_record *cs_record_of(const struct cs_call *call, enum callsign_kind kind, uint64_t handle)
{
    return kind == CALLSIGN_COMMUNICATOR ? cs_comm_record(call, CS_HANDLE_OF(MPI_Comm, handle))
           : kind == CALLSIGN_DATATYPE   ? cs_type_record(CS_HANDLE_OF(MPI_Datatype, handle))
           : kind == CALLSIGN_WINDOW     ? cs_win_record(call, CS_HANDLE_OF(MPI_Win, handle))
                                         : NULL; /* a file handle alone does not tell its communicator */
}

void cs_adopt_unknown(struct cs_call *call)
{
    CS_KEEP_ERRNO;
    call->on = cs_record_of(call, call->unknown_kind, call->unknown);
    call->unknown = 0;
    if (call->on)
        call->about = call->on->id;
}

void cs_borrowed(struct cs_call *call, enum callsign_kind kind, uint64_t handle)
{
    if (kind == CALLSIGN_DATATYPE)
        cs_type_borrowed(call, CS_HANDLE_OF(MPI_Datatype, handle));
    else
        cs_record_of(call, kind, handle);
}
