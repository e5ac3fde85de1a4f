#include "db/convert/event_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/number_table.h"

/* All messages in one direction with one communicator, peer and tag. */
struct channel {
    uint32_t object;
    int32_t peer, tag;
    uint32_t direction;
    uint64_t counted; /* messages that the process counted */
    uint64_t after;   /* further ones, after the events end */
    uint64_t late;    /* of these: not in the ring yet when the process was killed */
    uint64_t found;   /* entries */
    uint64_t old;     /* of these: posted before the events begin */
    uint64_t before;  /* messages before the events begin */
    uint64_t pending; /* number of the entry that posted the first receive that may match and is not complete */
    uint64_t seen;    /* entries that cs_event_order_next has seen */
    uint32_t thread;  /* of all its messages */
    uint32_t poster;  /* thread that posted them */
    bool doubtful;
    struct late_window *window;
};

/* Messages are complete in another order than they were posted if a process polls several receives of a channel. The
 * last ones of a channel wait here, in the order in which they were posted: a message that comes later may belong
 * before them. */
struct waiting {
    uint64_t posted; /* its place: place_of */
    uint64_t entry;
    uint64_t arrival; /* number of the message by completion, from 1 */
};

struct late_window {
    size_t begin, end, room; /* item[begin] to item[end - 1] */
    uint64_t settled;        /* messages that left the window */
    uint64_t settled_posted; /* place of the last of them */
    struct waiting item[];
};

/* The probe was on another thread. */
#define MATCHED_ELSEWHERE UINT64_MAX

enum { WINDOW_FIRST = 16, WINDOW_MOST = 512, MOVED_MOST = 2 << 20, RECENT = 4096 };

/* A message with another number than its entry has among the entries of the channel. */
struct moved {
    uint64_t entry, nth;
    uint32_t thread;
};

/* The messages with one peer, by the traffic. */
struct pair {
    uint32_t object;
    int32_t peer;
    uint32_t direction;
    uint64_t messages;
};

/* Receives that were posted and not completed so far. */
struct posted {
    uint64_t key; /* cs_ring_next of its entry */
    uint32_t object;
    int32_t peer, tag;
    uint64_t match; /* number of the probe that found its message; 0: none */
    bool completed; /* by a thread that is read before the one that posted it */
};

struct cs_event_order {
    struct cs_conversion *conversion;
    struct cs_event_pages *pages;
    struct cs_event_places *places;
    struct channel *channel;
    size_t channels, channels_room;
    uint32_t recent[RECENT]; /* channels that were found last, from 1 */
    struct pair *pair;
    size_t pairs, pairs_room;
    struct pair *unknown; /* requests of unknown outcome */
    size_t unknowns, unknowns_room;
    struct moved *moved;
    size_t moves, moves_room, moves_seen;
    struct cs_number_table posted;
    struct cs_ring_entry note; /* about a request, the entry before */
    uint32_t note_thread;
    bool paused, messages, requests, windows; /* the last three: there are such entries */
};

/* ---- receives that are not complete ---- */

static uint64_t key_of(uint32_t thread, uint64_t number)
{
    return number | (uint64_t)thread << 48;
}

static bool put_posted(struct cs_number_table *all, const struct posted *posted)
{
    struct posted *slot = cs_number_table_add(all, posted->key, sizeof *slot);
    if (slot)
        *slot = *posted;
    return slot;
}

static struct posted *find_posted(const struct cs_number_table *all, uint64_t key)
{
    return cs_number_table_find(all, key, sizeof(struct posted));
}

static void remove_posted(struct cs_number_table *all, struct posted *posted)
{
    cs_number_table_remove(all, posted, sizeof *posted);
}

/* With key 0: a free slot. */
static const struct posted *posted_at(const struct cs_event_order *order, size_t slot)
{
    return (const struct posted *)(const void *)order->posted.slot + slot;
}

static bool takes_from(const struct posted *posted, const struct channel *channel)
{
    return channel->direction == CS_RECEIVE && posted->object == channel->object &&
           (posted->peer == CS_PEER_ANY || posted->peer == channel->peer) &&
           (posted->tag == CS_TAG_ANY || posted->tag == channel->tag);
}

