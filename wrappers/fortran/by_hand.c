#include "wrappers/fortran/by_hand.h"

#include <string.h>

#include "fortran_next.h"
#include "functions.h"
#include "wrappers/call/about.h"
#include "wrappers/fortran/decode.h"
#include "wrappers/lifecycle/lifecycle.h"
#include "wrappers/lifecycle/pcontrol.h"
#include "wrappers/object/any_object.h"
#include "wrappers/object/published_name.h"
#include "wrappers/object/simple.h"

/* ---- MPI_*_get_name. By hand: the answer is changed, it is that of the MPI without callsign ---- */

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
    const struct callsign_record *object = cs_name_find_published(kind, key);
    cs_start(call);
    ((cs_fortran_4_1)native)(handle, name, length, error, room);
    cs_stop(call);
    int result = cs_fortran_integer(error);
    cs_note_failure(call, result);
    if (cs_succeeded(call, result))
        cs_adopt(call);
    struct cs_native_name own;
    if (object && result == MPI_SUCCESS) {
        if (cs_name_query(kind, key, &own) && cs_name_hide(object, &own))
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
    if (cs_call_is_recorded(&call))
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
    if (cs_call_is_recorded(&call))
        cs_on_win(&call, handle);
    named_fortran(&call, native, CALLSIGN_WINDOW, CS_KEY(handle), win, name, length, error, room);
}

/* ---- MPI_Info_create_env. By hand: it has other arguments than in C ---- */

#ifdef CS_HAS_SESSIONS
void cs_fortran_info_create_env(void *native, const void *site, void *info, void *error, void *third, void *fourth)
{
    struct cs_call call;
    cs_enter_fortran(&call, CS_MPI_Info_create_env, site);
    cs_start(&call);
    ((cs_fortran_4)native)(info, error, third, fourth);
    cs_stop(&call);
    int result = error ? cs_fortran_integer(error) : MPI_SUCCESS;
    cs_note_failure(&call, result);
    if (cs_succeeded(&call, result))
        cs_made(&call, CALLSIGN_INFO, CS_KEY(cs_fortran_info(info)));
    cs_leave(&call);
}
#endif

/* ---- MPI_Finalize and MPI_Pcontrol. By hand: the recording ends after the first, the second has other arguments than
 * in C ---- */

void cs_fortran_finalize(void *native, const void *site, void *error)
{
    struct cs_call call;
    cs_enter_fortran(&call, CS_MPI_Finalize, site);
    cs_lifecycle_finalizing(&call);
    ((cs_fortran_1)native)(error);
    cs_stop(&call);
    cs_note_failure(&call, cs_fortran_integer(error));
    bool recorded = cs_succeeded(&call, cs_fortran_integer(error));
    cs_leave(&call);
    cs_lifecycle_finalized(recorded);
}

void cs_fortran_pcontrol(void *native, const void *site, void *level, void *error)
{
    struct cs_call call;
    MPI_Fint own_error;
    cs_enter_fortran(&call, CS_MPI_Pcontrol, site);
    /* The name of a region is in the place of the error code, which the MPI would write. */
    if (cs_pcontrol(&call, cs_fortran_integer(level), error))
        error = &own_error;
    cs_start(&call);
    ((cs_fortran_2)native)(level, error);
    cs_stop(&call); /* MPI_PCONTROL has no error code (MPI 4.1, 15.2.4): `error` may be anything */
    cs_leave(&call);
}
