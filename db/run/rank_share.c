#include "db/run/rank_share.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file_system.h"
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

static void bytes_put(struct bytes *bytes, const void *from, size_t length)
{
    if (!cs_array_append(&bytes->byte, &bytes->used, &bytes->room, from, length))
        bytes->failed = true;
}

static void put_byte(struct bytes *bytes, int byte)
{
    bytes_put(bytes, &(char){(char)byte}, 1);
}

static void put_number(struct bytes *bytes, uint64_t number)
{
    bytes_put(bytes, &number, sizeof number);
}

static void put_text(struct bytes *bytes, const char *text)
{
    put_number(bytes, text ? strlen(text) + 1 : 0);
    if (text)
        bytes_put(bytes, text, strlen(text) + 1);
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
    bytes_put(to, numbers, sizeof numbers);
    put_text(to, clock->node);
    put_number(to, clock->passages);
    bytes_put(to, clock->passage, clock->passages * sizeof *clock->passage);
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
        bytes_put(to, packed, length);
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
    bytes_put(to, rows->rank, rows->ranks * sizeof *rows->rank);
    put_clock(to, &rows->clock);
    put_summary(to, rows->summary);
    put_byte(to, rows->apart);
}

static void put_rows(struct bytes *to, const size_t *begin, const char *rows, size_t used)
{
    put_byte(to, RECORD_ROWS);
    bytes_put(to, begin, cs_merge_statements_count * sizeof *begin);
    put_number(to, used);
    bytes_put(to, rows, used);
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
    bool last;    /* of its list */
    bool waiting; /* the process waits for the files that are left out */
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
    struct bytes *refused;     /* of each process: numbers of files that are left out */
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
    struct cs_owner reader = cs_owner_current();
    put_number(&order, reader.user);
    put_number(&order, reader.group);
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
    share->refused = calloc((size_t)processes, sizeof *share->refused);
    bool good = share->stream && share->refused && share->rows.begin;
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
    stream->waiting = stream->last && !share->stop;
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
    rows->apart = rows->status == CS_OK && get_byte(message);
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

void cs_rank_share_refuse(struct cs_rank_share *share, size_t number)
{
    put_number(&share->refused[reader_of(share, number)], number);
}

static enum cs_status finish(struct cs_rank_share *share, int process, struct cs_summary *summary)
{
    struct stream *stream = &share->stream[process];
    const struct bytes *refused = &share->refused[process];
    struct bytes order = {0};
    while (!stream->last && refill(share, stream))
        ;
    if (!stream->waiting)
        return CS_SQL;
    put_byte(&order, ANSWER_NEXT);
    bytes_put(&order, refused->byte, refused->used);
    bool failed = order.failed || refused->failed;
    bool sent = !failed && share->parallel->send(process, order.byte, order.used);
    free(order.byte);
    if (failed)
        return CS_NO_MEMORY;
    stream->waiting = false;
    if (!sent || !receive(share->parallel, process, &stream->message))
        return CS_SQL;
    enum cs_status status = (enum cs_status)get_byte(&stream->message);
    if (status == CS_OK)
        status = cs_summary_unpack(summary, stream->message.byte + stream->message.at,
                                   stream->message.used - stream->message.at);
    return status == CS_OK || status == CS_NO_MEMORY ? status : CS_SQL;
}

enum cs_status cs_rank_share_finish(struct cs_rank_share *share, struct cs_summary *summary)
{
    enum cs_status status = CS_OK;
    for (int i = 1; status == CS_OK && i < share->processes; i++)
        status = finish(share, i, summary);
    return status;
}

void cs_rank_share_end(struct cs_rank_share *share)
{
    if (!share)
        return;
    share->stop = true;
    for (int i = 1; share->stream && i < share->processes; i++) {
        while (!share->stream[i].last && refill(share, &share->stream[i]))
            ;
        if (share->stream[i].waiting)
            share->parallel->send(i, &(char){ANSWER_STOP}, 1);
        free(share->stream[i].message.byte);
    }
    for (int i = 0; share->refused && i < share->processes; i++)
        free(share->refused[i].byte);
    free(share->refused);
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
    struct stat owner; /* the files are read as this user */
    const char **path;
    uint64_t *number;
    size_t count;
};

struct sender {
    const struct cs_parallel *parallel;
    struct cs_rank_times *times; /* of the ranks that were read */
    struct bytes kept;           /* rows of rank_time of one file */
    struct bytes rows;           /* that are sent */
    size_t *begin;               /* of each table's rows in them */
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

/* Keeps a row of rank_time, in the format of db/run/rank_reader.h. */
static bool keep_times(void *context, const struct cs_kept_value *value, int count)
{
    struct bytes *kept = &((struct sender *)context)->kept;
    put_byte(kept, 1);
    for (int i = 0; i < count; i++) {
        put_byte(kept, value[i].type);
        if (value[i].type == SQLITE_INTEGER)
            bytes_put(kept, &value[i].integer, sizeof value[i].integer);
    }
    return !kept->failed;
}

/* Adds up the rows of a table, and moves beyond them. Returns false without memory. */
static bool take_table(struct sender *sender, const struct cs_rank_rows *rows, size_t table, size_t *at)
{
    struct cs_kept_value value[CS_ROW_VALUES + 1];
    while (rows->bytes[(*at)++]) {
        for (int i = 0; i < cs_merge_statements[table].columns; i++)
            value[i] = cs_kept_next(rows, at);
        if (cs_rank_times_need(sender->times, table) && cs_rank_times_take(sender->times, table, value) != SQLITE_OK)
            return false;
    }
    return true;
}

/* Adds up the rows in memory. sender->rows gets those that process 0 needs. */
static bool take_rows(struct sender *sender, const struct cs_rank_rows *rows)
{
    sender->rows.used = 0;
    put_byte(&sender->rows, 0); /* no rows */
    for (size_t i = 0; i < cs_merge_statements_count; i++) {
        size_t at = rows->begin[i];
        if (!take_table(sender, rows, i, &at))
            return false;
        bool left = rows->leave_profile && strcmp(cs_merge_statements[i].table, "profile") == 0;
        bool none = left || at == rows->begin[i] + 1;
        sender->begin[i] = none ? 0 : sender->rows.used;
        if (!none)
            bytes_put(&sender->rows, rows->bytes + rows->begin[i], at - rows->begin[i]);
    }
    return !sender->rows.failed;
}

/* All rows of a file were taken: sender->rows gets those of rank_time. */
static bool end_times(struct sender *sender)
{
    sender->kept.used = 0;
    sender->rows.used = 0;
    put_byte(&sender->rows, 0);
    bool ended = cs_rank_times_end_file(sender->times, 0) == SQLITE_OK;
    for (size_t i = 0; i < cs_merge_statements_count; i++)
        sender->begin[i] = strcmp(cs_merge_statements[i].table, "rank_time") == 0 ? 1 : 0;
    bytes_put(&sender->rows, sender->kept.byte, sender->kept.used);
    put_byte(&sender->rows, 0);
    return ended && !sender->rows.failed;
}

/* Files of processes without rank are left to process 0, which may give them other ranks. */
static bool is_apart(const struct cs_rank_rows *rows)
{
    return rows->status == CS_OK && !rows->summary && rows->rank[0] >= 0;
}

static void send_file(struct sender *sender, struct cs_rank_rows *rows, size_t number)
{
    bool good = true;
    rows->apart = is_apart(rows);
    put_file(&sender->message, rows, number);
    if (rows->status != CS_OK)
        return;
    do {
        if (!rows->apart)
            put_rows(&sender->message, rows->begin, rows->bytes, rows->used);
        else if ((good = take_rows(sender, rows)))
            put_rows(&sender->message, sender->begin, sender->rows.byte, sender->rows.used);
        send_if_enough(sender);
    } while (good && !sender->stop && cs_rank_next(rows));
    if (good && rows->apart && rows->status == CS_OK && (good = end_times(sender)))
        put_rows(&sender->message, sender->begin, sender->rows.byte, sender->rows.used);
    if (!good)
        put_failed(&sender->message, CS_NO_MEMORY, NULL);
    else if (rows->status == CS_OK)
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
    list->owner.st_uid = (uid_t)get_number(order);
    list->owner.st_gid = (gid_t)get_number(order);
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

/* ---- the summary of a list ---- */

static bool is_refused(const struct bytes *refused, uint64_t number)
{
    struct bytes read = *refused;
    while (read.at < read.used)
        if (get_number(&read) == number)
            return true;
    return false;
}

static enum cs_status add_again(struct sender *sender, struct cs_rank_rows *rows)
{
    bool good = true;
    do
        good = take_rows(sender, rows);
    while (good && cs_rank_next(rows));
    if (rows->status != CS_OK)
        return rows->status;
    return good && end_times(sender) ? CS_OK : CS_NO_MEMORY;
}

/* Adds up the calls anew, without the files that process 0 left out: another file has their ranks, which is rare. */
static enum cs_status add_up_again(struct sender *sender, const struct list *list, const struct bytes *refused)
{
    struct cs_rank_rows rows = {0};
    enum cs_status status = CS_OK;
    cs_rank_times_destroy(sender->times);
    if (cs_rank_times_create_apart(keep_times, sender, &sender->times) != SQLITE_OK)
        return CS_NO_MEMORY;
    for (size_t i = 0; status == CS_OK && i < list->count; i++) {
        if (is_refused(refused, list->number[i]))
            continue;
        cs_rank_read(&rows, list->path[i], list->leave_profile);
        if (is_apart(&rows))
            status = add_again(sender, &rows);
    }
    cs_rank_free(&rows);
    return status;
}

/* Waits until process 0 has taken all files, and sends the sums of their calls. */
static void send_summary(struct sender *sender, const struct list *list)
{
    struct bytes refused = {0}, answer = {0};
    sender->failed = !receive(sender->parallel, 0, &refused);
    if (!sender->failed && get_byte(&refused) == ANSWER_NEXT) {
        enum cs_status status = CS_OK;
        if (refused.at < refused.used)
            status = add_up_again(sender, list, &refused);
        size_t length = 0;
        void *packed = status == CS_OK ? cs_summary_pack(cs_rank_times_summary(sender->times), &length) : NULL;
        put_byte(&answer, status == CS_OK && !packed ? CS_NO_MEMORY : status);
        bytes_put(&answer, packed, length);
        if (answer.failed)
            sender->parallel->abort(1); /* not even memory to say so */
        sender->failed = !sender->parallel->send(0, answer.byte, answer.used);
        free(packed);
    }
    free(refused.byte);
    free(answer.byte);
}

/* Reads the files of one list. Returns false if the MPI failed. */
static bool serve_list(const struct cs_parallel *parallel, struct bytes *order)
{
    struct sender sender = {.parallel = parallel, .enough = MESSAGE_FIRST};
    struct list list = {0};
    struct cs_owner before = cs_owner_current();
    begin_message(&sender);
    sender.begin = calloc(cs_merge_statements_count, sizeof *sender.begin);
    bool ready = sender.begin && cs_rank_times_create_apart(keep_times, &sender, &sender.times) == SQLITE_OK;
    if (get_number(order) != release())
        put_failed(&sender.message, CS_SQL, "the processes run different releases of callsign");
    else if (!ready || !read_list(order, &list))
        put_failed(&sender.message, CS_NO_MEMORY, NULL);
    else if (!cs_owner_begin(&list.owner, &before))
        put_failed(&sender.message, CS_DENIED, NULL);
    else
        send_files(&sender, &list);
    send_message(&sender, true);
    await_answer(&sender);
    if (!sender.stop)
        send_summary(&sender, &list);
    cs_owner_end(&before);
    cs_rank_times_destroy(sender.times);
    free(sender.begin);
    free(sender.kept.byte);
    free(sender.rows.byte);
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
