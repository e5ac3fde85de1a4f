#include "wrappers/object/native_name.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

/* Objects with another native name than none ("rdma window 8"), and those that are still being made. */
struct native_name {
    uint32_t id;
    const struct callsign_record *pending; /* gets its name when it is complete; NULL: it has it */
    char name[MPI_MAX_OBJECT_NAME];
    char replaced[MPI_MAX_OBJECT_NAME]; /* see cs_native_name_keep_replaced; "": none */
    UT_hash_handle hh;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct native_name *known;
static uint32_t known_count; /* atomic: with none there is nothing to look for, and mostly there is none */

static struct native_name *find(uint32_t id)
{
    struct native_name *found;
    HASH_FIND(hh, known, &id, sizeof id, found);
    return found;
}

/* With the lock held. NULL without memory. */
static struct native_name *add(uint32_t id)
{
    struct native_name *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->id = id;
    HASH_ADD(hh, known, id, sizeof made->id, made);
    if (!made->hh.tbl) {
        free(made);
        return NULL;
    }
    __atomic_fetch_add(&known_count, 1, __ATOMIC_RELEASE);
    return made;
}

bool cs_native_name_put(uint32_t id, const char *name, const struct callsign_record *pending)
{
    pthread_mutex_lock(&lock);
    struct native_name *made = add(id);
    if (made) {
        made->pending = pending;
        strcpy(made->name, name);
    }
    pthread_mutex_unlock(&lock);
    return made != NULL;
}

void cs_native_name_keep_replaced(uint32_t id, const char *applied)
{
    pthread_mutex_lock(&lock);
    struct native_name *found = find(id);
    if (!found)
        found = add(id);
    if (found)
        strcpy(found->replaced, applied);
    pthread_mutex_unlock(&lock);
}

bool cs_native_name_replaced(uint32_t id, char applied[MPI_MAX_OBJECT_NAME])
{
    if (!__atomic_load_n(&known_count, __ATOMIC_ACQUIRE))
        return false;
    pthread_mutex_lock(&lock);
    const struct native_name *found = find(id);
    bool replaced = found && found->replaced[0];
    if (replaced)
        strcpy(applied, found->replaced);
    pthread_mutex_unlock(&lock);
    return replaced;
}

void cs_native_name_drop(uint32_t id)
{
    if (!__atomic_load_n(&known_count, __ATOMIC_ACQUIRE))
        return;
    pthread_mutex_lock(&lock);
    struct native_name *found = find(id);
    if (found) {
        HASH_DELETE(hh, known, found);
        __atomic_fetch_sub(&known_count, 1, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
    free(found);
}

void cs_native_name_get(const struct callsign_record *object, struct cs_native_name *native)
{
    *native = (struct cs_native_name){.filled = cs_object_flags(object) & CS_OBJECT_FILLS};
    if (!__atomic_load_n(&known_count, __ATOMIC_ACQUIRE))
        return;
    pthread_mutex_lock(&lock);
    const struct native_name *found = find(object->id);
    if (found)
        strcpy(native->name, found->name);
    pthread_mutex_unlock(&lock);
}

const struct callsign_record *cs_native_name_pending(uint32_t id)
{
    pthread_mutex_lock(&lock);
    const struct native_name *found = find(id);
    const struct callsign_record *object = found ? found->pending : NULL;
    pthread_mutex_unlock(&lock);
    return object;
}
