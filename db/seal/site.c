#include "db/seal/site.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "base/path.h"
#include "db/journal/read.h"

#define MODULES_MAX 8192u      /* looked through one by one */
#define STACKS_MAX  (1u << 20) /* a hostile journal may name any */
#define KNOWN_MAX   65536u /* addresses remembered; no program calls MPI from so many places, a hostile journal may */

struct module {
    uint64_t base, begin, end, ticks;
    char *path, *build_id;
    const char *file; /* last part of path */
};

struct known {
    uint64_t address;
    int64_t frame;
    UT_hash_handle hh;
};

struct cs_places {
    struct cs_rows *rows;
    struct module *module;
    size_t count, room;
    bool overlap; /* some address was in different modules at different times: remember none */
    struct known *known;
    int64_t *stack; /* site of each stack number; 0: not told */
    size_t stacks;
    int64_t *written; /* sites whose rows are: open addressing by the number, which is a hash; 0: free */
    size_t written_count, written_slots;
};

struct cs_places *cs_places_create(struct cs_rows *rows)
{
    struct cs_places *places = calloc(1, sizeof *places);
    if (places)
        places->rows = rows;
    return places;
}

static void forget(struct cs_places *places)
{
    struct known *known = places->known, *next;
    HASH_CLEAR(hh, places->known);
    for (; known; known = next) {
        next = known->hh.next;
        free(known);
    }
}

void cs_places_destroy(struct cs_places *places)
{
    if (!places)
        return;
    forget(places);
    free(places->stack);
    free(places->written);
    for (size_t i = 0; i < places->count; i++) {
        free(places->module[i].path);
        free(places->module[i].build_id);
    }
    free(places->module);
    free(places);
}

static bool make_room(struct cs_places *places)
{
    if (places->count < places->room)
        return true;
    size_t room = places->room ? 2 * places->room : 64;
    struct module *grown = realloc(places->module, room * sizeof *grown);
    if (!grown)
        return false;
    places->module = grown;
    places->room = room;
    return true;
}

/* The newest module that shares an address with this range, or NULL. */
static const struct module *overlapped(const struct cs_places *places, uint64_t begin, uint64_t end)
{
    for (size_t i = places->count; i-- > 0;)
        if (places->module[i].begin < end && begin < places->module[i].end)
            return &places->module[i];
    return NULL;
}

enum cs_status cs_places_add(struct cs_places *places, const struct cs_fact_module *fact)
{
    const char *path = cs_fact_string(&fact->fact, sizeof *fact, 0);
    const char *build_id = cs_fact_string(&fact->fact, sizeof *fact, 1);
    if (!path || !build_id || fact->begin >= fact->end)
        return CS_CORRUPT;
    const struct module *before = overlapped(places, fact->begin, fact->end);
    if (before && before->base == fact->base && before->begin == fact->begin && before->end == fact->end &&
        strcmp(before->path, path) == 0 && strcmp(before->build_id, build_id) == 0)
        return CS_OK; /* told again */
    if (places->count >= MODULES_MAX)
        return CS_OK; /* its sites stay plain addresses */
    if (!make_room(places))
        return CS_NO_MEMORY;
    if (before)
        places->overlap = true;
    struct module module = {fact->base, fact->begin, fact->end, fact->fact.ticks, strdup(path), strdup(build_id), NULL};
    if (!module.path || !module.build_id) {
        free(module.path);
        free(module.build_id);
        return CS_NO_MEMORY;
    }
    module.file = cs_path_name(module.path);
    places->module[places->count++] = module;
    return CS_OK;
}

/* The module that covered the address at that instant: the last one loaded before, or else the first one loaded after
   (threads may tell of a module and of a call from it in either order). */
static const struct module *module_of(const struct cs_places *places, uint64_t address, uint64_t ticks)
{
    const struct module *later = NULL;
    for (size_t i = places->count; i-- > 0;) {
        const struct module *module = &places->module[i];
        if (address < module->begin || address >= module->end)
            continue;
        if (module->ticks <= ticks)
            return module;
        later = module;
    }
    return later;
}

/* FNV-1a over bytes, continued from `hash`. */
static uint64_t hash_bytes(uint64_t hash, const void *data, size_t bytes)
{
    const unsigned char *at = data;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ at[i]) * 0x100000001b3u;
    return hash;
}

/* FNV's high bits are weak and the number must be positive: mix (the finalizer of splitmix64) and cut to 63 bits. */
static int64_t number_of(uint64_t hash)
{
    hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ hash >> 27) * 0x94d049bb133111ebu;
    hash = (hash ^ hash >> 31) >> 1;
    return hash ? (int64_t)hash : 1;
}

/* Byte by byte from the least: the same number on machines of either byte order. */
static uint64_t hash_word(uint64_t hash, uint64_t word)
{
    unsigned char octets[8];
    for (unsigned i = 0; i < 8; i++)
        octets[i] = (unsigned char)(word >> 8 * i);
    return hash_bytes(hash, octets, sizeof octets);
}

static int64_t frame_number(const struct module *module, uint64_t offset)
{
    uint64_t hash = 0xcbf29ce484222325u;
    if (module) {
        hash = hash_bytes(hash, module->file, strlen(module->file) + 1);
        hash = hash_bytes(hash, module->build_id, strlen(module->build_id) + 1);
    }
    return number_of(hash_word(hash, offset));
}

