#include "wrappers/object/published_name.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/settings.h"
#include "base/utf8.h"
#include "pmpi_queries.h"
#include "record/process/thread.h"
#include "wrappers/call/call.h"
#include "wrappers/object/birth.h"

/* ---- what the MPI would call an object ---- */

/* Objects with a native name ("rdma window 8"), and objects that are still being made. */
struct native_name {
    uint32_t id;
    const struct callsign_record *pending; /* gets its name when it is complete; NULL: it has its name */
    char name[MPI_MAX_OBJECT_NAME];
    char replaced[MPI_MAX_OBJECT_NAME]; /* see keep_replaced; "": none */
    UT_hash_handle hh;
};

static pthread_mutex_t natives_lock = PTHREAD_MUTEX_INITIALIZER;
static struct native_name *known;
static _Atomic uint32_t known_count; /* usually 0, which saves the look-up */

static struct native_name *find(uint32_t id)
{
    struct native_name *found;
    HASH_FIND(hh, known, &id, sizeof id, found);
    return found;
}

/* Call it with natives_lock held. NULL without memory. */
static struct native_name *add(uint32_t id)
{
    struct native_name *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->id = id;
    CS_TABLE_ADD(known, id, made);
    if (!made)
        return NULL;
    atomic_fetch_add_explicit(&known_count, 1, memory_order_release);
    return made;
}

static bool put_native(uint32_t id, const char *name, const struct callsign_record *pending)
{
    pthread_mutex_lock(&natives_lock);
    struct native_name *made = add(id);
    if (made) {
        made->pending = pending;
        strcpy(made->name, name);
    }
    pthread_mutex_unlock(&natives_lock);
    return made != NULL;
}

/* The program has replaced the name that callsign applied. A duplicate that another thread makes now may still be
   named after it. */
static void keep_replaced(uint32_t id, const char *applied)
{
    pthread_mutex_lock(&natives_lock);
    struct native_name *found = find(id);
    if (!found)
        found = add(id);
    if (found)
        strcpy(found->replaced, applied);
    pthread_mutex_unlock(&natives_lock);
}

static bool find_replaced(uint32_t id, char applied[MPI_MAX_OBJECT_NAME])
{
    if (!atomic_load_explicit(&known_count, memory_order_acquire))
        return false;
    pthread_mutex_lock(&natives_lock);
    const struct native_name *found = find(id);
    bool replaced = found && found->replaced[0];
    if (replaced)
        strcpy(applied, found->replaced);
    pthread_mutex_unlock(&natives_lock);
    return replaced;
}

/* pending: an object that gets its name when it is complete; NULL: it has its name. Returns false without memory. */
static void drop_native(uint32_t id)
{
    if (!atomic_load_explicit(&known_count, memory_order_acquire))
        return;
    pthread_mutex_lock(&natives_lock);
    struct native_name *found = find(id);
    if (found) {
        HASH_DELETE(hh, known, found);
        atomic_fetch_sub_explicit(&known_count, 1, memory_order_release);
    }
    pthread_mutex_unlock(&natives_lock);
    free(found);
}

/* The native name of an object that callsign named; "" unless another one is stored. */
static void get_native(const struct callsign_record *object, struct cs_native_name *native)
{
    *native = (struct cs_native_name){.filled = cs_object_flags(object) & CS_OBJECT_FILLS};
    if (!atomic_load_explicit(&known_count, memory_order_acquire))
        return;
    pthread_mutex_lock(&natives_lock);
    const struct native_name *found = find(object->id);
    if (found)
        strcpy(native->name, found->name);
    pthread_mutex_unlock(&natives_lock);
}

/* The pending object with this id, or NULL. */
static const struct callsign_record *find_pending(uint32_t id)
{
    pthread_mutex_lock(&natives_lock);
    const struct native_name *found = find(id);
    const struct callsign_record *object = found ? found->pending : NULL;
    pthread_mutex_unlock(&natives_lock);
    return object;
}

/* ---- publish, hide, replace ---- */

static bool kinds[CALLSIGN_KINDS]; /* kinds whose names are applied */

void cs_name_read_setting(void)
{
    kinds[CALLSIGN_COMMUNICATOR] = kinds[CALLSIGN_WINDOW] = !cs_setting_is(CS_SETTING_APPLY, "none");
    kinds[CALLSIGN_DATATYPE] = cs_setting_is(CS_SETTING_APPLY, "all");
}

bool cs_names_are_published(enum callsign_kind kind)
{
    return kinds[kind];
}

static const char untouched = '\177';

static int native_get(enum callsign_kind kind, uint64_t handle, char name[MPI_MAX_OBJECT_NAME])
{
    int length;
    if (kind == CALLSIGN_COMMUNICATOR)
        return cs_mpi_Comm_get_name(CS_HANDLE_OF(MPI_Comm, handle), name, &length);
    if (kind == CALLSIGN_WINDOW)
        return cs_mpi_Win_get_name(CS_HANDLE_OF(MPI_Win, handle), name, &length);
    return cs_mpi_Type_get_name(CS_HANDLE_OF(MPI_Datatype, handle), name, &length);
}

bool cs_name_query(enum callsign_kind kind, uint64_t handle, struct cs_native_name *native)
{
    CS_KEEP_ERRNO;
    char *last = &native->name[MPI_MAX_OBJECT_NAME - 1];
    native->name[0] = '\0';
    *last = untouched;
    if (native_get(kind, handle, native->name) != MPI_SUCCESS)
        return false;
    native->filled = *last != untouched;
    *last = '\0';
    return true;
}

