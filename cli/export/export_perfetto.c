#include "cli/export/export_perfetto.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/hash_table.h"
#include "base/log.h"
#include "cli/rows/sql.h"
#include "db/trace/schema.h"
#include "reports_sql.h"

/* ---- the wire format of protocol buffers ---- */

enum { VARINT, FIXED64, BYTES };

/* Field numbers of Perfetto's messages; google/perfetto, protos/perfetto/trace. */
enum {
    TRACE_PACKET = 1,
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10,
    PACKET_EVENT = 11,
    PACKET_INTERNED = 12,
    PACKET_FLAGS = 13,
    PACKET_TRACK = 60,
    TRACK_UUID = 1,
    TRACK_NAME = 2,
    TRACK_PROCESS = 3,
    TRACK_THREAD = 4,
    TRACK_PARENT = 5,
    TRACK_COUNTER = 8,
    PROCESS_PID = 1,
    PROCESS_NAME = 6,
    THREAD_PID = 1,
    THREAD_TID = 2,
    THREAD_NAME = 5,
    COUNTER_UNIT = 3,
    EVENT_CATEGORY = 3,
    EVENT_NOTE = 4,
    EVENT_TYPE = 9,
    EVENT_NAME = 10,
    EVENT_TRACK = 11,
    EVENT_COUNT = 30,
    EVENT_FLOW = 47,
    EVENT_FLOW_END = 48,
    NOTE_NAME = 1,
    NOTE_INT = 4,
    NOTE_TEXT = 17,
    INTERNED_CATEGORY = 1,
    INTERNED_NAME = 2,
    INTERNED_NOTE = 3,
    INTERNED_TEXT = 29,
    INTERNED_KINDS,
    INTERNED_ID = 1,
    INTERNED_STRING = 2,
};
enum { SLICE_BEGIN = 1, SLICE_END = 2, INSTANT = 3, COUNTER = 4 };
enum { UNIT_COUNT = 2, UNIT_BYTES = 3 };
enum { STATE_CLEARED = 1, STATE_NEEDED = 2 };

/* A message that grows. */
struct message {
    unsigned char *bytes;
    size_t count, room;
    bool failed;
};

static void put_byte(struct message *to, unsigned char byte)
{
    if (cs_array_grow(&to->bytes, to->count, &to->room, 1))
        to->bytes[to->count++] = byte;
    else
        to->failed = true;
}

static void put_varint(struct message *to, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        put_byte(to, (unsigned char)(value | 0x80));
    put_byte(to, (unsigned char)value);
}

static void put_number(struct message *to, unsigned field, uint64_t value)
{
    put_varint(to, (uint64_t)field << 3 | VARINT);
    put_varint(to, value);
}

static void put_fixed(struct message *to, unsigned field, uint64_t value)
{
    put_varint(to, (uint64_t)field << 3 | FIXED64);
    for (int i = 0; i < 8; i++)
        put_byte(to, (unsigned char)(value >> 8 * i));
}

static void put_bytes(struct message *to, unsigned field, const void *bytes, size_t count)
{
    put_varint(to, (uint64_t)field << 3 | BYTES);
    put_varint(to, count);
    for (size_t i = 0; i < count; i++)
        put_byte(to, ((const unsigned char *)bytes)[i]);
}

static void put_text(struct message *to, unsigned field, const char *text)
{
    put_bytes(to, field, text, strlen(text));
}

/* Adds a message as a field, and empties it. */
static void put_message(struct message *to, unsigned field, struct message *part)
{
    put_bytes(to, field, part->bytes, part->count);
    to->failed |= part->failed;
    part->count = 0;
}

/* ---- the file ---- */

/* A slice that has begun. */
struct open {
    int64_t end_ns;
    size_t flows; /* those that end before its own */
};

/* Ends of messages, in the order of the calls. */
struct feed {
    sqlite3_stmt *row;
    bool has;
};

struct text {
    UT_hash_handle hh;
    uint64_t number;
    char text[];
};

/* Names of arguments; the number of each is its place, from 1. */
enum note {
    NOTE_COMMUNICATOR,
    NOTE_SITE,
    NOTE_PEER,
    NOTE_TAG,
    NOTE_BYTES,
    NOTE_CALLS,
    NOTE_COLLECTIVE,
    NOTE_ERROR,
    NOTE_LAST,
    NOTE_WAIT,
    NOTES
};
static const char *const note_names[NOTES] = {"communicator", "call_site",  "peer",           "tag",       "bytes",
                                              "calls",        "collective", "clock_error_ns", "last_rank", "wait_ns"};

