#include "journal/packed_events.h"

#include <assert.h>
#include <endian.h>
#include <stddef.h>
#include <string.h>

static_assert(offsetof(struct cs_packed_cell, check) ==
                  offsetof(struct cs_packed_cell, data) + CS_PACKED_WORDS * sizeof(uint64_t),
              "a reader of the last field may read eight bytes");

enum { DATA_BYTES = CS_PACKED_WORDS * sizeof(uint64_t), LENGTHS_BYTES = 2 };
enum { GAP = 4, SPAN = 6, PLACE = 8, PEER = 10, VALUE = 12, BYTES = 14, LENGTH = 3, SENDS = 1 << 3, WINDOW = SENDS };
enum { NTH = 17 }; /* bits below it: number of the thread that posted, from 1; 0: this one */

static const uint8_t time_bytes[] = {1, 2, 3, 8}, place_bytes[] = {1, 2, 3, 4}, value_bytes[] = {0, 1, 2, 4},
                     count_bytes[] = {0, 1, 3, 8};

/* ---- writing ---- */

static inline unsigned length_of_time(uint64_t value)
{
    return (value > 0xff) + (value > 0xffff) + (value > 0xffffff);
}

static inline unsigned length_of_place(uint32_t value)
{
    return (value > 0xff) + (value > 0xffff) + (value > 0xffffff);
}

/* A value that is present has at least one byte. */
static inline unsigned length_of_value(uint32_t value)
{
    return 1u + (value > 0xff) + (value > 0xffff);
}

static inline unsigned length_of_count(uint64_t value)
{
    return (value > 0) + (value > 0xff) + (value > 0xffffff);
}

/* Writes eight bytes, of which the first ones count. */
static inline char *put(char *at, uint64_t value, unsigned bytes)
{
    value = htole64(value);
    memcpy(at, &value, sizeof value);
    return at + bytes;
}

bool cs_packing_add(struct cs_packing *packing, const struct cs_ring_entry *entry)
{
    if (packing->bytes + CS_PACKED_ENTRY_BYTES + sizeof(uint64_t) > DATA_BYTES)
        return false;
    bool call = cs_ring_is_call(entry), polls = entry->kind == CS_ENTRY_POLLS;
    bool window = entry->kind == CS_ENTRY_NOTE && entry->object;
    bool collective = entry->kind == CS_ENTRY_COLLECTIVE;
    uint64_t gap = entry->start - packing->ticks, span = entry->stop - entry->start;
    uint32_t place = entry->place, value = collective ? entry->collective : (uint32_t)entry->tag;
    if (window) {
        gap = entry->epoch;
        span = 0;
        place = entry->object;
    } else if (!call) {
        bool here = entry->posted_thread == packing->page->thread;
        gap = !entry->posted ? 0 : here ? entry->number - entry->posted : entry->posted;
        span = (!entry->posted || here ? 0 : (uint64_t)entry->posted_thread + 1) | (uint64_t)entry->posted_nth << NTH;
        place = entry->object;
    } else {
        packing->ticks = entry->stop;
    }
    uint64_t count = polls ? entry->calls : entry->bytes;
    uint32_t peer = (uint32_t)entry->peer + CS_PACKED_PEER;
    bool several = polls && entry->calls > 1 && entry->inside <= UINT32_MAX;
    if (several)
        value = (uint32_t)entry->inside;
    bool valued = collective ? value != 0 : several || entry->tag != CS_NO_TAG;
    unsigned gaps = length_of_time(gap), spans = length_of_time(span), places = length_of_place(place);
    unsigned peers = entry->peer == CS_NO_PEER ? 0 : length_of_value(peer);
    unsigned values = valued ? length_of_value(value) : 0, counts = length_of_count(count);
    unsigned head = (unsigned)entry->kind | (entry->sends ? SENDS : 0u) | (window ? WINDOW : 0u) | gaps << GAP |
                    spans << SPAN | places << PLACE | peers << PEER | values << VALUE | counts << BYTES;
    char *begin = (char *)packing->page->data + packing->bytes, *at = put(begin, head, LENGTHS_BYTES);
    at = put(at, gap, time_bytes[gaps]);
    at = put(at, span, time_bytes[spans]);
    at = put(at, place, place_bytes[places]);
    at = put(at, peer, value_bytes[peers]);
    at = put(at, value, value_bytes[values]);
    at = put(at, count, count_bytes[counts]);
    packing->bytes += (uint32_t)(at - begin);
    packing->entries++;
    packing->next = entry->number + 1;
    return true;
}

