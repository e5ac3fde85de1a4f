#include "db/convert/perf_map.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file_system.h"
#include "base/proc.h"
#include "base/utf8.h"
#include "db/convert/conversion.h"
#include "journal/liveness.h"

#define FILE_MOST     ((off_t)64 << 20)
#define FUNCTION_MOST ((uint64_t)1 << 30) /* bytes of code; larger ones are no functions */

struct function {
    uint64_t begin, end;
    const char *name;
    bool shared; /* another one has a part of its addresses: nobody knows which was there at the call */
};

struct cs_perf_map {
    char *text;                /* the file; names are parts of it */
    struct function *function; /* by begin */
    size_t count, room;
};

/* ---- which file ---- */

#define SLACK_NS (20 * 1000000)             /* of the kernel's coarse clocks */
#define AFTER_NS ((int64_t)60 * 1000000000) /* no pid is used again so soon */

/* Adds unless the sum overflows. */
static bool sum_add(int64_t *sum, int64_t more)
{
    return !__builtin_add_overflow(*sum, more, sum);
}

/* When the process began, by its start since boot if that is known. */
static bool find_earliest(const struct cs_journal_header *header, int64_t *earliest_ns)
{
    const struct cs_clock_pair *first = &header->first;
    if (first->realtime_ns > INT64_MAX || first->monotonic_ns > INT64_MAX)
        return false;
    *earliest_ns = (int64_t)first->realtime_ns;
    long hertz = sysconf(_SC_CLK_TCK);
    int64_t began_ns = (int64_t)first->realtime_ns - (int64_t)first->monotonic_ns;
    if (hertz > 0 && header->process_start > 0 && header->process_start < (uint64_t)INT64_MAX / 1000000000 &&
        sum_add(&began_ns, (int64_t)(header->process_start * 1000000000 / (uint64_t)hertz)) && began_ns < *earliest_ns)
        *earliest_ns = began_ns;
    return sum_add(earliest_ns, -SLACK_NS);
}

struct seen {
    const struct cs_conversion *conversion;
    uint64_t ticks;
};

static void note_instant(struct seen *seen, uint64_t ticks)
{
    if (ticks > seen->ticks && ticks <= seen->conversion->most_ticks)
        seen->ticks = ticks;
}

static enum cs_status note_thread(void *context, const void *cell)
{
    const struct cs_thread_state *state = cell;
    note_instant(context, state->since_ticks);
    note_instant(context, state->until_ticks);
    return CS_OK;
}

/* A process that ended was seen last at its last call. */
static bool find_latest(const struct cs_conversion *conversion, int64_t *latest_ns)
{
    const struct cs_journal_header *header = conversion->header;
    struct seen seen = {.conversion = conversion, .ticks = header->first.ticks};
    *latest_ns = INT64_MAX;
    if (cs_journal_read_is_own(conversion->reader) || cs_journal_read_writer(conversion->reader) == CS_WRITER_HERE)
        return true;
    note_instant(&seen, header->last.ticks);
    if (cs_journal_read_cells(conversion->reader, CS_BLOCK_THREAD, note_thread, &seen) != CS_OK)
        return false;
    double lived_ns = (double)(seen.ticks - header->first.ticks) * conversion->ns_per_tick;
    *latest_ns = (int64_t)header->first.realtime_ns;
    return lived_ns < 1e18 && sum_add(latest_ns, (int64_t)lived_ns) && sum_add(latest_ns, AFTER_NS);
}

void cs_perf_map_choose(const struct cs_conversion *conversion, struct cs_perf_map_wanted *wanted)
{
    const struct cs_journal_header *header = conversion->header;
    const struct stat *journal = cs_journal_read_file(conversion->reader);
    struct cs_proc_place here = cs_proc_place("/proc");
    *wanted = (struct cs_perf_map_wanted){.owner = journal->st_uid};
    if (header->pid && header->boot && header->boot == here.boot && header->pid_namespace == here.pid_namespace &&
        find_earliest(header, &wanted->earliest_ns) && find_latest(conversion, &wanted->latest_ns))
        snprintf(wanted->path, sizeof wanted->path, "/tmp/perf-%u.map", header->pid);
}

/* ---- the file ---- */

static bool is_wanted(const struct stat *about, const struct cs_perf_map_wanted *wanted)
{
    int64_t written_ns = cs_file_changed_ns(about);
    return S_ISREG(about->st_mode) && about->st_uid == wanted->owner && !(about->st_mode & S_IWOTH) &&
           about->st_size > 0 && about->st_size <= FILE_MOST && written_ns >= wanted->earliest_ns &&
           written_ns <= wanted->latest_ns;
}

