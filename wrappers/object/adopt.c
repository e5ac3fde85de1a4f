/* Objects that are in use but not in the table: they were made where callsign could not see it. */
#include "wrappers/object/look_up.h"

void cs_adopt_unknown(struct cs_call *call)
{
    CS_KEEP_ERRNO;
    uint64_t key = call->unknown;
    call->unknown = 0;
    if (call->unknown_kind == CALLSIGN_COMMUNICATOR)
        call->on = cs_comm_record(call, CS_HANDLE_OF(MPI_Comm, key));
    else if (call->unknown_kind == CALLSIGN_WINDOW)
        call->on = cs_win_record(call, CS_HANDLE_OF(MPI_Win, key));
    else
        call->on = NULL; /* a file handle alone does not tell its communicator */
    if (call->on)
        call->about = call->on->id;
}
