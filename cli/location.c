#include "cli/location.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/path.h"
#include "cli/text.h"

enum { REBUILT_MOST = 16 };

/* More are not told apart: who rebuilds so much knows it. */
static char rebuilt[REBUILT_MOST][PATH_MAX];
static size_t rebuilt_count;

void cs_location_note_rebuilt(const char *module)
{
    for (size_t i = 0; i < rebuilt_count; i++)
        if (strcmp(rebuilt[i], module) == 0)
            return;
    if (rebuilt_count < REBUILT_MOST && strlen(module) < PATH_MAX)
        strcpy(rebuilt[rebuilt_count++], module);
}

void cs_location_print_rebuilt(FILE *stream)
{
    static const char line[] = "is no longer the build that ran: its call sites are shown without function and line";
    for (size_t i = 0; i < rebuilt_count; i++) {
        if (!stream) {
            cs_log("%s %s", rebuilt[i], line);
            continue;
        }
        cs_text_put(stream, rebuilt[i]);
        fprintf(stream, " %s\n", line);
    }
    rebuilt_count = 0;
}

const char *cs_location_of_site(sqlite3 *db, struct cs_resolver *resolver, sqlite3_int64 site, char *text, size_t size)
{
    static const char sql[] = "SELECT f.module, f.build_id, f.offset, f.function, f.file, f.line, "
                              "(SELECT min(zero_utc_ns) FROM process) "
                              "FROM site s JOIN frame f USING (frame) WHERE s.site = ?1";
    sqlite3_stmt *find = NULL;
    snprintf(text, size, "%s", site ? "?" : "");
    if (sqlite3_prepare_v2(db, sql, -1, &find, NULL) != SQLITE_OK)
        return text;
    sqlite3_bind_int64(find, 1, site);
    if (sqlite3_step(find) == SQLITE_ROW) {
        const char *function = (const char *)sqlite3_column_text(find, 3);
        const char *file = (const char *)sqlite3_column_text(find, 4);
        const struct cs_resolve_frame frame = {.module = (const char *)sqlite3_column_text(find, 0),
                                               .build_id = (const char *)sqlite3_column_text(find, 1),
                                               .offset = sqlite3_column_int64(find, 2),
                                               .recorded_ns = sqlite3_column_int64(find, 6)};
        if (function && file)
            snprintf(text, size, "%s %s:%d", function, file, sqlite3_column_int(find, 5));
        else if (function && frame.module && access(frame.module, R_OK) != 0)
            snprintf(text, size, "%s in %s", function, cs_path_name(frame.module));
        else
            cs_resolver_write(resolver, &frame, text, size);
    }
    sqlite3_finalize(find);
    return text;
}