struct output {
    sqlite3 *db;
    FILE *stream;
    int64_t zero_ns;
    const struct cs_perfetto_part *part_of;
    size_t number; /* of this part */
    int64_t events, messages;
    bool begun;
    uint64_t tracks;
    struct message packet, event, part, interned;
    struct feed sent, received;
    struct open *open;
    uint64_t *flow; /* flows that end with the open slices */
    size_t opens, opens_room, flows, flows_room;
    struct text *text[INTERNED_KINDS]; /* by field of InternedData */
    bool failed;
};

/* Writes the packet: what was interned for it comes with it. */
static void end_packet(struct output *output)
{
    struct message *packet = &output->packet;
    put_number(packet, PACKET_SEQUENCE, 1);
    put_number(packet, PACKET_FLAGS, output->begun ? STATE_NEEDED : STATE_CLEARED | STATE_NEEDED);
    output->begun = true;
    if (output->interned.count)
        put_message(packet, PACKET_INTERNED, &output->interned);
    output->failed |= packet->failed || output->event.failed || output->part.failed || output->interned.failed;
    struct message head = {.failed = false};
    put_varint(&head, TRACE_PACKET << 3 | BYTES);
    put_varint(&head, packet->count);
    output->failed |= head.failed;
    if (!output->failed) {
        fwrite(head.bytes, 1, head.count, output->stream);
        fwrite(packet->bytes, 1, packet->count, output->stream);
    }
    free(head.bytes);
    packet->count = 0;
}

/* ---- texts that occur once in the file ---- */

enum { TEXTS_MOST = 1 << 15 }; /* of a kind */

static void intern(struct output *output, unsigned kind, uint64_t number, const char *text)
{
    put_number(&output->part, INTERNED_ID, number);
    put_text(&output->part, INTERNED_STRING, text);
    put_message(&output->interned, kind, &output->part);
}

/* The number of a text; 0: no room, or no text. */
static uint64_t number_of(struct output *output, unsigned kind, const char *text)
{
    struct text *found = NULL, **known = &output->text[kind];
    if (text)
        HASH_FIND_STR(*known, text, found);
    if (found || !text || HASH_COUNT(*known) >= TEXTS_MOST)
        return found ? found->number : 0;
    found = calloc(1, sizeof *found + strlen(text) + 1);
    if (found) {
        found->number = HASH_COUNT(*known) + 1;
        strcpy(found->text, text);
        CS_TABLE_ADD_UNDER(*known, found->text, strlen(text), found);
    }
    if (!found) {
        output->failed = true;
        return 0;
    }
    intern(output, kind, found->number, text);
    return found->number;
}

static void free_texts(struct output *output)
{
    for (int kind = 0; kind < INTERNED_KINDS; kind++)
        CS_TABLE_FREE(output->text[kind]);
}

/* ---- tracks ---- */

static uint64_t track_of(int64_t rank, int64_t thread)
{
    return ((uint64_t)rank + 1) << 20 | ((uint64_t)(thread + 1) & 0xfffff);
}

static const char *text_at(sqlite3_stmt *row, int column)
{
    return (const char *)sqlite3_column_text(row, column);
}

static bool finish(struct output *output, sqlite3_stmt *row)
{
    int code = sqlite3_finalize(row);
    if (code != SQLITE_OK)
        cs_log("export: %s", sqlite3_errmsg(output->db));
    return code == SQLITE_OK && !output->failed;
}

static void write_note(struct output *output, enum note note, int64_t value)
{
    put_number(&output->part, NOTE_NAME, (uint64_t)note + 1);
    put_number(&output->part, NOTE_INT, (uint64_t)value);
    put_message(&output->event, EVENT_NOTE, &output->part);
}

static void write_text_note(struct output *output, enum note note, const char *text)
{
    uint64_t number = number_of(output, INTERNED_TEXT, text);
    if (!number)
        return;
    put_number(&output->part, NOTE_NAME, (uint64_t)note + 1);
    put_number(&output->part, NOTE_TEXT, number);
    put_message(&output->event, EVENT_NOTE, &output->part);
}

