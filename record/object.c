#include "base/array.h"
#include "record/object.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/collective.h"
#include "record/identity.h"
#include "record/leak_warning.h"
#include "record/module.h"
#include "record/object_dead.h"
#include "record/object_facts.h"
#include "record/object_table.h"
#include "record/recorder.h"
#include "record/stack.h"
#include "record/strings.h"
#include "record/synchronization.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t births;        /* ids handed out */
static uint32_t communicators; /* that live and count for cs_leak_warning */

static void epoch(void)
{
    __atomic_fetch_add(&callsign_debug.epoch, 1, __ATOMIC_ACQ_REL);
}

/* Of these no name is composed here: debuggers do it, when they show one. */
static bool has_detail(const struct cs_birth *birth)
{
    return birth->detail_bytes && (birth->kind == CALLSIGN_DATATYPE || birth->kind == CALLSIGN_FILE);
}

static void record_fill(struct callsign_record *record, const struct cs_birth *birth, uint32_t previous)
{
    *record = (struct callsign_record){
        .handle = birth->handle,
        .created_pc = cs_stack_pc(birth->site),
        .created_ticks = birth->ticks,
        .uid = birth->uid,
        .fortran_handle = birth->fortran_handle == INT64_MIN ? INT32_MIN : (int32_t)birth->fortran_handle,
        .detail = has_detail(birth) ? cs_string_keep_detail(birth->detail, birth->detail_bytes) : 0,
        .function = birth->function,
        .id = ++births,
        .parent = birth->parent,
        .previous = previous,
        .size = birth->size,
        .rank = birth->rank,
        .kind = (uint8_t)birth->kind,
        .references = 1,
        .name = cs_string_keep(birth->name),
        .origin = birth->name ? (uint8_t)birth->origin : CALLSIGN_UNNAMED,
        .bytes = birth->bytes,
        .remote_size = birth->remote_size,
        .in_degree = birth->in_degree,
        .out_degree = birth->out_degree,
        .flags = birth->flags,
    };
    __atomic_store_n(&record->state, CALLSIGN_LIVE, __ATOMIC_RELEASE);
}

bool cs_object_start(uint32_t handle_bytes)
{
    callsign_debug.handle_bytes = handle_bytes;
    callsign_debug.pid = (uint32_t)getpid();
    callsign_debug.self = (uint64_t)(uintptr_t)&callsign_debug;
    if (!cs_table_make_room())
        return false;
    memcpy(callsign_debug.magic, CALLSIGN_DEBUG_MAGIC, sizeof callsign_debug.magic);
    return true;
}

void cs_object_world(int rank, int size, const char *mpi)
{
    callsign_debug.world_rank = rank;
    callsign_debug.world_size = size;
    size_t length = strcspn(mpi, "\r\n");
    if (length > sizeof callsign_debug.mpi - 1)
        length = sizeof callsign_debug.mpi - 1;
    memcpy(callsign_debug.mpi, mpi, length);
}

const struct callsign_record *cs_object_numbered(uint32_t id)
{
    uint64_t records = __atomic_load_n(&callsign_debug.records, __ATOMIC_ACQUIRE);
    if (id && id <= records && cs_table_record(id - 1)->id == id)
        return cs_table_record(id - 1);
    for (uint32_t number = 0; id && number < records; number++)
        if (cs_table_record(number)->id == id)
            return cs_table_record(number);
    return NULL;
}

const struct callsign_record *cs_object_dead(uint32_t kind, uint64_t handle)
{
    pthread_mutex_lock(&lock);
    const struct callsign_record *found = cs_dead_find(kind, handle);
    pthread_mutex_unlock(&lock);
    return found;
}

static void bury(struct callsign_record *record, uint16_t function, uint64_t site, uint64_t ticks,
                 const struct cs_last_call *last)
{
    if (cs_object_flags(record) & CS_OBJECT_COUNTS)
        cs_identity_drop(record->id);
    if (cs_object_flags(record) & CS_OBJECT_SYNCHRONIZES)
        cs_synchronization_end(record->id);
    if (record->kind == CALLSIGN_COMMUNICATOR || record->kind == CALLSIGN_WINDOW || record->kind == CALLSIGN_FILE)
        cs_collective_end(record->id);
    cs_module_see(site);
    record->freed_pc = cs_stack_pc(site);
    cs_dead_add(record);
    struct cs_fact_freed fact = {.fact.ticks = ticks, .object = record->id, .function = function, .site = site};
    if (last) {
        fact.calls = 1;
        fact.call_site = last->site;
        fact.call_ticks = last->ticks;
    }
    cs_journal_append(cs_recorder.journal, CS_FACT_FREED, &fact.fact, sizeof fact, NULL, 0);
}