/* A receive was posted, or a probe matched a message. match: number of the probe that found its message; 0: none. */
static bool note_posted(struct cs_event_order *order, uint32_t thread, const struct cs_ring_entry *entry,
                        const struct cs_event_place *place, uint64_t match)
{
    if (entry->collective || entry->peer == CS_PEER_NULL || entry->peer == CS_NO_PEER)
        return true;
    const struct posted posted = {.key = key_of(thread, entry->number),
                                  .object = place->object,
                                  .peer = entry->peer,
                                  .tag = entry->tag,
                                  .match = match};
    struct posted *found = find_posted(&order->posted, posted.key);
    for (size_t i = 0; found && match && i < order->channels; i++)
        order->channel[i].doubtful |= takes_from(&posted, &order->channel[i]); /* it was read without its match */
    if (found)
        remove_posted(&order->posted, found);
    return found || put_posted(&order->posted, &posted);
}

/* A receive was completed or cancelled, or a matched message taken. *match: number of the probe that found its message.
 */
static bool note_completed(struct cs_event_order *order, uint32_t thread, const struct cs_ring_entry *entry,
                           uint64_t *match)
{
    const struct posted posted = {.key = key_of(entry->posted_thread, entry->posted), .completed = true};
    struct posted *found = find_posted(&order->posted, posted.key);
    if (found)
        *match = found->match;
    if (found)
        remove_posted(&order->posted, found);
    else if (entry->posted_thread > thread && cs_event_pages_have(order->pages, entry->posted_thread, entry->posted))
        return put_posted(&order->posted, &posted);
    return true;
}

/* ---- channels ---- */

static uint32_t direction_of(const struct cs_ring_entry *entry)
{
    return entry->kind == CS_ENTRY_SENT || (entry->kind == CS_ENTRY_MESSAGE && entry->sends) ? CS_SEND : CS_RECEIVE;
}

static int by_channel(const void *left, const void *right)
{
    const struct channel *a = left, *b = right;
    int order = cs_compare(a->object, b->object);
    order = order ? order : cs_compare(a->direction, b->direction);
    order = order ? order : cs_compare(a->peer, b->peer);
    return order ? order : cs_compare(a->tag, b->tag);
}

static enum cs_status visit_channel(void *context, uint32_t thread, uint32_t place, const void *visited)
{
    struct cs_event_order *order = context;
    const struct cs_channel_cell *cell = visited;
    (void)place;
    if (!cs_array_grow(&order->channel, order->channels, &order->channels_room, sizeof *order->channel))
        return CS_NO_MEMORY;
    const struct cs_event_thread *found = cs_event_pages_thread(order->pages, thread);
    uint32_t behind = (uint32_t)cell->position - (uint32_t)(found ? found->last : 0);
    order->channel[order->channels++] = (struct channel){
        .object = cell->object,
        .peer = cell->peer,
        .tag = cell->tag,
        .direction = cell->direction,
        .counted = cell->position >> 32,
        .after = cell->after,
        .late = behind == 1,
        .thread = thread,
        .doubtful = behind > 1 && behind <= INT32_MAX, /* it went on while it was read */
    };
    return CS_OK;
}

/* Threads whose messages share a channel post at the same time: their order is unknown. */
static void join_channels(struct cs_event_order *order)
{
    size_t kept = 0;
    if (order->channels)
        qsort(order->channel, order->channels, sizeof *order->channel, by_channel);
    for (size_t i = 0; i < order->channels; i++) {
        struct channel *last = kept ? &order->channel[kept - 1] : NULL, *it = &order->channel[i];
        if (last && by_channel(last, it) == 0) {
            last->doubtful |= it->doubtful || last->thread != it->thread;
            last->counted += it->counted;
            last->after += it->after;
            last->late += it->late;
        } else {
            order->channel[kept++] = *it;
        }
    }
    order->channels = kept;
}