/* A process for each rank, and the error of its clock as an event at the begin. */
static bool write_processes(struct output *output)
{
    sqlite3_stmt *row = cs_sql_prepare(
        output->db, "SELECT rank, pid, coalesce('rank ' || rank || ' on ' || node, 'rank ' || rank),\n"
                    "       clock_error_ns FROM process WHERE rank IN (SELECT rank FROM temp.part_calls)");
    for (enum note note = 0; note < NOTES; note++)
        intern(output, INTERNED_NOTE, (uint64_t)note + 1, note_names[note]);
    while (row && sqlite3_step(row) == SQLITE_ROW) {
        int64_t rank = sqlite3_column_int64(row, 0);
        put_number(&output->part, PROCESS_PID, (uint64_t)rank + 1); /* those of several nodes may be equal */
        put_text(&output->part, PROCESS_NAME, text_at(row, 2));
        put_number(&output->event, TRACK_UUID, track_of(rank, -1));
        put_message(&output->event, TRACK_PROCESS, &output->part);
        put_message(&output->packet, PACKET_TRACK, &output->event);
        end_packet(output);
        put_number(&output->event, EVENT_TYPE, INSTANT);
        put_number(&output->event, EVENT_TRACK, track_of(rank, -1));
        put_number(&output->event, EVENT_NAME, number_of(output, INTERNED_NAME, "recording"));
        if (sqlite3_column_type(row, 3) != SQLITE_NULL)
            write_note(output, NOTE_ERROR, sqlite3_column_int64(row, 3));
        put_number(&output->packet, PACKET_TIMESTAMP, (uint64_t)(output->part_of->from_ns - output->zero_ns));
        put_message(&output->packet, PACKET_EVENT, &output->event);
        end_packet(output);
    }
    return row && finish(output, row);
}

static void write_thread(struct output *output, int64_t rank, int64_t thread)
{
    char name[32];
    snprintf(name, sizeof name, "thread %lld", (long long)thread);
    put_number(&output->part, THREAD_PID, (uint64_t)rank + 1);
    put_number(&output->part, THREAD_TID, ++output->tracks); /* unique in the file */
    put_text(&output->part, THREAD_NAME, name);
    put_number(&output->event, TRACK_UUID, track_of(rank, thread));
    put_number(&output->event, TRACK_PARENT, track_of(rank, -1));
    put_message(&output->event, TRACK_THREAD, &output->part);
    put_message(&output->packet, PACKET_TRACK, &output->event);
    end_packet(output);
}

/* A statement with the range of time as ?1 and ?2, and the number of the part as ?3. */
static sqlite3_stmt *prepare(struct output *output, const char *sql)
{
    sqlite3_stmt *row = cs_sql_prepare(output->db, sql);
    if (row) {
        sqlite3_bind_int64(row, 1, output->part_of->from_ns);
        sqlite3_bind_int64(row, 2, output->part_of->to_ns);
        if (sqlite3_bind_parameter_count(row) > 2)
            sqlite3_bind_int64(row, 3, (sqlite3_int64)output->number);
    }
    return row;
}

/* ---- messages ---- */

enum { KEY_RANK, KEY_THREAD, KEY_EVENT, KEY_ID, KEY_SOURCE, KEY_DEST, KEY_TAG, KEY_NTH, KEYS };

/* Messages of which both ends are in this part. */
#define MESSAGES(side, begin)                                                                                          \
    "SELECT " side ", " side "_thread, " side "_event, id, source, dest, tag, nth FROM temp.joined_messages\n"         \
    "WHERE send_start_ns BETWEEN ?1 AND ?2 - 1 AND receive_start_ns BETWEEN ?1 AND ?2 - 1\n"                           \
    "ORDER BY 1, 2, " begin "_start_ns, " begin "_end_ns DESC, 3, nth"

static bool begin_feed(struct output *output, struct feed *feed, const char *sql)
{
    feed->row = prepare(output, sql);
    feed->has = feed->row && sqlite3_step(feed->row) == SQLITE_ROW;
    return feed->row != NULL;
}

/* The next message of this call as the number of its flow. False: it has no more. */
static bool next_flow(struct feed *feed, sqlite3_stmt *call, uint64_t *flow)
{
    for (int column = KEY_RANK; feed->has && column <= KEY_EVENT; column++)
        if (sqlite3_column_int64(feed->row, column) != sqlite3_column_int64(call, column))
            return false;
    if (!feed->has)
        return false;
    *flow = 0;
    for (int column = KEY_ID; column < KEYS; column++)
        *flow = cs_hash_mix(*flow, (uint64_t)sqlite3_column_int64(feed->row, column));
    feed->has = sqlite3_step(feed->row) == SQLITE_ROW;
    return true;
}

