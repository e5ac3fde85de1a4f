#include "record/message/traffic.h"

#include <string.h>

#include "record/call/profile.h"
#include "record/site/module.h"

/* ---- traffic ---- */

/* Never 0, because directions are not. */
static uint64_t kept_key(uint32_t object, enum cs_direction direction)
{
    return object | (uint64_t)direction << 32;
}

struct cs_traffic_cell *cs_traffic_find_older(struct cs_thread *thread, uint32_t object, int32_t peer,
                                              enum cs_direction direction)
{
    const uint64_t words[] = {object | (uint64_t)(uint32_t)peer << 32, direction};
    return cs_cells_find_older(&thread->traffic, words, &cs_traffic_cells);
}

bool cs_traffic_is_full(const struct cs_thread *thread, uint32_t object, enum cs_direction direction)
{
    return cs_tally_get(&thread->traffic_kept, kept_key(object, direction)) >= CS_PEERS_KEPT;
}

struct cs_traffic_cell *cs_traffic_add(struct cs_thread *thread, uint32_t object, int32_t peer,
                                       enum cs_direction direction, int32_t world)
{
    if (cs_cells_release_dead(&thread->traffic, &cs_traffic_cells)) {
        cs_tally_clear(&thread->traffic_kept);
        cs_messages_forget(thread);
    }
    const struct cs_traffic_cell cell = {.object = object, .peer = peer, .direction = direction, .world = world};
    struct cs_traffic_cell *added = cs_cells_add(&thread->traffic, thread->state->thread, &cell, &cs_traffic_cells);
    if (added)
        cs_tally_count(&thread->traffic_kept, kept_key(object, direction));
    return added;
}

struct cs_traffic_cell *cs_traffic_replace(struct cs_thread *thread, const struct cs_traffic_cell *full)
{
    cs_messages_forget(thread);
    const struct cs_traffic_cell cell = {
        .object = full->object, .peer = full->peer, .direction = full->direction, .world = full->world};
    return cs_cells_add(&thread->traffic, thread->state->thread, &cell, &cs_traffic_cells);
}

/* ---- tags ---- */

static struct cs_tag_cell *add_tag(struct cs_thread *thread, struct cs_tag_key key)
{
    if (cs_cells_release_dead(&thread->tags, &cs_tag_cells)) {
        cs_tally_clear(&thread->tags_kept);
        cs_messages_forget(thread);
    }
    cs_module_record(key.word[0]);
    struct cs_tag_cell cell = {.messages = 0};
    memcpy(&cell, &key, cs_tag_cells.key_bytes);
    return cs_cells_add(&thread->tags, thread->state->thread, &cell, &cs_tag_cells);
}

static struct cs_tag_cell *add_tag_or_range(struct cs_thread *thread, uint64_t site, uint32_t object,
                                            enum cs_direction direction, int32_t tag)
{
    /* Key of site and object; two sites with an equal hash share their limit. */
    uint64_t kept = cs_hash_mix(cs_hash_mix(0, site), kept_key(object, direction)) | 1;
    if (cs_tally_get(&thread->tags_kept, kept) < CS_TAGS_KEPT) {
        cs_tally_count(&thread->tags_kept, kept);
        return add_tag(thread, cs_tag_key(site, object, direction, tag, 0));
    }
    uint8_t class = cs_size_class((uint64_t)tag);
    struct cs_tag_key range = cs_tag_key(site, object, direction, (int32_t)cs_size_of_class(class), class + 1u);
    struct cs_tag_cell *cell = cs_cells_find(&thread->tags, range.word, &cs_tag_cells);
    if (!cell)
        cell = add_tag(thread, range);
    if (cell && tag > cell->largest)
        cell->largest = tag;
    return cell;
}

struct cs_tag_cell *cs_tag_find_or_add(struct cs_thread *thread, uint64_t site, uint32_t object,
                                       enum cs_direction direction, int32_t tag)
{
    const struct cs_tag_key key = cs_tag_key(site, object, direction, tag, 0);
    struct cs_tag_cell *cell = cs_cells_find_recent(&thread->tags, key.word, &cs_tag_cells);
    if (!cell)
        cell = cs_cells_find_older(&thread->tags, key.word, &cs_tag_cells);
    return cell ? cell : add_tag_or_range(thread, site, object, direction, tag);
}