/* The channel of an entry; NULL: none. */
static struct channel *channel_of(struct cs_event_order *order, const struct cs_ring_entry *entry, uint32_t object)
{
    bool message = entry->kind == CS_ENTRY_SENT || entry->kind == CS_ENTRY_RECEIVED || entry->kind == CS_ENTRY_MESSAGE;
    if (!message || entry->peer < 0 || entry->tag < 0 || !order->channels)
        return NULL;
    const struct channel key = {
        .object = object, .peer = entry->peer, .tag = entry->tag, .direction = direction_of(entry)};
    uint64_t hash = cs_hash_mix(cs_hash_mix(0, object | (uint64_t)(uint32_t)entry->peer << 32),
                                (uint32_t)entry->tag | (uint64_t)key.direction << 32);
    uint32_t *recent = &order->recent[hash % RECENT];
    if (!*recent || by_channel(&key, &order->channel[*recent - 1]) != 0) {
        const struct channel *found =
            bsearch(&key, order->channel, order->channels, sizeof *order->channel, by_channel);
        if (!found)
            return NULL;
        *recent = (uint32_t)(found - order->channel) + 1;
    }
    return &order->channel[*recent - 1];
}

/* ---- what the traffic says ---- */

static int by_pair(const void *left, const void *right)
{
    const struct pair *a = left, *b = right;
    int order = cs_compare(a->object, b->object);
    order = order ? order : cs_compare(a->direction, b->direction);
    return order ? order : cs_compare(a->peer, b->peer);
}

static enum cs_status visit_traffic(void *context, const void *visited)
{
    struct cs_event_order *order = context;
    const struct cs_traffic_cell *cell = visited;
    if (cell->direction == CS_RECEIVE_UNKNOWN || cell->direction == CS_SEND_UNKNOWN) {
        if (!cs_array_grow(&order->unknown, order->unknowns, &order->unknowns_room, sizeof *order->unknown))
            return CS_NO_MEMORY;
        enum cs_direction direction = cell->direction == CS_SEND_UNKNOWN ? CS_SEND : CS_RECEIVE;
        order->unknown[order->unknowns++] =
            (struct pair){.object = cell->object, .peer = cell->peer, .direction = direction};
        return CS_OK;
    }
    if (!cs_array_grow(&order->pair, order->pairs, &order->pairs_room, sizeof *order->pair))
        return CS_NO_MEMORY;
    order->pair[order->pairs++] =
        (struct pair){cell->object, cell->peer, cell->direction, (uint64_t)(int64_t)cell->messages};
    return CS_OK;
}

static void join_pairs(struct cs_event_order *order)
{
    size_t kept = 0;
    if (order->pairs)
        qsort(order->pair, order->pairs, sizeof *order->pair, by_pair);
    for (size_t i = 0; i < order->pairs; i++)
        if (kept && by_pair(&order->pair[kept - 1], &order->pair[i]) == 0)
            order->pair[kept - 1].messages += order->pair[i].messages;
        else
            order->pair[kept++] = order->pair[i];
    order->pairs = kept;
}

/* True if a request of unknown outcome may have sent or taken a message of the channel. */
static bool is_unknown(const struct cs_event_order *order, const struct channel *channel)
{
    for (size_t i = 0; i < order->unknowns; i++) {
        const struct pair *it = &order->unknown[i];
        bool any = it->peer == CS_PEER_ANY || it->peer == CS_PEER_OTHERS;
        if (it->object == channel->object && it->direction == channel->direction && (any || it->peer == channel->peer))
            return true;
    }
    return false;
}

/* Some thread may have no ring, or messages were cancelled: then the traffic has another number of messages. */
static void check_traffic(struct cs_event_order *order)
{
    join_pairs(order);
    for (size_t i = 0, end; i < order->channels; i = end) {
        struct channel *first = &order->channel[i];
        const struct pair key = {.object = first->object, .peer = first->peer, .direction = first->direction};
        uint64_t counted = 0;
        for (end = i; end < order->channels; end++) {
            const struct channel *it = &order->channel[end];
            if (it->object != first->object || it->peer != first->peer || it->direction != first->direction)
                break;
            counted += it->counted + it->after;
        }
        const struct pair *found = order->pairs ? bsearch(&key, order->pair, order->pairs, sizeof key, by_pair) : NULL;
        /* The traffic counts a message before the ring does. */
        bool agrees =
            found && (found->messages == counted || (order->conversion->unfinished && found->messages == counted + 1));
        bool doubtful = !agrees || is_unknown(order, first);
        for (size_t j = i; j < end; j++)
            order->channel[j].doubtful |= doubtful || order->paused;
    }
}

