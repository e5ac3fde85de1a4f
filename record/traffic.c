#include "record/traffic.h"

#include <stddef.h>
#include <string.h>

#include "record/module.h"
#include "record/profile.h"

/* ---- traffic ---- */

/* Direction and world are the word after the peer. */
enum { WITH_DIRECTION = offsetof(struct cs_traffic_cell, peer) + sizeof(int32_t) };
static_assert(WITH_DIRECTION + sizeof(uint32_t) == offsetof(struct cs_traffic_cell, messages), "they share a word");

static uint64_t hash_cell(const void *visited)
{
    const struct cs_traffic_cell *cell = visited;
    return cs_traffic_hash(cs_traffic_word(cell->object, cell->peer), cell->direction);
}

static uint32_t object_of(const void *cell)
{
    return ((const struct cs_traffic_cell *)cell)->object;
}

/* Never 0, as directions are not. */
static uint64_t kept_key(uint32_t object, enum cs_direction direction)
{
    return object | (uint64_t)direction << 32;
}

bool cs_traffic_is_full(const struct cs_thread *thread, uint32_t object, enum cs_direction direction)
{
    return cs_tally_of(&thread->traffic_kept, kept_key(object, direction)) >= CS_PEERS_KEPT;
}

static struct cs_traffic_cell *cell_new(struct cs_thread *thread, uint32_t object, int32_t peer,
                                        enum cs_direction direction, int32_t world)
{
    struct cs_traffic_cell *cell =
        cs_cells_new(&thread->traffic, thread->state->thread, CS_BLOCK_TRAFFIC, sizeof *cell);
    if (!cell)
        return NULL;
    const struct cs_traffic_cell made = {.object = object, .peer = peer, .direction = direction, .world = world};
    uint32_t word;
    memcpy(&word, (const char *)&made + WITH_DIRECTION, sizeof word);
    cell->object = object;
    cell->peer = peer;
    __atomic_store_n((uint32_t *)(void *)((char *)cell + WITH_DIRECTION), word, __ATOMIC_RELEASE);
    return cell;
}

struct cs_traffic_cell *cs_traffic_new(struct cs_thread *thread, uint32_t object, int32_t peer,
                                       enum cs_direction direction, int32_t world)
{
    struct cs_cells *cells = &thread->traffic;
    if (cs_cells_leave_the_dead(cells, object_of))
        cs_tally_clear(&thread->traffic_kept);
    if (!cs_cells_make_room(cells, hash_cell))
        return NULL;
    struct cs_traffic_cell *cell = cell_new(thread, object, peer, direction, world);
    if (!cell)
        return NULL;
    cs_tally_count(&thread->traffic_kept, kept_key(object, direction));
    cs_cells_put(cells, hash_cell(cell));
    return cell;
}

struct cs_traffic_cell *cs_traffic_again(struct cs_thread *thread, const struct cs_traffic_cell *full)
{
    struct cs_cells *cells = &thread->traffic;
    uint64_t slot = hash_cell(full) & cells->mask;
    while (cs_cells_in(cells, slot, sizeof *full) != full)
        slot = (slot + 1) & cells->mask;
    struct cs_traffic_cell *cell =
        cell_new(thread, full->object, full->peer, (enum cs_direction)full->direction, full->world);
    if (cell)
        cells->index[slot] = cells->newest;
    return cell;
}

/* ---- tag ---- */

/* As the cell begins: in words, which is how they are hashed and compared. */
struct key {
    uint64_t site, what; /* what: object, tag */
    uint32_t how;        /* direction, range */
};
static_assert(offsetof(struct cs_tag_cell, largest) == 20 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "a cell begins with its key, the lowest fields of a word first");

static inline struct key key_for(uint64_t site, uint32_t object, enum cs_direction direction, int32_t tag,
                                 uint32_t range)
{
    return (struct key){site, object | (uint64_t)(uint32_t)tag << 32, (uint32_t)direction | range << 16};
}

