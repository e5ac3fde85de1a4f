#include "db/seal/events.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "db/seal/sites.h"
#include "functions.h"
#include "journal/reader.h"
#include "journal/ring_reader.h"
#include "journal_facts.h"

/* One entry of a ring. */
struct item {
    struct cs_ring_entry entry;
    uint32_t thread;
    uint32_t channel; /* of its message, from 1; 0: none */
    uint64_t nth;     /* 0: not certain */
    uint64_t event;   /* messages: number of their call; 0: unknown */
    uint32_t object;
    uint16_t function;
    bool completed; /* a receive that it posted was completed */
    int64_t site;
};

/* A profile cell: what the place in an entry stands for. */
struct place {
    uint32_t thread, place;
    uint32_t object;
    uint16_t function;
    int64_t site;
};

/* All messages in one direction with one communicator, peer and tag. */
struct channel {
    uint32_t object;
    int32_t peer, tag;
    uint32_t direction;
    uint64_t counted; /* messages that the process counted */
    uint64_t late;    /* of these: not in the ring yet when the process was killed */
    uint64_t found;   /* in the ring */
    uint32_t thread;  /* of all its messages */
    bool doubtful;
};

/* The messages with one peer, by the traffic. */
struct pair {
    uint32_t object;
    int32_t peer;
    uint32_t direction;
    uint64_t messages;
};

struct events {
    struct cs_sealing *sealing;
    struct item *item;
    size_t items, items_room;
    struct place *place;
    size_t places, places_room;
    struct channel *channel;
    size_t channels, channels_room;
    struct pair *pair;
    size_t pairs, pairs_room;
    uint32_t *untold; /* communicators with messages of unknown outcome */
    size_t untolds, untolds_room;
    bool paused;
    uint64_t most;
    size_t at; /* while rows are written */
};

/* ---- reading ---- */

static enum cs_status visit_page(void *context, const void *cell)
{
    struct events *events = context;
    const struct cs_ring_cell *page = cell;
    if (!cs_ring_page_is_whole(page))
        return CS_OK;
    struct cs_ring_position position = cs_ring_read(page);
    struct cs_ring_entry entry;
    while (cs_ring_read_entry(&position, &entry, &events->sealing->damaged)) {
        if (!cs_array_grow(&events->item, events->items, &events->items_room, sizeof *events->item))
            return CS_NO_MEMORY;
        events->item[events->items++] = (struct item){.entry = entry, .thread = page->thread};
    }
    return CS_OK;
}

static int by_entry(const void *left, const void *right)
{
    const struct item *a = left, *b = right;
    int order = cs_compare(a->thread, b->thread);
    return order ? order : cs_compare(a->entry.number, b->entry.number);
}

/* A damaged ring may have a number twice. */
static void drop_repeated(struct events *events)
{
    size_t kept = 0;
    for (size_t i = 0; i < events->items; i++)
        if (!kept || by_entry(&events->item[kept - 1], &events->item[i]) != 0)
            events->item[kept++] = events->item[i];
    events->sealing->damaged |= kept != events->items;
    events->items = kept;
}

static enum cs_status visit_place(void *context, uint32_t thread, uint32_t place, const void *cell)
{
    struct events *events = context;
    const struct cs_profile_cell *profile = cell;
    if (!cs_array_grow(&events->place, events->places, &events->places_room, sizeof *events->place))
        return CS_NO_MEMORY;
    struct place *added = &events->place[events->places++];
    *added = (struct place){thread, place, profile->object, profile->function, 0};
    return cs_sites_find(events->sealing->sites, profile->site, UINT64_MAX, &added->site);
}

static int by_place(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    int order = cs_compare(a->thread, b->thread);
    return order ? order : cs_compare(a->place, b->place);
}

/* Function, object and site of each call. */
static enum cs_status find_places(struct events *events)
{
    enum cs_status status =
        cs_journal_read_placed_cells(events->sealing->reader, CS_BLOCK_PROFILE, visit_place, events);
    if (status != CS_OK)
        return status;
    if (events->places)
        qsort(events->place, events->places, sizeof *events->place, by_place);
    for (size_t i = 0; i < events->items; i++) {
        struct item *item = &events->item[i];
        const struct place key = {.thread = item->thread, .place = item->entry.place};
        const struct place *found =
            events->places && key.place ? bsearch(&key, events->place, events->places, sizeof key, by_place) : NULL;
        item->object = item->entry.object;
        if (!found)
            continue;
        item->function = found->function;
        item->object = found->object;
        item->site = found->site;
    }
    return CS_OK;
}

