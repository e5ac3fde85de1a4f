#include "wrappers/object/applied.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "base/settings.h"
#include "base/utf8.h"
#include "functions.h"
#include "next.h"
#include "wrappers/fortran/fortran.h"
#include "wrappers/object/look_up.h"

/* What the MPI answers without callsign. Some MPIs fill the whole buffer of the program, for some objects, others write
   no more than the name. */
struct native {
    char name[MPI_MAX_OBJECT_NAME];
    bool filled;
};

/* Objects with another native name than none ("rdma window 8"), and those that are still being made. */
struct behind {
    uint32_t id;
    const struct callsign_record *pending; /* gets its name when it is complete; NULL: it has it */
    char native[MPI_MAX_OBJECT_NAME];
    UT_hash_handle hh;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct behind *known;
static uint32_t known_count;       /* atomic: with none there is nothing to look for, and mostly there is none */
static bool kinds[CALLSIGN_KINDS]; /* whose names are applied */

void cs_applied_start(void)
{
    kinds[CALLSIGN_COMMUNICATOR] = kinds[CALLSIGN_WINDOW] = !cs_setting_is(CS_SETTING_APPLY, "none");
    kinds[CALLSIGN_DATATYPE] = cs_setting_is(CS_SETTING_APPLY, "all");
}

bool cs_applies_to(enum callsign_kind kind)
{
    return kinds[kind];
}

/* ---- what is behind ---- */

static struct behind *find(uint32_t id)
{
    struct behind *found;
    HASH_FIND(hh, known, &id, sizeof id, found);
    return found;
}

/* False without memory. */
static bool remember(uint32_t id, const char *native, const struct callsign_record *pending)
{
    struct behind *made = calloc(1, sizeof *made);
    if (!made)
        return false;
    made->id = id;
    made->pending = pending;
    strcpy(made->native, native);
    pthread_mutex_lock(&lock);
    HASH_ADD(hh, known, id, sizeof made->id, made);
    bool added = made->hh.tbl != NULL;
    __atomic_fetch_add(&known_count, added, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
    if (!added)
        free(made);
    return added;
}

static void forget(uint32_t id)
{
    if (!__atomic_load_n(&known_count, __ATOMIC_ACQUIRE))
        return;
    pthread_mutex_lock(&lock);
    struct behind *found = find(id);
    if (found) {
        HASH_DELETE(hh, known, found);
        __atomic_fetch_sub(&known_count, 1, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
    free(found);
}

static void recall(const struct callsign_record *object, struct native *native)
{
    *native = (struct native){.filled = object->flags & CS_OBJECT_FILLS};
    if (!__atomic_load_n(&known_count, __ATOMIC_ACQUIRE))
        return;
    pthread_mutex_lock(&lock);
    const struct behind *found = find(object->id);
    if (found)
        strcpy(native->name, found->native);
    pthread_mutex_unlock(&lock);
}

/* ---- giving ---- */

static const char untouched = '\177';

static int ask(uint32_t kind, uint64_t handle, char name[MPI_MAX_OBJECT_NAME])
{
    int length;
    if (kind == CALLSIGN_COMMUNICATOR)
        return PMPI_Comm_get_name(CS_HANDLE_OF(MPI_Comm, handle), name, &length);
    if (kind == CALLSIGN_WINDOW)
        return PMPI_Win_get_name(CS_HANDLE_OF(MPI_Win, handle), name, &length);
    return PMPI_Type_get_name(CS_HANDLE_OF(MPI_Datatype, handle), name, &length);
}

static bool native_get(uint32_t kind, uint64_t handle, struct native *native)
{
    CS_KEEP_ERRNO;
    char *last = &native->name[MPI_MAX_OBJECT_NAME - 1];
    native->name[0] = '\0';
    *last = untouched;
    if (ask(kind, handle, native->name) != MPI_SUCCESS)
        return false;
    native->filled = *last != untouched;
    *last = '\0';
    return true;
}

static int native_set(uint32_t kind, uint64_t handle, const char *name)
{
    if (kind == CALLSIGN_COMMUNICATOR)
        return PMPI_Comm_set_name(CS_HANDLE_OF(MPI_Comm, handle), name);
    if (kind == CALLSIGN_WINDOW)
        return PMPI_Win_set_name(CS_HANDLE_OF(MPI_Win, handle), name);
    return PMPI_Type_set_name(CS_HANDLE_OF(MPI_Datatype, handle), name);
}

/* The name as the MPI has room for it: the end says more than the beginning. */
static void cut(const struct callsign_record *object, char name[MPI_MAX_OBJECT_NAME])
{
    const char *whole = (const char *)(uintptr_t)object->name;
    size_t length = strlen(whole);
    if (length < MPI_MAX_OBJECT_NAME) {
        memcpy(name, whole, length + 1);
        return;
    }
    const char *tail = whole + length - (MPI_MAX_OBJECT_NAME - 1 - 3);
    memcpy(name, "...", 3);
    strcpy(name + 3, cs_utf8_next(tail));
}

/* What a duplicate would be called if its original had no name of ours: the end that is our name, as far as there was
   room for it, is replaced by the native one. */
static void correct(struct native *native, const struct callsign_record *of)
{
    char given[MPI_MAX_OBJECT_NAME];
    struct native original;
    cut(of, given);
    recall(of, &original);
    size_t length = strlen(native->name);
    bool full = length == MPI_MAX_OBJECT_NAME - 1;
    for (size_t at = 0; at < length; at++) {
        size_t rest = length - at;
        if (strncmp(native->name + at, given, rest) != 0 || (given[rest] && !full))
            continue;
        size_t room = MPI_MAX_OBJECT_NAME - 1 - at, bytes = strlen(original.name);
        memset(native->name + at, 0, MPI_MAX_OBJECT_NAME - at);
        memcpy(native->name + at, original.name, bytes < room ? bytes : room);
        return;
    }
}

void cs_apply(const struct callsign_record *object)
{
    cs_apply_to_copy(object, NULL);
}

void cs_apply_to_copy(const struct callsign_record *object, const struct callsign_record *of)
{
    struct native native;
    char name[MPI_MAX_OBJECT_NAME];
    if (!object || !kinds[object->kind] || !object->name ||
        (object->origin != CALLSIGN_DERIVED && object->origin != CALLSIGN_RULE))
        return;
    if (!native_get(object->kind, object->handle, &native))
        return;
    if (of && of->flags & CS_OBJECT_APPLIED)
        correct(&native, of);
    if (native.name[0] && !remember(object->id, native.name, NULL))
        return;
    cut(object, name);
    /* First, so that nobody is shown it. */
    cs_object_mark(object, CS_OBJECT_APPLIED | (native.filled ? CS_OBJECT_FILLS : 0), true);
    if (native_set(object->kind, object->handle, name) != MPI_SUCCESS)
        cs_applied_over(object);
}

void cs_apply_later(const struct callsign_record *object)
{
    if (object && kinds[object->kind])
        remember(object->id, "", object);
}

void cs_apply_ready(uint32_t id)
{
    pthread_mutex_lock(&lock);
    const struct behind *found = find(id);
    const struct callsign_record *object = found ? found->pending : NULL;
    pthread_mutex_unlock(&lock);
    if (!object)
        return;
    forget(id);
    if (object->id == id && cs_object_is(object, CALLSIGN_COMMUNICATOR, object->handle))
        cs_apply(object);
}

void cs_applied_over(const struct callsign_record *object)
{
    if (!(object->flags & CS_OBJECT_APPLIED))
        return;
    cs_object_mark(object, CS_OBJECT_APPLIED | CS_OBJECT_FILLS, false);
    forget(object->id);
}

void cs_applied_gone(const struct callsign_record *object)
{
    if (object->flags & CS_OBJECT_APPLIED)
        forget(object->id);
}

/* ---- hiding: whether or not callsign still records ---- */

static const struct callsign_record *applied(uint32_t kind, uint64_t handle)
{
    const struct callsign_record *object = cs_object_look_up(kind, handle);
    return object && object->flags & CS_OBJECT_APPLIED ? object : NULL;
}

/* Turns what the MPI answers into what it would answer without callsign. */
static void hide(const struct callsign_record *object, struct native *answer)
{
    char given[MPI_MAX_OBJECT_NAME];
    cut(object, given);
    if (strcmp(answer->name, given) == 0)
        recall(object, answer);
}

typedef int get_name(uint64_t handle, char *name, int *length);

static int next_comm(uint64_t handle, char *name, int *length)
{
    return cs_next.MPI_Comm_get_name(CS_HANDLE_OF(MPI_Comm, handle), name, length);
}

static int next_type(uint64_t handle, char *name, int *length)
{
    return cs_next.MPI_Type_get_name(CS_HANDLE_OF(MPI_Datatype, handle), name, length);
}

static int next_win(uint64_t handle, char *name, int *length)
{
    return cs_next.MPI_Win_get_name(CS_HANDLE_OF(MPI_Win, handle), name, length);
}

static void answer(const struct native *native, char *name, int *length)
{
    size_t bytes = strlen(native->name);
    memcpy(name, native->name, bytes + 1);
    if (native->filled)
        memset(name + bytes, 0, MPI_MAX_OBJECT_NAME - bytes);
    *length = (int)bytes;
}

static int named(struct cs_call *call, uint32_t kind, uint64_t handle, char *name, int *length, get_name *next)
{
    const struct callsign_record *object = name && length ? applied(kind, handle) : NULL;
    struct native own = {.filled = false};
    cs_start(call);
    int result = next(handle, object ? own.name : name, length);
    cs_stop(call);
    cs_succeeded(call, result);
    if (object && result == MPI_SUCCESS) {
        hide(object, &own);
        answer(&own, name, length);
    }
    cs_leave(call);
    return result;
}

CS_EXPORT int MPI_Comm_get_name(MPI_Comm comm, char *comm_name, int *resultlen)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Comm_get_name, __builtin_return_address(0));
    cs_on_comm(&call, comm);
    return named(&call, CALLSIGN_COMMUNICATOR, CS_KEY(comm), comm_name, resultlen, next_comm);
}

CS_EXPORT int MPI_Type_get_name(MPI_Datatype datatype, char *type_name, int *resultlen)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Type_get_name, __builtin_return_address(0));
    return named(&call, CALLSIGN_DATATYPE, CS_KEY(datatype), type_name, resultlen, next_type);
}

