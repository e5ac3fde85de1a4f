#include "record/object_table.h"

#include <assert.h>
#include <stddef.h>
#include <sys/mman.h>

#include "base/keep_errno.h"

enum { FIRST_SLOTS = 256 };

#define EMPTY_SLOT   0u
#define REMOVED_SLOT UINT64_MAX

static_assert(sizeof(struct callsign_record) == 128, "two cache lines; debuggers compute addresses with it");
static_assert(offsetof(struct callsign_record, uid) == 64, "what calls look at lies in one cache line");

__attribute__((visibility("default"))) struct callsign_debug callsign_debug = {
    .byte_order = CALLSIGN_DEBUG_BYTE_ORDER,
    .major = CALLSIGN_DEBUG_MAJOR,
    .minor = CALLSIGN_DEBUG_MINOR,
    .header_bytes = sizeof(struct callsign_debug),
    .record_bytes = sizeof(struct callsign_record),
    .first_record_log2 = CS_TABLE_FIRST_LOG2,
    .world_rank = -1,
    .world_size = -1,
};

/* Large parts lie in huge pages, where the system has them: a look-up among a million objects would miss the
   processor's table of pages twice, and make the MPI miss it too. */
static void *map(size_t bytes)
{
    enum { PAGE = 64 << 10, HUGE_PAGE = 2 << 20 };
    CS_KEEP_ERRNO;
    bytes = (bytes + PAGE - 1) / PAGE * PAGE;
    size_t spare = bytes >= HUGE_PAGE ? HUGE_PAGE : 0;
    char *fresh = mmap(NULL, bytes + spare, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fresh == MAP_FAILED)
        return NULL;
    if (!spare)
        return fresh;
    size_t before = -(uintptr_t)fresh % HUGE_PAGE;
    if (before)
        munmap(fresh, before);
    if (spare - before)
        munmap(fresh + before + bytes, spare - before);
#ifdef MADV_HUGEPAGE
    madvise(fresh + before, bytes, MADV_HUGEPAGE);
#endif
    return fresh + before;
}

/* ---- records ---- */

uint32_t cs_table_number(const struct callsign_record *record)
{
    for (unsigned segment = 0; segment < CALLSIGN_DEBUG_SEGMENTS; segment++) {
        uint64_t base = callsign_debug.record_segment[segment];
        uint64_t address = (uint64_t)(uintptr_t)record;
        uint64_t bytes = ((uint64_t)sizeof *record) << (CS_TABLE_FIRST_LOG2 + segment);
        if (base && address >= base && address < base + bytes)
            return cs_table_first(segment) + (uint32_t)((address - base) / sizeof *record);
    }
    return CS_TABLE_NONE;
}

uint32_t cs_table_new_record(void)
{
    uint32_t number = (uint32_t)callsign_debug.records;
    unsigned segment = cs_table_segment(number);
    if (segment >= CALLSIGN_DEBUG_SEGMENTS)
        return CS_TABLE_NONE;
    if (!callsign_debug.record_segment[segment])
        callsign_debug.record_segment[segment] =
            (uint64_t)(uintptr_t)map(((size_t)1 << (CS_TABLE_FIRST_LOG2 + segment)) * sizeof(struct callsign_record));
    if (!callsign_debug.record_segment[segment])
        return CS_TABLE_NONE;
    __atomic_store_n(&callsign_debug.records, number + 1u, __ATOMIC_RELEASE);
    return number;
}

void cs_object_each(void (*visit)(const struct callsign_record *object, void *context), void *context)
{
    uint64_t records = __atomic_load_n(&callsign_debug.records, __ATOMIC_ACQUIRE);
    for (uint32_t number = 0; number < records; number++)
        if (__atomic_load_n(&cs_table_record(number)->state, __ATOMIC_ACQUIRE) != CALLSIGN_EMPTY)
            visit(cs_table_record(number), context);
}

/* ---- the index ---- */

