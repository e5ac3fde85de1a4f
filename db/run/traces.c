#include "db/run/traces.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file_system.h"
#include "base/log.h"
#include "base/output_file.h"
#include "base/path.h"
#include "base/settings.h"
#include "base/temporary.h"
#include "db/convert/journal_to_trace.h"
#include "db/convert/node.h"
#include "db/run/node_trace.h"
#include "journal/liveness.h"
#include "journal/node_folder.h"
#include "journal/reader.h"
#include "journal/run_files.h"

/* ---- waiting for another process that converts ---- */

static void wait_for_converter(const char *path, int *waited_ms)
{
    enum { PAUSE_MS = 20, SAY_AFTER_MS = 2000 };
    if (*waited_ms == SAY_AFTER_MS)
        cs_log("waiting for another process that converts %s", path);
    nanosleep(&(struct timespec){.tv_nsec = PAUSE_MS * 1000000L}, NULL);
    *waited_ms += PAUSE_MS;
}

enum cs_status cs_run_journal_convert(const char *journal, const char *trace, const struct cs_convert_options *options,
                                      bool *gone)
{
    int lock, waited_ms = 0;
    while (cs_node_journal_lock(journal, &lock) == CS_NODE_LOCK_OTHERS) {
        cs_node_folder_unlock(lock);
        wait_for_converter(journal, &waited_ms);
    }
    *gone = waited_ms && access(journal, F_OK) != 0;
    enum cs_status status = *gone ? CS_IO : cs_convert(journal, trace, options);
    cs_node_folder_unlock(lock);
    return status;
}

/* ---- journals ---- */

static enum cs_status make_temporary(struct cs_run_traces *traces)
{
    if (traces->temporary)
        return CS_OK;
    char path[PATH_MAX];
    if (!cs_temporary_folder(path)) {
        cs_log("cannot make the temporary folder %s: %s; TMPDIR names another place", path, strerror(errno));
        return CS_IO;
    }
    traces->temporary = strdup(path);
    return traces->temporary ? CS_OK : CS_NO_MEMORY;
}

static enum cs_status convert_aside(struct cs_run_traces *traces, const char *journal, size_t number, char **trace)
{
    enum cs_status status = make_temporary(traces);
    if (status != CS_OK)
        return status;
    char *path;
    if (asprintf(&path, "%s/%zu.db", traces->temporary, number) < 0)
        return CS_NO_MEMORY;
    const struct cs_convert_options options = {.alive_ok = true,
                                               .keep_journal = true,
                                               .patient = traces->patient,
                                               .all_events = traces->all_events,
                                               .aside = true};
    status = cs_convert(journal, path, &options);
    if (status == CS_OK)
        *trace = path;
    else
        free(path);
    return status;
}

/* CS_OK: nobody writes the journal any more, and its trace may replace it; CS_BUSY; CS_DENIED: it belongs to another
   user; or another error (logged). *unknown: nobody here knows whether its process runs. */
static enum cs_status look_at_writer(const char *journal, bool patient, bool *unknown)
{
    struct cs_journal_reader *reader;
    enum cs_status status = cs_journal_read_open(journal, &reader);
    if (status != CS_OK)
        return status;
    enum cs_writer writer = cs_journal_read_writer(reader);
    *unknown = writer == CS_WRITER_UNKNOWN;
    if (patient ? writer != CS_WRITER_GONE : cs_journal_read_alive(reader))
        status = CS_BUSY;
    else if (!cs_owner_may(cs_journal_read_file(reader)))
        status = CS_DENIED;
    cs_journal_read_close(reader);
    return status;
}

static enum cs_status convert_foreign(struct cs_run_traces *traces, const char *journal, size_t number, char **trace)
{
    if (!traces->foreign)
        cs_log("%s belongs to another user: a copy is read. That user or root can convert it with `callsign convert`",
               journal);
    traces->foreign = true;
    return convert_aside(traces, journal, number, trace);
}

/* The process may have converted its journal since the listing: takes that trace. */
static bool was_converted(const char *journal, char **trace)
{
    if (access(journal, F_OK) == 0)
        return false;
    char path[PATH_MAX];
    *trace = cs_run_name_of_trace(journal, path) && access(path, F_OK) == 0 ? strdup(path) : NULL;
    return *trace;
}

