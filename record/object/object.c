#include "record/object/object.h"
#include "record/object/epoch.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/guard.h"
#include "journal/detail.h"
#include "journal/format.h"
#include "journal_writers.h"
#include "record/object/identity.h"
#include "record/object/leak_warning.h"
#include "record/object/object_table.h"
#include "record/object/progress.h"
#include "record/process/recorder.h"
#include "record/site/module.h"
#include "record/site/stack.h"

/* ---- object facts ---- */

/* Copies whole words: a call of the C library would take longer. */
static void *put_words(void *at, const uint64_t *words, size_t bytes)
{
    uint64_t *to = at;
    for (size_t i = 0; i < bytes / sizeof *words; i++)
        *to++ = words[i];
    return to;
}

/* text NULL: "". */
static void put_text(void *at, const char *text, size_t length)
{
    if (length)
        memcpy(at, text, length);
    ((char *)at)[length] = '\0';
}

static size_t length_of(const char *text)
{
    return text ? strlen(text) : 0;
}

/* The fact of its kind, `bytes` long with its texts. */
static void put_kind(struct cs_fact *at, const struct callsign_record *record, const struct cs_birth *birth,
                     size_t bytes, size_t members, uint64_t ticks)
{
    if (birth->facts == CS_FACT_COMMUNICATOR) {
        struct cs_fact_communicator *fact = (void *)at;
        *fact = birth->communicator;
        fact->object = record->id;
        put_text(fact + 1, birth->members, members);
    } else if (birth->facts == CS_FACT_DATATYPE) {
        struct cs_fact_datatype *fact = (void *)at;
        *fact = birth->datatype;
        fact->object = record->id;
    } else {
        struct cs_fact_window *fact = (void *)at;
        *fact = birth->window;
        fact->object = record->id;
    }
    cs_fact_begin(at, birth->facts, bytes, ticks);
}

static size_t kind_bytes(const struct cs_birth *birth, size_t members)
{
    return birth->facts == CS_FACT_COMMUNICATOR ? cs_fact_room(sizeof birth->communicator + members + 1)
           : birth->facts == CS_FACT_DATATYPE   ? sizeof birth->datatype
           : birth->facts == CS_FACT_WINDOW     ? sizeof birth->window
                                                : 0;
}

enum { BIRTH_BYTES = offsetof(struct cs_birth, detail_bytes) + sizeof(uint16_t) };
static_assert(offsetof(struct cs_fact_object, object) == sizeof(struct cs_fact) &&
                  sizeof(struct cs_fact_object) == sizeof(struct cs_fact) + BIRTH_BYTES &&
                  offsetof(struct cs_fact_object, kind) - sizeof(struct cs_fact) == offsetof(struct cs_birth, kind) &&
                  offsetof(struct cs_fact_object, handle) - sizeof(struct cs_fact) ==
                      offsetof(struct cs_birth, handle) &&
                  offsetof(struct cs_fact_object, family) - sizeof(struct cs_fact) ==
                      offsetof(struct cs_birth, family) &&
                  offsetof(struct cs_fact_object, rule) - sizeof(struct cs_fact) == offsetof(struct cs_birth, rule),
              "a birth begins with the fields of its fact");

/* Both facts of a birth are written in place, as one piece. name: its length. */
static void note_birth(const struct callsign_record *record, const struct cs_birth *birth, size_t name)
{
    const size_t members = length_of(birth->members);
    const size_t bytes = cs_fact_room(sizeof(struct cs_fact_object) + birth->detail_bytes + name + 1);
    const size_t more = kind_bytes(birth, members);
    const uint64_t ticks = birth->ticks ? birth->ticks : cs_clock_ticks();
    struct cs_fact *at = cs_journal_reserve(cs_recorder.journal, bytes + more);
    if (!at) {
        cs_journal_count_loss(cs_recorder.journal);
        if (more)
            cs_journal_count_loss(cs_recorder.journal);
        return;
    }
    struct cs_fact_object *fact = (void *)at;
    cs_fact_begin(at, CS_FACT_OBJECT, bytes, ticks);
    memcpy(&fact->object, &birth->object, BIRTH_BYTES);
    put_text(put_words(fact + 1, birth->detail, birth->detail_bytes), birth->name, name);
    if (more)
        put_kind((void *)((char *)at + bytes), record, birth, more, members, ticks);
    cs_journal_commit(cs_recorder.journal, bytes + more, more ? 2 : 1);
}