/* ---- the numbers of messages ----

   The n-th message that a process sent on a channel is the n-th that the other one received, in the order in which it
   posted the receives (MPI 4.1, 3.5). Each step below leaves out what may be otherwise. */

static bool is_message(const struct item *item)
{
    return item->entry.kind == CS_ENTRY_SENT || item->entry.kind == CS_ENTRY_RECEIVED ||
           item->entry.kind == CS_ENTRY_MESSAGE;
}

static uint32_t direction_of(const struct item *item)
{
    bool sends = item->entry.kind == CS_ENTRY_SENT || (item->entry.kind == CS_ENTRY_MESSAGE && item->entry.sends);
    return sends ? CS_SEND : CS_RECEIVE;
}

static int by_channel(const void *left, const void *right)
{
    const struct channel *a = left, *b = right;
    int order = cs_compare(a->object, b->object);
    order = order ? order : cs_compare(a->direction, b->direction);
    order = order ? order : cs_compare(a->peer, b->peer);
    return order ? order : cs_compare(a->tag, b->tag);
}

/* The number of the last entry of the thread that is in the ring. */
static uint64_t last_entry(const struct events *events, uint32_t thread)
{
    uint64_t last = 0;
    size_t low = 0, high = events->items;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (events->item[middle].thread <= thread)
            low = middle + 1;
        else
            high = middle;
    }
    if (low && events->item[low - 1].thread == thread)
        last = events->item[low - 1].entry.number;
    return last;
}

static enum cs_status visit_channel(void *context, uint32_t thread, uint32_t place, const void *visited)
{
    struct events *events = context;
    const struct cs_channel_cell *cell = visited;
    (void)place;
    if (!cs_array_grow(&events->channel, events->channels, &events->channels_room, sizeof *events->channel))
        return CS_NO_MEMORY;
    uint64_t last = last_entry(events, thread);
    events->channel[events->channels++] = (struct channel){
        .object = cell->object,
        .peer = cell->peer,
        .tag = cell->tag,
        .direction = cell->direction,
        .counted = cell->position >> 32,
        .late = (uint32_t)cell->position == (uint32_t)(last + 1),
        .thread = thread,
    };
    return CS_OK;
}

/* Threads whose messages share a channel post at the same time: their order is unknown. */
static void join_channels(struct events *events)
{
    size_t kept = 0;
    if (events->channels)
        qsort(events->channel, events->channels, sizeof *events->channel, by_channel);
    for (size_t i = 0; i < events->channels; i++) {
        struct channel *last = kept ? &events->channel[kept - 1] : NULL;
        if (last && by_channel(last, &events->channel[i]) == 0) {
            last->doubtful |= last->thread != events->channel[i].thread;
            last->counted += events->channel[i].counted;
            last->late += events->channel[i].late;
        } else {
            events->channel[kept++] = events->channel[i];
        }
    }
    events->channels = kept;
}

static struct channel *channel_of(struct events *events, const struct channel *key)
{
    return events->channels ? bsearch(key, events->channel, events->channels, sizeof *events->channel, by_channel)
                            : NULL;
}

static int by_pair(const void *left, const void *right)
{
    const struct pair *a = left, *b = right;
    int order = cs_compare(a->object, b->object);
    order = order ? order : cs_compare(a->direction, b->direction);
    return order ? order : cs_compare(a->peer, b->peer);
}

static enum cs_status visit_traffic(void *context, const void *visited)
{
    struct events *events = context;
    const struct cs_traffic_cell *cell = visited;
    if (cell->direction == CS_RECEIVE_UNTOLD || cell->direction == CS_SEND_UNTOLD) {
        if (!cs_array_grow(&events->untold, events->untolds, &events->untolds_room, sizeof *events->untold))
            return CS_NO_MEMORY;
        events->untold[events->untolds++] = cell->object;
        return CS_OK;
    }
    if (!cs_array_grow(&events->pair, events->pairs, &events->pairs_room, sizeof *events->pair))
        return CS_NO_MEMORY;
    events->pair[events->pairs++] =
        (struct pair){cell->object, cell->peer, cell->direction, (uint64_t)(int64_t)cell->messages};
    return CS_OK;
}