static enum cs_status convert_journal(struct cs_run_traces *traces, struct cs_run_file *file, size_t number,
                                      char **trace)
{
    if (!file->ranked && access(file->path, F_OK) != 0)
        cs_run_file_follow(file);
    const char *journal = file->path;
    if (!file->blocked && was_converted(journal, trace))
        return CS_OK;
    bool unknown = false;
    enum cs_status status = look_at_writer(journal, traces->patient, &unknown);
    if (status == CS_BUSY) {
        if (unknown)
            traces->info.unknown++;
        else
            traces->info.alive++;
        return convert_aside(traces, journal, number, trace);
    }
    if (status == CS_DENIED)
        return convert_foreign(traces, journal, number, trace);
    if (status != CS_OK)
        return status;
    traces->info.journals++;
    char path[PATH_MAX];
    /* If the rank is alive after all, readers would take a trace next to its journal as final. */
    if (unknown || file->blocked || !cs_run_folder_is_writable(journal) || !cs_run_name_of_trace(journal, path))
        return convert_aside(traces, journal, number, trace);
    bool gone;
    status = cs_run_journal_convert(
        journal, path, &(struct cs_convert_options){.unsynced = cs_setting_in_environment(CS_SETTING_SYNC, "off")},
        &gone);
    if (gone && was_converted(journal, trace))
        return CS_OK;
    if (gone) {
        cs_log("another process has converted %s meanwhile: it is missing here; run the command again", journal);
        return status;
    }
    if (status == CS_OK) {
        *trace = strdup(path);
        return *trace ? CS_OK : CS_NO_MEMORY;
    }
    return status == CS_NO_SPACE || status == CS_IO ? convert_aside(traces, journal, number, trace) : status;
}

/* ---- nodes ---- */

enum cs_status cs_run_node_convert(const char *folder, const struct cs_convert_node_options *options,
                                   struct cs_converted_node *converted, bool *waited)
{
    enum cs_status status;
    int waited_ms = 0;
    while ((status = cs_convert_node(folder, options, converted)) == CS_BUSY && !converted->writer) {
        *waited = true;
        wait_for_converter(folder, &waited_ms);
    }
    if (access(folder, F_OK) != 0 && !(status == CS_OK && converted->count))
        *waited = true;
    return status;
}

static enum cs_status convert_node(struct cs_run_files *files, const char *folder, size_t *journals, bool *waited)
{
    struct cs_converted_node converted;
    const struct cs_convert_node_options options = {
        .unsynced = cs_setting_in_environment(CS_SETTING_SYNC, "off"),
    };
    if (!cs_run_folder_is_writable(folder))
        return CS_OK; /* each journal is read alone */
    if (cs_run_node_convert(folder, &options, &converted, waited) != CS_OK)
        return CS_OK; /* each journal is converted alone */
    *journals += converted.count;
    enum cs_status status = converted.count ? cs_run_files_replace(files, folder, &converted) : CS_OK;
    cs_converted_node_free(&converted);
    return status;
}

/* A process that converts a node's journals removes them one by one. */
static bool lacks_journal(const struct cs_run_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        if (files->file[i].kind == CS_RUN_JOURNAL && files->file[i].ranked && access(files->file[i].path, F_OK) != 0)
            return true;
    return false;
}

enum cs_status cs_run_files_converted(const char *path, struct cs_run_files *files, size_t *converted)
{
    enum { LISTINGS_MOST = 16 };
    bool again = true;
    enum cs_status status = CS_OK;
    *converted = 0;
    for (int i = 0; i < LISTINGS_MOST && again && status == CS_OK; i++) {
        if (i > 0)
            cs_run_files_free(files);
        again = false;
        status = cs_run_files_list(path, files);
        for (size_t j = 0; status == CS_OK && j < files->node_folders; j++)
            status = convert_node(files, files->node_folder[j], converted, &again);
        again = again || (status == CS_OK && files->node_folders && lacks_journal(files));
    }
    return status;
}

