#include "record/held.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM               1
#define HASH_FUNCTION(key, bytes, hash) ((hash) = *(const uint32_t *)(key)*0x9e3779b1u) /* of a number */
#include <uthash.h>

#include "base/array.h"

struct holder {
    uint32_t object;
    struct cs_held *held;
    size_t count, room;
    UT_hash_handle hh;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct holder *holders;
bool cs_held_any;
static uint32_t losses; /* how often something was held no more; atomic */

/* NULL: holds nothing. */
static struct holder *find(uint32_t object)
{
    struct holder *holder;
    HASH_FIND(hh, holders, &object, sizeof object, holder);
    return holder;
}

/* NULL without memory: then it is not known what the object holds. */
static struct holder *find_or_add(uint32_t object)
{
    struct holder *holder = find(object);
    if (holder)
        return holder;
    holder = calloc(1, sizeof *holder);
    if (!holder)
        return NULL;
    holder->object = object;
    HASH_ADD(hh, holders, object, sizeof holder->object, holder);
    if (holder->hh.tbl)
        return holder;
    free(holder);
    return NULL;
}

static void drop(struct holder *holder)
{
    __atomic_fetch_add(&losses, 1, __ATOMIC_RELEASE);
    HASH_DELETE(hh, holders, holder);
    free(holder->held);
    free(holder);
}

static struct cs_held *find_key(const struct holder *holder, uint32_t key)
{
    for (size_t i = 0; holder && i < holder->count; i++)
        if (holder->held[i].key == key)
            return &holder->held[i];
    return NULL;
}

static void put(struct holder *holder, const struct cs_held *held)
{
    struct cs_held *there = find_key(holder, held->key);
    if (there)
        *there = *held;
    else if (cs_array_grow(&holder->held, holder->count, &holder->room, sizeof *held))
        holder->held[holder->count++] = *held;
}

/* False: it was not there. */
static bool take(struct holder *holder, uint32_t key)
{
    struct cs_held *there = find_key(holder, key);
    if (!there)
        return false;
    *there = holder->held[--holder->count];
    __atomic_fetch_add(&losses, 1, __ATOMIC_RELEASE);
    if (!holder->count)
        drop(holder);
    return true;
}

/* The id of a keyval of the program that is not freed; 0: there is none. */
static uint32_t key_of(int keyval)
{
    const struct callsign_record *object = cs_object_find(CALLSIGN_KEYVAL, (uint32_t)keyval);
    return object ? object->id : 0;
}

static void mark(const struct callsign_record *object)
{
    if (!cs_holds(object))
        cs_object_mark(object, CS_OBJECT_HOLDS, true);
}

void cs_held_set(struct cs_thread *thread, const struct callsign_record *object, int keyval, uint32_t integer_bytes)
{
    /* What a thread sets again and again is looked up once, as long as nobody lost anything. */
    const struct cs_held_last last = {
        .object = object->id,
        .keyval = keyval,
        .integer_bytes = integer_bytes,
        .losses = __atomic_load_n(&losses, __ATOMIC_ACQUIRE),
    };
    if (memcmp(&thread->held, &last, sizeof last) == 0)
        return;
    const struct cs_held held = {.keyval = keyval, .key = key_of(keyval), .integer_bytes = integer_bytes};
    if (!held.key)
        return;
    thread->held = last;
    mark(object);
    __atomic_store_n(&cs_held_any, true, __ATOMIC_RELAXED);
    pthread_mutex_lock(&lock);
    struct holder *holder = find_or_add(object->id);
    if (holder)
        put(holder, &held);
    pthread_mutex_unlock(&lock);
}

void cs_held_copy(const struct callsign_record *original, const struct callsign_record *duplicate)
{
    mark(duplicate);
    pthread_mutex_lock(&lock);
    const struct holder *from = find(original->id);
    struct holder *to = from && from->count ? find_or_add(duplicate->id) : NULL;
    for (size_t i = 0; to && i < from->count; i++)
        put(to, &from->held[i]);
    pthread_mutex_unlock(&lock);
}

bool cs_held_at(const struct callsign_record *object, size_t index, struct cs_held *held)
{
    pthread_mutex_lock(&lock);
    const struct holder *holder = find(object->id);
    bool is_there = holder && index < holder->count;
    if (is_there)
        *held = holder->held[index];
    pthread_mutex_unlock(&lock);
    return is_there;
}

bool cs_held_is_of_a_key(const struct cs_held *held)
{
    return key_of(held->keyval) == held->key;
}

void cs_held_deleted(const struct callsign_record *object, int keyval)
{
    uint32_t key = cs_holds(object) ? key_of(keyval) : 0;
    if (key)
        cs_held_lacks(object, &(struct cs_held){.key = key});
}

void cs_held_lacks(const struct callsign_record *object, const struct cs_held *held)
{
    pthread_mutex_lock(&lock);
    take(find(object->id), held->key);
    pthread_mutex_unlock(&lock);
}

void cs_held_died(const struct callsign_record *object)
{
    pthread_mutex_lock(&lock);
    struct holder *holder = find(object->id);
    if (holder)
        drop(holder);
    pthread_mutex_unlock(&lock);
}

uint32_t cs_held_freed(uint32_t key)
{
    uint32_t count = 0;
    pthread_mutex_lock(&lock);
    for (struct holder *holder = holders, *next; holder; holder = next) {
        next = holder->hh.next;
        count += take(holder, key);
    }
    pthread_mutex_unlock(&lock);
    return count;
}

void cs_held_forget(void)
{
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
