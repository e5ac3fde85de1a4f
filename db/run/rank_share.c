#include "db/run/rank_share.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "db/run/rank_pool.h"
#include "db/trace/trace_writer.h"

/* Messages grow until they are this large: the first ones come soon. A single row can make one larger. */
enum { MESSAGE_FIRST = 1 << 14, MESSAGE_MOST = 1 << 20 };

/* Files are dealt in blocks of neighbours, so that all processes work on ranks that are written soon. */
enum { BLOCK_MOST = 4 };

/* To another process: what to do, or the answer to its message. */
enum order { ORDER_READ = 'r', ORDER_END = 'e', ANSWER_NEXT = 'n', ANSWER_STOP = 's' };

/* From another process: a byte, 1 in the last message of a list, and these records. */
enum record { RECORD_FILE = 'f', RECORD_ROWS = 'r', RECORD_FILE_END = 'e', RECORD_FAILED = 'x' };

/* ---- bytes of messages ---- */

struct bytes {
    char *byte;
    size_t used, room;
    size_t at;   /* read until here */
    bool failed; /* no memory, or read beyond the end */
};

static void put(struct bytes *bytes, const void *from, size_t length)
{
    if (!cs_array_append(&bytes->byte, &bytes->used, &bytes->room, from, length))
        bytes->failed = true;
}

static void put_byte(struct bytes *bytes, int byte)
{
    put(bytes, &(char){(char)byte}, 1);
}

static void put_number(struct bytes *bytes, uint64_t number)
{
    put(bytes, &number, sizeof number);
}

static void put_text(struct bytes *bytes, const char *text)
{
    put_number(bytes, text ? strlen(text) + 1 : 0);
    if (text)
        put(bytes, text, strlen(text) + 1);
}

/* The next bytes; NULL if there are fewer. */
static const char *get(struct bytes *bytes, size_t length)
{
    bytes->failed = bytes->failed || bytes->used - bytes->at < length;
    if (bytes->failed)
        return NULL;
    bytes->at += length;
    return bytes->byte + bytes->at - length;
}

static int get_byte(struct bytes *bytes)
{
    const char *byte = get(bytes, 1);
    return byte ? *byte : 0;
}

static uint64_t get_number(struct bytes *bytes)
{
    uint64_t number = 0;
    const char *from = get(bytes, sizeof number);
    if (from)
        memcpy(&number, from, sizeof number);
    return number;
}

static const char *get_text(struct bytes *bytes)
{
    uint64_t length = get_number(bytes);
    return length ? get(bytes, length) : NULL;
}

static bool receive(const struct cs_parallel *parallel, int from, struct bytes *bytes)
{
    size_t length;
    bytes->used = bytes->at = 0;
    if (!parallel->wait(from, &length))
        return false;
    if (length > bytes->room) {
        free(bytes->byte);
        bytes->byte = malloc(length);
        bytes->room = bytes->byte ? length : 0;
    }
    if (!bytes->byte || !parallel->take(from, bytes->byte, length))
        return false;
    bytes->used = length;
    return true;
}

/* Processes of different releases have different tables. */
static uint64_t release(void)
{
    uint64_t hash = CS_HASH_BEGIN;
    for (size_t i = 0; i < cs_merge_statements_count; i++)
        hash = cs_hash_text(hash, cs_merge_statements[i].read);
    return hash;
}

/* ---- a file as records ---- */

static void put_clock(struct bytes *to, const struct cs_clock_facts *clock)
{
    const int64_t numbers[] = {clock->processes, clock->utc_ns, clock->monotonic_ns, clock->begin_ns, clock->end_ns};
    put(to, numbers, sizeof numbers);
    put_text(to, clock->node);
    put_number(to, clock->passages);
    put(to, clock->passage, clock->passages * sizeof *clock->passage);
}

static void put_summary(struct bytes *to, const struct cs_summary *summary)
{
    size_t length = 0;
    void *packed = summary ? cs_summary_pack(summary, &length) : NULL;
    put_byte(to, summary != NULL);
    if (!summary)
        return;
    put_number(to, length);
    if (packed)
        put(to, packed, length);
    to->failed = to->failed || !packed;
    free(packed);
}

static void put_file(struct bytes *to, const struct cs_rank_rows *rows, size_t number)
{
    put_byte(to, RECORD_FILE);
    put_number(to, number);
    put_number(to, rows->status);
    if (rows->status != CS_OK)
        return;
    put_number(to, rows->ranks);
    put(to, rows->rank, rows->ranks * sizeof *rows->rank);
    put_clock(to, &rows->clock);
    put_summary(to, rows->summary);
}

