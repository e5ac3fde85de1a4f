#include "record/object/attribute_values.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

#define HASH_FUNCTION(key, bytes, hash)                                                                                \
    ((hash) = (unsigned)cs_hash_mix(0, *(const uint32_t *)(key))) /* of a number                                       \
                                                                   */
#include "base/array.h"
#include "base/hash_table.h"
#include "record/process/recorder.h"
#include "record/site/module.h"

/* ---- questions and answers ---- */

/* A program may store a different pointer each time, and its callbacks may return any code. Beyond this many cells
   per thread they are no longer distinguished. The error classes of an MPI always are: they are few, and small
   numbers. */
enum { CELLS_MAX = 4096, CLASSES_MAX = 256 };

static const struct cs_cell_type attribute_cells = {
    .block = CS_BLOCK_ATTRIBUTE,
    .bytes = sizeof(struct cs_attribute_cell),
    .key_bytes = offsetof(struct cs_attribute_cell, calls),
    .valid = offsetof(struct cs_attribute_cell, operation), /* the word that begins with it */
    .valid_bytes = sizeof(uint64_t),
};

/* The first 32 bytes of a cell as words: see struct cs_profile_key. */
struct key {
    uint64_t site, whom, what, value;
};
static_assert(offsetof(struct cs_attribute_cell, calls) == sizeof(struct key), "a cell begins with its key");
static_assert(offsetof(struct cs_attribute_cell, operation) == offsetof(struct key, what),
              "the word that is stored last");

static inline struct key key_of(const struct cs_attribute *attribute)
{
    return (struct key){
        .site = attribute->site,
        .whom = attribute->object | (uint64_t)(uint32_t)attribute->keyval << 32,
        .what = (uint64_t)attribute->operation | (uint64_t)attribute->kind << 8 | (uint64_t)attribute->found << 16 |
                (uint64_t)attribute->value_kind << 24,
        .value = attribute->value,
    };
}

static inline enum cs_attribute_value value_kind_of(struct key key)
{
    return (enum cs_attribute_value)(key.what >> 24 & 0xff);
}

/* True if an unlimited number of keys may differ only in the value. */
static bool is_endless(const struct key *key)
{
    switch (value_kind_of(*key)) {
    case CS_VALUE_ADDRESS:
    case CS_VALUE_INTEGER:
        return true;
    case CS_VALUE_ERROR:
        return key->value > CLASSES_MAX; /* negative ones too */
    default:
        return false;
    }
}

/* NULL: no room, counted as lost. */
static struct cs_attribute_cell *find_or_add(struct cs_thread *thread, struct key key, uint64_t ticks, bool *added)
{
    struct cs_attribute_cell *found = cs_cells_find(&thread->attributes, &key, &attribute_cells);
    if (!found && thread->attributes.count >= CELLS_MAX && is_endless(&key)) {
        key.value = 0;
        if (value_kind_of(key) != CS_VALUE_ERROR)
            key.what = (key.what & ~(uint64_t)0xff000000) | (uint64_t)CS_VALUE_MANY << 24;
        found = cs_cells_find(&thread->attributes, &key, &attribute_cells);
    }
    if (found)
        return found;
    cs_module_record(key.site);
    struct cs_attribute_cell cell = {.first_ticks = ticks};
    memcpy(&cell, &key, sizeof key);
    found = cs_cells_add(&thread->attributes, thread->state->thread, &cell, &attribute_cells);
    *added = found != NULL;
    return found;
}

bool cs_attribute_count(struct cs_thread *thread, const struct cs_attribute *attribute)
{
    struct key key = key_of(attribute);
    struct cs_attribute_cell *cell = thread->last_attribute;
    bool added = false;
    if (!cell || !cs_cell_has_key(cell, &key, &attribute_cells)) {
        cell = find_or_add(thread, key, attribute->ticks, &added);
        if (!cell)
            return false;
        thread->last_attribute = cell;
    }
    cell->calls++;
    cell->last_ticks = attribute->ticks;
    return added;
}