/* Reads up to `most` bytes, and adds a NUL. Returns NULL on failure. */
static char *read_text(int fd, size_t most)
{
    char *text = malloc(most + 1);
    size_t used = 0;
    ssize_t got = text ? 1 : 0;
    while (got > 0 && used < most) {
        got = read(fd, text + used, most - used);
        if (got > 0)
            used += (size_t)got;
        else if (got < 0 && errno == EINTR)
            got = 1;
    }
    if (!text || got < 0) {
        free(text);
        return NULL;
    }
    text[used] = '\0'; /* a NUL in the file ends it there */
    return text;
}

static char *read_file(const struct cs_perf_map_wanted *wanted)
{
    struct stat about;
    int fd = open(wanted->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return NULL;
    char *text = fstat(fd, &about) == 0 && is_wanted(&about, wanted) ? read_text(fd, (size_t)about.st_size) : NULL;
    close(fd);
    return text;
}

/* ---- lines ---- */

/* A hexadecimal number, with or without 0x, and the blanks after it. Returns NULL if there is none. */
static const char *read_number(const char *at, uint64_t *number)
{
    enum { DIGITS_MOST = 16 };
    if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X'))
        at += 2;
    size_t digits = strspn(at, "0123456789abcdefABCDEF");
    if (digits == 0 || digits > DIGITS_MOST || at[digits] != ' ')
        return NULL;
    *number = strtoull(at, NULL, 16);
    at += digits;
    return at + strspn(at, " ");
}

static bool is_name(const char *name)
{
    for (const char *at = name; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            return false;
    return *name && cs_utf8_valid(name);
}

/* Reads a line without its end. Returns false if it is damaged. */
static bool read_line(char *line, struct function *function)
{
    uint64_t begin, bytes;
    const char *at = read_number(line, &begin);
    at = at ? read_number(at, &bytes) : NULL;
    if (!at || begin == 0 || bytes == 0 || bytes > FUNCTION_MOST || begin > UINT64_MAX - bytes || !is_name(at))
        return false;
    if (strlen(at) >= CS_PERF_NAME_MOST)
        line[(size_t)(at - line) + cs_utf8_cut(at, CS_PERF_NAME_MOST - 1)] = '\0';
    *function = (struct function){.begin = begin, .end = begin + bytes, .name = at};
    return true;
}

/* The last line has no end if it was being written: it is not read. Returns false without memory. */
static bool read_lines(struct cs_perf_map *map)
{
    for (char *line = map->text, *end; (end = strchr(line, '\n')); line = end + 1) {
        struct function function;
        *end = '\0';
        if (!read_line(line, &function))
            continue;
        if (!cs_array_grow(&map->function, map->count, &map->room, sizeof *map->function))
            return false;
        map->function[map->count++] = function;
    }
    return true;
}

/* ---- functions ---- */

static int by_place(const void *left, const void *right)
{
    const struct function *a = left, *b = right;
    int order = (a->begin > b->begin) - (a->begin < b->begin);
    order = order ? order : (a->end > b->end) - (a->end < b->end);
    return order ? order : strcmp(a->name, b->name);
}

/* Sorts, drops repeated lines, and marks functions that share addresses. */
static void arrange(struct cs_perf_map *map)
{
    size_t kept = 0;
    size_t farthest = 0; /* of those before: the one that ends last */
    if (map->count)
        qsort(map->function, map->count, sizeof *map->function, by_place);
    for (size_t i = 0; i < map->count; i++) {
        struct function *last = kept ? &map->function[kept - 1] : NULL;
        if (last && by_place(last, &map->function[i]) == 0)
            continue;
        map->function[kept] = map->function[i];
        struct function *now = &map->function[kept], *before = &map->function[farthest];
        if (kept && before->end > now->begin)
            before->shared = now->shared = true;
        if (now->end > before->end)
            farthest = kept;
        kept++;
    }
    map->count = kept;
}

struct cs_perf_map *cs_perf_map_read(const struct cs_perf_map_wanted *wanted)
{
    struct cs_perf_map *map = calloc(1, sizeof *map);
    if (!map)
        return NULL;
    map->text = read_file(wanted);
    if (!map->text || !read_lines(map)) {
        cs_perf_map_free(map);
        return NULL;
    }
    arrange(map);
    return map;
}

void cs_perf_map_free(struct cs_perf_map *map)
{
    if (!map)
        return;
    free(map->function);
    free(map->text);
    free(map);
}

static int begins_by(const void *item, const void *key)
{
    const struct function *function = item;
    return function->begin <= *(const uint64_t *)key ? -1 : 1;
}

const char *cs_perf_map_find(const struct cs_perf_map *map, uint64_t return_address, uint64_t *offset)
{
    if (!map || return_address == 0)
        return NULL;
    uint64_t call = return_address - 1; /* a call may be the last instruction of its function */
    size_t begun = cs_array_lower_bound(map->function, map->count, sizeof *map->function, &call, begins_by);
    const struct function *function = begun ? &map->function[begun - 1] : NULL;
    if (!function || call >= function->end || function->shared)
        return NULL;
    *offset = return_address - function->begin;
    return function->name;
}
