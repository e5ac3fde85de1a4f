#include "db/convert/node.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file_system.h"
#include "base/log.h"
#include "db/convert/journal_rows.h"
#include "db/summary/rank_times.h"
#include "db/trace/untrusted.h"
#include "journal/liveness.h"
#include "journal/node_folder.h"
#include "journal/reader.h"
#include "journal/run_files.h"

enum { TRACES_MOST = 1000 };

enum { EVENT_BYTES = 24 }; /* about as many as an event takes in a journal */

/* Readings of one clock differ by less than this: see db/run/axis.c. */
#define SAME_CLOCK_NS 1000000000

struct rank_journal {
    char *path;
    int64_t rank;
    uint32_t pid;
    uint64_t run_hash, items, boot;
    int64_t ahead_ns; /* UTC minus monotonic clock */
    struct stat file;
    bool left_out, there; /* there: a trace of the node has it already */
};

struct node {
    const char *folder;
    const struct cs_convert_node_options *options;
    struct rank_journal *journal;
    size_t count, room;
    bool busy; /* some process still writes */
    struct cs_trace_writer *rows;
    struct cs_shared_rows shared;
    int64_t zero_ns; /* of the lowest rank, on the monotonic clock */
    bool has_zero;
    struct cs_converted_node *converted;
};

/* ---- what there is ---- */

/* The header is written last: a file without one is a journal that begins just now. */
static bool is_beginning(const char *path)
{
    char first = 0;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t got = pread(fd, &first, 1, 0);
    close(fd);
    return got == 0 || (got == 1 && first == 0);
}

/* Journals that cannot be opened are logged and left to the command. CS_NO_MEMORY. */
static enum cs_status look_at(struct node *node, const char *name, bool ranked)
{
    char *path;
    if (asprintf(&path, "%s/%s", node->folder, name) < 0)
        return CS_NO_MEMORY;
    struct cs_journal_reader *reader;
    bool begins = is_beginning(path);
    if (begins || cs_journal_read_open(path, &reader) != CS_OK) {
        node->busy = node->busy || begins;
        free(path);
        return CS_OK;
    }
    const struct cs_journal_header *header = cs_journal_read_header(reader);
    bool closed = cs_journal_read_is_closed(reader) || cs_journal_read_is_own(reader);
    struct rank_journal journal = {
        .path = path,
        .rank = header->rank,
        .pid = header->pid,
        .run_hash = header->run_hash,
        .items = header->items + (node->options && node->options->events ? header->used_bytes / EVENT_BYTES : 0),
        .boot = header->boot,
        .ahead_ns = (int64_t)(header->first.realtime_ns - header->first.monotonic_ns),
        .file = *cs_journal_read_file(reader),
    };
    cs_journal_read_close(reader);
    node->busy = node->busy || !closed;
    bool wanted = closed && ranked && journal.rank >= 0;
    if (wanted && !cs_array_grow(&node->journal, node->count, &node->room, sizeof journal)) {
        free(path);
        return CS_NO_MEMORY;
    }
    if (wanted)
        node->journal[node->count++] = journal;
    else
        free(path);
    return CS_OK;
}

static int by_rank(const void *left, const void *right)
{
    return cs_compare(((const struct rank_journal *)left)->rank, ((const struct rank_journal *)right)->rank);
}

/* Ends with the first process that still writes. */
static enum cs_status list(struct node *node)
{
    DIR *folder = opendir(node->folder);
    if (!folder)
        return CS_IO;
    enum cs_status status = CS_OK;
    const struct dirent *entry;
    while (status == CS_OK && !node->busy && (entry = readdir(folder))) {
        bool ranked;
        const char *number, *end = strrchr(entry->d_name, '.');
        if (end && strcmp(end, CS_RUN_JOURNAL_SUFFIX) == 0 && cs_run_name_begins(entry->d_name, &ranked, &number))
            status = look_at(node, entry->d_name, ranked);
    }
    closedir(folder);
    if (node->count)
        qsort(node->journal, node->count, sizeof *node->journal, by_rank);
    return status;
}

/* ---- what traces of the node have already ---- */

static void note_there(struct node *node, sqlite3_stmt *row)
{
    for (size_t i = 0; i < node->count; i++) {
        struct rank_journal *journal = &node->journal[i];
        if (journal->rank == sqlite3_column_int64(row, 0) && journal->pid == sqlite3_column_int64(row, 1) &&
            (int64_t)journal->run_hash == sqlite3_column_int64(row, 2))
            journal->there = true;
    }
}

static void look_into(struct node *node, const char *trace)
{
    sqlite3 *db;
    sqlite3_stmt *row = NULL;
    if (cs_trace_open(trace, &db, NULL) == CS_OK &&
        sqlite3_prepare_v2(db, "SELECT rank, pid, run_hash FROM main.process", -1, &row, NULL) == SQLITE_OK)
        while (sqlite3_step(row) == SQLITE_ROW)
            note_there(node, row);
    sqlite3_finalize(row);
    sqlite3_close(db);
}

