#include "wrappers/call/handles.h"

#include <stdatomic.h>
#include <string.h>

#include "base/keep_errno.h"
#include "base/own_memory.h"
#include "functions.h"
#include "record/object/object.h"
#include "wrappers/mpi/answers.h"
#include "wrappers/mpi/constants.h"

/* Kinds whose handles have constants: the kind of misuse if the call gets the null handle; 0: no such kind. */
static const uint16_t null_misuse[CALLSIGN_KINDS] = {
    [CALLSIGN_COMMUNICATOR] = CS_MISUSE_NULL_COMMUNICATOR,
    [CALLSIGN_DATATYPE] = CS_MISUSE_NULL_DATATYPE,
    [CALLSIGN_WINDOW] = CS_MISUSE_NULL_WINDOW,
    [CALLSIGN_GROUP] = CS_MISUSE_NULL_GROUP,
    [CALLSIGN_OP] = CS_MISUSE_NULL_OPERATION,
    [CALLSIGN_ERRHANDLER] = CS_MISUSE_NULL_ERRHANDLER,
    [CALLSIGN_INFO] = CS_MISUSE_NULL_INFO,
    [CALLSIGN_REQUEST] = CS_MISUSE_NULL_REQUEST,
    [CALLSIGN_FILE] = CS_MISUSE_NULL_FILE,
    [CALLSIGN_SESSION] = CS_MISUSE_NULL_SESSION,
    [CALLSIGN_MESSAGE] = CS_MISUSE_NULL_MESSAGE,
};

/* ---- handles that are none ---- */

#if defined(OMPI_MAJOR_VERSION)
/* Handles of Open MPI are addresses of objects, which begin with the address of their class, and that begins with the
   address of its name, such as "ompi_communicator_t". Not in builds of Open MPI for debugging. */
enum { CLASS_BYTES = 64, PREFIX_BYTES = 5 };
static bool read_class(uint64_t handle, char name[CLASS_BYTES])
{
    uint64_t class, text;
    memset(name, 0, CLASS_BYTES);
    return handle && handle % sizeof(void *) == 0 &&
           cs_own_memory_read(handle, &class, sizeof class) == (ssize_t)sizeof class &&
           cs_own_memory_read(class, &text, sizeof text) == (ssize_t)sizeof text &&
           cs_own_memory_read(text, name, CLASS_BYTES - 1) > PREFIX_BYTES;
}

static bool is_of_kind(enum callsign_kind kind, uint64_t handle, uint64_t null)
{
    char known[CLASS_BYTES], name[CLASS_BYTES];
    if (kind == CALLSIGN_SESSION || !read_class(null, known) || memcmp(known, "ompi_", PREFIX_BYTES) != 0)
        return kind == CALLSIGN_SESSION || handle != 0;
    if (!read_class(handle, name))
        return false;
    return kind == CALLSIGN_REQUEST ? strstr(name, "request") != NULL
                                    : strcmp(known + PREFIX_BYTES, name + PREFIX_BYTES) == 0;
}
#elif defined(MPICH_VERSION)
/* Files are addresses, of a part of MPICH that other MPIs have, too. */
static bool is_of_kind(enum callsign_kind kind, uint64_t handle, uint64_t null)
{
    return kind == CALLSIGN_FILE ? handle != 0 : cs_can_be_handle(handle, null);
}
#else
static bool is_of_kind(enum callsign_kind kind, uint64_t handle, uint64_t null)
{
    (void)kind, (void)handle, (void)null;
    return true;
}
#endif

bool cs_handle_may_be(enum callsign_kind kind, uint64_t handle)
{
    /* A handle for each kind that passed: programs use the same one again. */
    static _Atomic uint64_t passed[CALLSIGN_KINDS];
    uint64_t null;
    if (atomic_load_explicit(&passed[kind], memory_order_relaxed) == handle && handle)
        return true;
    if (!cs_mpi_answers() || !cs_constant_null(kind, &null))
        return true;
    CS_KEEP_ERRNO;
    bool may_be = is_of_kind(kind, handle, null);
    if (may_be)
        atomic_store_explicit(&passed[kind], handle, memory_order_relaxed);
    return may_be;
}