static void note_end(const struct callsign_record *record, uint16_t function, uint64_t site, uint64_t ticks,
                     const struct cs_last_call *last)
{
    struct cs_fact_freed *fact = (void *)cs_journal_reserve(cs_recorder.journal, sizeof *fact);
    if (!fact) {
        cs_journal_count_loss(cs_recorder.journal);
        return;
    }
    cs_fact_begin(&fact->fact, CS_FACT_FREED, sizeof *fact, ticks);
    fact->object = record->id;
    fact->function = function;
    fact->calls = last ? 1 : 0;
    fact->site = site;
    fact->call_site = last ? last->site : 0;
    fact->call_ticks = last ? last->ticks : 0;
    cs_journal_commit(cs_recorder.journal, sizeof *fact, 1);
}

void cs_object_note_commit(const struct callsign_record *object, uint64_t ticks)
{
    struct cs_fact_commit *fact = (void *)cs_journal_reserve(cs_recorder.journal, sizeof *fact);
    if (!fact) {
        cs_journal_count_loss(cs_recorder.journal);
        return;
    }
    cs_fact_begin(&fact->fact, CS_FACT_COMMIT, sizeof *fact, ticks);
    fact->object = object->id;
    fact->reserved = 0;
    cs_journal_commit(cs_recorder.journal, sizeof *fact, 1);
}

void cs_object_note_ready(uint32_t id, uint64_t ticks)
{
    cs_write_ready(cs_recorder.journal, (struct cs_fact_ready){.fact.ticks = ticks, .object = id});
}

void cs_object_note_refused_name(enum callsign_kind kind, const struct callsign_record *object, const char *why,
                                 uint64_t ticks, uint64_t site)
{
    const struct cs_fact_refused_name fact = {
        .fact.ticks = ticks, .object = object ? object->id : 0, .kind = (uint32_t)kind, .site = site};
    cs_module_record(site);
    cs_write_refused_name(cs_recorder.journal, fact, why);
}

void cs_object_note_exclusion(const struct cs_exclusion *exclusion)
{
    const struct cs_fact_excluded fact = {.fact.ticks = exclusion->ticks,
                                          .parent = exclusion->parent,
                                          .number = exclusion->number,
                                          .site = exclusion->site,
                                          .family = exclusion->family,
                                          .function = exclusion->function};
    cs_module_record(exclusion->site);
    cs_write_excluded(cs_recorder.journal, fact);
}

/* ---- object ---- */

static struct cs_lock lock;
static uint32_t births;        /* ids handed out */
static uint32_t communicators; /* live communicators that count for cs_leak_warning */