static enum cs_status visit_pcontrol(void *context, const struct cs_fact *fact)
{
    struct cs_event_order *order = context;
    order->paused |=
        fact->type == CS_FACT_PCONTROL && ((const struct cs_fact_pcontrol *)(const void *)fact)->level == 0;
    return CS_OK;
}

/* ---- the order of receives ---- */

/* The first message of the window gets its place. */
static bool settle(struct cs_event_order *order, struct channel *channel)
{
    struct late_window *window = channel->window;
    const struct waiting *first = &window->item[window->begin++];
    uint64_t nth = ++window->settled;
    window->settled_posted = first->posted;
    if (nth == first->arrival || channel->doubtful)
        return true;
    if (order->moves == MOVED_MOST) {
        channel->doubtful = true;
        return true;
    }
    if (!cs_array_grow(&order->moved, order->moves, &order->moves_room, sizeof *order->moved))
        return false;
    order->moved[order->moves++] = (struct moved){first->entry, nth, channel->thread};
    return true;
}

/* Makes room behind the last message of the window. */
static bool make_room(struct cs_event_order *order, struct channel *channel)
{
    struct late_window *window = channel->window;
    if (!window || (window->end == window->room && window->room < 2 * WINDOW_MOST)) {
        size_t room = window ? 2 * window->room : WINDOW_FIRST;
        struct late_window *grown = realloc(window, sizeof *window + room * sizeof window->item[0]);
        if (!grown)
            return false;
        if (!window)
            *grown = (struct late_window){0};
        grown->room = room;
        channel->window = window = grown;
    }
    if (window->end - window->begin >= WINDOW_MOST && !settle(order, channel))
        return false;
    if (window->end == window->room) {
        memmove(window->item, &window->item[window->begin], (window->end - window->begin) * sizeof window->item[0]);
        window->end -= window->begin;
        window->begin = 0;
    }
    return true;
}

/* The place of a receive among those that were posted. The requests of MPI_Startall count in the order of the array, as
   all known MPIs start them. */
static uint64_t place_of(uint64_t posted, uint32_t nth)
{
    return posted << CS_ENTRY_NTH_BITS | nth;
}

/* Takes the next received message of a channel. Two with one place are more than the entries can tell apart. */
static bool note_received(struct cs_event_order *order, struct channel *channel, uint64_t posted, uint64_t entry)
{
    if (!make_room(order, channel))
        return false;
    struct late_window *window = channel->window;
    channel->doubtful |= window->settled && posted <= window->settled_posted;
    size_t at = window->end++;
    while (at > window->begin && window->item[at - 1].posted > posted) {
        window->item[at] = window->item[at - 1];
        at--;
    }
    channel->doubtful |= at > window->begin && window->item[at - 1].posted == posted;
    window->item[at] = (struct waiting){posted, entry, channel->found};
    return true;
}

static enum cs_status settle_all(struct cs_event_order *order)
{
    for (size_t i = 0; i < order->channels; i++) {
        struct channel *channel = &order->channel[i];
        while (channel->window && channel->window->begin < channel->window->end)
            if (!settle(order, channel))
                return CS_NO_MEMORY;
        free(channel->window);
        channel->window = NULL;
    }
    return CS_OK;
}

static int by_entry(const void *left, const void *right)
{
    const struct moved *a = left, *b = right;
    int order = cs_compare(a->thread, b->thread);
    return order ? order : cs_compare((int64_t)a->entry, (int64_t)b->entry);
}

/* ---- all events ---- */

/* The note that comes directly before a call. */
static const struct cs_ring_entry *note_of(const struct cs_event_order *order, uint32_t thread,
                                           const struct cs_ring_entry *call)
{
    bool next = order->note.posted && order->note_thread == thread && order->note.number + 1 == call->number;
    return next ? &order->note : NULL;
}