/* ---- unknown handles ---- */

static bool is_about(enum callsign_kind kind)
{
    return kind == CALLSIGN_COMMUNICATOR || kind == CALLSIGN_WINDOW || kind == CALLSIGN_FILE;
}

/* Notes a freed handle as a call about the object that it was. */
static void note_freed(struct cs_call *call, const struct callsign_record *dead)
{
    uint32_t about = call->about;
    if (!about && is_about(dead->kind))
        call->about = dead->id;
    cs_misuse_note_freed(call, dead);
    call->about = about;
}

/* MPIs use handles again, and a live object that callsign did not see made may have it. So a freed handle is certain
   only if nothing is there; CALLSIGN_CHECK=all takes it for granted. */
static void check_unknown(struct cs_call *call, enum callsign_kind kind, uint64_t handle)
{
    const struct callsign_record *dead = cs_object_find_dead(kind, handle);
    if (dead && cs_object_flags(dead) & CS_OBJECT_PREDEFINED)
        return;
    if (dead && (cs_recorder.checks || !cs_handle_may_be(kind, handle)))
        note_freed(call, dead);
    else if (!dead && !cs_handle_may_be(kind, handle))
        cs_misuse_note(call, CS_MISUSE_NO_HANDLE, 0, 0);
}

/* The names of null handles may be asked for (MPI 4.1, 7.8), MPI_FILE_NULL has the error handler of new files, and
   MPI_Abort may ignore its communicator. */
static bool takes_null(const struct cs_call *call, enum callsign_kind kind)
{
    const struct cs_function *function = cs_function_find(call->function);
    return !function || strcmp(function->class, "name") == 0 || strcmp(function->class, "environment") == 0 ||
           (kind == CALLSIGN_FILE && strcmp(function->class, "errhandler") == 0);
}

void cs_unknown_check(struct cs_call *call)
{
    enum callsign_kind kind = call->unknown_kind;
    if (!call->counted || !null_misuse[kind])
        return;
    if (!cs_constant_is_null(kind, call->unknown))
        check_unknown(call, kind, call->unknown);
    else if (!takes_null(call, kind))
        cs_misuse_note(call, null_misuse[kind], 0, 0);
}

/* Programs free MPI_GROUP_EMPTY, which group operations return, and must free predefined error handlers that they got
   (MPI 4.1, 9.3). */
void cs_freed_check(struct cs_call *call)
{
    enum callsign_kind kind = call->unknown_kind;
    bool predefined = !cs_constant_is_null(kind, call->unknown) && cs_constant_name(kind, call->unknown);
    if (predefined && call->counted && kind != CALLSIGN_GROUP && kind != CALLSIGN_ERRHANDLER)
        cs_misuse_note(call, CS_MISUSE_PREDEFINED_FREED, 0, 0);
    else if (!predefined && kind != CALLSIGN_REQUEST && !cs_object_look_up(kind, call->unknown))
        cs_unknown_check(call);
}

/* The table may have a null datatype, because the MPI gives it a name. */
static void check(struct cs_call *call, enum callsign_kind kind, uint64_t handle, bool may_be_null)
{
    if (cs_constant_is_null(kind, handle)) {
        if (!may_be_null)
            cs_misuse_note(call, null_misuse[kind], 0, 0);
    } else if (!cs_object_look_up(kind, handle) && !cs_constant_name(kind, handle)) {
        check_unknown(call, kind, handle);
    }
}

void cs_checks_handle(struct cs_call *call, enum callsign_kind kind, uint64_t handle)
{
    check(call, kind, handle, false);
}

void cs_checks_handle_or_null(struct cs_call *call, enum callsign_kind kind, uint64_t handle)
{
    check(call, kind, handle, true);
}
