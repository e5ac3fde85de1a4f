#include "cli/rows/location.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_system.h"
#include "base/log.h"
#include "base/path.h"
#include "base/symbols/signature.h"
#include "cli/text/text.h"

enum { LOST_MOST = 16 };

/* Further files are not listed. */
static struct {
    char path[PATH_MAX];
    enum cs_lost_lines why;
} lost[LOST_MOST];
static size_t lost_count;

void cs_location_note_lost(const char *path, enum cs_lost_lines why)
{
    for (size_t i = 0; i < lost_count; i++)
        if (strcmp(lost[i].path, path) == 0)
            return;
    if (lost_count < LOST_MOST && strlen(path) < PATH_MAX) {
        strcpy(lost[lost_count].path, path);
        lost[lost_count++].why = why;
    }
}

bool cs_location_is_lost(void)
{
    return lost_count > 0;
}

void cs_location_print_lost(FILE *stream)
{
    static const char *const lines[] = {
        [CS_LOST_REBUILT] = "was rebuilt after the run: its call sites are shown without function and line",
        [CS_LOST_COMPRESSED] = ("has debug information in a compression that the elfutils here cannot read: its call "
                                "sites are shown without lines. objcopy --decompress-debug-sections mends the file"),
        [CS_LOST_CHANGED] = "is newer than the program that ran: its lines may have moved, and are not shown",
    };
    for (size_t i = 0; i < lost_count; i++) {
        if (!stream) {
            cs_log("%s %s", lost[i].path, lines[lost[i].why]);
            continue;
        }
        cs_text_put(stream, lost[i].path);
        fprintf(stream, " %s\n", lines[lost[i].why]);
    }
    lost_count = 0;
}

/* The row of a site in the table frame, to be finalized; NULL: there is none. charged: of the frame that its calls are
   charged to. The time of the recording is that of one rank: with many, reading all for each site takes long. */
static sqlite3_stmt *find_frame(sqlite3 *db, sqlite3_int64 site, bool charged, struct cs_resolve_frame *frame)
{
#define FRAME_OF(site)                                                                                                 \
    "SELECT m.path, m.build_id, f.offset, f.function, f.file, f.line, "                                                \
    "(SELECT zero_utc_ns FROM process WHERE zero_utc_ns > 0 ORDER BY rank LIMIT 1) "                                   \
    "FROM site s JOIN frame f USING (frame) LEFT JOIN module m ON m.module = f.module WHERE s.site = " site
    const char *sql = charged ? FRAME_OF("charged(?1)") : FRAME_OF("?1");
    sqlite3_stmt *find = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &find, NULL) != SQLITE_OK)
        return NULL;
    sqlite3_bind_int64(find, 1, site);
    if (sqlite3_step(find) != SQLITE_ROW) {
        sqlite3_finalize(find);
        return NULL;
    }
    *frame = (struct cs_resolve_frame){.module = (const char *)sqlite3_column_text(find, 0),
                                       .build_id = (const char *)sqlite3_column_text(find, 1),
                                       .offset = sqlite3_column_int64(find, 2),
                                       .recorded_ns = sqlite3_column_int64(find, 6)};
    return find;
}

static const char *write_location(sqlite3 *db, struct cs_resolver *resolver, sqlite3_int64 site, bool charged,
                                  char *text, size_t size)
{
    struct cs_resolve_frame frame;
    snprintf(text, size, "%s", site ? "?" : "");
    sqlite3_stmt *find = find_frame(db, site, charged, &frame);
    if (!find)
        return text;
    const char *function = (const char *)sqlite3_column_text(find, 3);
    const char *file = (const char *)sqlite3_column_text(find, 4);
    if (function && file)
        snprintf(text, size, "%s %s:%d", function, file, sqlite3_column_int(find, 5));
    else if (function && !frame.module)
        snprintf(text, size, "%s", function);
    else if (function && frame.module && (!strchr(frame.module, '/') || access(frame.module, R_OK) != 0))
        snprintf(text, size, "%s in %s", function, cs_path_name(frame.module));
    else
        cs_resolver_write(resolver, &frame, text, size);
    sqlite3_finalize(find);
    return text;
}

const char *cs_location_of_site(sqlite3 *db, struct cs_resolver *resolver, sqlite3_int64 site, char *text, size_t size)
{
    return write_location(db, resolver, site, true, text, size);
}

const char *cs_location_of_frame(sqlite3 *db, struct cs_resolver *resolver, sqlite3_int64 site, char *text, size_t size)
{
    return write_location(db, resolver, site, false, text, size);
}

const char *cs_location_of_column(sqlite3 *db, struct cs_resolver *resolver, const char *column, sqlite3_int64 site,
                                  char *text, size_t size)
{
    return write_location(db, resolver, site, strcmp(column, "inner_site") != 0, text, size);
}

const char *cs_location_function(sqlite3 *db, struct cs_resolver *resolver, sqlite3_int64 site, char *text, size_t size)
{
    static const char *const notes[] = {CS_INLINED_INTO, CS_TAIL_CALL};
    struct cs_resolve_frame frame;
    struct cs_source source;
    *text = '\0';
    sqlite3_stmt *find = find_frame(db, site, false, &frame);
    if (!find)
        return text;
    const char *function = (const char *)sqlite3_column_text(find, 3);
    if (function)
        snprintf(text, size, "%s", function);
    else if (frame.module && cs_resolver_find(resolver, &frame, &source))
        cs_signature_shorten(source.function, text, size);
    else if (frame.module)
        snprintf(text, size, "%s", cs_path_name(frame.module));
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        char *note = strstr(text, notes[i]);
        if (note)
            *note = '\0';
    }
    sqlite3_finalize(find);
    return text;
}

/* A file of Python is its own source. */
static bool is_python_source(const struct cs_resolve_frame *frame, const char *file)
{
    return frame->module && file && cs_path_ends(frame->module, file);
}

bool cs_location_source(sqlite3 *db, struct cs_resolver *resolver, sqlite3_int64 site, char *path, char *build,
                        size_t size, int *line, int64_t *unchanged_ns)
{
    struct cs_resolve_frame frame;
    sqlite3_stmt *find = find_frame(db, site, true, &frame);
    bool found = find && frame.module;
    *build = '\0';
    if (found && is_python_source(&frame, (const char *)sqlite3_column_text(find, 4))) {
        found = (size_t)snprintf(path, size, "%s", frame.module) < size;
        *line = sqlite3_column_int(find, 5);
        *unchanged_ns = frame.recorded_ns;
    } else if (found) {
        struct stat about;
        found = cs_resolver_find_path(resolver, &frame, path, build, size, line) && stat(frame.module, &about) == 0;
        *unchanged_ns = found ? cs_file_changed_ns(&about) : 0;
    }
    sqlite3_finalize(find);
    return found;
}