/* A call may post a receive, match a message, or take one. *match: number of the probe that found what it takes. */
static bool read_call(struct cs_event_order *order, uint32_t thread, const struct cs_ring_entry *entry,
                      const struct cs_event_place *place, uint64_t *match)
{
    const struct cs_ring_entry *note = note_of(order, thread, entry);
    uint64_t none;
    if (note && note->posted == entry->number)
        return note_posted(order, thread, entry, place, 0);
    bool takes = note && (place->takes_matched || place->posts);
    if (takes && !note_completed(order, thread, note, &none))
        return false;
    *match = !takes ? 0 : note->posted_thread == thread ? note->posted : MATCHED_ELSEWHERE;
    return !place->posts || note_posted(order, thread, entry, place, *match);
}

static enum cs_status read_entry(struct cs_event_order *order, uint32_t thread, const struct cs_ring_entry *entry)
{
    bool message = entry->kind == CS_ENTRY_MESSAGE;
    const struct cs_event_place *place = cs_event_places_at(order->places, thread, entry->place);
    uint64_t match = 0;
    if (cs_ring_is_call(entry) && !read_call(order, thread, entry, place, &match))
        return CS_NO_MEMORY;
    if (message && entry->posted && !note_completed(order, thread, entry, &match))
        return CS_NO_MEMORY;
    order->messages |= message;
    if (entry->kind == CS_ENTRY_NOTE && !entry->object) {
        order->note = *entry;
        order->note_thread = thread;
        order->requests = true;
    }
    order->windows |= entry->kind == CS_ENTRY_NOTE && entry->object;
    struct channel *channel = channel_of(order, entry, message ? entry->object : place->object);
    if (!channel)
        return CS_OK;
    uint64_t posted = match ? match : entry->posted ? entry->posted : entry->number;
    uint32_t poster = entry->posted ? entry->posted_thread : thread;
    if (!channel->found++)
        channel->poster = poster;
    channel->doubtful |= (place->takes_matched && !match) || match == MATCHED_ELSEWHERE || poster != channel->poster ||
                         thread != channel->thread;
    channel->old += !cs_event_pages_have(order->pages, poster, posted);
    bool done = channel->direction == CS_SEND ||
                note_received(order, channel, place_of(posted, match ? 0 : entry->posted_nth), entry->number);
    return done ? CS_OK : CS_NO_MEMORY;
}

static enum cs_status read_entries(struct cs_event_order *order)
{
    struct cs_event_walk *walk = cs_event_walk_begin(order->pages);
    struct cs_ring_entry entry;
    uint32_t thread;
    enum cs_status status = walk ? CS_OK : CS_NO_MEMORY;
    while (status == CS_OK && cs_event_walk_next(walk, &thread, &entry))
        status = read_entry(order, thread, &entry);
    cs_event_walk_end(walk);
    if (status == CS_OK)
        status = settle_all(order);
    if (order->moves)
        qsort(order->moved, order->moves, sizeof *order->moved, by_entry);
    return status;
}

/* ---- receives that take part in the order and are not complete ---- */

/* A request that is still active and was posted before the events begin, or is persistent: its place in the order is
 * unknown. */
static enum cs_status visit_request(void *context, const void *visited)
{
    struct cs_event_order *order = context;
    const struct cs_request_cell *cell = visited;
    if (!(cell->flags & CS_REQUEST_ACTIVE) || !(cell->flags & CS_REQUEST_RECEIVES) || cell->flags & CS_REQUEST_INTERNAL)
        return CS_OK;
    bool known = false;
    for (size_t i = 0; i < order->posted.slots; i++) {
        const struct posted *it = posted_at(order, i);
        known |=
            it->key && !it->completed && it->object == cell->object && it->peer == cell->peer && it->tag == cell->tag;
    }
    const struct posted it = {.object = cell->object, .peer = cell->peer, .tag = cell->tag};
    for (size_t i = 0; (!known || cell->flags & CS_REQUEST_PERSISTENT) && i < order->channels; i++)
        if (takes_from(&it, &order->channel[i]))
            order->channel[i].doubtful = true;
    return CS_OK;
}