static void put_rows(struct bytes *to, const struct cs_rank_rows *rows)
{
    put_byte(to, RECORD_ROWS);
    put(to, rows->begin, cs_merge_statements_count * sizeof *rows->begin);
    put_number(to, rows->used);
    put(to, rows->bytes, rows->used);
}

static void put_failed(struct bytes *to, enum cs_status status, const char *message)
{
    put_byte(to, RECORD_FAILED);
    put_number(to, status);
    put_text(to, message);
}

/* ---- process 0 ---- */

struct stream {
    struct bytes message;
    bool last; /* of its list */
};

struct cs_rank_share {
    const struct cs_parallel *parallel;
    const char *const *path;
    size_t count, block;
    bool leave_profile;
    int processes;
    struct stream *stream;     /* of each process */
    struct stream *from;       /* of the file that was taken */
    struct cs_rank_rows rows;  /* of the file that was taken; their bytes are those of the message */
    struct cs_rank_rows again; /* of a file that another process cannot read */
    bool stop;
};

/* The process that reads a file. To write takes about as long as to read: process 0 only writes. */
static int reader_of(const struct cs_rank_share *share, size_t number)
{
    return 1 + (int)(number / share->block % (size_t)(share->processes - 1));
}

static bool order_files(const struct cs_rank_share *share, int process)
{
    struct bytes order = {0};
    put_byte(&order, ORDER_READ);
    put_number(&order, release());
    put_byte(&order, share->leave_profile);
    for (size_t i = 0; i < share->count; i++)
        if (reader_of(share, i) == process) {
            put_number(&order, i);
            put_text(&order, share->path[i]);
        }
    bool sent = !order.failed && share->parallel->send(process, order.byte, order.used);
    free(order.byte);
    return sent;
}

struct cs_rank_share *cs_rank_share_begin(const struct cs_parallel *parallel, int processes, const char *const *path,
                                          size_t count, bool leave_profile)
{
    struct cs_rank_share *share = calloc(1, sizeof *share);
    if (!share)
        return NULL;
    size_t block = count / (4 * (size_t)processes);
    *share = (struct cs_rank_share){.parallel = parallel,
                                    .path = path,
                                    .count = count,
                                    .block = block < 1            ? 1
                                             : block > BLOCK_MOST ? BLOCK_MOST
                                                                  : block,
                                    .leave_profile = leave_profile,
                                    .processes = processes};
    share->stream = calloc((size_t)processes, sizeof *share->stream);
    share->rows.begin = calloc(cs_merge_statements_count, sizeof *share->rows.begin);
    bool good = share->stream && share->rows.begin;
    int ordered = 1;
    while (good && ordered < processes && (good = order_files(share, ordered)))
        ordered++;
    if (good)
        return share;
    share->processes = ordered;
    cs_rank_share_end(share);
    return NULL;
}

/* Receives the next message of a process, and lets it send another one. */
static bool refill(struct cs_rank_share *share, struct stream *stream)
{
    int process = (int)(stream - share->stream);
    char answer = share->stop ? ANSWER_STOP : ANSWER_NEXT;
    if (stream->last || !receive(share->parallel, process, &stream->message) ||
        !share->parallel->send(process, &answer, 1))
        return false;
    stream->last = get_byte(&stream->message);
    return !stream->message.failed;
}

static int next_record(struct cs_rank_share *share, struct stream *stream)
{
    while (stream->message.at == stream->message.used)
        if (!refill(share, stream))
            return 0;
    return get_byte(&stream->message);
}

static void fail(struct cs_rank_share *share, enum cs_status status, const char *message)
{
    share->rows.status = status;
    snprintf(share->rows.message, sizeof share->rows.message, "%s", message ? message : "");
}

/* Reads a record about rows. Returns false at the end of the file, and if it failed. */
static bool get_rows(struct cs_rank_share *share, int record)
{
    struct bytes *message = &share->from->message;
    struct cs_rank_rows *rows = &share->rows;
    size_t table_bytes = cs_merge_statements_count * sizeof *rows->begin;
    if (record == RECORD_ROWS) {
        const char *begin = get(message, table_bytes);
        if (begin)
            memcpy(rows->begin, begin, table_bytes);
        rows->used = get_number(message);
        rows->bytes = (char *)get(message, rows->used);
    } else if (record == RECORD_FAILED) {
        enum cs_status status = (enum cs_status)get_number(message);
        fail(share, status, get_text(message));
    }
    if (message->failed || (record != RECORD_ROWS && record != RECORD_FAILED && record != RECORD_FILE_END))
        fail(share, CS_SQL, "a message of another process is damaged");
    return rows->status == CS_OK && record == RECORD_ROWS;
}

