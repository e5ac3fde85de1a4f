#include "db/convert/events.h"

#include <stdlib.h>

#include "db/convert/event_order.h"
#include "db/convert/event_pages.h"
#include "db/convert/event_places.h"

/* The rows are made while the entries are read again: for a run of any length, memory stays the same. */
struct events {
    struct cs_conversion *conversion;
    struct cs_event_pages pages;
    struct cs_event_places places;
    struct cs_event_order *order;
    uint64_t most;
    struct cs_event_walk *walk;
    /* For rows of other entries: the next call behind each. */
    struct cs_event_walk *ahead;
    uint32_t call_thread;
    uint64_t call; /* 0: none */
    bool ended;
};

/* Only the last events of each thread become rows. */
static bool is_written(const struct events *events, uint32_t thread, uint64_t number)
{
    if (events->most == UINT64_MAX)
        return true;
    const struct cs_event_thread *found = cs_event_pages_thread(&events->pages, thread);
    return found && number + events->most > found->last;
}

static bool next_event(void *context, void *row)
{
    struct events *events = context;
    struct cs_conversion *conversion = events->conversion;
    struct cs_ring_entry entry;
    uint32_t thread;
    while (cs_event_walk_next(events->walk, &thread, &entry)) {
        uint64_t nth = cs_event_order_next(events->order, thread, &entry);
        if (!cs_ring_is_call(&entry) || !is_written(events, thread, entry.number))
            continue;
        bool data = entry.kind != CS_ENTRY_CALL && entry.kind != CS_ENTRY_POLLS;
        const struct cs_event_place *place = cs_event_places_at(&events->places, thread, entry.place);
        *(struct cs_row_event *)row = (struct cs_row_event){
            .thread = cs_int(thread),
            .event = cs_int((int64_t)entry.number),
            .function = cs_conversion_function(conversion, place->function),
            .object = cs_int_unless(place->object, 0),
            .site = cs_int_unless(place->site, 0),
            .start_ns = cs_int(cs_conversion_instant(conversion, entry.start)),
            .duration_ns = cs_int(cs_conversion_span(conversion, entry.stop - entry.start)),
            .calls = cs_int(entry.calls),
            .inside_ns = entry.calls > 1 ? cs_int(cs_conversion_span(conversion, entry.inside))
                                         : cs_text(NULL), /* as duration */
            .peer = cs_int_unless(entry.peer, CS_NO_PEER),
            .tag = cs_int_unless(entry.tag, CS_NO_TAG),
            .bytes = data ? cs_int(cs_conversion_bytes(entry.bytes)) : cs_text(NULL),
            .collective = cs_int_unless(entry.collective, 0),
            .direction = cs_text(entry.kind == CS_ENTRY_SENT       ? "send"
                                 : entry.kind == CS_ENTRY_RECEIVED ? "receive"
                                                                   : NULL),
            .nth = cs_int_unless((int64_t)nth, 0),
        };
        return true;
    }
    return false;
}

/* The call of another entry is the next event of its thread. 0: not recorded. */
static uint64_t call_of(struct events *events, uint32_t thread, uint64_t number)
{
    struct cs_ring_entry entry;
    while (!events->ended &&
           (events->call_thread < thread || (events->call_thread == thread && events->call < number))) {
        do
            events->ended = !cs_event_walk_next(events->ahead, &events->call_thread, &entry);
        while (!events->ended && !cs_ring_is_call(&entry));
        events->call = events->ended ? 0 : entry.number;
    }
    return !events->ended && events->call_thread == thread ? events->call : 0;
}

static bool next_message(void *context, void *row)
{
    struct events *events = context;
    struct cs_ring_entry entry;
    uint32_t thread;
    while (cs_event_walk_next(events->walk, &thread, &entry)) {
        uint64_t nth = cs_event_order_next(events->order, thread, &entry);
        bool cancelled = entry.peer == CS_NO_PEER;
        if (entry.kind != CS_ENTRY_MESSAGE || cancelled || !is_written(events, thread, entry.number))
            continue;
        bool posted = entry.posted && cs_event_pages_have(&events->pages, entry.posted_thread, entry.posted);
        *(struct cs_row_event_message *)row = (struct cs_row_event_message){
            .thread = cs_int(thread),
            .message = cs_int((int64_t)entry.number),
            .event = cs_int_unless((int64_t)call_of(events, thread, entry.number), 0),
            .posted_thread = posted ? cs_int(entry.posted_thread) : cs_text(NULL),
            .posted = posted ? cs_int((int64_t)entry.posted) : cs_text(NULL),
            .communicator = cs_int(entry.object),
            .direction = cs_text(entry.sends ? "send" : "receive"),
            .peer = cs_int(entry.peer),
            .tag = cs_int(entry.tag),
            .bytes = cs_int(cs_conversion_bytes(entry.bytes)),
            .nth = cs_int_unless((int64_t)nth, 0),
        };
        return true;
    }
    return false;
}