/* ---- calls ---- */

static void write_end(struct output *output, uint64_t track)
{
    const struct open *open = &output->open[--output->opens];
    put_number(&output->event, EVENT_TYPE, SLICE_END);
    put_number(&output->event, EVENT_TRACK, track);
    for (size_t i = open->flows; i < output->flows; i++)
        put_fixed(&output->event, EVENT_FLOW_END, output->flow[i]);
    output->flows = open->flows;
    put_number(&output->packet, PACKET_TIMESTAMP, (uint64_t)(open->end_ns - output->zero_ns));
    put_message(&output->packet, PACKET_EVENT, &output->event);
    end_packet(output);
}

enum { RANK, THREAD, EVENT, START, END, FUNCTION, CLASS, OBJECT, PEER, TAG, BYTES_OF, CALLS, COLLECTIVE, SITE };

static void write_begin(struct output *output, sqlite3_stmt *row, uint64_t track, int64_t start_ns)
{
    const char *function = text_at(row, FUNCTION);
    uint64_t category = number_of(output, INTERNED_CATEGORY, text_at(row, CLASS));
    put_number(&output->event, EVENT_TYPE, SLICE_BEGIN);
    put_number(&output->event, EVENT_TRACK, track);
    put_number(&output->event, EVENT_NAME, number_of(output, INTERNED_NAME, function ? function : "a call"));
    if (category)
        put_number(&output->event, EVENT_CATEGORY, category);
    write_text_note(output, NOTE_COMMUNICATOR, text_at(row, OBJECT));
    write_text_note(output, NOTE_SITE, text_at(row, SITE));
    static const struct {
        int column;
        enum note note;
    } notes[] = {{PEER, NOTE_PEER}, {TAG, NOTE_TAG}, {BYTES_OF, NOTE_BYTES}, {COLLECTIVE, NOTE_COLLECTIVE}};
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        if (sqlite3_column_type(row, notes[i].column) != SQLITE_NULL)
            write_note(output, notes[i].note, sqlite3_column_int64(row, notes[i].column));
    if (sqlite3_column_int64(row, CALLS) > 1)
        write_note(output, NOTE_CALLS, sqlite3_column_int64(row, CALLS));
    uint64_t flow;
    while (next_flow(&output->sent, row, &flow)) {
        put_fixed(&output->event, EVENT_FLOW, flow);
        output->messages++;
    }
    put_number(&output->packet, PACKET_TIMESTAMP, (uint64_t)(start_ns - output->zero_ns));
    put_message(&output->packet, PACKET_EVENT, &output->event);
    end_packet(output);
}

/* Slices of a track must nest: a call ends before those around it. */
static bool write_call(struct output *output, sqlite3_stmt *row, uint64_t track)
{
    int64_t start_ns = sqlite3_column_int64(row, START), end_ns = sqlite3_column_int64(row, END);
    while (output->opens && output->open[output->opens - 1].end_ns <= start_ns)
        write_end(output, track);
    if (output->opens && output->open[output->opens - 1].end_ns < end_ns)
        end_ns = output->open[output->opens - 1].end_ns;
    if (!cs_array_grow(&output->open, output->opens, &output->opens_room, sizeof *output->open))
        return false;
    write_begin(output, row, track, start_ns);
    output->open[output->opens++] = (struct open){end_ns, output->flows};
    uint64_t flow;
    while (next_flow(&output->received, row, &flow)) {
        if (!cs_array_grow(&output->flow, output->flows, &output->flows_room, sizeof *output->flow))
            return false;
        output->flow[output->flows++] = flow;
    }
    return true;
}

static bool write_calls(struct output *output)
{
    sqlite3_stmt *row = prepare(output, cs_sql_perfetto_calls);
    bool begun = begin_feed(output, &output->sent, MESSAGES("source", "send")) &&
                 begin_feed(output, &output->received, MESSAGES("dest", "receive"));
    uint64_t track = 0;
    while (row && begun && !output->failed && sqlite3_step(row) == SQLITE_ROW) {
        int64_t rank = sqlite3_column_int64(row, RANK), thread = sqlite3_column_int64(row, THREAD);
        if (track != track_of(rank, thread)) {
            while (output->opens)
                write_end(output, track);
            track = track_of(rank, thread);
            write_thread(output, rank, thread);
        }
        output->failed |= !write_call(output, row, track);
        output->events++;
    }
    while (output->opens)
        write_end(output, track);
    bool done = finish(output, output->sent.row);
    done &= finish(output, output->received.row);
    return finish(output, row) && row && begun && done;
}