static bool next_rows(struct cs_rank_rows *rows)
{
    struct cs_rank_share *share = rows->context;
    bool found = get_rows(share, next_record(share, share->from));
    if (!found)
        rows->next = NULL;
    return found;
}

static bool get_ranks(struct bytes *from, struct cs_rank_rows *rows)
{
    rows->ranks = get_number(from);
    const char *rank = get(from, rows->ranks * sizeof *rows->rank);
    int64_t *copy = rank ? realloc(rows->rank, rows->ranks * sizeof *copy) : NULL;
    if (copy)
        memcpy(copy, rank, rows->ranks * sizeof *copy);
    rows->rank = copy ? copy : rows->rank;
    return copy;
}

static bool get_clock(struct bytes *from, struct cs_clock_facts *clock)
{
    int64_t numbers[5] = {0};
    const char *fixed = get(from, sizeof numbers);
    if (fixed)
        memcpy(numbers, fixed, sizeof numbers);
    const char *node = get_text(from);
    size_t passages = get_number(from);
    const char *passage = get(from, passages * sizeof *clock->passage);
    cs_clock_facts_free(clock);
    *clock = (struct cs_clock_facts){.processes = numbers[0],
                                     .utc_ns = numbers[1],
                                     .monotonic_ns = numbers[2],
                                     .begin_ns = numbers[3],
                                     .end_ns = numbers[4],
                                     .node = node ? strdup(node) : NULL,
                                     .passage = malloc(passages * sizeof *clock->passage + 1)};
    if (!passage || !clock->passage || (node && !clock->node))
        return false;
    memcpy(clock->passage, passage, passages * sizeof *clock->passage);
    clock->passages = clock->room = passages;
    return true;
}

static enum cs_status get_summary(struct bytes *from, struct cs_summary **summary)
{
    cs_summary_destroy(*summary);
    *summary = NULL;
    if (!get_byte(from))
        return CS_OK;
    size_t length = get_number(from);
    const char *packed = get(from, length);
    *summary = packed ? cs_summary_create() : NULL;
    return *summary ? cs_summary_unpack(*summary, packed, length) : CS_NO_MEMORY;
}

/* Reads the record of a file, which is the next one that its process has. */
static void get_file(struct cs_rank_share *share, size_t number)
{
    static char none[] = ""; /* rows */
    struct bytes *message = &share->from->message;
    struct cs_rank_rows *rows = &share->rows;
    int record = next_record(share, share->from);
    /* The rest of the file before, which is left out. */
    while (record == RECORD_ROWS || record == RECORD_FILE_END) {
        get_rows(share, record);
        record = next_record(share, share->from);
    }
    rows->status = CS_OK;
    rows->next = next_rows;
    rows->context = share;
    rows->bytes = none;
    rows->used = 1;
    memset(rows->begin, 0, cs_merge_statements_count * sizeof *rows->begin);
    if (record != RECORD_FILE) {
        get_rows(share, record == RECORD_FAILED ? record : 0);
        return;
    }
    if (get_number(message) != number)
        fail(share, CS_SQL, "a message of another process is damaged");
    else
        rows->status = (enum cs_status)get_number(message);
    if (rows->status == CS_OK && (!get_ranks(message, rows) || !get_clock(message, &rows->clock)))
        rows->status = CS_NO_MEMORY;
    if (rows->status == CS_OK)
        rows->status = get_summary(message, &rows->summary);
    if (rows->status == CS_OK)
        next_rows(rows);
}

struct cs_rank_rows *cs_rank_share_take(struct cs_rank_share *share, size_t number)
{
    share->from = &share->stream[reader_of(share, number)];
    get_file(share, number);
    if (share->rows.status == CS_OK || share->rows.status == CS_NO_MEMORY || share->rows.status == CS_SQL)
        return &share->rows;
    /* Its node may not see the file. If this one cannot read it either, the reason is the one that a single process
     * has. */
    cs_rank_read(&share->again, share->path[number], share->leave_profile);
    return &share->again;
}

void cs_rank_share_end(struct cs_rank_share *share)
{
    if (!share)
        return;
    share->stop = true;
    for (int i = 1; share->stream && i < share->processes; i++) {
        while (!share->stream[i].last && refill(share, &share->stream[i]))
            ;
        free(share->stream[i].message.byte);
    }
    free(share->stream);
    share->rows.bytes = NULL;
    cs_rank_free(&share->rows);
    cs_rank_free(&share->again);
    free(share);
}

void cs_rank_share_dismiss(const struct cs_parallel *parallel, int processes)
{
    for (int i = 1; i < processes; i++)
        parallel->send(i, &(char){ORDER_END}, 1);
}

