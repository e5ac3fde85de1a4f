/* MPI_*_get_name from Fortran, where names are padded with blanks to the length of their variable. By hand, because the
   answer is changed: it is that of the MPI without callsign. */
#include <string.h>

#include "fortran_next.h"
#include "functions.h"
#include "wrappers/call/about.h"
#include "wrappers/fortran/by_hand.h"
#include "wrappers/fortran/decode.h"
#include "wrappers/object/apply.h"
#include "wrappers/object/adopt.h"

static void answer(const struct cs_native_name *native, void *name, void *length, size_t room)
{
    size_t bytes = strlen(native->name), shown = bytes < room ? bytes : room;
    memcpy(name, native->name, shown);
    memset((char *)name + shown, ' ', room - shown);
    *(MPI_Fint *)length = (MPI_Fint)bytes;
}

static void named_fortran(struct cs_call *call, void *native, enum callsign_kind kind, uint64_t key, void *handle,
                          void *name, void *length, void *error, size_t room)
{
    const struct callsign_record *object = cs_applied(kind, key);
    cs_start(call);
    ((cs_fortran_4_1)native)(handle, name, length, error, room);
    cs_stop(call);
    int result = cs_fortran_integer(error);
    if (cs_succeeded(call, result))
        cs_adopt(call);
    struct cs_native_name own;
    if (object && result == MPI_SUCCESS) {
        if (cs_applied_ask(kind, key, &own) && cs_applied_hide(object, &own))
            answer(&own, name, length, room);
        else
            ((cs_fortran_4_1)native)(handle, name, length, error, room);
    }
    cs_leave(call);
}

void cs_fortran_comm_get_name(void *native, const void *site, void *comm, void *name, void *length, void *error,
                              size_t room)
{
    struct cs_call call;
    MPI_Comm handle = cs_fortran_comm(comm);
    cs_enter_fortran(&call, CS_MPI_Comm_get_name, site);
    cs_on_comm(&call, handle);
    named_fortran(&call, native, CALLSIGN_COMMUNICATOR, CS_KEY(handle), comm, name, length, error, room);
}

void cs_fortran_type_get_name(void *native, const void *site, void *type, void *name, void *length, void *error,
                              size_t room)
{
    struct cs_call call;
    MPI_Datatype handle = cs_fortran_type(type);
    cs_enter_fortran(&call, CS_MPI_Type_get_name, site);
    named_fortran(&call, native, CALLSIGN_DATATYPE, CS_KEY(handle), type, name, length, error, room);
}

void cs_fortran_win_get_name(void *native, const void *site, void *win, void *name, void *length, void *error,
                             size_t room)
{
    struct cs_call call;
    MPI_Win handle = cs_fortran_win(win);
    cs_enter_fortran(&call, CS_MPI_Win_get_name, site);
    cs_on_win(&call, handle);
    named_fortran(&call, native, CALLSIGN_WINDOW, CS_KEY(handle), win, name, length, error, room);
}