/* ---- collective calls ---- */

/* The track above those of communicators; no rank has it. */
#define COMMUNICATORS ((uint64_t)1 << 63)

static void write_track(struct output *output, uint64_t track, uint64_t parent, const char *name)
{
    put_number(&output->event, TRACK_UUID, track);
    put_text(&output->event, TRACK_NAME, name);
    if (parent)
        put_number(&output->event, TRACK_PARENT, parent);
    put_message(&output->packet, PACKET_TRACK, &output->event);
    end_packet(output);
}

enum { COLLECTIVE_ID, COLLECTIVE_NAME, COLLECTIVE_FUNCTION, NUMBER, FIRST, LEFT, LAST_RANK, WAIT, COLLECTIVE_SITE };

/* From the first entry to the last return; a call may begin on one rank before the one before has ended on another. */
static void write_collective(struct output *output, sqlite3_stmt *row, uint64_t track, int64_t *free_ns)
{
    int64_t start_ns = sqlite3_column_int64(row, FIRST), end_ns = sqlite3_column_int64(row, LEFT);
    const char *function = text_at(row, COLLECTIVE_FUNCTION);
    start_ns = start_ns > *free_ns ? start_ns : *free_ns;
    end_ns = end_ns > start_ns ? end_ns : start_ns;
    *free_ns = end_ns;
    put_number(&output->event, EVENT_TYPE, SLICE_BEGIN);
    put_number(&output->event, EVENT_TRACK, track);
    put_number(&output->event, EVENT_NAME, number_of(output, INTERNED_NAME, function ? function : "a call"));
    write_text_note(output, NOTE_SITE, text_at(row, COLLECTIVE_SITE));
    write_note(output, NOTE_COLLECTIVE, sqlite3_column_int64(row, NUMBER));
    write_note(output, NOTE_LAST, sqlite3_column_int64(row, LAST_RANK));
    write_note(output, NOTE_WAIT, sqlite3_column_int64(row, WAIT));
    put_number(&output->packet, PACKET_TIMESTAMP, (uint64_t)(start_ns - output->zero_ns));
    put_message(&output->packet, PACKET_EVENT, &output->event);
    end_packet(output);
    put_number(&output->event, EVENT_TYPE, SLICE_END);
    put_number(&output->event, EVENT_TRACK, track);
    put_number(&output->packet, PACKET_TIMESTAMP, (uint64_t)(end_ns - output->zero_ns));
    put_message(&output->packet, PACKET_EVENT, &output->event);
    end_packet(output);
}

/* A track for each communicator, window and file, with the calls of which all members have an event. */
static bool write_collectives(struct output *output)
{
    sqlite3_stmt *row = prepare(
        output, "SELECT id, coalesce(object_name, '(no name)'), function, collective, first_ns, left_ns, last_rank,\n"
                "       wait_ns, location(site) FROM temp.joined_collectives\n"
                "WHERE first_ns BETWEEN ?1 AND ?2 - 1 ORDER BY id, first_ns, collective");
    uint64_t track = COMMUNICATORS;
    int64_t id = 0, free_ns = 0;
    while (row && !output->failed && sqlite3_step(row) == SQLITE_ROW) {
        if (track == COMMUNICATORS)
            write_track(output, track, 0, "communicators");
        if (track == COMMUNICATORS || sqlite3_column_int64(row, COLLECTIVE_ID) != id) {
            id = sqlite3_column_int64(row, COLLECTIVE_ID);
            free_ns = INT64_MIN;
            write_track(output, ++track, COMMUNICATORS, text_at(row, COLLECTIVE_NAME));
        }
        write_collective(output, row, track, &free_ns);
    }
    return row && finish(output, row);
}

/* ---- counters ---- */

#define BYTES_IN_FLIGHT (COMMUNICATORS - 1)
#define LIVE_OBJECTS    (COMMUNICATORS - 2) /* of rank 0; those of other ranks are below */

