#include "db/replay/pass_tape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { FILE_BUFFER = 1 << 20, EVENT_FIELDS = 15, PART_FIELDS = 10 };
enum what { END_OF_TAPE, PART, BEGIN, END };

/* What was written or read last of a thread: the next one is written as differences from it. */
struct head {
    int64_t event_field[EVENT_FIELDS], part_field[PART_FIELDS];
    struct cs_pass_event event;
    struct cs_pass_part *part; /* of the event */
    size_t room;
};

struct cs_pass_tape {
    struct cs_pass *pass;
    FILE *file; /* NULL: none */
    bool written;
    struct head *head; /* by thread */
    /* while the first pass is made */
    const struct cs_pass_calls *calls;
    void *context;
};

/* ---- numbers ---- */

static void put_number(FILE *file, uint64_t number)
{
    for (; number > 127; number >>= 7)
        putc_unlocked((int)(number & 127) | 128, file);
    putc_unlocked((int)number, file);
}

static uint64_t take_number(FILE *file)
{
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        int byte = getc_unlocked(file);
        if (byte == EOF)
            return 0; /* the caller looks at the state of the file */
        number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            break;
    }
    return number;
}

/* A bit for each field that differs, then the differences with their sign in the lowest bit. */
static void put_fields(FILE *file, const int64_t *field, int64_t *last, size_t count)
{
    uint64_t differ = 0;
    for (size_t i = 0; i < count; i++)
        differ |= (uint64_t)(field[i] != last[i]) << i;
    put_number(file, differ);
    for (size_t i = 0; i < count; i++)
        if (differ >> i & 1) {
            uint64_t by = (uint64_t)field[i] - (uint64_t)last[i];
            put_number(file, by << 1 ^ (by >> 63 ? UINT64_MAX : 0));
            last[i] = field[i];
        }
}

static void take_fields(FILE *file, int64_t *last, size_t count)
{
    uint64_t differ = take_number(file);
    for (size_t i = 0; differ && i < count; i++, differ >>= 1)
        if (differ & 1) {
            uint64_t by = take_number(file);
            last[i] = (int64_t)((uint64_t)last[i] + (by >> 1 ^ (by & 1 ? UINT64_MAX : 0)));
        }
}

/* ---- events and parts as fields ---- */

static void put_part(FILE *file, struct head *head, const struct cs_pass_part *part)
{
    const struct cs_pass_message *message = &part->message;
    const int64_t field[PART_FIELDS] = {
        part->number,  part->event,  part->posted_thread, part->posted, message->object,
        message->peer, message->tag, message->bytes,      message->nth, (int64_t)message->direction};
    put_fields(file, field, head->part_field, PART_FIELDS);
}

static struct cs_pass_message message_of(const int64_t *field)
{
    return (struct cs_pass_message){.object = field[0],
                                    .peer = field[1],
                                    .tag = field[2],
                                    .bytes = field[3],
                                    .nth = field[4],
                                    .direction = (enum cs_pass_direction)field[5]};
}

static struct cs_pass_part take_part(FILE *file, struct head *head)
{
    const int64_t *field = head->part_field;
    take_fields(file, head->part_field, PART_FIELDS);
    return (struct cs_pass_part){.number = field[0],
                                 .event = field[1],
                                 .posted_thread = field[2],
                                 .posted = field[3],
                                 .message = message_of(field + 4)};
}

static void put_event(FILE *file, struct head *head, const struct cs_pass_event *event)
{
    const struct cs_pass_message *message = &event->message;
    const int64_t field[EVENT_FIELDS] = {event->event,
                                         event->function,
                                         event->site,
                                         event->start_ns,
                                         event->end_ns,
                                         event->inside_ns,
                                         event->calls,
                                         event->collective,
                                         message->object,
                                         message->peer,
                                         message->tag,
                                         message->bytes,
                                         message->nth,
                                         (int64_t)message->direction,
                                         event->has_function | event->has_site << 1 | event->names_peer << 2};
    put_fields(file, field, head->event_field, EVENT_FIELDS);
    put_number(file, event->parts);
    for (size_t i = 0; i < event->parts; i++)
        put_part(file, head, &event->part[i]);
}

static int take_event(FILE *file, struct head *head)
{
    const int64_t *field = head->event_field;
    take_fields(file, head->event_field, EVENT_FIELDS);
    size_t parts = (size_t)take_number(file);
    for (size_t i = 0; i < parts && !feof(file); i++) {
        if (!cs_array_grow(&head->part, i, &head->room, sizeof *head->part))
            return SQLITE_NOMEM;
        head->part[i] = take_part(file, head);
    }
    head->event = (struct cs_pass_event){.event = field[0],
                                         .function = field[1],
                                         .site = field[2],
                                         .start_ns = field[3],
                                         .end_ns = field[4],
                                         .inside_ns = field[5],
                                         .calls = field[6],
                                         .collective = field[7],
                                         .message = message_of(field + 8),
                                         .has_function = field[14] & 1,
                                         .has_site = field[14] & 2,
                                         .names_peer = field[14] & 4,
                                         .part = head->part,
                                         .parts = parts};
    return SQLITE_OK;
}