/* Some thread may have no ring, or messages were cancelled: then the traffic has another number of messages. */
static void check_traffic(struct events *events)
{
    size_t kept = 0;
    if (events->pairs)
        qsort(events->pair, events->pairs, sizeof *events->pair, by_pair);
    for (size_t i = 0; i < events->pairs; i++)
        if (kept && by_pair(&events->pair[kept - 1], &events->pair[i]) == 0)
            events->pair[kept - 1].messages += events->pair[i].messages;
        else
            events->pair[kept++] = events->pair[i];
    events->pairs = kept;
    for (size_t i = 0, end; i < events->channels; i = end) {
        struct channel *first = &events->channel[i];
        const struct pair key = {.object = first->object, .peer = first->peer, .direction = first->direction};
        uint64_t counted = 0;
        bool doubtful = false;
        for (end = i; end < events->channels; end++) {
            const struct channel *it = &events->channel[end];
            if (it->object != first->object || it->peer != first->peer || it->direction != first->direction)
                break;
            counted += it->counted;
        }
        const struct pair *found = kept ? bsearch(&key, events->pair, kept, sizeof key, by_pair) : NULL;
        /* The traffic counts a message before the ring does. */
        doubtful =
            !found || (found->messages != counted && !(events->sealing->unfinished && found->messages == counted + 1));
        for (size_t untold = 0; untold < events->untolds; untold++)
            doubtful |= events->untold[untold] == first->object;
        for (size_t j = i; j < end; j++)
            events->channel[j].doubtful |= doubtful || events->paused;
    }
}

static enum cs_status visit_pcontrol(void *context, const struct cs_fact *fact)
{
    struct events *events = context;
    events->paused |=
        fact->type == CS_FACT_PCONTROL && ((const struct cs_fact_pcontrol *)(const void *)fact)->level == 0;
    return CS_OK;
}

/* The item of an entry; NULL: not in the ring. */
static struct item *find_item(struct events *events, uint32_t thread, uint64_t number)
{
    const struct item key = {.thread = thread, .entry.number = number};
    return events->items ? bsearch(&key, events->item, events->items, sizeof key, by_entry) : NULL;
}

/* Receives that were posted and are not complete take part in the order, too. */
static bool is_pending_receive(const struct item *item)
{
    const struct cs_function *function = cs_function_find(item->function);
    bool receives = function && function->mode == CS_MODE_NONBLOCKING &&
                    (function->transfer == CS_TRANSFER_RECEIVE || function->transfer == CS_TRANSFER_BOTH);
    return receives && !item->entry.collective && !item->completed && item->entry.peer != CS_PEER_NULL &&
           item->entry.peer != CS_NO_PEER;
}

/* A message and when its side was posted. */
struct order {
    uint32_t channel, thread;
    uint64_t posted; /* number of the entry that posted it */
    size_t item;
};

static int by_order(const void *left, const void *right)
{
    const struct order *a = left, *b = right;
    int order = cs_compare(a->channel, b->channel);
    return order ? order : cs_compare(a->posted, b->posted);
}

struct pending {
    uint32_t object;
    int32_t peer, tag;
    uint64_t posted;
};

struct pendings {
    struct pending *it;
    size_t count, room;
};

static bool takes_from(const struct pending *pending, const struct channel *channel)
{
    return channel->direction == CS_RECEIVE && pending->object == channel->object &&
           (pending->peer == CS_PEER_ANY || pending->peer == channel->peer) &&
           (pending->tag == CS_TAG_ANY || pending->tag == channel->tag);
}

struct active {
    struct events *events;
    const struct pendings *pendings;
};

/* A request that is still active and was posted before the ring begins, or is persistent: its place in the order is
 * unknown. */
static enum cs_status visit_request(void *context, const void *visited)
{
    const struct active *active = context;
    const struct cs_request_cell *cell = visited;
    if (!(cell->flags & CS_REQUEST_ACTIVE) || !(cell->flags & CS_REQUEST_RECEIVES) || cell->flags & CS_REQUEST_INTERNAL)
        return CS_OK;
    size_t known = 0;
    for (size_t i = 0; i < active->pendings->count; i++) {
        const struct pending *it = &active->pendings->it[i];
        known += it->object == cell->object && it->peer == cell->peer && it->tag == cell->tag;
    }
    const struct pending it = {.object = cell->object, .peer = cell->peer, .tag = cell->tag};
    for (size_t i = 0; (!known || cell->flags & CS_REQUEST_PERSISTENT) && i < active->events->channels; i++)
        if (takes_from(&it, &active->events->channel[i]))
            active->events->channel[i].doubtful = true;
    return CS_OK;
}