/* caller 0: the path begins here. */
static int64_t site_number(int64_t frame, int64_t caller)
{
    if (!caller)
        return number_of((uint64_t)frame);
    return number_of(hash_word(hash_word(0xcbf29ce484222325u, (uint64_t)frame), (uint64_t)caller));
}

static struct known *known_find(struct cs_places *places, uint64_t address)
{
    struct known *known = NULL;
    if (!places->overlap)
        HASH_FIND(hh, places->known, &address, sizeof address, known);
    return known;
}

/* NULL: without memory it is only slower. */
static struct known *known_new(struct cs_places *places, uint64_t address, int64_t frame)
{
    if (places->overlap)
        return NULL;
    if (HASH_COUNT(places->known) >= KNOWN_MAX)
        forget(places);
    struct known *known = calloc(1, sizeof *known);
    if (!known)
        return NULL;
    known->address = address;
    known->frame = frame;
    HASH_ADD(hh, places->known, address, sizeof known->address, known);
    if (known->hh.tbl)
        return known;
    free(known);
    return NULL;
}

/* The frame of an address, its row written; *known is what is remembered of it, or NULL. */
static enum cs_status find_frame(struct cs_places *places, uint64_t address, uint64_t ticks, int64_t *frame,
                                 struct known **known)
{
    *known = known_find(places, address);
    if (*known) {
        *frame = (*known)->frame;
        return CS_OK;
    }
    const struct module *module = module_of(places, address, ticks);
    uint64_t offset = module ? address - module->base : address;
    *frame = frame_number(module, offset);
    *known = known_new(places, address, *frame);
    return CS_WRITE(places->rows, CS_ROW_FRAME, cs_int(*frame), cs_text(module ? module->path : NULL),
                    cs_text(module ? module->build_id : NULL), cs_int((int64_t)offset));
}

static int64_t *written_slot(int64_t *slots, size_t count, int64_t site)
{
    size_t at = (size_t)site & (count - 1);
    while (slots[at] && slots[at] != site)
        at = (at + 1) & (count - 1);
    return &slots[at];
}

static bool make_written_room(struct cs_places *places)
{
    if (2 * places->written_count < places->written_slots)
        return true;
    size_t slots = places->written_slots ? 2 * places->written_slots : 256;
    int64_t *grown = calloc(slots, sizeof *grown);
    if (!grown)
        return false;
    for (size_t i = 0; i < places->written_slots; i++)
        if (places->written[i])
            *written_slot(grown, slots, places->written[i]) = places->written[i];
    free(places->written);
    places->written = grown;
    places->written_slots = slots;
    return true;
}

/* Stacks share most of their frames: each row is written once. */
static enum cs_status write_site(struct cs_places *places, int64_t site, int64_t caller, int64_t frame)
{
    if (!make_written_room(places))
        return CS_NO_MEMORY;
    int64_t *slot = written_slot(places->written, places->written_slots, site);
    if (*slot)
        return CS_OK;
    *slot = site;
    places->written_count++;
    return CS_WRITE(places->rows, CS_ROW_SITE, cs_int(site), cs_int_unless(caller, 0), cs_int(frame));
}

static bool make_stack_room(struct cs_places *places, uint32_t number)
{
    if (number < places->stacks)
        return true;
    size_t room = 2 * ((size_t)number + 64);
    int64_t *grown = realloc(places->stack, room * sizeof *grown);
    if (!grown)
        return false;
    memset(grown + places->stacks, 0, (room - places->stacks) * sizeof *grown);
    places->stack = grown;
    places->stacks = room;
    return true;
}

enum cs_status cs_places_stack(struct cs_places *places, const struct cs_fact_stack *stack)
{
    const uint64_t *address = (const void *)(stack + 1);
    if (stack->count == 0 || stack->count > CS_STACK_DEPTH || stack->stack == 0 || stack->stack >= STACKS_MAX ||
        !cs_fact_holds(&stack->fact, sizeof *stack + stack->count * sizeof *address))
        return CS_CORRUPT;
    if (!make_stack_room(places, stack->stack))
        return CS_NO_MEMORY;
    enum cs_status status = CS_OK;
    int64_t caller = 0;
    for (size_t i = stack->count; i-- > 0 && status == CS_OK;) {
        struct known *known;
        int64_t frame;
        status = find_frame(places, address[i], stack->fact.ticks, &frame, &known);
        int64_t site = site_number(frame, caller);
        if (status == CS_OK)
            status = write_site(places, site, caller, frame);
        caller = site;
    }
    places->stack[stack->stack] = caller;
    return status;
}

enum cs_status cs_places_find(struct cs_places *places, uint64_t address, uint64_t ticks, int64_t *site)
{
    *site = 0;
    if (address & CS_SITE_STACK) {
        uint64_t number = address & ~CS_SITE_STACK;
        *site = number < places->stacks ? places->stack[number] : 0;
        return CS_OK;
    }
    if (address == 0)
        return CS_OK;
    struct known *known;
    int64_t frame;
    enum cs_status status = find_frame(places, address, ticks, &frame, &known);
    if (status != CS_OK)
        return status;
    *site = site_number(frame, 0);
    return write_site(places, *site, 0, frame);
}
