#include "wrappers/fortran/roles.h"

#include "wrappers/bytes/bytes.h"
#include "wrappers/envelope/envelope.h"
#include "wrappers/object/apply.h"
#include "wrappers/object/set_name.h"
#include "wrappers/request/arrays.h"

void cs_bytes_received_fortran(struct cs_call *call, const void *status)
{
    MPI_Status decoded;
    cs_bytes_received(call, cs_status_of_fortran(status, &decoded));
}

void cs_message_received_fortran(struct cs_call *call, const void *status)
{
    MPI_Status decoded;
    cs_message_received(call, cs_status_of_fortran(status, &decoded));
}

void cs_message_exchanged_fortran(struct cs_call *call, const void *status)
{
    MPI_Status decoded;
    cs_message_exchanged(call, cs_status_of_fortran(status, &decoded));
}

void cs_named_fortran(struct cs_call *call, enum callsign_kind kind, uint64_t handle, const char *name, size_t length,
                      int result)
{
    struct cs_native_name answer;
    (void)name;
    (void)length;
    if (result != MPI_SUCCESS)
        cs_named(call, kind, handle, NULL, result);
    else if (call->thread && cs_applied_ask(kind, handle, &answer))
        cs_named(call, kind, handle, answer.name, result);
}
