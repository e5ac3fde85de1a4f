#include "db/convert/journal_to_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_system.h"
#include "base/log.h"
#include "base/path.h"
#include "db/convert/journal_rows.h"
#include "db/trace/schema.h"
#include "journal/liveness.h"
#include "journal/node_folder.h"
#include "journal/reader.h"
#include "journal/run_files.h"

/* Each table takes at least one page, and most are empty: pages of 4 KiB make a small trace half as large again, pages
   of 1 KiB make a large one slow to write. With 512 bytes most rows of the profile do not fit into their page. Millions
   of events are written a fifth faster to pages of 16 KiB. */
static unsigned page_bytes_for(const struct cs_journal_header *header)
{
    return header->used_bytes > (16u << 20)  ? 16384
           : header->used_bytes > (1u << 20) ? 4096
                                             : cs_empty_trace.page_bytes;
}

/* The conversion of one journal. */
struct job {
    struct cs_journal_reader *reader;
    const char *journal_path, *trace_path;
    const struct stat *like; /* file with the group and mode for the trace; NULL: only this user may read it */
    enum cs_outcome outcome;
    bool keep_journal, held; /* held: the program waits for the conversion */
    bool unknown;            /* it is unknown whether the writer runs */
    bool aside;              /* the trace is for one look */
    bool all_events;         /* as in struct cs_convert_options */
    bool durable;            /* the trace must survive a power failure */
    int64_t still_seconds;   /* how long a journal with a writer taken to be alive has not changed; -1: not known to be
                                dead */
};

static enum cs_status write_trace(struct cs_conversion *conversion, const struct job *job)
{
    enum cs_status status = cs_journal_rows_write(conversion, job->outcome);
    if (status == CS_OK && job->outcome == CS_OUTCOME_RUNNING && job->still_seconds >= 0) {
        char seconds[24];
        snprintf(seconds, sizeof seconds, "%lld", (long long)job->still_seconds);
        status = CS_INSERT(conversion->rows, meta, .key = cs_text("journal.still_s"), .value = cs_text(seconds));
    }
    if (status == CS_OK && job->outcome == CS_OUTCOME_RUNNING && job->unknown)
        status = CS_INSERT(conversion->rows, meta, .key = cs_text("journal.writer"), .value = cs_text("unknown"));
    if (status == CS_OK)
        status = cs_trace_commit(conversion->rows);
    bool small = page_bytes_for(conversion->header) == cs_empty_trace.page_bytes;
    if (status == CS_OK && small && !job->held)
        status = cs_trace_compact(conversion->rows);
    if (status != CS_OK || !job->held)
        return status;
    /* The clock was last read when the program's own part of MPI_Finalize was over. */
    uint64_t now = cs_clock_monotonic_ns(), since = conversion->header->last.monotonic_ns;
    return CS_INSERT(conversion->rows, converted, .convert_ns = cs_int(since < now ? (int64_t)(now - since) : 0));
}

static enum cs_status convert(void *context)
{
    const struct job *job = context;
    struct cs_conversion *conversion = calloc(1, sizeof *conversion); /* too large for the stack of some threads */
    struct cs_shared_rows *shared = calloc(1, sizeof *shared);
    if (!conversion || !shared) {
        free(conversion);
        free(shared);
        cs_log("cannot convert %s: %s", job->journal_path, cs_status_text(CS_NO_MEMORY));
        return CS_NO_MEMORY;
    }
    cs_conversion_begin(conversion, job->reader);
    conversion->shared = shared;
    uint64_t now = job->outcome == CS_OUTCOME_RUNNING ? cs_conversion_now(conversion) : 0;
    if (now)
        cs_conversion_note_instant(conversion, now);
    conversion->aside = job->aside;
    conversion->all_events = job->all_events;
    conversion->finalizing =
        conversion->header->outcome == CS_OUTCOME_CONVERTING && job->outcome != CS_OUTCOME_FINALIZED;
    enum cs_status status = cs_trace_create(job->trace_path, conversion->rank, job->like,
                                            page_bytes_for(conversion->header), &conversion->rows);
    if (status == CS_OK) {
        status = write_trace(conversion, job);
        if (status != CS_OK && !cs_trace_has_failed(conversion->rows))
            cs_log("cannot convert %s: %s", job->journal_path, cs_status_text(status));
        enum cs_status closed = cs_trace_close(conversion->rows, status == CS_OK, job->durable);
        status = status == CS_OK ? closed : status;
        if (status == CS_OK && job->durable)
            cs_sync_name_before(job->trace_path, job->journal_path);
    }
    cs_shared_rows_free(shared);
    free(shared);
    free(conversion);
    return status;
}

/* Removes the folder of a node after its last journal. */
static void remove_node_folder(const char *journal)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", journal);
    cs_path_to_folder(folder);
    if (cs_node_name_is_folder(cs_path_name(folder)))
        cs_node_folder_remove(folder);
}

/* Replaces the journal by the trace, with the owner's rights. */
static enum cs_status replace(struct job *job)
{
    struct cs_owner before;
    if (!cs_owner_begin(job->like, &before)) {
        cs_log("%s belongs to another user: only that user or root can put a trace in its place", job->journal_path);
        return CS_DENIED;
    }
    enum cs_status status = cs_journal_rows_guard(convert, job);
    if (status == CS_OK && !job->keep_journal) {
        cs_journal_rows_remove(job->journal_path);
        remove_node_folder(job->journal_path);
    }
    cs_owner_end(&before);
    return status;
}

enum cs_status cs_convert(const char *journal_path, const char *trace_path, const struct cs_convert_options *options)
{
    struct cs_journal_reader *reader;
    enum cs_status status = cs_journal_read_open(journal_path, &reader);
    if (status != CS_OK)
        return status;
    const struct cs_journal_header *header = cs_journal_read_header(reader);
    enum cs_writer writer = cs_journal_read_writer(reader);
    bool self = cs_journal_read_is_own(reader); /* we are the writer and write no more */
    int64_t still_seconds = cs_journal_read_still_seconds(reader);
    bool alive = writer != CS_WRITER_GONE && (options->patient || still_seconds < 0);
    if (alive && !self && !options->alive_ok) {
        if (writer == CS_WRITER_UNKNOWN)
            cs_log("%s is left alone: process %u is on another machine or in another container and may still run",
                   journal_path, header->pid);
        else
            cs_log("%s is still being written by process %u", journal_path, header->pid);
        cs_journal_read_close(reader);
        return CS_BUSY;
    }
    struct job job = {
        .reader = reader,
        .journal_path = journal_path,
        .trace_path = trace_path,
        .like = options->aside ? NULL : cs_journal_read_file(reader),
        .outcome = cs_journal_rows_outcome(header, self, alive),
        /* If the writer is unknown, it may still run: its journal is kept. */
        .keep_journal = options->keep_journal || (writer != CS_WRITER_GONE && !self),
        .held = self,
        .unknown = writer == CS_WRITER_UNKNOWN,
        .still_seconds = still_seconds,
        .aside = options->aside,
        .all_events = options->all_events,
    };
    job.durable = !options->unsynced && !options->aside && !job.keep_journal; /* then the trace is the only copy */
    status = options->aside ? cs_journal_rows_guard(convert, &job) : replace(&job);
    cs_journal_read_close(reader);
    return status;
}
