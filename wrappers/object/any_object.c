#include "wrappers/object/any_object.h"

#include <string.h>

#include "functions.h"
#include "next.h"
#include "record/message/request.h"
#include "record/object/attribute_values.h"
#include "record/object/object.h"
#include "wrappers/call/about.h"
#include "wrappers/call/handles.h"
#include "wrappers/mpi/quirks.h"
#include "wrappers/object/communicator.h"
#include "wrappers/object/datatype.h"
#include "wrappers/object/members.h"
#include "wrappers/object/published_name.h"
#include "wrappers/object/window.h"

/* ---- find or adopt ---- */

const struct callsign_record *cs_record_of(const struct cs_call *call, enum callsign_kind kind, uint64_t handle)
{
    return kind == CALLSIGN_COMMUNICATOR ? cs_comm_record(call, CS_HANDLE_OF(MPI_Comm, handle))
           : kind == CALLSIGN_DATATYPE   ? cs_type_record(CS_HANDLE_OF(MPI_Datatype, handle))
           : kind == CALLSIGN_WINDOW     ? cs_win_record(call, CS_HANDLE_OF(MPI_Win, handle))
                                         : NULL; /* a file handle alone does not reveal its communicator */
}

/* Open MPI may accept the handle of a freed object, whose memory cannot be queried. MPICH refuses such handles. */
static bool may_be_freed(const struct cs_call *call)
{
    return !CS_FORTRAN_HANDLES_ARE_C && cs_object_find_dead(call->unknown_kind, call->unknown);
}

void cs_adopt_unknown(struct cs_call *call)
{
    CS_KEEP_ERRNO;
    call->on = may_be_freed(call) ? NULL : cs_record_of(call, call->unknown_kind, call->unknown);
    call->unknown = 0;
    if (call->on)
        call->about = call->on->id;
}

void cs_adopt_borrowed(struct cs_call *call, enum callsign_kind kind, uint64_t handle)
{
    if (kind == CALLSIGN_DATATYPE)
        cs_type_adopt(call, CS_HANDLE_OF(MPI_Datatype, handle));
    else
        cs_record_of(call, kind, handle);
}

/* ---- free ---- */

/* Kinds of objects that a call can be about: they get its time. */
static bool is_about(enum callsign_kind kind)
{
    return kind == CALLSIGN_COMMUNICATOR || kind == CALLSIGN_WINDOW || kind == CALLSIGN_FILE;
}

void cs_begin_free(struct cs_call *call, enum callsign_kind kind, uint64_t handle)
{
    if (!call->thread)
        return;
    call->freeing = cs_free_begin(call->thread, kind, handle);
    const struct callsign_record *object = call->freeing.object;
    if (!object) {
        call->unknown = handle;
        call->unknown_kind = (uint8_t)kind;
        cs_freed_check(call);
    }
    if (kind == CALLSIGN_SESSION)
        cs_world_forget_unused();
    if (!is_about(kind))
        return;
    if (object && kind == CALLSIGN_COMMUNICATOR && !call->freeing.referred)
        cs_world_keep(object);
    if (!object) /* an object that cannot be freed still gets the call's time */
        object = cs_object_look_up(kind, handle);
    if (!object)
        return;
    call->about = object->id;
    if (call->thread->depth == 1)
        __atomic_store_n(&call->thread->state->object, object->id, __ATOMIC_RELAXED);
}

/* The handle was unknown, but callbacks inside the free used it and so it was adopted. */
static __attribute__((noinline)) void freed_unknown(struct cs_call *call)
{
    const struct callsign_record *adopted = cs_object_find(call->unknown_kind, call->unknown);
    if (adopted && cs_object_flags(adopted) & CS_OBJECT_ADOPTED)
        call->freeing = cs_free_begin(call->thread, call->unknown_kind, call->unknown);
}

static void died(struct cs_call *call)
{
    struct callsign_record *object = call->freeing.object;
    struct cs_last_call last;
    bool excluded = object->kind == CALLSIGN_COMMUNICATOR && cs_call_exclude(call, &last);
    cs_name_forget(object);
    if (__builtin_expect(cs_has_values(object), 0))
        cs_presence_drop(object);
    if (is_about(object->kind))
        cs_request_note_pending(object->id, call->stop);
    cs_free_complete(call->thread, object, call->function, cs_call_site(call), call->stop, excluded ? &last : NULL);
}

