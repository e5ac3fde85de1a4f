#include "record/object/object_table.h"

#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "base/keep_errno.h"
#include "callsign/debug.h"

/* ---- strings ---- */

enum { FIRST_LOG2 = 16, SMALLEST_LOG2 = 4, CLASSES = 24 };

/* Freed strings by size class; the first 8 bytes of a free one are the link. */
static uint64_t free_list[CLASSES];
static unsigned filled_segment;

static unsigned class_of(size_t bytes)
{
    return bytes > (size_t)1 << SMALLEST_LOG2 ? 64u - (unsigned)__builtin_clzll(bytes - 1) - SMALLEST_LOG2 : 0;
}

static __attribute__((noinline)) uint64_t carve_string(size_t bytes)
{
    while (filled_segment < CALLSIGN_DEBUG_SEGMENTS) {
        size_t size = (size_t)1 << (FIRST_LOG2 + filled_segment);
        uint64_t base = callsign_debug.string_segment[filled_segment];
        if (!base) {
            void *fresh = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (fresh == MAP_FAILED)
                return 0;
            base = callsign_debug.string_segment[filled_segment] = (uint64_t)(uintptr_t)fresh;
        }
        uint64_t used = callsign_debug.string_bytes_used[filled_segment];
        if (used + bytes <= size) {
            callsign_debug.string_bytes_used[filled_segment] = used + bytes;
            return base + used;
        }
        filled_segment++;
    }
    return 0;
}

static uint64_t take_string(size_t bytes)
{
    unsigned class = class_of(bytes);
    if (class >= CLASSES)
        return 0;
    uint64_t address = free_list[class];
    if (!address)
        return carve_string((size_t)1 << (class + SMALLEST_LOG2));
    memcpy(&free_list[class], (void *)(uintptr_t)address, sizeof free_list[class]);
    return address;
}

static void give_back(uint64_t address, size_t bytes)
{
    unsigned class = class_of(bytes);
    memcpy((void *)(uintptr_t)address, &free_list[class], sizeof free_list[class]);
    free_list[class] = address;
}

uint64_t cs_string_keep(const char *text, size_t length)
{
    uint64_t address = length ? take_string(length + 1) : 0;
    if (address)
        memcpy((void *)(uintptr_t)address, text, length + 1);
    return address;
}

void cs_string_drop(uint64_t address)
{
    if (address)
        give_back(address, strlen((const char *)(uintptr_t)address) + 1);
}

/* ---- details ---- */

enum { UNIT_LOG2 = SMALLEST_LOG2, FIRST_UNITS_LOG2 = FIRST_LOG2 - UNIT_LOG2 };

static uint64_t first_unit_of(unsigned k)
{
    return (((uint64_t)1 << k) - 1) << FIRST_UNITS_LOG2;
}

/* Most strings are in the last segment, which is as large as all others. */
static uint32_t unit_at(uint64_t address)
{
    for (unsigned k = filled_segment < CALLSIGN_DEBUG_SEGMENTS ? filled_segment + 1 : CALLSIGN_DEBUG_SEGMENTS;
         k-- > 0;) {
        uint64_t from = address - callsign_debug.string_segment[k];
        uint64_t unit = first_unit_of(k) + (from >> UNIT_LOG2) + 1;
        if (from < (uint64_t)1 << (FIRST_LOG2 + k))
            return unit <= UINT32_MAX ? (uint32_t)unit : 0;
    }
    return 0;
}

static uint64_t address_of(uint32_t detail)
{
    uint64_t unit = detail - 1u;
    unsigned k = 63u - (unsigned)__builtin_clzll((unit >> FIRST_UNITS_LOG2) + 1);
    return callsign_debug.string_segment[k] + ((unit - first_unit_of(k)) << UNIT_LOG2);
}

uint32_t cs_string_keep_detail(const void *items, size_t bytes)
{
    uint64_t address = take_string(sizeof(struct callsign_detail) + bytes);
    if (!address)
        return 0;
    struct callsign_detail *detail = (struct callsign_detail *)(uintptr_t)address;
    detail->bytes = bytes;
    memcpy(detail->items, items, bytes);
    return unit_at(address);
}

static void drop_detail(uint32_t detail)
{
    if (!detail)
        return;
    uint64_t address = address_of(detail);
    give_back(address, sizeof(struct callsign_detail) + ((struct callsign_detail *)(uintptr_t)address)->bytes);
}

/* ---- object table ---- */

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
    .first_string_log2 = FIRST_LOG2,
    .world_rank = -1,
    .world_size = -1,
};

/* Large parts use huge pages if the system has them. Otherwise a look-up among a million objects would miss the TLB
   twice, and make the MPI miss it too. */
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