/* The messages of one channel, in the order in which they were posted. */
static void number_channel(struct events *events, const struct order *order, size_t count,
                           const struct pendings *pendings)
{
    const struct channel *channel = &events->channel[order->channel - 1];
    uint64_t counted = channel->counted - channel->late, before = counted - count, old = 0;
    if (channel->doubtful || counted < count || channel->late > 1)
        return;
    for (size_t i = 0; i < count; i++)
        if (order[i].thread != order->thread)
            return;
    /* Those that were posted before the ring begins share the first numbers with others that it has lost. */
    while (old < count && !find_item(events, order[old].thread, order[old].posted))
        old++;
    for (size_t i = before ? old : 0; i < count; i++) {
        for (size_t j = 0; j < pendings->count; j++)
            if (takes_from(&pendings->it[j], channel) && pendings->it[j].posted < order[i].posted)
                return;
        events->item[order[i].item].nth = before + i + 1;
    }
}

/* Matched probes take messages out of the order. */
static bool takes_matched(const struct item *item)
{
    const struct cs_function *function = cs_function_find(item->function);
    return function && function->wait == CS_WAIT_MESSAGE;
}

static enum cs_status order_messages(struct events *events, struct order *order, struct pendings *pendings)
{
    size_t count = 0;
    for (size_t i = 0; i < events->items; i++) {
        struct item *item = &events->item[i];
        const struct cs_ring_entry *entry = &item->entry;
        if (!is_message(item) || entry->peer < 0 || entry->tag < 0)
            continue;
        const struct channel key = {
            .object = item->object, .peer = entry->peer, .tag = entry->tag, .direction = direction_of(item)};
        struct channel *channel = channel_of(events, &key);
        if (!channel)
            continue;
        item->channel = (uint32_t)(channel - events->channel) + 1;
        channel->doubtful |= takes_matched(item);
        uint64_t posted = entry->posted ? entry->posted : entry->number;
        uint32_t thread = entry->posted ? entry->posted_thread : item->thread;
        order[count++] = (struct order){item->channel, thread, posted, i};
        struct item *poster = entry->posted ? find_item(events, thread, posted) : NULL;
        if (poster)
            poster->completed = true;
    }
    for (size_t i = 0; i < events->items; i++) {
        const struct item *item = &events->item[i];
        if (!is_pending_receive(item))
            continue;
        if (!cs_array_grow(&pendings->it, pendings->count, &pendings->room, sizeof *pendings->it))
            return CS_NO_MEMORY;
        pendings->it[pendings->count++] =
            (struct pending){item->object, item->entry.peer, item->entry.tag, item->entry.number};
    }
    struct active active = {events, pendings};
    enum cs_status status = cs_journal_read_cells(events->sealing->reader, CS_BLOCK_REQUEST, visit_request, &active);
    if (status != CS_OK || !count)
        return status;
    qsort(order, count, sizeof *order, by_order);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && order[end].channel == order[i].channel; end++)
            ;
        number_channel(events, &order[i], end - i, pendings);
    }
    return CS_OK;
}

static enum cs_status number_messages(struct events *events)
{
    struct cs_journal_reader *reader = events->sealing->reader;
    enum cs_status status = cs_journal_read_placed_cells(reader, CS_BLOCK_CHANNEL, visit_channel, events);
    if (status == CS_OK)
        status = cs_journal_read_cells(reader, CS_BLOCK_TRAFFIC, visit_traffic, events);
    if (status == CS_OK)
        status = cs_journal_read_facts(reader, visit_pcontrol, events);
    if (status != CS_OK)
        return status;
    join_channels(events);
    check_traffic(events);
    struct order *order = calloc(events->items ? events->items : 1, sizeof *order);
    struct pendings pendings = {0};
    status = order ? order_messages(events, order, &pendings) : CS_NO_MEMORY;
    free(order);
    free(pendings.it);
    return status;
}

/* The call of each message is the next event of its thread. */
static void find_calls(struct events *events)
{
    uint64_t next = 0;
    for (size_t i = events->items; i-- > 0;) {
        struct item *item = &events->item[i];
        if (i + 1 < events->items && item->thread != item[1].thread)
            next = 0;
        if (item->entry.kind == CS_ENTRY_MESSAGE)
            item->event = next;
        else
            next = item->entry.number;
    }
}