static int native_set(uint32_t kind, uint64_t handle, const char *name)
{
    if (kind == CALLSIGN_COMMUNICATOR)
        return cs_mpi_Comm_set_name(CS_HANDLE_OF(MPI_Comm, handle), name);
    if (kind == CALLSIGN_WINDOW)
        return cs_mpi_Win_set_name(CS_HANDLE_OF(MPI_Win, handle), name);
    return cs_mpi_Type_set_name(CS_HANDLE_OF(MPI_Datatype, handle), name);
}

/* Cuts the name to the MPI's limit, at its beginning: the end is more useful. */
static void cut(char *name, size_t length)
{
    static const char dots[] = "...";
    if (length < MPI_MAX_OBJECT_NAME)
        return;
    const char *tail = cs_utf8_next(name + length - (MPI_MAX_OBJECT_NAME - 1 - strlen(dots)));
    memcpy(name, dots, strlen(dots));
    memmove(name + strlen(dots), tail, strlen(tail) + 1);
}

/* The name that the MPI was given. Returns false if there is none, or the program has replaced it. */
static bool applied_name(const struct callsign_record *object, char name[CS_NAME_BYTES])
{
    bool applied = cs_object_copy_applied_name(object, name, CS_NAME_BYTES);
    if (applied)
        cut(name, strlen(name));
    return applied;
}

/* Corrects the native name of a duplicate to that without callsign: if it ends with the original's name from
   callsign (as far as it fitted), that part is replaced by the original's native name. */
static void correct(struct cs_native_name *native, const struct callsign_record *original)
{
    char applied[CS_NAME_BYTES];
    struct cs_native_name native_of_original;
    if (!applied_name(original, applied) && !find_replaced(original->id, applied))
        return;
    get_native(original, &native_of_original);
    size_t length = strlen(native->name);
    bool full = length == MPI_MAX_OBJECT_NAME - 1;
    for (size_t at = 0; at < length; at++) {
        size_t rest = length - at;
        if (strncmp(native->name + at, applied, rest) != 0 || (applied[rest] && !full))
            continue;
        size_t room = MPI_MAX_OBJECT_NAME - 1 - at, bytes = strlen(native_of_original.name);
        memset(native->name + at, 0, MPI_MAX_OBJECT_NAME - at);
        memcpy(native->name + at, native_of_original.name, bytes < room ? bytes : room);
        return;
    }
}

/* In a function of its own: most datatypes have no name, and its buffers need a guard. */
static __attribute__((noinline)) void publish(const struct callsign_record *object,
                                              const struct callsign_record *original)
{
    struct cs_native_name native;
    char name[CS_NAME_BYTES];
    if (!cs_name_query(object->kind, object->handle, &native))
        return;
    if (original)
        correct(&native, original);
    if (native.name[0] && !put_native(object->id, native.name, NULL))
        return;
    /* Marked first, so that no other thread sees it. */
    size_t length = cs_object_mark_applied(object, native.filled ? CS_OBJECT_FILLS : 0, name, sizeof name);
    cut(name, length);
    if (!length || native_set(object->kind, object->handle, name) != MPI_SUCCESS) {
        cs_object_mark(object, CS_OBJECT_APPLIED | CS_OBJECT_FILLS, false);
        drop_native(object->id);
    } else if (!(cs_object_flags(object) & CS_OBJECT_APPLIED)) {
        /* The program may name a communicator while another of its threads completes the MPI_Comm_idup. */
        cs_object_copy_name(object, name, sizeof name);
        native_set(object->kind, object->handle, name);
    }
}

void cs_name_publish(const struct callsign_record *object, const struct callsign_record *original)
{
    if (object && kinds[object->kind] && cs_object_is_named_by_callsign(object))
        publish(object, original);
}

void cs_name_publish_later(const struct callsign_record *object)
{
    if (object && kinds[object->kind])
        put_native(object->id, "", object);
}

void cs_name_publish_pending(uint32_t id)
{
    const struct callsign_record *object = find_pending(id);
    if (!object)
        return;
    drop_native(id);
    if (object->id == id && cs_object_is(object, CALLSIGN_COMMUNICATOR, object->handle))
        cs_name_publish(object, NULL);
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

void cs_name_replace(const struct callsign_record *object, const char *name, uint64_t site)
{
    char applied[CS_NAME_BYTES];
    bool names_duplicates = object->kind == CALLSIGN_DATATYPE;
    if (names_duplicates && applied_name(object, applied) && !ends_with(name, applied))
        keep_replaced(object->id, applied);
    if (cs_object_name(object, name, CALLSIGN_PROGRAM, site) && !names_duplicates)
        drop_native(object->id);
}

void cs_name_forget(const struct callsign_record *object)
{
    if (kinds[object->kind])
        drop_native(object->id);
}

const struct callsign_record *cs_name_find_published(enum callsign_kind kind, uint64_t handle)
{
    const struct callsign_record *object = cs_object_look_up(kind, handle);
    return object && cs_object_flags(object) & CS_OBJECT_APPLIED ? object : NULL;
}

/* cs_name_replace removes the native name after the mark. So a native name that is read before the mark is seen is
   whole. */
bool cs_name_hide(const struct callsign_record *object, struct cs_native_name *answer)
{
    char applied[CS_NAME_BYTES];
    struct cs_native_name native;
    get_native(object, &native);
    if (!applied_name(object, applied) || strcmp(answer->name, applied) != 0)
        return false;
    *answer = native;
    return true;
}

void cs_name_take_native(const struct callsign_record *object)
{
    struct cs_native_name native;
    if (object && !cs_object_name_address(object) && cs_name_query(object->kind, object->handle, &native) &&
        native.name[0])
        cs_object_name_by_mpi(object, native.name);
}