/* ---- reading ---- */

struct cs_packed_position cs_packed_read(const struct cs_packed_cell *page)
{
    return (struct cs_packed_position){
        .page = page, .end = (uint32_t)page->filled, .number = page->first, .ticks = page->base_ticks};
}

static inline uint64_t get(const char **at, unsigned bytes)
{
    uint64_t value;
    memcpy(&value, *at, sizeof value);
    *at += bytes;
    value = le64toh(value);
    return bytes < sizeof value ? value & (((uint64_t)1 << 8 * bytes) - 1) : value;
}

bool cs_packed_read_entry(struct cs_packed_position *position, struct cs_ring_entry *entry, bool *damaged)
{
    if (position->end > DATA_BYTES) {
        position->end = DATA_BYTES;
        *damaged = true;
    }
    if (position->at >= position->end)
        return false;
    uint32_t left = position->end - position->at;
    const char *at = (const char *)position->page->data + position->at, *begin = at;
    unsigned head = (unsigned)get(&at, LENGTHS_BYTES), kind = head & CS_ENTRY_KIND;
    unsigned gaps = time_bytes[head >> GAP & LENGTH], spans = time_bytes[head >> SPAN & LENGTH];
    unsigned places = place_bytes[head >> PLACE & LENGTH], peers = value_bytes[head >> PEER & LENGTH];
    unsigned values = value_bytes[head >> VALUE & LENGTH], counts = count_bytes[head >> BYTES & LENGTH];
    if (LENGTHS_BYTES + gaps + spans + places + peers + values + counts > left) {
        *damaged = true;
        position->at = position->end;
        return false;
    }
    uint64_t gap = get(&at, gaps), span = get(&at, spans);
    uint32_t place = (uint32_t)get(&at, places), peer = (uint32_t)get(&at, peers);
    uint32_t value = (uint32_t)get(&at, values);
    uint64_t count = get(&at, counts);
    *entry = (struct cs_ring_entry){
        .number = position->number++,
        .kind = (enum cs_entry)kind,
        .calls = kind == CS_ENTRY_POLLS ? (uint32_t)count : 1,
        .bytes = kind == CS_ENTRY_POLLS ? 0 : count,
        .peer = peers ? (int32_t)(peer - CS_PACKED_PEER) : CS_NO_PEER,
        .tag = values && kind != CS_ENTRY_COLLECTIVE && kind != CS_ENTRY_POLLS ? (int32_t)value : CS_NO_TAG,
        .collective = kind == CS_ENTRY_COLLECTIVE ? value : 0,
    };
    if (kind == CS_ENTRY_NOTE && head & WINDOW) {
        entry->object = place;
        entry->epoch = (uint32_t)gap;
    } else if (!cs_ring_is_call(entry)) {
        entry->object = place;
        entry->sends = kind == CS_ENTRY_MESSAGE && head & SENDS;
        uint32_t poster = (uint32_t)span & ((1u << NTH) - 1);
        entry->posted = !gap ? 0 : poster ? gap : entry->number - gap;
        entry->posted_thread = !gap ? 0 : poster ? poster - 1 : position->page->thread;
        entry->posted_nth = (uint32_t)(span >> NTH);
    } else {
        entry->place = place;
        entry->start = position->ticks + gap;
        position->ticks = entry->stop = entry->start + span;
        entry->inside = kind == CS_ENTRY_POLLS && values && value < span ? value : span;
    }
    position->at += (uint32_t)(at - begin);
    return true;
}
