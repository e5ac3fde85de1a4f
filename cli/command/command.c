#include "cli/command/command.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/path.h"
#include "cli/command/sql_functions.h"
#include "cli/rows/frames.h"
#include "cli/rows/rows.h"
#include "cli/text/phrase.h"
#include "journal/run_files.h"
#include "reports_sql.h"

/* ---- the progress bar ---- */

#define WAIT_NS   1000000000u /* shorter work shows no bar */
#define REDRAW_NS 100000000u
#define BAR       30

void cs_progress_begin(struct cs_progress *progress, const char *what)
{
    *progress =
        (struct cs_progress){.what = what, .begun_ns = cs_clock_monotonic_ns(), .wanted = isatty(STDERR_FILENO)};
}

void cs_progress_step(void *context, uint64_t done, uint64_t total)
{
    struct cs_progress *progress = context;
    uint64_t now = cs_clock_monotonic_ns();
    if (!progress->wanted || total == 0 || now - progress->begun_ns < WAIT_NS || now - progress->drawn_ns < REDRAW_NS)
        return;
    size_t filled = (size_t)(BAR * (double)(done < total ? done : total) / (double)total);
    char bar[BAR + 1];
    memset(bar, '.', BAR);
    memset(bar, '#', filled);
    bar[BAR] = '\0';
    fprintf(stderr, "\r%s [%s] %" PRIu64 "/%" PRIu64, progress->what, bar, done, total);
    fflush(stderr);
    progress->drawn = true;
    progress->drawn_ns = now;
}

void cs_progress_end(struct cs_progress *progress)
{
    if (progress->drawn)
        fputs("\r\033[K", stderr);
    progress->drawn = false;
}

/* ---- commands ---- */

int cs_command_help(const char *text)
{
    fputs(text, stdout);
    return CS_EXIT_OK;
}

int cs_command_usage(const char *command)
{
    fprintf(stderr, "callsign: see callsign %s --help\n", command);
    return CS_EXIT_USAGE;
}

bool cs_command_rows(const char *command, const char *text, size_t *rows)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end) {
        cs_log("%s: --rows %s: not a number of rows", command, text);
        return false;
    }
    *rows = value;
    return true;
}

/* Names the ranks that the answer lacks, unless a file was left out, which has been named. A single file lacks others
   by intention. */
static void log_missing(const char *path, struct cs_run *run)
{
    static const char any[] =
        "SELECT count(DISTINCT rank) AS ranks, max(world_size) AS size FROM process WHERE rank >= 0";
    enum { SIZE_MOST = 1000000 }; /* of a damaged trace, it may be anything */
    if (cs_run_info(run)->single || cs_run_info(run)->left_out)
        return;
    struct cs_rows row = cs_rows_begin(cs_run_database(run), any);
    int64_t ranks = 0, size = 0;
    if (cs_rows_next(&row)) {
        ranks = cs_rows_integer(&row, "ranks");
        size = cs_rows_integer(&row, "size");
    }
    cs_rows_end(&row);
    if (ranks >= size || size > SIZE_MOST)
        return;
    row = cs_rows_begin(cs_run_database(run), cs_sql_missing_ranks);
    sqlite3_bind_int64(row.statement, 1, size);
    struct cs_phrase text = {0};
    if (cs_rows_next(&row))
        cs_phrase_add_ranks(&text, cs_rows_text(&row, "ranks"), 0);
    if (text.length)
        cs_log("%s has no trace of %s", path, cs_phrase_text(&text));
    cs_phrase_free(&text);
    cs_rows_end(&row);
}

struct cs_run *cs_command_open(const char *path, unsigned flags)
{
    return cs_command_open_as(path, flags, (struct cs_reading){0});
}

struct cs_run *cs_command_open_as(const char *path, unsigned flags, struct cs_reading reading)
{
    struct cs_progress progress;
    cs_progress_begin(&progress, "reading ranks");
    struct cs_frames *frames = cs_frames_new(); /* NULL: resolves nothing */
    enum cs_materialized materialize = CS_MATERIALIZED_NONE;
    if (flags & (CS_OPEN_FOR_OVERVIEW | CS_OPEN_FOR_REPORTS))
        materialize = flags & CS_OPEN_FOR_REPORTS ? CS_MATERIALIZED_REPORTS : CS_MATERIALIZED_OVERVIEW;
    if (flags & CS_OPEN_FOR_FORECASTS)
        materialize = CS_MATERIALIZED_WHATIF;
    struct cs_run_options options = {.progress = cs_progress_step,
                                     .progress_context = &progress,
                                     .look_over = cs_frames_resolve,
                                     .look_over_merged = cs_frames_resolve_merged,
                                     .look_over_context = frames,
                                     .patient = flags & CS_OPEN_PATIENT,
                                     .through = reading.through,
                                     .region = reading.region,
                                     .forecasts = reading.forecasts,
                                     .materialize = materialize};
    struct cs_run *run = NULL;
    enum cs_status status = cs_run_open(path, &options, &run);
    cs_progress_end(&progress);
    cs_frames_free(frames);
    if (status != CS_OK)
        return NULL;
    if (cs_sql_functions_add(run) != CS_OK) {
        cs_log("out of memory");
        cs_run_close(run);
        return NULL;
    }
    if (!(flags & CS_OPEN_NAMES_MISSING))
        log_missing(path, run);
    return run;
}

int cs_command_close_output(FILE *stream, const char *name)
{
    bool failed = ferror(stream);
    if (stream == stdout)
        failed = fflush(stream) != 0 || failed;
    else
        failed = fclose(stream) != 0 || failed;
    if (!failed)
        return CS_EXIT_OK;
    cs_log("cannot write %s: %s", name ? name : "the output", strerror(errno ? errno : EIO));
    return CS_EXIT_TROUBLE;
}

bool cs_command_open_output(struct cs_output *output, const char *path, enum cs_output_kind kind,
                            const struct stat *folder)
{
    cs_temporary_clear_beside(path);
    if (cs_output_open(output, path, kind, folder)) {
        if (output->folder >= 0) /* others see that the file is being written */
            output->lock = cs_writer_lock_acquire(dup(fileno(output->stream)));
        return true;
    }
    if (kind == CS_OUTPUT_NEW && errno == EEXIST)
        cs_log("%s exists: name another file", path);
    else
        cs_log("cannot write %s: %s%s", path, strerror(errno),
               kind == CS_OUTPUT_CHOSEN ? "; --html=FILE chooses another file" : "");
    return false;
}

int cs_command_end_output(struct cs_output *output, const char *path, bool good)
{
    bool done = good && cs_output_commit(output);
    if (good && !done)
        cs_log("cannot write %s: %s", path, strerror(errno));
    cs_output_abandon(output);
    cs_writer_lock_release(output->lock);
    output->lock = NULL;
    return done ? CS_EXIT_OK : CS_EXIT_TROUBLE;
}

bool cs_libraries_folder(char folder[PATH_MAX])
{
    char self[PATH_MAX], joined[PATH_MAX + sizeof CALLSIGN_LIBRARIES_FROM_BIN + 1];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length > 0)
        self[length] = '\0';
    else if (!realpath((const char *)getauxval(AT_EXECFN), self)) /* without /proc, as in a bare chroot */
        return false;
    cs_path_to_folder(self);
    snprintf(joined, sizeof joined, "%s/%s", self, CALLSIGN_LIBRARIES_FROM_BIN);
    return realpath(joined, folder) != NULL;
}