/* ---- the other processes ---- */

struct list {
    bool leave_profile;
    const char **path;
    uint64_t *number;
    size_t count;
};

struct sender {
    const struct cs_parallel *parallel;
    struct bytes message;
    size_t enough;   /* bytes of a message */
    bool unanswered; /* a message was sent */
    bool stop;       /* process 0 wants no more */
    bool failed;     /* the MPI failed */
};

static void begin_message(struct sender *sender)
{
    sender->message.used = 0;
    put_byte(&sender->message, 0);
}

static void await_answer(struct sender *sender)
{
    struct bytes answer = {0};
    if (sender->unanswered) {
        sender->failed = !receive(sender->parallel, 0, &answer);
        sender->stop = sender->failed || get_byte(&answer) == ANSWER_STOP;
    }
    sender->unanswered = false;
    free(answer.byte);
}

static void send_message(struct sender *sender, bool last)
{
    await_answer(sender);
    if (sender->message.failed || sender->message.used > INT_MAX) {
        sender->message.failed = false;
        begin_message(sender);
        put_failed(&sender->message, CS_NO_MEMORY, NULL);
    }
    if (sender->message.failed)
        sender->parallel->abort(1); /* not even memory to say so */
    if (sender->stop)
        begin_message(sender);
    *sender->message.byte = last;
    if (last || !sender->stop) {
        sender->failed = sender->failed || !sender->parallel->send(0, sender->message.byte, sender->message.used);
        sender->unanswered = true;
    }
    sender->enough = 2 * sender->enough < MESSAGE_MOST ? 2 * sender->enough : MESSAGE_MOST;
    begin_message(sender);
}

static void send_if_enough(struct sender *sender)
{
    if (sender->message.failed || sender->message.used >= sender->enough)
        send_message(sender, false);
}

static void send_file(struct sender *sender, struct cs_rank_rows *rows, size_t number)
{
    put_file(&sender->message, rows, number);
    if (rows->status != CS_OK)
        return;
    do {
        put_rows(&sender->message, rows);
        send_if_enough(sender);
    } while (!sender->stop && cs_rank_next(rows));
    if (rows->status == CS_OK)
        put_byte(&sender->message, RECORD_FILE_END);
    else
        put_failed(&sender->message, rows->status, rows->message);
}

static void send_files(struct sender *sender, const struct list *list)
{
    struct cs_rank_pool *pool = cs_rank_pool_create(list->path, list->count, list->leave_profile);
    if (!pool)
        put_failed(&sender->message, CS_NO_MEMORY, NULL);
    for (size_t i = 0; pool && i < list->count && !sender->stop; i++) {
        struct cs_rank_rows *rows = cs_rank_pool_take(pool, i);
        send_file(sender, rows, list->number[i]);
        cs_rank_close(rows);
        send_if_enough(sender);
    }
    cs_rank_pool_destroy(pool);
}

static bool read_list(struct bytes *order, struct list *list)
{
    list->leave_profile = get_byte(order);
    const size_t begin = order->at;
    while (order->at < order->used && !order->failed) {
        get_number(order);
        get_text(order);
        list->count++;
    }
    list->path = calloc(list->count + 1, sizeof *list->path);
    list->number = calloc(list->count + 1, sizeof *list->number);
    order->at = begin;
    for (size_t i = 0; list->path && list->number && i < list->count; i++) {
        list->number[i] = get_number(order);
        list->path[i] = get_text(order);
    }
    return !order->failed && list->path && list->number;
}

/* Reads the files of one list. Returns false if the MPI failed. */
static bool serve_list(const struct cs_parallel *parallel, struct bytes *order)
{
    struct sender sender = {.parallel = parallel, .enough = MESSAGE_FIRST};
    struct list list = {0};
    begin_message(&sender);
    if (get_number(order) != release())
        put_failed(&sender.message, CS_SQL, "the processes run different releases of callsign");
    else if (!read_list(order, &list))
        put_failed(&sender.message, CS_NO_MEMORY, NULL);
    else
        send_files(&sender, &list);
    send_message(&sender, true);
    await_answer(&sender);
    free(sender.message.byte);
    free(list.path);
    free(list.number);
    return !sender.failed;
}

bool cs_rank_share_serve(const struct cs_parallel *parallel)
{
    struct bytes order = {0};
    bool good, more;
    do {
        good = receive(parallel, 0, &order);
        more = good && get_byte(&order) == ORDER_READ;
        good = good && (!more || serve_list(parallel, &order));
    } while (good && more);
    free(order.byte);
    return good;
}