static struct callsign_index *index_now(void)
{
    return (struct callsign_index *)(uintptr_t)__atomic_load_n(&callsign_debug.index, __ATOMIC_ACQUIRE);
}

/* The number, and the other half of the hash: a look-up touches no record but the one that it is for. */
static uint64_t entry_of(uint64_t hash, uint32_t number)
{
    return (hash & ~(uint64_t)UINT32_MAX) | (number + 1u);
}

static bool is_entry(uint64_t entry)
{
    return entry != EMPTY_SLOT && entry != REMOVED_SLOT;
}

static void put(struct callsign_index *table, const struct callsign_record *record, uint32_t number)
{
    uint64_t hash = callsign_hash(record->kind, record->handle);
    uint64_t slot = hash & (table->slots - 1);
    while (is_entry(table->entry[slot]))
        slot = (slot + 1) & (table->slots - 1);
    if (table->entry[slot] == EMPTY_SLOT)
        table->filled++;
    __atomic_store_n(&table->entry[slot], entry_of(hash, number), __ATOMIC_RELEASE);
}

void cs_table_put(const struct callsign_record *record, uint32_t number)
{
    put(index_now(), record, number);
}

/* The index at most half full, removed slots included. The old one is never unmapped: a reader may be in it. */
bool cs_table_make_room(void)
{
    struct callsign_index *old = index_now();
    if (old && old->filled * 2 < old->slots)
        return true;
    uint64_t live = 0;
    for (uint64_t i = 0; old && i < old->slots; i++)
        live += is_entry(old->entry[i]);
    uint64_t slots = old ? old->slots : FIRST_SLOTS;
    while (live * 4 >= slots)
        slots *= 2;
    struct callsign_index *made = map(sizeof *made + slots * sizeof made->entry[0]);
    if (!made)
        return false;
    made->slots = slots;
    for (uint64_t i = 0; old && i < old->slots; i++) {
        uint32_t number = (uint32_t)old->entry[i] - 1;
        if (is_entry(old->entry[i]))
            put(made, cs_table_record(number), number);
    }
    __atomic_store_n(&callsign_debug.index, (uint64_t)(uintptr_t)made, __ATOMIC_RELEASE);
    return true;
}

static inline struct callsign_record *find(uint32_t kind, uint64_t handle, uint64_t *found)
{
    const struct callsign_index *table = index_now();
    if (!table)
        return NULL;
    uint64_t mask = table->slots - 1, hash = callsign_hash(kind, handle);
    for (uint64_t slot = hash & mask;; slot = (slot + 1) & mask) {
        uint64_t entry = __atomic_load_n(&table->entry[slot], __ATOMIC_ACQUIRE);
        if (entry == EMPTY_SLOT)
            return NULL;
        if ((entry ^ hash) >> 32 || entry == REMOVED_SLOT)
            continue;
        struct callsign_record *record = cs_table_record((uint32_t)entry - 1);
        if (cs_object_is(record, kind, handle)) {
            *found = slot;
            return record;
        }
    }
}

struct callsign_record *cs_table_find(uint32_t kind, uint64_t handle, uint64_t *found)
{
    return find(kind, handle, found);
}

/* Every call of the program looks something up: no call of cs_table_find. */
const struct callsign_record *cs_object_find(uint32_t kind, uint64_t handle)
{
    uint64_t slot;
    return find(kind, handle, &slot);
}

/* A slot before an empty one needs no mark: this keeps tables that are made and freed for ever from filling with marks.
 */
void cs_table_remove(uint64_t slot)
{
    struct callsign_index *table = index_now();
    uint64_t mask = table->slots - 1;
    if (table->entry[(slot + 1) & mask] != EMPTY_SLOT) {
        __atomic_store_n(&table->entry[slot], REMOVED_SLOT, __ATOMIC_RELEASE);
        return;
    }
    do {
        __atomic_store_n(&table->entry[slot], EMPTY_SLOT, __ATOMIC_RELEASE);
        table->filled--;
        slot = (slot - 1) & mask;
    } while (table->entry[slot] == REMOVED_SLOT);
}