/* Call it with the lock held: only one thread changes the number, so no locked instruction is needed. */
static void epoch(void)
{
    uint64_t now = __atomic_load_n(&callsign_debug.epoch, __ATOMIC_RELAXED);
    __atomic_store_n(&callsign_debug.epoch, now + 1, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* True for objects whose name is not composed here: debuggers do that when they show it. */
static bool has_detail(const struct cs_birth *birth)
{
    return birth->detail_bytes && (birth->kind == CALLSIGN_DATATYPE || birth->kind == CALLSIGN_FILE);
}

/* Field by field: a structure that is assigned as a whole is first made on the stack. */
static void record_fill(struct callsign_record *record, const struct cs_birth *birth, size_t name, uint32_t previous)
{
    record->handle = birth->handle;
    record->bytes = birth->bytes;
    record->name = cs_string_keep(birth->name, name);
    record->id = birth->object;
    record->parent = birth->parent;
    record->size = birth->size;
    record->rank = birth->rank;
    record->remote_size = birth->remote_size;
    record->in_degree = birth->in_degree;
    record->out_degree = birth->out_degree;
    record->flags = birth->flags;
    record->kind = (uint8_t)birth->kind;
    record->origin = (uint8_t)birth->origin;
    record->function = birth->function;
    record->uid = birth->kind == CALLSIGN_DATATYPE ? birth->signature : birth->uid;
    record->created_pc = cs_stack_line(birth->site);
    record->named_pc = record->freed_pc = 0;
    record->created_ticks = birth->ticks;
    record->fortran_handle = birth->fortran_handle == INT64_MIN ? INT32_MIN : (int32_t)birth->fortran_handle;
    record->detail = has_detail(birth) ? cs_string_keep_detail(birth->detail, birth->detail_bytes) : 0;
    record->previous = previous;
    record->named = 0;
    record->references = 1;
    record->made_on = 0;
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

void cs_object_set_world(int rank, int size, const char *mpi)
{
    callsign_debug.world_rank = rank;
    callsign_debug.world_size = size;
    size_t length = strcspn(mpi, "\r\n");
    if (length > sizeof callsign_debug.mpi - 1)
        length = sizeof callsign_debug.mpi - 1;
    memcpy(callsign_debug.mpi, mpi, length);
}

const struct callsign_record *cs_object_find_id(uint32_t id)
{
    uint64_t records = __atomic_load_n(&callsign_debug.records, __ATOMIC_ACQUIRE);
    if (id && id <= records && cs_table_record(id - 1)->id == id)
        return cs_table_record(id - 1);
    for (uint32_t number = 0; id && number < records; number++)
        if (cs_table_record(number)->id == id)
            return cs_table_record(number);
    return NULL;
}

static void bury(struct callsign_record *record, uint16_t function, uint64_t site, uint64_t ticks,
                 const struct cs_last_call *last)
{
    if (cs_object_flags(record) & CS_OBJECT_COUNTS)
        cs_identity_drop(record->id);
    if (record->kind == CALLSIGN_COMMUNICATOR || record->kind == CALLSIGN_WINDOW || record->kind == CALLSIGN_FILE)
        cs_progress_drop(record->id, true);
    if (record->kind == CALLSIGN_WINDOW)
        cs_epoch_drop(record->id);
    cs_module_record(site);
    record->freed_pc = cs_stack_line(site);
    cs_dead_add(record);
    note_end(record, function, site, ticks ? ticks : cs_clock_ticks(), last);
}

/* The id of a former object whose end was not seen (freed in a way that callsign does not track). The handle's new
   owner proves that it is gone. 0: none (former NULL). */
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

static struct callsign_record *born_locked(struct cs_birth *birth, struct callsign_record *former, uint64_t slot)
{
    epoch();
    struct callsign_record *record = NULL;
    uint32_t previous = end_former(birth, former, slot);
    uint32_t number = CS_TABLE_NONE;
    if (cs_table_make_room())
        record = cs_dead_take(&number);
    if (record) {
        const size_t name = length_of(birth->name);
        birth->object = ++births;
        if (!birth->name)
            birth->origin = CALLSIGN_UNNAMED;
        record_fill(record, birth, name, previous);
        cs_table_put(record, number);
        communicators += cs_leak_warning_counts(record);
        note_birth(record, birth, name);
    }
    epoch();
    return record;
}

const struct callsign_record *cs_object_add(struct cs_birth *birth)
{
    uint64_t slot = 0;
    cs_module_record(birth->site);
    const bool locked = cs_guard_enter(&lock);
    struct callsign_record *record = cs_table_find(birth->kind, birth->handle, &slot);
    bool known = record && (birth->shared || !birth->function);
    if (known && birth->function)
        record->references++;
    else
        record = known ? NULL : born_locked(birth, record, slot);
    struct cs_leak_warning warning = {0};
    if (record && !known && cs_leak_warning_is_due(communicators, record))
        warning = cs_leak_warning_find(communicators);
    cs_guard_leave(&lock, locked);
    if (__builtin_expect(warning.alive != 0, 0))
        cs_leak_warning_print(&warning);
    if (!record && !known)
        cs_journal_count_loss(cs_recorder.journal);
    return record;
}

void cs_object_mark(const struct callsign_record *object, uint32_t flags, bool set)
{
    struct callsign_record *record = cs_table_open(object);
    if (set)
        __atomic_fetch_or(&record->flags, flags, __ATOMIC_RELEASE);
    else
        __atomic_fetch_and(&record->flags, ~flags, __ATOMIC_RELEASE);
}

uint32_t cs_object_count_creation(const struct callsign_record *object)
{
    struct callsign_record *record = cs_table_open(object);
    return __atomic_fetch_add(&record->made_on, 1, __ATOMIC_RELAXED);
}

uint32_t cs_object_count_key(const struct callsign_record *owner, uint64_t key)
{
    if (owner && !(cs_object_flags(owner) & CS_OBJECT_COUNTS))
        cs_object_mark(owner, CS_OBJECT_COUNTS, true);
    return cs_identity_count(owner ? owner->id : 0, key);
}

void cs_object_refer(uint32_t kind, uint64_t handle)
{
    uint64_t slot;
    const bool locked = cs_guard_enter(&lock);
    struct callsign_record *record = cs_table_find(kind, handle, &slot);
    if (record)
        record->references++;
    cs_guard_leave(&lock, locked);
}

/* Call it with the lock held. */
static void give_name(struct callsign_record *record, const char *name, enum callsign_origin origin, uint64_t site)
{
    epoch();
    uint64_t former = record->name;
    __atomic_store_n(&record->name, cs_string_keep(name, strlen(name)), __ATOMIC_RELEASE);
    cs_string_drop(former);
    __atomic_store_n(&record->origin, (uint8_t)origin, __ATOMIC_RELEASE);
    record->named_pc = cs_stack_line(site);
    __atomic_store_n(&record->named, record->named + 1, __ATOMIC_RELEASE);
    cs_object_mark(record, CS_OBJECT_APPLIED | CS_OBJECT_FILLS, false);
    epoch();
    struct cs_fact_name fact = {.fact.ticks = 0, .object = record->id, .origin = origin, .site = site};
    cs_journal_append_texts(cs_recorder.journal, CS_FACT_NAME, &fact.fact, sizeof fact, (const char *const[]){name}, 1);
}

bool cs_object_name(const struct callsign_record *object, const char *name, enum callsign_origin origin, uint64_t site)
{
    cs_module_record(site);
    const bool locked = cs_guard_enter(&lock);
    bool was_applied = cs_object_flags(object) & CS_OBJECT_APPLIED;
    give_name(cs_table_open(object), name, origin, site);
    cs_guard_leave(&lock, locked);
    return was_applied;
}

void cs_object_name_by_mpi(const struct callsign_record *object, const char *name)
{
    const bool locked = cs_guard_enter(&lock);
    if (!object->named && !object->name)
        give_name(cs_table_open(object), name, CALLSIGN_MPI, 0);
    cs_guard_leave(&lock, locked);
}

/* Call it with the lock held: the memory of a replaced name is reused at once. */
static size_t copy_name(const struct callsign_record *object, char *name, size_t bytes)
{
    const char *whole = object->name ? (const char *)(uintptr_t)object->name : "";
    size_t length = strnlen(whole, bytes - 1);
    memcpy(name, whole, length);
    name[length] = '\0';
    return length;
}

size_t cs_object_copy_name(const struct callsign_record *object, char *name, size_t bytes)
{
    const bool locked = cs_guard_enter(&lock);
    size_t length = copy_name(object, name, bytes);
    cs_guard_leave(&lock, locked);
    return length;
}

bool cs_object_copy_applied_name(const struct callsign_record *object, char *name, size_t bytes)
{
    const bool locked = cs_guard_enter(&lock);
    copy_name(object, name, bytes);
    uint32_t flags = cs_object_flags(object);
    cs_guard_leave(&lock, locked);
    return flags & CS_OBJECT_APPLIED;
}

bool cs_object_is_named_by_callsign(const struct callsign_record *object)
{
    uint8_t origin = __atomic_load_n(&object->origin, __ATOMIC_ACQUIRE);
    return cs_object_name_address(object) && (origin == CALLSIGN_DERIVED || origin == CALLSIGN_RULE);
}

size_t cs_object_mark_applied(const struct callsign_record *object, uint32_t flags, char *name, size_t bytes)
{
    size_t length = 0;
    const bool locked = cs_guard_enter(&lock);
    if (cs_object_is_named_by_callsign(object)) {
        length = copy_name(object, name, bytes);
        cs_object_mark(object, CS_OBJECT_APPLIED | flags, true);
    }
    cs_guard_leave(&lock, locked);
    return length;
}

struct callsign_record *cs_object_unlink(uint32_t kind, uint64_t handle, bool *referred)
{
    const bool locked = cs_guard_enter(&lock);
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
    cs_guard_leave(&lock, locked);
    return record;
}

void cs_object_relink(struct callsign_record *object)
{
    const bool locked = cs_guard_enter(&lock);
    epoch();
    communicators += cs_leak_warning_counts(object);
    __atomic_store_n(&object->state, CALLSIGN_LIVE, __ATOMIC_RELEASE);
    if (cs_table_make_room())
        cs_table_put(object, cs_table_number(object));
    epoch();
    cs_guard_leave(&lock, locked);
}

/* flatten: as cs_birth_register, in wrappers/object/birth.c */
__attribute__((flatten)) void cs_object_record_death(struct callsign_record *object, uint16_t function, uint64_t site,
                                                     uint64_t ticks, const struct cs_last_call *last)
{
    if (last)
        cs_module_record(last->site);
    const bool locked = cs_guard_enter(&lock);
    bury(object, function, site, ticks, last);
    cs_guard_leave(&lock, locked);
}

static int by_id(const void *a, const void *b)
{
    return cs_compare(*(const uint32_t *)a, *(const uint32_t *)b);
}

uint32_t *cs_object_list_living(uint32_t kinds, size_t *count, uint32_t *born)
{
    size_t room = 0;
    uint32_t *ids = NULL;
    bool good = cs_array_grow(&ids, 0, &room, sizeof *ids);
    *count = 0;
    const bool locked = cs_guard_enter(&lock);
    *born = births;
    for (uint32_t number = 0; good && number < callsign_debug.records; number++) {
        const struct callsign_record *record = cs_table_record(number);
        if (record->state != CALLSIGN_LIVE || !(kinds >> record->kind & 1))
            continue;
        good = cs_array_grow(&ids, *count, &room, sizeof *ids);
        if (good)
            ids[(*count)++] = record->id;
    }
    cs_guard_leave(&lock, locked);
    if (good) {
        qsort(ids, *count, sizeof *ids, by_id);
        return ids;
    }
    free(ids);
    return NULL;
}

void cs_object_forget(void)
{
    lock = (struct cs_lock){CS_LOCK_FREE};
}

/* ---- object tree ---- */

/* A set of ids, as bits. */
struct ids {
    uint8_t *bits;
    uint32_t last; /* highest id that fits */
    bool grew;
};

static bool has_id(const struct ids *ids, uint32_t id)
{
    return id && id <= ids->last && (ids->bits[id / 8] & 1 << id % 8);
}

static void see_last(const struct callsign_record *object, void *context)
{
    struct ids *ids = context;
    if (object->id > ids->last)
        ids->last = object->id;
}

/* The MPI no longer has this object, however many references there were. */
static void end_object(const struct callsign_record *object)
{
    bool referred = true;
    cs_identity_drop(object->id);
    cs_progress_drop(object->id, false);
    while (referred)
        cs_object_unlink(object->kind, object->handle, &referred);
}

static void end_if_descendant(const struct callsign_record *object, void *context)
{
    struct ids *ids = context;
    if (!has_id(ids, object->parent) || has_id(ids, object->id) || object->id > ids->last)
        return;
    ids->bits[object->id / 8] |= (uint8_t)(1 << object->id % 8);
    ids->grew = true;
    if (cs_object_is(object, object->kind, object->handle))
        end_object(object);
}

/* Records are reused, so a child may come before its parent: repeat until nothing is found. */
void cs_object_end_descendants(uint32_t id)
{
    struct ids ids = {.last = id};
    cs_object_each(see_last, &ids);
    ids.bits = calloc(ids.last / 8 + 1, 1);
    if (!ids.bits)
        return;
    ids.bits[id / 8] |= (uint8_t)(1 << id % 8);
    do {
        ids.grew = false;
        cs_object_each(end_if_descendant, &ids);
    } while (ids.grew);
    free(ids.bits);
}

/* ---- comparisons ---- */

static const struct cs_cell_type comparison_cells = {
    .block = CS_BLOCK_COMPARISON,
    .bytes = sizeof(struct cs_comparison_cell),
    .key_bytes = offsetof(struct cs_comparison_cell, calls),
    .valid = offsetof(struct cs_comparison_cell, answer), /* the word that begins with it */
    .valid_bytes = sizeof(uint64_t),
};
static_assert(offsetof(struct cs_comparison_cell, answer) + sizeof(uint64_t) ==
                  offsetof(struct cs_comparison_cell, calls),
              "a cell begins with its key");

static struct cs_comparison_cell *find_or_add(struct cs_thread *thread, struct cs_comparison_cell *wanted)
{
    /* A program may compare a new object each time. Beyond this many cells per thread, objects are no longer
     * distinguished. */
    enum { CELLS_MAX = 4096 };
    struct cs_comparison_cell *found = cs_cells_find(&thread->comparisons, wanted, &comparison_cells);
    if (!found && thread->comparisons.count >= CELLS_MAX) {
        wanted->first = wanted->second = 0;
        found = cs_cells_find(&thread->comparisons, wanted, &comparison_cells);
    }
    if (found)
        return found;
    cs_module_record(wanted->site);
    return cs_cells_add(&thread->comparisons, thread->state->thread, wanted, &comparison_cells);
}

void cs_comparison_count(struct cs_thread *thread, const struct cs_comparison *comparison)
{
    struct cs_comparison_cell wanted = {
        .site = comparison->site,
        .first = comparison->first,
        .second = comparison->second,
        .answer = (uint16_t)comparison->answer,
        .kind = (uint16_t)comparison->kind,
        .first_ticks = comparison->ticks,
    };
    struct cs_comparison_cell *cell = find_or_add(thread, &wanted);
    if (!cell)
        return;
    cell->calls++;
    cell->last_ticks = comparison->ticks;
}

/* ---- being freed ---- */

const struct callsign_record *cs_object_find_dead(uint32_t kind, uint64_t handle)
{
    const bool locked = cs_guard_enter(&lock);
    const struct callsign_record *found = cs_dead_find(kind, handle);
    cs_guard_leave(&lock, locked);
    return found;
}

const struct callsign_record *cs_object_find_in_callback(enum callsign_kind kind, uint64_t handle)
{
    const struct cs_thread *thread = cs_thread_self;
    if (!thread || thread->depth < 2)
        return NULL;
    for (unsigned i = 0; i < thread->depth && i < CS_DEPTH_MAX; i++) {
        const struct callsign_record *object = thread->freeing[i];
        if (object && object->kind == kind && object->handle == handle)
            return object;
    }
    return kind == CALLSIGN_COMMUNICATOR || kind == CALLSIGN_DATATYPE ? cs_object_find_dead(kind, handle) : NULL;
}

/* For look-ups by calls inside this one. Frames of calls cannot be used: one that was left by longjmp no longer
 * exists. */
static void show_freeing(struct cs_thread *thread, struct callsign_record *object)
{
    unsigned level = thread->depth - 1; /* beyond all levels if a callback jumped out of this call */
    if (level < CS_DEPTH_MAX)
        thread->freeing[level] = object;
}

struct cs_free cs_free_begin(struct cs_thread *thread, enum callsign_kind kind, uint64_t handle)
{
    struct cs_free freed;
    freed.object = cs_object_unlink(kind, handle, &freed.referred);
    if (freed.object && !freed.referred)
        show_freeing(thread, freed.object);
    return freed;
}

void cs_free_cancel(struct cs_thread *thread, const struct cs_free *freed)
{
    show_freeing(thread, NULL);
    if (freed->referred)
        cs_object_refer(freed->object->kind, freed->object->handle);
    else
        cs_object_relink(freed->object);
}

void cs_free_complete(struct cs_thread *thread, struct callsign_record *object, uint16_t function, uint64_t site,
                      uint64_t ticks, const struct cs_last_call *last)
{
    show_freeing(thread, NULL);
    cs_object_record_death(object, function, site, ticks, last);
}
