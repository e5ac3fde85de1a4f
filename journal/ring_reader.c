#include "journal/ring_reader.h"

struct cs_ring_position cs_ring_read(const struct cs_ring_cell *page)
{
    return (struct cs_ring_position){.page = page, .number = page->first, .ticks = page->base_ticks};
}

/* The 24 bits of a peer, as a signed number. */
static int32_t short_peer(uint64_t head)
{
    int32_t peer = (int32_t)(head >> 40 & 0xffffff);
    peer -= peer & CS_ENTRY_NO_PEER ? 2 * CS_ENTRY_NO_PEER : 0;
    return peer == -CS_ENTRY_NO_PEER ? CS_NO_PEER : peer;
}

static uint32_t words_of(unsigned kind, bool wide)
{
    if (kind == CS_ENTRY_NOTE)
        return 2;
    if (kind == CS_ENTRY_MESSAGE)
        return wide ? 4 : 3;
    return wide ? CS_ENTRY_WORDS : kind == CS_ENTRY_CALL ? 2 : 3;
}

static void read_posted(uint64_t posted, struct cs_ring_entry *entry)
{
    entry->posted = posted & (((uint64_t)1 << CS_ENTRY_NUMBER_BITS) - 1);
    entry->posted_nth = (uint32_t)(posted >> CS_ENTRY_NUMBER_BITS & ((1u << CS_ENTRY_NTH_BITS) - 1));
    entry->posted_thread = (uint32_t)(posted >> 48);
}

static void read_message(const uint64_t *word, bool wide, struct cs_ring_entry *entry)
{
    entry->tag = (int32_t)(uint32_t)word[0];
    entry->bytes = word[0] >> 32;
    entry->object = (uint32_t)word[1];
    entry->peer = short_peer(word[1]);
    entry->sends = word[1] >> 32 & CS_ENTRY_SENDS;
    read_posted(word[2], entry);
    if (wide) {
        entry->peer = (int32_t)(uint32_t)word[3];
        entry->bytes |= word[3] >> 32 << 32;
    }
}

static void read_note(const uint64_t *word, struct cs_ring_entry *entry)
{
    if (word[1] >> 32 & CS_ENTRY_WINDOW) {
        entry->object = (uint32_t)word[1];
        entry->peer = short_peer(word[1]);
        entry->epoch = (uint32_t)word[0];
    } else {
        read_posted(word[0], entry);
    }
}

static void read_call(const uint64_t *word, bool wide, uint64_t *ticks, struct cs_ring_entry *entry)
{
    uint64_t gap = (uint32_t)word[0], spent = word[0] >> 32, inside = UINT64_MAX,
             value = words_of(entry->kind, wide) > 2 ? word[2] : 0;
    entry->place = (uint32_t)word[1];
    entry->peer = short_peer(word[1]);
    if (entry->kind == CS_ENTRY_POLLS) {
        entry->calls = (uint32_t)(value >> CS_ENTRY_SPAN_BITS);
        inside = wide ? inside : spent;
        spent = wide ? spent : value & (((uint64_t)1 << CS_ENTRY_SPAN_BITS) - 1);
    } else if (entry->kind == CS_ENTRY_COLLECTIVE) {
        entry->collective = (uint32_t)value;
        entry->bytes = value >> 32;
    } else if (entry->kind != CS_ENTRY_CALL) {
        entry->tag = (int32_t)(uint32_t)value;
        entry->bytes = value >> 32;
    }
    if (wide) {
        gap |= word[3] << 32;
        spent |= word[3] >> 32 << 32;
        entry->peer = (int32_t)(uint32_t)word[4];
        entry->bytes |= word[4] >> 32 << 32;
    }
    entry->start = *ticks + gap;
    *ticks = entry->stop = entry->start + spent;
    entry->inside = inside < spent ? inside : spent;
}

bool cs_ring_read_entry(struct cs_ring_position *position, struct cs_ring_entry *entry, bool *damaged)
{
    uint32_t used = position->page->used;
    if (used > CS_RING_WORDS) {
        used = CS_RING_WORDS;
        *damaged = true;
    }
    if (position->at >= used)
        return false;
    const uint64_t *word = position->page->words + position->at;
    unsigned kind = 0;
    bool wide = false;
    if (position->at + 2 <= used) {
        kind = word[1] >> 32 & CS_ENTRY_KIND;
        wide = word[1] >> 32 & CS_ENTRY_WIDE;
    }
    if (position->at + words_of(kind, wide) > used) {
        *damaged = true;
        position->at = used;
        return false;
    }
    *entry = (struct cs_ring_entry){
        .number = position->number++, .kind = (enum cs_entry)kind, .calls = 1, .peer = CS_NO_PEER, .tag = CS_NO_TAG};
    if (kind == CS_ENTRY_MESSAGE)
        read_message(word, wide, entry);
    else if (kind == CS_ENTRY_NOTE)
        read_note(word, entry);
    else
        read_call(word, wide, &position->ticks, entry);
    position->at += words_of(kind, wide);
    return true;
}