/* The next note about a request or a window that becomes a row. */
static bool find_note(struct events *events, bool window, uint32_t *thread, struct cs_ring_entry *entry)
{
    while (cs_event_walk_next(events->walk, thread, entry))
        if (entry->kind == CS_ENTRY_NOTE && window == (entry->object != 0) &&
            is_written(events, *thread, entry->number) &&
            (window || (cs_event_pages_have(&events->pages, entry->posted_thread, entry->posted) &&
                        (entry->posted_thread != *thread || entry->posted < entry->number)))) /* no match itself */
            return true;
    return false;
}

static bool next_completion(void *context, void *row)
{
    struct events *events = context;
    struct cs_ring_entry entry;
    uint32_t thread;
    if (!find_note(events, false, &thread, &entry))
        return false;
    *(struct cs_row_event_completion *)row = (struct cs_row_event_completion){
        .thread = cs_int(thread),
        .entry = cs_int((int64_t)entry.number),
        .event = cs_int_unless((int64_t)call_of(events, thread, entry.number), 0),
        .posted_thread = cs_int(entry.posted_thread),
        .posted = cs_int((int64_t)entry.posted),
    };
    return true;
}

static bool next_window(void *context, void *row)
{
    struct events *events = context;
    struct cs_ring_entry entry;
    uint32_t thread;
    if (!find_note(events, true, &thread, &entry))
        return false;
    *(struct cs_row_event_window *)row = (struct cs_row_event_window){
        .thread = cs_int(thread),
        .entry = cs_int((int64_t)entry.number),
        .event = cs_int_unless((int64_t)call_of(events, thread, entry.number), 0),
        .window = cs_int(entry.object),
        .peer = cs_int(entry.peer),
        .nth = cs_int_unless(entry.epoch, 0),
    };
    return true;
}

static enum cs_status fill(struct events *events, enum cs_row row, cs_trace_next_row *next)
{
    events->walk = cs_event_walk_begin(&events->pages);
    cs_event_order_rewind(events->order);
    enum cs_status status = events->walk ? cs_trace_fill(events->conversion->rows, row, next, events) : CS_NO_MEMORY;
    cs_event_walk_end(events->walk);
    return status;
}

/* Rows that belong to calls. */
static enum cs_status fill_beside(struct events *events, enum cs_row row, cs_trace_next_row *next)
{
    events->ahead = cs_event_walk_begin(&events->pages);
    events->call_thread = 0;
    events->call = 0;
    events->ended = false;
    enum cs_status status = events->ahead ? fill(events, row, next) : CS_NO_MEMORY;
    cs_event_walk_end(events->ahead);
    return status;
}

static enum cs_status write_rows(struct events *events)
{
    enum cs_status status = fill(events, CS_ROW_event, next_event);
    if (status == CS_OK && cs_event_order_has_messages(events->order))
        status = fill_beside(events, CS_ROW_event_message, next_message);
    if (status == CS_OK && cs_event_order_has_notes(events->order, false))
        status = fill_beside(events, CS_ROW_event_completion, next_completion);
    if (status == CS_OK && cs_event_order_has_notes(events->order, true))
        status = fill_beside(events, CS_ROW_event_window, next_window);
    return status;
}

static enum cs_status write_all(struct events *events, bool rings)
{
    enum cs_status status = cs_event_pages_find(&events->pages, events->conversion->reader, rings);
    if (status != CS_OK || !events->pages.threads)
        return status;
    status = cs_event_places_find(&events->places, events->conversion);
    if (status == CS_OK)
        events->order = cs_event_order_find(events->conversion, &events->pages, &events->places, &status);
    if (status == CS_OK)
        status = write_rows(events);
    return status;
}

enum cs_status cs_events_write(struct cs_conversion *conversion, uint64_t most)
{
    struct events *events = calloc(1, sizeof *events);
    if (!events)
        return CS_NO_MEMORY;
    events->conversion = conversion;
    events->most = most;
    enum cs_status status = write_all(events, most != UINT64_MAX);
    conversion->damaged |= events->pages.damaged;
    cs_event_order_free(events->order);
    cs_event_places_free(&events->places);
    cs_event_pages_free(&events->pages);
    free(events);
    return status;
}