static void find_pending(struct cs_event_order *order)
{
    for (size_t i = 0; i < order->posted.slots; i++) {
        const struct posted *it = posted_at(order, i);
        if (!it->key || it->completed)
            continue;
        uint32_t thread = (uint32_t)(it->key >> 48);
        uint64_t number = it->key & (((uint64_t)1 << 48) - 1);
        for (size_t j = 0; j < order->channels; j++) {
            struct channel *channel = &order->channel[j];
            if (!takes_from(it, channel))
                continue;
            channel->doubtful |= channel->found && thread != channel->poster; /* posted at the same time */
            if (number < channel->pending)
                channel->pending = number;
        }
    }
}

/* The messages before the events begin. */
static void find_before(struct cs_event_order *order)
{
    for (size_t i = 0; i < order->channels; i++) {
        struct channel *channel = &order->channel[i];
        uint64_t counted = channel->counted - channel->late;
        channel->doubtful |= counted < channel->found || channel->late > 1;
        channel->before = counted - channel->found;
    }
}

/* ---- all together ---- */

static enum cs_status find_order(struct cs_event_order *order)
{
    struct cs_journal_reader *reader = order->conversion->reader;
    enum cs_status status = cs_journal_read_placed_cells(reader, CS_BLOCK_CHANNEL, visit_channel, order);
    if (status == CS_OK)
        status = cs_journal_read_cells(reader, CS_BLOCK_TRAFFIC, visit_traffic, order);
    if (status == CS_OK)
        status = cs_journal_read_facts(reader, visit_pcontrol, order);
    if (status != CS_OK)
        return status;
    join_channels(order);
    for (size_t i = 0; i < order->channels; i++)
        order->channel[i].pending = UINT64_MAX;
    check_traffic(order);
    status = read_entries(order);
    if (status == CS_OK)
        status = cs_journal_read_cells(reader, CS_BLOCK_REQUEST, visit_request, order);
    if (status != CS_OK)
        return status;
    find_pending(order);
    find_before(order);
    return CS_OK;
}

struct cs_event_order *cs_event_order_find(struct cs_conversion *conversion, struct cs_event_pages *pages,
                                           struct cs_event_places *places, enum cs_status *status)
{
    struct cs_event_order *order = calloc(1, sizeof *order);
    if (!order) {
        *status = CS_NO_MEMORY;
        return NULL;
    }
    order->conversion = conversion;
    order->pages = pages;
    order->places = places;
    *status = find_order(order);
    if (*status == CS_OK)
        return order;
    cs_event_order_free(order);
    return NULL;
}

void cs_event_order_free(struct cs_event_order *order)
{
    if (!order)
        return;
    for (size_t i = 0; i < order->channels; i++)
        free(order->channel[i].window);
    free(order->channel);
    free(order->pair);
    free(order->unknown);
    free(order->moved);
    free(order->posted.slot);
    free(order);
}

bool cs_event_order_has_messages(const struct cs_event_order *order)
{
    return order->messages;
}

bool cs_event_order_has_notes(const struct cs_event_order *order, bool windows)
{
    return windows ? order->windows : order->requests;
}

uint64_t cs_event_order_next(struct cs_event_order *order, uint32_t thread, const struct cs_ring_entry *entry)
{
    uint32_t object =
        !cs_ring_is_call(entry) ? entry->object : cs_event_places_at(order->places, thread, entry->place)->object;
    struct channel *channel = channel_of(order, entry, object);
    if (!channel)
        return 0;
    uint64_t nth = ++channel->seen;
    if (channel->doubtful)
        return 0;
    const struct moved key = {.entry = entry->number, .thread = thread};
    while (order->moves_seen < order->moves && by_entry(&order->moved[order->moves_seen], &key) < 0)
        order->moves_seen++;
    if (order->moves_seen < order->moves && by_entry(&order->moved[order->moves_seen], &key) == 0)
        nth = order->moved[order->moves_seen].nth;
    if (entry->posted && !cs_event_pages_have(order->pages, entry->posted_thread, entry->posted))
        return 0;
    /* Those that were posted before the events begin share the first numbers with others that are lost. */
    if ((channel->before && nth <= channel->old) || (entry->posted ? entry->posted : entry->number) > channel->pending)
        return 0;
    return channel->before + nth;
}

void cs_event_order_rewind(struct cs_event_order *order)
{
    order->moves_seen = 0;
    for (size_t i = 0; i < order->channels; i++)
        order->channel[i].seen = 0;
}
