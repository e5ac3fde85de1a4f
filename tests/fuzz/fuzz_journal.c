/* Any bytes as a journal: the reader and the conversion must neither crash nor hang. SQLite would take nearly all the
   time and has fuzzers of its own, so rows end here; tests/unit/test_convert.c has damaged journals with the real
   thing. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "db/convert/journal_to_trace.h"
#include "db/trace/trace_writer.h"

static char folder[256], journal[300];

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- in place of db/trace/trace_writer.c ---- */

struct cs_trace_writer {
    uint64_t sum;
};

enum cs_status cs_trace_create(const char *path, int64_t rank, const struct stat *like, unsigned page_bytes,
                               struct cs_trace_writer **rows)
{
    (void)path;
    (void)rank;
    (void)like;
    (void)page_bytes;
    *rows = calloc(1, sizeof **rows);
    return *rows ? CS_OK : CS_NO_MEMORY;
}

/* Text must be readable, and UTF-8 after conversion. */
static uint64_t digest(const char *text)
{
    char *converted;
    const char *valid = cs_utf8_of(text, &converted);
    if (valid && !cs_utf8_valid(valid))
        abort();
    uint64_t sum = valid ? strlen(valid) : 0;
    free(converted);
    return sum;
}

enum cs_status cs_trace_insert(struct cs_trace_writer *rows, enum cs_row row, const void *values)
{
    const struct cs_value *value = values;
    rows->sum += (uint64_t)row;
    for (int i = 0; i < cs_row_statements[row].values; i++)
        rows->sum += value[i].type == CS_VALUE_IS_TEXT ? digest(value[i].text) : (uint64_t)value[i].number;
    return CS_OK;
}

enum cs_status cs_trace_fill(struct cs_trace_writer *rows, enum cs_row row, cs_trace_next_row *next, void *context)
{
    struct cs_value values[CS_ROW_VALUES] = {0};
    while (next(context, values))
        cs_trace_insert(rows, row, values);
    return CS_OK;
}

enum cs_status cs_trace_create_of_node(const char *path, const struct stat *like, struct cs_trace_writer **rows)
{
    return cs_trace_create(path, 0, like, 0, rows);
}

void cs_trace_set_rank(struct cs_trace_writer *rows, int64_t rank)
{
    rows->sum += (uint64_t)rank;
}

void cs_trace_keep_others(struct cs_trace_writer *rows)
{
    rows->sum++;
}

enum cs_status cs_trace_compute(struct cs_trace_writer *rows, int (*compute)(struct sqlite3 *db))
{
    rows->sum += compute != NULL;
    return CS_OK;
}

enum cs_status cs_trace_compact(struct cs_trace_writer *rows)
{
    rows->sum++;
    return CS_OK;
}

bool cs_trace_has_failed(const struct cs_trace_writer *rows)
{
    return rows->sum == 1; /* either way */
}

enum cs_status cs_trace_commit(struct cs_trace_writer *rows)
{
    (void)rows;
    return CS_OK;
}

enum cs_status cs_trace_close(struct cs_trace_writer *rows, bool keep, bool durable)
{
    (void)keep;
    (void)durable;
    free(rows);
    return CS_OK;
}

/* ---- the fuzzer ---- */

static void leave(void)
{
    unlink(journal);
    rmdir(folder);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    const char *temporary = getenv("TMPDIR"); /* /dev/shm is fastest */
    snprintf(folder, sizeof folder, "%s/callsign-fuzz-XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(folder))
        abort();
    snprintf(journal, sizeof journal, "%s/j", folder);
    atexit(leave);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fd = open(journal, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    close(fd);
    const struct cs_convert_options options = {.alive_ok = true, .keep_journal = true};
    cs_convert(journal, "unused", &options);
    return 0;
}