size_t cs_run_traces_count_ranks(const struct cs_run_traces *traces, size_t enough)
{
    size_t ranks = traces->count;
    for (size_t i = 0; i < traces->count && ranks <= enough; i++) {
        struct cs_node_trace trace;
        if (!cs_node_name_is_trace(cs_path_name(traces->path[i])) ||
            cs_node_trace_read(traces->path[i], &trace) != CS_OK)
            continue;
        ranks += trace.ranks ? trace.ranks - 1 : 0;
        cs_node_trace_free(&trace);
    }
    return ranks;
}

int64_t cs_run_traces_count_bytes(const struct cs_run_traces *traces)
{
    int64_t bytes = 0;
    struct stat about;
    for (size_t i = 0; i < traces->count; i++)
        bytes += stat(traces->path[i], &about) == 0 ? about.st_size : 0;
    return bytes;
}

struct placed {
    char *path;
    int64_t lowest;
    size_t number;
};

static int by_lowest(const void *left, const void *right)
{
    const struct placed *a = left, *b = right;
    if (a->lowest != b->lowest)
        return a->lowest < b->lowest ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* Names of rank files have the rank. Processes without a rank come last, as in the listing. */
static int64_t lowest_rank(const char *path)
{
    bool ranked;
    const char *number, *name = cs_path_name(path);
    struct cs_node_trace trace;
    int64_t lowest = INT64_MAX;
    if (cs_run_name_begins(name, &ranked, &number))
        return ranked ? strtoll(number, NULL, 10) : INT64_MAX;
    if (cs_node_name_is_trace(name) && cs_node_trace_read(path, &trace) == CS_OK) {
        lowest = trace.ranks ? trace.rank[0] : INT64_MAX;
        cs_node_trace_free(&trace);
    }
    return lowest;
}

static bool has_nodes(const struct cs_run_traces *traces)
{
    for (size_t i = 0; i < traces->count; i++)
        if (cs_node_name_is_trace(cs_path_name(traces->path[i])))
            return true;
    return false;
}

char **cs_run_traces_order(const struct cs_run_traces *traces)
{
    bool sorted = !has_nodes(traces);
    char **path = calloc(traces->count ? traces->count : 1, sizeof *path);
    struct placed *placed = calloc(traces->count ? traces->count : 1, sizeof *placed);
    for (size_t i = 0; path && placed && i < traces->count; i++)
        placed[i] = (struct placed){traces->path[i], sorted ? 0 : lowest_rank(traces->path[i]), i};
    if (path && placed) {
        qsort(placed, traces->count, sizeof *placed, by_lowest);
        for (size_t i = 0; i < traces->count; i++)
            path[i] = placed[i].path;
    } else {
        free(path);
        path = NULL;
    }
    free(placed);
    return path;
}

/* ---- all ---- */

enum cs_status cs_run_traces_collect(struct cs_run_files *files, const struct cs_run_options *options,
                                     struct cs_run_traces *traces)
{
    *traces =
        (struct cs_run_traces){.patient = options && options->patient, .all_events = options && options->all_events};
    traces->path = calloc(files->count, sizeof *traces->path);
    if (!traces->path)
        return CS_NO_MEMORY;
    traces->info.files = files->count + files->left_out;
    traces->info.left_out = files->left_out;
    traces->info.single = files->single;
    for (size_t i = 0; i < files->count; i++) {
        char *trace = NULL;
        struct stat about;
        if (stat(files->file[i].path, &about) == 0)
            cs_output_narrow(&about);
        if (files->file[i].kind == CS_RUN_TRACE) {
            trace = files->file[i].path;
            files->file[i].path = NULL;
        } else if (convert_journal(traces, &files->file[i], i, &trace) != CS_OK) {
            traces->info.left_out++;
            continue;
        }
        traces->path[traces->count++] = trace;
    }
    return CS_OK;
}

void cs_run_traces_unlink(struct cs_run_traces *traces)
{
    if (!traces->temporary)
        return;
    cs_temporary_folder_remove(traces->temporary);
    free(traces->temporary);
    traces->temporary = NULL;
}

void cs_run_traces_free(struct cs_run_traces *traces)
{
    cs_run_traces_unlink(traces);
    for (size_t i = 0; i < traces->count; i++)
        free(traces->path[i]);
    free(traces->path);
    *traces = (struct cs_run_traces){0};
}