void cs_end_free(struct cs_call *call, int result)
{
    bool success = result == MPI_SUCCESS;
    if (!call->thread)
        return;
    if (call->unknown && success)
        freed_unknown(call);
    call->unknown = 0;
    if (!call->freeing.object || call->thread->depth == 0) /* 0: a callback jumped out, see cs_thread_abandon */
        return;
    if (!success)
        cs_free_cancel(call->thread, &call->freeing);
    else if (!call->freeing.referred)
        died(call);
}

/* ---- compare ---- */

/* 0: MPI_GROUP_EMPTY, or a group whose creation callsign did not see. */
static uint32_t id_of(const struct cs_call *call, enum callsign_kind kind, uint64_t handle)
{
    const struct callsign_record *object =
        kind == CALLSIGN_GROUP ? cs_object_look_up(kind, handle) : cs_record_of(call, kind, handle);
    return object ? object->id : 0;
}

static enum cs_comparison_answer answer_of(int answer)
{
    return answer == MPI_IDENT       ? CS_COMPARED_IDENT
           : answer == MPI_CONGRUENT ? CS_COMPARED_CONGRUENT
           : answer == MPI_SIMILAR   ? CS_COMPARED_SIMILAR
                                     : CS_COMPARED_UNEQUAL;
}

void cs_record_comparison(struct cs_call *call, enum callsign_kind first_kind, uint64_t first,
                          enum callsign_kind second_kind, uint64_t second, int answer)
{
    if (!call->counted)
        return;
    const struct cs_comparison comparison = {.site = cs_call_site(call),
                                             .first = id_of(call, first_kind, first),
                                             .second = id_of(call, second_kind, second),
                                             .kind = first_kind,
                                             .answer = answer_of(answer),
                                             .ticks = call->stop};
    cs_comparison_count(call->thread, &comparison);
}

/* ---- the program sets a name ---- */

/* Handle and name of a refused call may be anything. */
static void refused(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int result)
{
    if (call->counted)
        cs_object_note_refused_name(kind, cs_object_look_up(kind, handle), cs_error_words(result).words, call->stop,
                                    cs_call_site(call));
}

void cs_record_name(struct cs_call *call, enum callsign_kind kind, uint64_t handle, const char *name, int result)
{
    CS_KEEP_ERRNO;
    if (!call->thread)
        return;
    if (result != MPI_SUCCESS) {
        refused(call, kind, handle, result);
        return;
    }
    const struct callsign_record *object = cs_record_of(call, kind, handle);
    char fitting[MPI_MAX_OBJECT_NAME]; /* the MPI stores no more */
    if (!object || !name)
        return;
    size_t length = strnlen(name, sizeof fitting - 1);
    memcpy(fitting, name, length);
    fitting[length] = '\0';
    cs_name_replace(object, fitting, cs_call_site(call));
}

/* ---- the program gets a name ---- */

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

static int get_name_in_turn(struct cs_call *call, enum callsign_kind kind, uint64_t handle, char *name, int *length,
                            get_name *next)
{
    const struct callsign_record *object = name && length ? cs_name_find_published(kind, handle) : NULL;
    struct cs_native_name own = {.filled = false};
    cs_start(call);
    int result = next(handle, object ? own.name : name, length);
    cs_stop(call);
    cs_note_failure(call, result);
    if (cs_succeeded(call, result))
        cs_adopt(call);
    if (object && result == MPI_SUCCESS) {
        if (cs_name_hide(object, &own))
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
    if (cs_call_is_recorded(&call))
        cs_on_comm(&call, comm);
    return get_name_in_turn(&call, CALLSIGN_COMMUNICATOR, CS_KEY(comm), comm_name, resultlen, next_comm);
}
#endif

#ifdef CS_HAS_MPI_Type_get_name
CS_EXPORT int MPI_Type_get_name(MPI_Datatype datatype, char *type_name, int *resultlen)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Type_get_name, __builtin_return_address(0));
    return get_name_in_turn(&call, CALLSIGN_DATATYPE, CS_KEY(datatype), type_name, resultlen, next_type);
}
#endif

#ifdef CS_HAS_MPI_Win_get_name
CS_EXPORT int MPI_Win_get_name(MPI_Win win, char *win_name, int *resultlen)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Win_get_name, __builtin_return_address(0));
    if (cs_call_is_recorded(&call))
        cs_on_win(&call, win);
    return get_name_in_turn(&call, CALLSIGN_WINDOW, CS_KEY(win), win_name, resultlen, next_win);
}
#endif