void cs_attribute_note_error(int32_t error, const char *words)
{
    struct cs_fact_error fact = {.fact.ticks = 0, .error = error};
    cs_journal_append_texts(cs_recorder.journal, CS_FACT_ERROR, &fact.fact, sizeof fact, (const char *const[]){words},
                            1);
}

void cs_attribute_note_constant(const char *name, int value)
{
    char key[64], text[16];
    snprintf(key, sizeof key, "constant.%s", name);
    snprintf(text, sizeof text, "%d", value);
    cs_journal_note(cs_recorder.journal, key, text);
}

/* ---- values that objects hold ---- */

struct holder {
    uint32_t object;
    struct cs_presence *held;
    size_t count, room;
    UT_hash_handle hh;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct holder *holder_table;
_Atomic bool cs_presence_any;
static _Atomic uint32_t losses; /* number of removals */

/* NULL: holds nothing. */
static struct holder *find_holder(uint32_t object)
{
    struct holder *holder;
    HASH_FIND(hh, holder_table, &object, sizeof object, holder);
    return holder;
}

/* NULL without memory: then the object's attributes are unknown. */
static struct holder *find_or_add_holder(uint32_t object)
{
    struct holder *holder = find_holder(object);
    if (holder)
        return holder;
    holder = calloc(1, sizeof *holder);
    if (!holder)
        return NULL;
    holder->object = object;
    CS_TABLE_ADD(holder_table, object, holder);
    return holder;
}

static void drop(struct holder *holder)
{
    atomic_fetch_add_explicit(&losses, 1, memory_order_release);
    HASH_DELETE(hh, holder_table, holder);
    free(holder->held);
    free(holder);
}

static struct cs_presence *find_key(const struct holder *holder, uint32_t key)
{
    for (size_t i = 0; holder && i < holder->count; i++)
        if (holder->held[i].key == key)
            return &holder->held[i];
    return NULL;
}

static void holder_put(struct holder *holder, const struct cs_presence *held)
{
    struct cs_presence *there = find_key(holder, held->key);
    if (there)
        *there = *held;
    else if (cs_array_grow(&holder->held, holder->count, &holder->room, sizeof *held))
        holder->held[holder->count++] = *held;
}

/* Returns false if it was not there. */
static bool take(struct holder *holder, uint32_t key)
{
    struct cs_presence *there = find_key(holder, key);
    if (!there)
        return false;
    *there = holder->held[--holder->count];
    atomic_fetch_add_explicit(&losses, 1, memory_order_release);
    if (!holder->count)
        drop(holder);
    return true;
}

/* The id of a program's keyval that is not freed; 0: none. */
static uint32_t id_of_keyval(int keyval)
{
    const struct callsign_record *object = cs_object_find(CALLSIGN_KEYVAL, (uint32_t)keyval);
    return object ? object->id : 0;
}

static void mark_holder(const struct callsign_record *object)
{
    if (!cs_has_values(object))
        cs_object_mark(object, CS_OBJECT_HOLDS, true);
}

void cs_presence_set(struct cs_thread *thread, const struct callsign_record *object, int keyval, uint32_t integer_bytes)
{
    /* An attribute that a thread sets repeatedly is looked up once, as long as nothing was removed. */
    const struct cs_presence_last last = {
        .object = object->id,
        .keyval = keyval,
        .integer_bytes = integer_bytes,
        .losses = atomic_load_explicit(&losses, memory_order_acquire),
    };
    if (memcmp(&thread->held, &last, sizeof last) == 0)
        return;
    const struct cs_presence held = {.keyval = keyval, .key = id_of_keyval(keyval), .integer_bytes = integer_bytes};
    if (!held.key)
        return;
    thread->held = last;
    mark_holder(object);
    atomic_store_explicit(&cs_presence_any, true, memory_order_relaxed);
    pthread_mutex_lock(&lock);
    struct holder *holder = find_or_add_holder(object->id);
    if (holder)
        holder_put(holder, &held);
    pthread_mutex_unlock(&lock);
}

void cs_presence_copy(const struct callsign_record *original, const struct callsign_record *duplicate)
{
    mark_holder(duplicate);
    pthread_mutex_lock(&lock);
    const struct holder *from = find_holder(original->id);
    struct holder *to = from && from->count ? find_or_add_holder(duplicate->id) : NULL;
    for (size_t i = 0; to && i < from->count; i++)
        holder_put(to, &from->held[i]);
    pthread_mutex_unlock(&lock);
}

bool cs_presence_get(const struct callsign_record *object, size_t index, struct cs_presence *held)
{
    pthread_mutex_lock(&lock);
    const struct holder *holder = find_holder(object->id);
    bool is_there = holder && index < holder->count;
    if (is_there)
        *held = holder->held[index];
    pthread_mutex_unlock(&lock);
    return is_there;
}

bool cs_presence_has_keyval(const struct cs_presence *held)
{
    return id_of_keyval(held->keyval) == held->key;
}

void cs_presence_delete(const struct callsign_record *object, int keyval)
{
    uint32_t key = cs_has_values(object) ? id_of_keyval(keyval) : 0;
    if (key)
        cs_presence_remove(object, &(struct cs_presence){.key = key});
}

void cs_presence_remove(const struct callsign_record *object, const struct cs_presence *held)
{
    pthread_mutex_lock(&lock);
    take(find_holder(object->id), held->key);
    pthread_mutex_unlock(&lock);
}

void cs_presence_drop(const struct callsign_record *object)
{
    pthread_mutex_lock(&lock);
    struct holder *holder = find_holder(object->id);
    if (holder)
        drop(holder);
    pthread_mutex_unlock(&lock);
}

uint32_t cs_presence_drop_keyval(uint32_t key)
{
    uint32_t count = 0;
    pthread_mutex_lock(&lock);
    for (struct holder *holder = holder_table, *next; holder; holder = next) {
        next = holder->hh.next;
        count += take(holder, key);
    }
    pthread_mutex_unlock(&lock);
    return count;
}

void cs_presence_forget(void)
{
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

/* ---- keyval ---- */

void cs_keyval_note(int keyval, enum callsign_kind kind, const char *name, uint16_t function, uint64_t site)
{
    cs_module_record(site);
    struct cs_fact_keyval fact = {
        .fact.ticks = 0, .keyval = keyval, .kind = (uint16_t)kind, .function = function, .site = site};
    cs_journal_append_texts(cs_recorder.journal, CS_FACT_KEYVAL, &fact.fact, sizeof fact, (const char *const[]){name},
                            1);
}

/* The address where a return address would be: look-ups use the byte before it. */
static uint64_t site_of(const struct cs_callback *callback)
{
    uint64_t site = callback->name ? 0 : callback->address + 1;
    cs_module_record(site);
    return site;
}

void cs_keyval_note_callbacks(const struct callsign_record *object, const struct cs_callbacks *callbacks)
{
    struct cs_fact_callbacks fact = {.fact.ticks = 0,
                                     .object = object->id,
                                     .keyval = (int32_t)(uint32_t)object->handle,
                                     .kind = (uint16_t)callbacks->kind,
                                     .language = (uint16_t)callbacks->language,
                                     .copy_site = site_of(&callbacks->copy),
                                     .delete_site = site_of(&callbacks->delete),
                                     .extra_state = callbacks->extra_state};
    cs_journal_append_texts(cs_recorder.journal, CS_FACT_CALLBACKS, &fact.fact, sizeof fact,
                            (const char *const[]){callbacks->copy.name, callbacks->delete.name}, 2);
}

void cs_keyval_note_holders(uint32_t object, uint32_t holders)
{
    struct cs_fact_holders fact = {.fact.ticks = 0, .object = object, .holders = holders};
    cs_journal_append(cs_recorder.journal, CS_FACT_HOLDERS, &fact.fact, sizeof fact);
}