static void write_counter(struct output *output, uint64_t track, uint64_t parent, const char *name, unsigned unit)
{
    put_number(&output->part, COUNTER_UNIT, unit);
    put_number(&output->event, TRACK_UUID, track);
    put_text(&output->event, TRACK_NAME, name);
    if (parent)
        put_number(&output->event, TRACK_PARENT, parent);
    put_message(&output->event, TRACK_COUNTER, &output->part);
    put_message(&output->packet, PACKET_TRACK, &output->event);
    end_packet(output);
}

/* Rows: rank or NULL, instant, value. */
static bool write_counts(struct output *output, const char *sql, const char *name, unsigned unit)
{
    sqlite3_stmt *row = prepare(output, sql);
    uint64_t track = 0;
    while (row && !output->failed && sqlite3_step(row) == SQLITE_ROW) {
        bool ranked = sqlite3_column_type(row, 0) != SQLITE_NULL;
        int64_t rank = sqlite3_column_int64(row, 0);
        uint64_t wanted = ranked ? LIVE_OBJECTS - (uint64_t)rank : BYTES_IN_FLIGHT;
        if (track != wanted)
            write_counter(output, wanted, ranked ? track_of(rank, -1) : 0, name, unit);
        track = wanted;
        put_number(&output->event, EVENT_TYPE, COUNTER);
        put_number(&output->event, EVENT_TRACK, track);
        put_number(&output->event, EVENT_COUNT, (uint64_t)sqlite3_column_int64(row, 2));
        put_number(&output->packet, PACKET_TIMESTAMP, (uint64_t)(sqlite3_column_int64(row, 1) - output->zero_ns));
        put_message(&output->packet, PACKET_EVENT, &output->event);
        end_packet(output);
    }
    return finish(output, row) && row;
}

/* A counter begins in a part with its value from before. */
static const char bytes_sql[] =
    "SELECT NULL, max(at_ns, ?1), bytes FROM temp.bytes_in_flight\n"
    "WHERE at_ns BETWEEN coalesce((SELECT max(at_ns) FROM temp.bytes_in_flight WHERE at_ns <= ?1), ?1) AND ?2 - 1\n"
    "ORDER BY at_ns";

/* ---- parts ---- */

/* The numbers of a thread's events in each part: first and last. Events are numbered as they end, so those of
   neighboring parts may overlap. */
struct range {
    int64_t first, last; /* last 0: none */
};

static int ends_by(const void *item, const void *key)
{
    const struct cs_perfetto_part *part = item;
    return part->to_ns <= *(const int64_t *)key ? -1 : 1;
}

/* What is in no part is in the last one. */
static size_t part_at(const struct cs_perfetto_parts *parts, int64_t at_ns)
{
    return cs_array_lower_bound(parts->part, parts->count - 1, sizeof *parts->part, &at_ns, ends_by);
}

/* Writes the ranges of a thread and empties them. */
static bool insert_ranges(sqlite3_stmt *insert, struct range *range, size_t parts, int64_t rank, int64_t thread)
{
    bool done = true;
    for (size_t i = 0; done && i < parts; i++) {
        if (!range[i].last)
            continue;
        const int64_t values[] = {(int64_t)i, rank, thread, range[i].first, range[i].last};
        for (int k = 0; k < 5; k++)
            sqlite3_bind_int64(insert, k + 1, values[k]);
        done = sqlite3_step(insert) == SQLITE_DONE;
        sqlite3_reset(insert);
        range[i].last = 0;
    }
    return done;
}

static bool find_ranges(sqlite3_stmt *event, sqlite3_stmt *insert, const struct cs_perfetto_parts *parts,
                        struct range *range)
{
    bool done = true, begun = false;
    int64_t rank = 0, thread = 0;
    while (done && sqlite3_step(event) == SQLITE_ROW) {
        int64_t own_rank = sqlite3_column_int64(event, 0), own_thread = sqlite3_column_int64(event, 1),
                number = sqlite3_column_int64(event, 2);
        if (begun && (own_rank != rank || own_thread != thread))
            done = insert_ranges(insert, range, parts->count, rank, thread);
        rank = own_rank;
        thread = own_thread;
        begun = true;
        struct range *own = &range[part_at(parts, sqlite3_column_int64(event, 3))];
        if (!own->last)
            own->first = number;
        own->last = number;
    }
    return done && insert_ranges(insert, range, parts->count, rank, thread);
}