/* The id of an object whose end was not seen (freed through a way that callsign does not follow): the handle's new
   owner proves that it is gone. 0: there was none (former NULL). */
static uint32_t end_former(const struct cs_birth *birth, struct callsign_record *former, uint64_t slot)
{
    if (!former)
        return 0;
    cs_table_remove(slot);
    communicators -= cs_leak_warning_counts(former);
    __atomic_store_n(&former->state, CALLSIGN_FREED, __ATOMIC_RELEASE);
    bury(former, 0, 0, birth->ticks, NULL);
    return former->id;
}

static struct callsign_record *born_locked(const struct cs_birth *birth, struct callsign_record *former, uint64_t slot)
{
    epoch();
    struct callsign_record *record = NULL;
    uint32_t previous = end_former(birth, former, slot);
    uint32_t number = cs_table_make_room() ? cs_dead_take() : CS_TABLE_NONE;
    if (number != CS_TABLE_NONE) {
        record = cs_table_record(number);
        record_fill(record, birth, previous);
        cs_table_put(record, number);
        communicators += cs_leak_warning_counts(record);
        cs_object_facts_birth(record, birth);
    }
    epoch();
    return record;
}

const struct callsign_record *cs_object_born(struct cs_birth *birth)
{
    uint64_t slot = 0;
    cs_module_see(birth->site);
    pthread_mutex_lock(&lock);
    struct callsign_record *record = cs_table_find(birth->kind, birth->handle, &slot);
    bool known = record && (birth->shared || !birth->function);
    if (known && birth->function)
        record->references++;
    else
        record = known ? NULL : born_locked(birth, record, slot);
    struct cs_leak_warning warning = {0};
    if (record && !known && cs_leak_warning_is(communicators, record))
        warning = cs_leak_warning_look(communicators);
    pthread_mutex_unlock(&lock);
    if (__builtin_expect(warning.alive != 0, 0))
        cs_leak_warning_tell(&warning);
    if (!record && !known)
        cs_journal_lose(cs_recorder.journal);
    if (record && birth->facts)
        cs_object_facts_kind(record, birth);
    return record;
}

void cs_object_mark(const struct callsign_record *object, uint32_t flags, bool set)
{
    struct callsign_record *record = (struct callsign_record *)(uintptr_t)object;
    if (set)
        __atomic_fetch_or(&record->flags, flags, __ATOMIC_RELEASE);
    else
        __atomic_fetch_and(&record->flags, ~flags, __ATOMIC_RELEASE);
}

uint32_t cs_object_made_on(const struct callsign_record *object)
{
    struct callsign_record *record = (struct callsign_record *)(uintptr_t)object;
    return __atomic_fetch_add(&record->made_on, 1, __ATOMIC_RELAXED);
}

uint32_t cs_object_count(const struct callsign_record *owner, uint64_t key)
{
    if (owner && !(cs_object_flags(owner) & CS_OBJECT_COUNTS))
        cs_object_mark(owner, CS_OBJECT_COUNTS, true);
    return cs_identity_count(owner ? owner->id : 0, key);
}

void cs_object_refer(uint32_t kind, uint64_t handle)
{
    uint64_t slot;
    pthread_mutex_lock(&lock);
    struct callsign_record *record = cs_table_find(kind, handle, &slot);
    if (record)
        record->references++;
    pthread_mutex_unlock(&lock);
}

/* With the lock held. */
static void give_name(struct callsign_record *record, const char *name, enum callsign_origin origin, uint64_t site)
{
    epoch();
    uint64_t former = record->name;
    __atomic_store_n(&record->name, cs_string_keep(name), __ATOMIC_RELEASE);
    cs_string_drop(former);
    __atomic_store_n(&record->origin, (uint8_t)origin, __ATOMIC_RELEASE);
    record->named_pc = cs_stack_pc(site);
    record->named++;
    cs_object_mark(record, CS_OBJECT_APPLIED | CS_OBJECT_FILLS, false);
    epoch();
    struct cs_fact_name fact = {.fact.ticks = 0, .object = record->id, .origin = origin, .site = site};
    cs_journal_append(cs_recorder.journal, CS_FACT_NAME, &fact.fact, sizeof fact, (const char *const[]){name}, 1);
}