/* Finds the first free name; traces with the names before it may have some of the journals. */
static bool choose_trace(struct node *node)
{
    for (unsigned number = 1; number < TRACES_MOST; number++) {
        struct stat about;
        if (!cs_node_name_of_trace(node->folder, number, node->converted->trace))
            return false;
        if (lstat(node->converted->trace, &about) != 0)
            return errno == ENOENT;
        if (S_ISREG(about.st_mode))
            look_into(node, node->converted->trace);
    }
    return false;
}

/* Leaves out journals of other machines or users, and second ones of a rank. Returns the number of facts and cells. */
static uint64_t choose_journals(struct node *node)
{
    const struct rank_journal *first = NULL, *before = NULL;
    uint64_t items = 0;
    for (size_t i = 0; i < node->count; i++) {
        struct rank_journal *journal = &node->journal[i];
        if (journal->there)
            continue;
        if (!first)
            first = journal;
        int64_t apart;
        bool other_clock = journal->boot != first->boot ||
                           __builtin_sub_overflow(journal->ahead_ns, first->ahead_ns, &apart) ||
                           apart >= SAME_CLOCK_NS || apart <= -SAME_CLOCK_NS;
        if (other_clock || journal->file.st_uid != first->file.st_uid || (before && before->rank == journal->rank))
            journal->left_out = true;
        if (journal->left_out)
            continue;
        before = journal;
        items += journal->items;
    }
    return items;
}

/* ---- writing ---- */

static void set_shift(struct node *node, struct cs_conversion *conversion)
{
    int64_t zero_ns = cs_conversion_zero_monotonic(conversion), shift_ns;
    if (!node->has_zero)
        node->zero_ns = zero_ns;
    node->has_zero = true;
    if (!__builtin_sub_overflow(zero_ns, node->zero_ns, &shift_ns))
        conversion->shift_ns = shift_ns;
}

/* *own: the journal is this process's. */
static enum cs_status write_journal(struct node *node, struct rank_journal *journal, bool *own)
{
    struct cs_journal_reader *reader;
    enum cs_status status = cs_journal_read_open(journal->path, &reader);
    if (status != CS_OK)
        return status;
    struct cs_conversion *conversion = calloc(1, sizeof *conversion);
    if (conversion) {
        cs_conversion_begin(conversion, reader);
        *own = cs_journal_read_is_own(reader);
        enum cs_outcome outcome = cs_journal_rows_outcome(conversion->header, *own, false);
        conversion->shared = &node->shared;
        conversion->rows = node->rows;
        set_shift(node, conversion);
        cs_trace_set_rank(node->rows, conversion->rank);
        status = cs_journal_rows_write(conversion, outcome);
    } else {
        status = CS_NO_MEMORY;
    }
    free(conversion);
    cs_journal_read_close(reader);
    return status;
}

/* The time in which the program waited, from the last reading of its clock. */
static enum cs_status write_convert_time(struct node *node, const struct rank_journal *own)
{
    struct cs_journal_reader *reader;
    enum cs_status status = cs_journal_read_open(own->path, &reader);
    if (status != CS_OK)
        return status;
    uint64_t now = cs_clock_monotonic_ns(), since = cs_journal_read_header(reader)->last.monotonic_ns;
    cs_journal_read_close(reader);
    cs_trace_set_rank(node->rows, own->rank);
    return CS_INSERT(node->rows, converted, .convert_ns = cs_int(since < now ? (int64_t)(now - since) : 0));
}

static enum cs_status write_journals(struct node *node)
{
    enum cs_status status = CS_OK;
    const struct rank_journal *own = NULL;
    for (size_t i = 0; status == CS_OK && i < node->count; i++) {
        struct rank_journal *journal = &node->journal[i];
        if (journal->left_out || journal->there)
            continue;
        bool is_own = false;
        status = write_journal(node, journal, &is_own);
        own = is_own ? journal : own;
        /* SQLite cannot take back rows without a journal of its own: begin again without the one that failed. */
        if (status != CS_OK && status != CS_NO_MEMORY && !cs_trace_has_failed(node->rows))
            journal->left_out = true;
    }
    if (status == CS_OK)
        status = cs_trace_compute(node->rows, cs_rank_times_fill);
    if (status == CS_OK)
        status = cs_trace_commit(node->rows);
    return status == CS_OK && own ? write_convert_time(node, own) : status;
}

static size_t count_wanted(const struct node *node)
{
    size_t wanted = 0;
    for (size_t i = 0; i < node->count; i++)
        wanted += !node->journal[i].left_out && !node->journal[i].there;
    return wanted;
}

static const struct stat *first_file(const struct node *node)
{
    for (size_t i = 0; i < node->count; i++)
        if (!node->journal[i].left_out && !node->journal[i].there)
            return &node->journal[i].file;
    return NULL;
}