/* Fills the tables of cs_sql_perfetto_tables. */
static enum cs_status find_calls(sqlite3 *db, const struct cs_perfetto_parts *parts)
{
    if (cs_schema_share(db, "message_pairs") != SQLITE_OK ||
        sqlite3_exec(db, cs_sql_perfetto_tables, NULL, NULL, NULL) != SQLITE_OK)
        return CS_SQL;
    struct range *range = calloc(parts->count, sizeof *range);
    sqlite3_stmt *event =
        cs_sql_prepare(db, "SELECT rank, thread, event, start_ns FROM event ORDER BY rank, thread, event");
    sqlite3_stmt *insert = cs_sql_prepare(db, "INSERT INTO temp.part_calls VALUES (?1, ?2, ?3, ?4, ?5)");
    bool done = range && event && insert && find_ranges(event, insert, parts, range);
    done &= sqlite3_finalize(event) == SQLITE_OK;
    done &= sqlite3_finalize(insert) == SQLITE_OK;
    free(range);
    return range ? done ? CS_OK : CS_SQL : CS_NO_MEMORY;
}

/* What a call takes in the file, with a message; measured are 60 to 100. */
enum { BYTES_OF_CALL = 120, BINS = 1 << 16 };

static bool add_part(struct cs_perfetto_parts *parts, int64_t from_ns, int64_t to_ns)
{
    if (!cs_array_grow(&parts->part, parts->count, &parts->room, sizeof *parts->part))
        return false;
    parts->part[parts->count++] = (struct cs_perfetto_part){from_ns, to_ns};
    return true;
}

enum cs_status cs_perfetto_split(sqlite3 *db, uint64_t bytes, struct cs_perfetto_parts *parts)
{
    *parts = (struct cs_perfetto_parts){.part = NULL};
    sqlite3_stmt *row = cs_sql_prepare(db, "SELECT min(start_ns), max(start_ns) FROM event");
    if (!row || sqlite3_step(row) != SQLITE_ROW) {
        sqlite3_finalize(row);
        return CS_SQL;
    }
    parts->zero_ns = sqlite3_column_int64(row, 0);
    int64_t last_ns = sqlite3_column_int64(row, 1), bin_ns = (last_ns - parts->zero_ns) / BINS + 1;
    sqlite3_finalize(row);
    row = cs_sql_prepare(db, "SELECT (start_ns - ?1) / ?2, count(*) FROM event GROUP BY 1 ORDER BY 1");
    if (!row)
        return CS_SQL;
    sqlite3_bind_int64(row, 1, parts->zero_ns);
    sqlite3_bind_int64(row, 2, bin_ns);
    uint64_t calls = 0, most = bytes / BYTES_OF_CALL;
    int64_t from_ns = parts->zero_ns;
    bool room = true;
    while (room && sqlite3_step(row) == SQLITE_ROW) {
        int64_t at_ns = parts->zero_ns + sqlite3_column_int64(row, 0) * bin_ns;
        uint64_t more = (uint64_t)sqlite3_column_int64(row, 1);
        if (calls && calls + more > most) {
            room = add_part(parts, from_ns, at_ns);
            from_ns = at_ns;
            calls = 0;
        }
        calls += more;
    }
    room = room && add_part(parts, from_ns, last_ns + 1);
    enum cs_status status = sqlite3_finalize(row) != SQLITE_OK ? CS_SQL : room ? CS_OK : CS_NO_MEMORY;
    if (status == CS_OK)
        status = find_calls(db, parts);
    if (status != CS_OK)
        cs_log("export: %s", status == CS_NO_MEMORY ? "out of memory" : sqlite3_errmsg(db));
    return status;
}

enum cs_status cs_perfetto_write(sqlite3 *db, FILE *stream, const struct cs_perfetto_parts *parts, size_t number,
                                 int64_t *events, int64_t *messages)
{
    struct output output = {
        .db = db, .stream = stream, .zero_ns = parts->zero_ns, .part_of = &parts->part[number], .number = number};
    bool done = write_processes(&output) && write_calls(&output) && write_collectives(&output) &&
                write_counts(&output, bytes_sql, "bytes in flight", UNIT_BYTES) &&
                write_counts(&output, cs_sql_perfetto_objects, "live objects", UNIT_COUNT);
    *events += output.events;
    *messages += output.messages;
    free_texts(&output);
    free(output.open);
    free(output.flow);
    free(output.packet.bytes);
    free(output.event.bytes);
    free(output.part.bytes);
    free(output.interned.bytes);
    if (output.failed)
        cs_log("export: out of memory");
    return done ? CS_OK : output.failed ? CS_NO_MEMORY : CS_SQL;
}