static inline struct key key_of(const void *cell)
{
    struct key key;
    memcpy(&key, cell, offsetof(struct cs_tag_cell, largest));
    return key;
}

/* Word by word: a copy of the key would have to reach memory before it is compared. */
static inline bool is_of(const struct cs_tag_cell *cell, struct key key)
{
    uint64_t what;
    uint32_t how;
    memcpy(&what, (const char *)cell + offsetof(struct cs_tag_cell, object), sizeof what);
    memcpy(&how, (const char *)cell + offsetof(struct cs_tag_cell, direction), sizeof how);
    return what == key.what && cell->site == key.site && how == key.how;
}

static inline uint64_t hash_key(struct key key)
{
    uint64_t x = (key.site ^ (key.what * 0x9e3779b97f4a7c15u) ^ (uint64_t)key.how << 32) * 0xd6e8feb86659fd93u;
    return x ^ (x >> 32);
}

static uint64_t hash_tag(const void *cell)
{
    return hash_key(key_of(cell));
}

static uint32_t object_of_tag(const void *cell)
{
    return ((const struct cs_tag_cell *)cell)->object;
}

/* NULL: there is none. */
static inline struct cs_tag_cell *find(const struct cs_cells *cells, struct key key)
{
    if (__builtin_expect(!cells->index, 0))
        return NULL;
    for (uint64_t slot = hash_key(key) & cells->mask;; slot = (slot + 1) & cells->mask) {
        struct cs_tag_cell *cell = cs_cells_in(cells, slot, sizeof *cell);
        if (__builtin_expect(!cell, 0))
            return NULL;
        if (is_of(cell, key))
            return cell;
    }
}

static struct cs_tag_cell *tag_new(struct cs_thread *thread, struct key key)
{
    struct cs_cells *cells = &thread->tags;
    if (cs_cells_leave_the_dead(cells, object_of_tag))
        cs_tally_clear(&thread->tags_kept);
    if (!cs_cells_make_room(cells, hash_tag))
        return NULL;
    struct cs_tag_cell *cell = cs_cells_new(cells, thread->state->thread, CS_BLOCK_TAG, sizeof *cell);
    if (!cell)
        return NULL;
    cs_module_see(key.site);
    memcpy(cell, &key, offsetof(struct cs_tag_cell, direction));
    cell->range = (uint16_t)(key.how >> 16);
    __atomic_store_n(&cell->direction, (uint16_t)key.how, __ATOMIC_RELEASE);
    cs_cells_put(cells, hash_key(key));
    return cell;
}

/* Not the first cell of this site for this tag, which may be one of too many. */
static __attribute__((noinline)) struct cs_tag_cell *
cell_missed(struct cs_thread *thread, uint64_t site, uint32_t object, enum cs_direction direction, int32_t tag)
{
    const struct key exact = key_for(site, object, direction, tag, 0);
    struct key all = exact;
    all.what = (uint32_t)exact.what;
    uint64_t kept = hash_key(all) | 1; /* of the site on the object; two that have one number share their limit */
    if (cs_tally_of(&thread->tags_kept, kept) < CS_TAGS_KEPT) {
        cs_tally_count(&thread->tags_kept, kept);
        return tag_new(thread, exact);
    }
    uint8_t class = cs_size_class((uint64_t)tag);
    struct key range = key_for(site, object, direction, (int32_t)cs_size_of_class(class), class + 1u);
    struct cs_tag_cell *cell = find(&thread->tags, range);
    if (!cell)
        cell = tag_new(thread, range);
    if (cell && tag > cell->largest)
        cell->largest = tag;
    return cell;
}

void cs_tag_count(struct cs_thread *thread, uint64_t site, uint32_t object, enum cs_direction direction, int32_t tag,
                  uint64_t messages)
{
    struct cs_tag_cell *cell = find(&thread->tags, key_for(site, object, direction, tag, 0));
    if (__builtin_expect(!cell, 0) && !(cell = cell_missed(thread, site, object, direction, tag)))
        return;
    cell->messages += messages;
}