/* ---- the first pass ---- */

static struct head *begin_record(struct cs_pass_tape *tape, enum what what, const struct cs_pass_thread *thread)
{
    if (!tape->file)
        return NULL;
    put_number(tape->file, thread->index << 2 | what);
    return &tape->head[thread->index];
}

static int note_part(void *context, const struct cs_pass_thread *thread, const struct cs_pass_part *part)
{
    struct cs_pass_tape *tape = context;
    struct head *head = begin_record(tape, PART, thread);
    if (head)
        put_part(tape->file, head, part);
    return tape->calls->read(tape->context, thread, part);
}

static int note_begin(void *context, struct cs_pass_thread *thread, const struct cs_pass_event *event)
{
    struct cs_pass_tape *tape = context;
    struct head *head = begin_record(tape, BEGIN, thread);
    if (head)
        put_event(tape->file, head, event);
    return tape->calls->begin(tape->context, thread, event);
}

static int note_end(void *context, struct cs_pass_thread *thread, const struct cs_pass_event *event)
{
    struct cs_pass_tape *tape = context;
    begin_record(tape, END, thread);
    return tape->calls->end(tape->context, thread, event);
}

static void clear_heads(struct cs_pass_tape *tape)
{
    for (size_t i = 0; i < cs_pass_threads(tape->pass); i++) {
        memset(tape->head[i].event_field, 0, sizeof tape->head[i].event_field);
        memset(tape->head[i].part_field, 0, sizeof tape->head[i].part_field);
    }
}

static void close_file(struct cs_pass_tape *tape)
{
    if (tape->file)
        fclose(tape->file);
    tape->file = NULL;
}

static int write_tape(struct cs_pass_tape *tape, const struct cs_pass_calls *calls, void *context)
{
    static const struct cs_pass_calls notes = {note_part, note_begin, note_end};
    tape->file = tmpfile();
    if (tape->file)
        setvbuf(tape->file, NULL, _IOFBF, FILE_BUFFER);
    tape->calls = calls;
    tape->context = context;
    int result = cs_pass_run(tape->pass, &notes, tape);
    if (tape->file)
        putc_unlocked(END_OF_TAPE, tape->file);
    if (result != SQLITE_OK || !tape->file || fflush(tape->file) != 0 || ferror(tape->file))
        close_file(tape);
    tape->written = true;
    return result;
}

/* ---- later ones ---- */

static int read_record(struct cs_pass_tape *tape, uint64_t record, const struct cs_pass_calls *calls, void *context)
{
    size_t index = (size_t)(record >> 2);
    if (index >= cs_pass_threads(tape->pass))
        return SQLITE_IOERR;
    struct cs_pass_thread *thread = cs_pass_thread(tape->pass, index);
    struct head *head = &tape->head[index];
    if ((record & 3) == PART) {
        const struct cs_pass_part part = take_part(tape->file, head);
        return calls->read(context, thread, &part);
    }
    if ((record & 3) == END)
        return calls->end(context, thread, &head->event);
    int result = take_event(tape->file, head);
    return result == SQLITE_OK ? calls->begin(context, thread, &head->event) : result;
}

static int read_tape(struct cs_pass_tape *tape, const struct cs_pass_calls *calls, void *context)
{
    int result = SQLITE_OK;
    uint64_t record;
    clear_heads(tape);
    rewind(tape->file);
    while (result == SQLITE_OK && (record = take_number(tape->file)) != END_OF_TAPE)
        result = read_record(tape, record, calls, context);
    return result == SQLITE_OK && (feof(tape->file) || ferror(tape->file)) ? SQLITE_IOERR : result;
}

/* ---- all ---- */

struct cs_pass_tape *cs_pass_tape_new(struct cs_pass *pass)
{
    struct cs_pass_tape *tape = calloc(1, sizeof *tape);
    if (!tape)
        return NULL;
    tape->pass = pass;
    tape->head = calloc(cs_pass_threads(pass) + 1, sizeof *tape->head);
    if (!tape->head) {
        free(tape);
        return NULL;
    }
    return tape;
}

int cs_pass_tape_run(struct cs_pass_tape *tape, const struct cs_pass_calls *calls, void *context)
{
    if (!tape->written)
        return write_tape(tape, calls, context);
    return tape->file ? read_tape(tape, calls, context) : cs_pass_run(tape->pass, calls, context);
}

void cs_pass_tape_free(struct cs_pass_tape *tape)
{
    if (!tape)
        return;
    for (size_t i = 0; i < cs_pass_threads(tape->pass); i++)
        free(tape->head[i].part);
    close_file(tape);
    free(tape->head);
    free(tape);
}