/* ---- rows ---- */

/* Only the last events of each thread become rows. */
static bool is_written(const struct events *events, size_t i)
{
    const struct item *item = &events->item[i];
    return events->most == UINT64_MAX || last_entry(events, item->thread) - item->entry.number < events->most;
}

static bool next_event(void *context, void *row)
{
    struct events *events = context;
    while (events->at < events->items) {
        size_t i = events->at++;
        const struct item *item = &events->item[i];
        const struct cs_ring_entry *entry = &item->entry;
        if (entry->kind == CS_ENTRY_MESSAGE || !is_written(events, i))
            continue;
        bool data = entry->kind != CS_ENTRY_CALL && entry->kind != CS_ENTRY_POLLS;
        *(struct cs_row_event *)row = (struct cs_row_event){
            .thread = cs_int(item->thread),
            .event = cs_int((int64_t)entry->number),
            .function = cs_sealing_function(events->sealing, item->function),
            .object = cs_int_unless(item->object, 0),
            .site = cs_int_unless(item->site, 0),
            .start_ns = cs_int(cs_sealing_instant(events->sealing, entry->start)),
            .duration_ns = cs_int(cs_sealing_span(events->sealing, entry->stop - entry->start)),
            .calls = cs_int(entry->calls),
            .peer = cs_int_unless(entry->peer, CS_NO_PEER),
            .tag = cs_int_unless(entry->tag, CS_NO_TAG),
            .bytes = data ? cs_int(cs_sealing_count(events->sealing, entry->bytes)) : cs_text(NULL),
            .collective = cs_int_unless(entry->collective, 0),
            .direction = cs_text(entry->kind == CS_ENTRY_SENT       ? "send"
                                 : entry->kind == CS_ENTRY_RECEIVED ? "receive"
                                                                    : NULL),
            .nth = cs_int_unless((int64_t)item->nth, 0),
        };
        return true;
    }
    return false;
}

static bool next_message(void *context, void *row)
{
    struct events *events = context;
    while (events->at < events->items) {
        size_t i = events->at++;
        const struct item *item = &events->item[i];
        const struct cs_ring_entry *entry = &item->entry;
        if (entry->kind != CS_ENTRY_MESSAGE || !is_written(events, i))
            continue;
        bool posted = entry->posted && find_item(events, entry->posted_thread, entry->posted);
        *(struct cs_row_event_message *)row = (struct cs_row_event_message){
            .thread = cs_int(item->thread),
            .message = cs_int((int64_t)entry->number),
            .event = cs_int_unless((int64_t)item->event, 0),
            .posted_thread = posted ? cs_int(entry->posted_thread) : cs_text(NULL),
            .posted = posted ? cs_int((int64_t)entry->posted) : cs_text(NULL),
            .communicator = cs_int(entry->object),
            .direction = cs_text(entry->sends ? "send" : "receive"),
            .peer = cs_int(entry->peer),
            .tag = cs_int(entry->tag),
            .bytes = cs_int(cs_sealing_count(events->sealing, entry->bytes)),
            .nth = cs_int_unless((int64_t)item->nth, 0),
        };
        return true;
    }
    return false;
}

static enum cs_status write_rows(struct events *events)
{
    events->at = 0;
    enum cs_status status = cs_trace_fill(events->sealing->rows, CS_ROW_event, next_event, events);
    events->at = 0;
    return status == CS_OK ? cs_trace_fill(events->sealing->rows, CS_ROW_event_message, next_message, events) : status;
}

enum cs_status cs_events_write(struct cs_sealing *sealing, uint64_t most)
{
    struct events events = {.sealing = sealing, .most = most};
    enum cs_status status = cs_journal_read_cells(sealing->reader, CS_BLOCK_RING, visit_page, &events);
    if (status == CS_OK && events.items) {
        qsort(events.item, events.items, sizeof *events.item, by_entry);
        drop_repeated(&events);
        find_calls(&events);
        status = find_places(&events);
        if (status == CS_OK)
            status = number_messages(&events);
        if (status == CS_OK)
            status = write_rows(&events);
    }
    free(events.item);
    free(events.place);
    free(events.channel);
    free(events.pair);
    free(events.untold);
    return status;
}