bool cs_object_name(const struct callsign_record *object, const char *name, enum callsign_origin origin, uint64_t site)
{
    cs_module_see(site);
    pthread_mutex_lock(&lock);
    bool was_applied = cs_object_flags(object) & CS_OBJECT_APPLIED;
    give_name((struct callsign_record *)(uintptr_t)object, name, origin, site);
    pthread_mutex_unlock(&lock);
    return was_applied;
}

void cs_object_name_by_mpi(const struct callsign_record *object, const char *name)
{
    pthread_mutex_lock(&lock);
    if (!object->named && !object->name)
        give_name((struct callsign_record *)(uintptr_t)object, name, CALLSIGN_MPI, 0);
    pthread_mutex_unlock(&lock);
}

/* With the lock held: a name that is replaced is used for others at once. */
static void copy_name(const struct callsign_record *object, char *name, size_t bytes)
{
    const char *whole = object->name ? (const char *)(uintptr_t)object->name : "";
    size_t length = strnlen(whole, bytes - 1);
    memcpy(name, whole, length);
    name[length] = '\0';
}

uint32_t cs_object_copy_name(const struct callsign_record *object, char *name, size_t bytes)
{
    pthread_mutex_lock(&lock);
    copy_name(object, name, bytes);
    uint32_t flags = cs_object_flags(object);
    pthread_mutex_unlock(&lock);
    return flags;
}

bool cs_object_is_named_by_callsign(const struct callsign_record *object)
{
    uint8_t origin = __atomic_load_n(&object->origin, __ATOMIC_ACQUIRE);
    return __atomic_load_n(&object->name, __ATOMIC_ACQUIRE) && (origin == CALLSIGN_DERIVED || origin == CALLSIGN_RULE);
}

bool cs_object_mark_applied(const struct callsign_record *object, uint32_t flags, char *name, size_t bytes)
{
    pthread_mutex_lock(&lock);
    bool marked = cs_object_is_named_by_callsign(object);
    if (marked) {
        copy_name(object, name, bytes);
        cs_object_mark(object, CS_OBJECT_APPLIED | flags, true);
    }
    pthread_mutex_unlock(&lock);
    return marked;
}

struct callsign_record *cs_object_unlink(uint32_t kind, uint64_t handle, bool *referred)
{
    pthread_mutex_lock(&lock);
    uint64_t slot;
    struct callsign_record *record = cs_table_find(kind, handle, &slot);
    if (record && (cs_object_flags(record) & CS_OBJECT_PREDEFINED))
        record = NULL;
    *referred = record && record->references > 1;
    if (*referred) {
        record->references--;
    } else if (record) {
        epoch();
        cs_table_remove(slot);
        communicators -= cs_leak_warning_counts(record);
        __atomic_store_n(&record->state, CALLSIGN_FREED, __ATOMIC_RELEASE);
        epoch();
    }
    pthread_mutex_unlock(&lock);
    return record;
}

void cs_object_relink(struct callsign_record *object)
{
    pthread_mutex_lock(&lock);
    epoch();
    communicators += cs_leak_warning_counts(object);
    __atomic_store_n(&object->state, CALLSIGN_LIVE, __ATOMIC_RELEASE);
    if (cs_table_make_room())
        cs_table_put(object, cs_table_number(object));
    epoch();
    pthread_mutex_unlock(&lock);
}

void cs_object_died(struct callsign_record *object, uint16_t function, uint64_t site, uint64_t ticks,
                    const struct cs_last_call *last)
{
    if (last)
        cs_module_see(last->site);
    pthread_mutex_lock(&lock);
    bury(object, function, site, ticks, last);
    pthread_mutex_unlock(&lock);
}

static int by_id(const void *a, const void *b)
{
    return cs_compare(*(const uint32_t *)a, *(const uint32_t *)b);
}

uint32_t *cs_object_living(uint32_t kinds, size_t *count, uint32_t *born)
{
    size_t room = 0;
    uint32_t *ids = NULL;
    bool good = cs_array_grow(&ids, 0, &room, sizeof *ids);
    *count = 0;
    pthread_mutex_lock(&lock);
    *born = births;
    for (uint32_t number = 0; good && number < callsign_debug.records; number++) {
        const struct callsign_record *record = cs_table_record(number);
        if (record->state != CALLSIGN_LIVE || !(kinds >> record->kind & 1))
            continue;
        good = cs_array_grow(&ids, *count, &room, sizeof *ids);
        if (good)
            ids[(*count)++] = record->id;
    }
    pthread_mutex_unlock(&lock);
    if (good) {
        qsort(ids, *count, sizeof *ids, by_id);
        return ids;
    }
    free(ids);
    return NULL;
}

void cs_object_forget(void)
{
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