CS_EXPORT int MPI_Win_get_name(MPI_Win win, char *win_name, int *resultlen)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Win_get_name, __builtin_return_address(0));
    cs_on_win(&call, win);
    return named(&call, CALLSIGN_WINDOW, CS_KEY(win), win_name, resultlen, next_win);
}

/* ---- Fortran: names are padded with blanks to the length of their variable ---- */

static void named_fortran(struct cs_call *call, void *twin, uint32_t kind, uint64_t key, void *handle, void *name,
                          void *length, void *error, size_t room)
{
    cs_start(call);
    ((cs_fortran_4_1)twin)(handle, name, length, error, room);
    cs_stop(call);
    bool success = cs_fortran_integer(error) == MPI_SUCCESS;
    cs_succeeded(call, cs_fortran_integer(error));
    const struct callsign_record *object = success ? applied(kind, key) : NULL;
    struct native own;
    if (object && native_get(kind, key, &own)) {
        hide(object, &own);
        size_t bytes = strlen(own.name), kept = bytes < room ? bytes : room;
        memcpy(name, own.name, kept);
        memset((char *)name + kept, ' ', room - kept);
        *(MPI_Fint *)length = (MPI_Fint)bytes;
    }
    cs_leave(call);
}

void cs_fortran_comm_get_name(void *twin, const void *site, void *comm, void *name, void *length, void *error,
                              size_t room)
{
    struct cs_call call;
    MPI_Comm handle = cs_fortran_comm(comm);
    cs_enter(&call, CS_MPI_Comm_get_name, site);
    cs_on_comm(&call, handle);
    named_fortran(&call, twin, CALLSIGN_COMMUNICATOR, CS_KEY(handle), comm, name, length, error, room);
}

void cs_fortran_type_get_name(void *twin, const void *site, void *type, void *name, void *length, void *error,
                              size_t room)
{
    struct cs_call call;
    MPI_Datatype handle = cs_fortran_type(type);
    cs_enter(&call, CS_MPI_Type_get_name, site);
    named_fortran(&call, twin, CALLSIGN_DATATYPE, CS_KEY(handle), type, name, length, error, room);
}

void cs_fortran_win_get_name(void *twin, const void *site, void *win, void *name, void *length, void *error,
                             size_t room)
{
    struct cs_call call;
    MPI_Win handle = cs_fortran_win(win);
    cs_enter(&call, CS_MPI_Win_get_name, site);
    cs_on_win(&call, handle);
    named_fortran(&call, twin, CALLSIGN_WINDOW, CS_KEY(handle), win, name, length, error, room);
}