static enum cs_status write_once(struct node *node)
{
    bool durable = !node->options->unsynced && !node->options->keep_journals;
    node->has_zero = false;
    node->rows = NULL;
    memset(&node->shared, 0, sizeof node->shared);
    enum cs_status status = cs_trace_create_of_node(node->converted->trace, first_file(node), &node->rows);
    if (status == CS_OK) {
        cs_trace_keep_others(node->rows);
        status = write_journals(node);
        if (status != CS_OK && !cs_trace_has_failed(node->rows))
            cs_log("cannot convert %s: %s", node->folder, cs_status_text(status));
        enum cs_status closed = cs_trace_close(node->rows, status == CS_OK, durable);
        status = status == CS_OK ? closed : status;
        if (status == CS_OK && durable)
            cs_sync_name(node->converted->trace);
    }
    cs_shared_rows_free(&node->shared);
    return status;
}

static enum cs_status write_trace(void *context)
{
    struct node *node = context;
    enum cs_status status = CS_OK;
    size_t before;
    do {
        before = count_wanted(node);
        status = before ? write_once(node) : CS_OK;
    } while (status != CS_OK && count_wanted(node) < before);
    if (!before)
        node->converted->trace[0] = '\0';
    return status;
}

/* ---- the end ---- */

static enum cs_status end_journals(struct node *node)
{
    for (size_t i = 0; i < node->count; i++) {
        struct rank_journal *journal = &node->journal[i];
        if (journal->left_out || journal->there)
            continue;
        if (!cs_array_grow(&node->converted->journal, node->converted->count, &node->converted->room,
                           sizeof *node->converted->journal))
            return CS_NO_MEMORY;
        if (!node->options->keep_journals)
            cs_journal_rows_remove(journal->path);
        node->converted->journal[node->converted->count++] = journal->path;
        journal->path = NULL;
    }
    return CS_OK;
}

static enum cs_status convert(struct node *node)
{
    struct cs_owner before;
    if (!choose_trace(node)) {
        cs_log("cannot convert %s: there is no name for its trace", node->folder);
        return CS_IO;
    }
    uint64_t items = choose_journals(node);
    if (node->options->most_items && items > node->options->most_items)
        return CS_BUSY;
    const struct stat *like = first_file(node);
    if (like && !cs_owner_begin(like, &before))
        return CS_DENIED;
    uint32_t *outcome = node->options->outcome, was = outcome ? *outcome : 0;
    if (outcome)
        *outcome = CS_OUTCOME_CONVERTING;
    enum cs_status status = cs_journal_rows_guard(write_trace, node);
    if (outcome)
        *outcome = was;
    if (status == CS_OK)
        status = end_journals(node);
    if (like)
        cs_owner_end(&before);
    return status;
}

static void free_node(struct node *node)
{
    for (size_t i = 0; i < node->count; i++)
        free(node->journal[i].path);
    free(node->journal);
    free(node);
}

enum cs_status cs_convert_node(const char *folder, const struct cs_convert_node_options *options,
                               struct cs_converted_node *converted)
{
    *converted = (struct cs_converted_node){.trace = ""};
    struct node *node = calloc(1, sizeof *node);
    if (!node)
        return CS_NO_MEMORY;
    *node = (struct node){.folder = folder, .options = options, .converted = converted};
    int fd;
    enum cs_node_lock lock = cs_node_folder_lock(folder, &fd);
    enum cs_status status = lock == CS_NODE_LOCK_OURS ? list(node) : lock == CS_NODE_LOCK_OTHERS ? CS_BUSY : CS_INVALID;
    if (status == CS_OK && node->busy)
        status = CS_BUSY;
    if (status == CS_OK)
        status = convert(node);
    if (status == CS_OK && !options->keep_journals)
        cs_node_folder_remove(folder);
    cs_node_folder_unlock(fd);
    if (status != CS_OK)
        cs_converted_node_free(converted);
    converted->writer = node->busy;
    free_node(node);
    return status;
}

/* True if all processes of the node have ended, or closed their journals, and there is one to convert. */
static bool is_due(const char *folder)
{
    struct node *node = calloc(1, sizeof *node);
    if (!node)
        return false;
    node->folder = folder;
    bool due = list(node) == CS_OK && !node->busy && node->count;
    free_node(node);
    return due;
}

enum cs_status cs_convert_node_at_end(const char *folder, const struct cs_convert_node_options *options)
{
    enum { ATTEMPTS = 8 };
    enum cs_status status = CS_OK;
    bool again = true;
    for (int i = 0; again && i < ATTEMPTS; i++) {
        struct cs_converted_node converted;
        status = cs_convert_node(folder, options, &converted);
        again = status == CS_OK ? converted.count > 0 : status == CS_BUSY && converted.writer;
        again = again && is_due(folder);
        cs_converted_node_free(&converted);
    }
    return status;
}

void cs_converted_node_free(struct cs_converted_node *converted)
{
    for (size_t i = 0; i < converted->count; i++)
        free(converted->journal[i]);
    free(converted->journal);
    *converted = (struct cs_converted_node){.trace = ""};
}
