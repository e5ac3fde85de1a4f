#include "wrappers/fortran/fortran_roles.h"

#include "wrappers/attribute/attribute_roles.h"
#include "wrappers/bytes/bytes.h"
#include "wrappers/call/misuse.h"
#include "wrappers/check/threads.h"
#include "wrappers/envelope/envelope_roles.h"
#include "wrappers/fortran/decode.h"
#include "wrappers/object/any_object.h"
#include "wrappers/object/published_name.h"
#include "wrappers/request/request_list.h"

void cs_on_comm_fortran(struct cs_call *call, const void *comm)
{
    if (CS_FORTRAN_HANDLES_ARE_C || !cs_call_is_on_last(call, CALLSIGN_COMMUNICATOR, cs_fortran_integer(comm)))
        cs_on_comm(call, cs_fortran_comm(comm));
}

void cs_on_win_fortran(struct cs_call *call, const void *win)
{
    if (CS_FORTRAN_HANDLES_ARE_C || !cs_call_is_on_last(call, CALLSIGN_WINDOW, cs_fortran_integer(win)))
        cs_on_win(call, cs_fortran_win(win));
}

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

void cs_check_probed_fortran(struct cs_call *call, const void *status)
{
    MPI_Status decoded;
    if (cs_is_checked(call))
        cs_check_probed(call, cs_status_of_fortran(status, &decoded));
}

void cs_record_name_fortran(struct cs_call *call, enum callsign_kind kind, uint64_t handle, const char *name,
                            size_t length, int result)
{
    struct cs_native_name answer;
    (void)name;
    (void)length;
    if (result != MPI_SUCCESS)
        cs_record_name(call, kind, handle, NULL, result);
    else if (call->thread && cs_name_query(kind, handle, &answer))
        cs_record_name(call, kind, handle, answer.name, result);
}

/* ---- attributes ---- */

/* Reads an integer of either size. */
static int64_t integer(const void *value, size_t bytes)
{
    return bytes == sizeof(MPI_Fint) ? (int64_t) * (const MPI_Fint *)value : (int64_t) * (const MPI_Aint *)value;
}

static void count(struct cs_call *call, struct cs_attribute *attribute, const void *value, size_t bytes)
{
    if (attribute->found) {
        /* MPI_WIN_BASE is the only value that is an address. */
        bool is_base =
            attribute->kind == CALLSIGN_WINDOW && attribute->keyval == MPI_WIN_BASE && bytes == sizeof(MPI_Aint);
        attribute->value_kind = is_base ? CS_VALUE_ADDRESS : CS_VALUE_INTEGER;
        attribute->value = (uint64_t)integer(value, bytes);
    }
    cs_attribute_count(call->thread, attribute);
}

void cs_got_attribute_fortran(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval,
                              const void *value, size_t bytes, const void *found, int result)
{
    CS_KEEP_ERRNO;
    struct cs_attribute attribute;
    keyval = cs_attribute_keyval(kind, keyval);
    if (!cs_attribute_of(call, CS_ATTRIBUTE_GET, kind, handle, keyval, result, &attribute))
        return;
    attribute.found = cs_fortran_integer(found);
    count(call, &attribute, value, bytes);
}

void cs_set_attribute_fortran(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval,
                              const void *value, size_t bytes, int result)
{
    CS_KEEP_ERRNO;
    struct cs_attribute attribute;
    keyval = cs_attribute_keyval(kind, keyval);
    if (!cs_attribute_of(call, CS_ATTRIBUTE_SET, kind, handle, keyval, result, &attribute))
        return;
    count(call, &attribute, value, bytes);
    cs_attribute_held(call, kind, handle, keyval, bytes);
}

void cs_deleted_attribute_fortran(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval,
                                  int result)
{
    cs_deleted_attribute(call, kind, handle, cs_attribute_keyval(kind, keyval), result);
}

void cs_made_keyval_fortran(struct cs_call *call, enum callsign_kind kind, uint64_t copy, uint64_t delete, int keyval,
                            const void *extra_state, size_t bytes, enum cs_language language)
{
    cs_made_keyval_by(call, kind, copy, delete, keyval, integer(extra_state, bytes), bytes, language);
}

/* A predefined keyval has another number in Fortran; it may not be freed. */
void cs_begin_free_keyval_fortran(struct cs_call *call, int keyval)
{
    cs_begin_free_keyval(call, cs_attribute_keyval(CALLSIGN_COMMUNICATOR, keyval));
}