/* Most records are in the last segment, which is as large as all others. */
uint32_t cs_table_number(const struct callsign_record *record)
{
    const uint32_t records = (uint32_t)callsign_debug.records;
    for (unsigned segment = records ? cs_table_segment(records - 1) + 1 : 0; segment-- > 0;) {
        uint64_t from = (uint64_t)(uintptr_t)record - callsign_debug.record_segment[segment];
        if (from < (uint64_t)sizeof *record << (CS_TABLE_FIRST_LOG2 + segment))
            return cs_table_first(segment) + (uint32_t)(from / sizeof *record);
    }
    return CS_TABLE_NONE;
}

/* The number of an unused record; CS_TABLE_NONE without memory. */
static __attribute__((noinline)) uint32_t new_record(void)
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

/* The number, and the other half of the hash, so that a look-up touches only the right record. */
static uint64_t entry_of(uint64_t hash, uint32_t number)
{
    return (hash & ~(uint64_t)UINT32_MAX) | (number + 1u);
}

static bool is_entry(uint64_t entry)
{
    return entry != EMPTY_SLOT && entry != REMOVED_SLOT;
}

static void index_put(struct callsign_index *table, const struct callsign_record *record, uint32_t number)
{
    uint64_t hash = callsign_hash(record->kind, record->handle);
    uint64_t slot = hash & (table->slots - 1);
    while (is_entry(table->entry[slot]))
        slot = (slot + 1) & (table->slots - 1);
    if (table->entry[slot] == EMPTY_SLOT)
        table->filled++;
    __atomic_store_n(&table->entry[slot], entry_of(hash, number), __ATOMIC_RELEASE);
}

_Atomic uint64_t cs_table_changes;

/* Changes are made with the lock of the table. */
static void count_change(void)
{
    uint64_t changes = atomic_load_explicit(&cs_table_changes, memory_order_relaxed);
    atomic_store_explicit(&cs_table_changes, changes + 1, memory_order_release);
}

void cs_table_put(const struct callsign_record *record, uint32_t number)
{
    index_put(index_now(), record, number);
    count_change();
}

/* The old index is never unmapped: a reader may use it. */
static __attribute__((noinline)) bool index_resize(const struct callsign_index *old)
{
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
            index_put(made, cs_table_record(number), number);
    }
    __atomic_store_n(&callsign_debug.index, (uint64_t)(uintptr_t)made, __ATOMIC_RELEASE);
    return true;
}

/* Keeps the index at most half full, removed slots included. */
bool cs_table_make_room(void)
{
    const struct callsign_index *index = index_now();
    return (index && index->filled * 2 < index->slots) || index_resize(index);
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

/* Every call of the program looks something up, so this does not call cs_table_find. */
const struct callsign_record *cs_object_find(uint32_t kind, uint64_t handle)
{
    uint64_t slot;
    return find(kind, handle, &slot);
}

/* A slot before an empty one needs no mark. So marks do not accumulate when handles are made and freed for ever. */
void cs_table_remove(uint64_t slot)
{
    struct callsign_index *table = index_now();
    uint64_t mask = table->slots - 1;
    count_change();
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

/* ---- object dead ---- */

enum { DEAD_KEPT = 4096 };

/* From oldest_dead on, linked by made_on. */
static struct callsign_record *oldest_dead, *newest_dead;
static uint32_t dead, oldest_number;

void cs_dead_add(struct callsign_record *record)
{
    uint32_t number = cs_table_number(record);
    record->made_on = 0;
    if (dead++) {
        newest_dead->made_on = number + 1;
    } else {
        oldest_dead = record;
        oldest_number = number;
    }
    newest_dead = record;
    __builtin_prefetch((const void *)(uintptr_t)oldest_dead->name, 1);
}

struct callsign_record *cs_dead_take(uint32_t *number)
{
    if (dead <= DEAD_KEPT) {
        *number = new_record();
        return *number == CS_TABLE_NONE ? NULL : cs_table_record(*number);
    }
    struct callsign_record *record = oldest_dead;
    *number = oldest_number;
    oldest_number = record->made_on - 1;
    oldest_dead = cs_table_record(oldest_number);
    dead--;
    /* Last used thousands of births ago; needed for the next one. */
    __builtin_prefetch(oldest_dead, 1);
    __builtin_prefetch((const char *)oldest_dead + 64, 1);
    __atomic_store_n(&record->state, CALLSIGN_EMPTY, __ATOMIC_RELEASE);
    cs_string_drop(record->name);
    drop_detail(record->detail);
    return record;
}

const struct callsign_record *cs_dead_find(uint32_t kind, uint64_t handle)
{
    const struct callsign_record *found = NULL;
    struct callsign_record *record = oldest_dead;
    for (uint32_t i = 0; i < dead; i++) {
        if (record->kind == kind && record->handle == handle)
            found = record;
        if (record->made_on)
            record = cs_table_record(record->made_on - 1);
    }
    return found;
}
