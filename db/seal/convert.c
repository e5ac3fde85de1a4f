#include "db/seal/convert.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file_system.h"
#include "base/log.h"
#include "db/seal/cell_rows.h"
#include "db/seal/facts.h"
#include "db/seal/objects.h"
#include "db/seal/process.h"
#include "db/seal/profile_rows.h"
#include "db/seal/sites.h"
#include "functions.h"
#include "journal/reader.h"
#include "journal/run_files.h"

/* Each table takes at least one page, and most are empty: pages of 4 KiB make a small trace half as large again, pages
   of 1 KiB make a large one slow to write. With 512 bytes most rows of the profile do not fit into their page. */
static unsigned page_bytes_for(const struct cs_journal_header *header)
{
    return header->used_bytes > (1u << 20) ? 4096 : 1024;
}

/* If the header says running or sealing, the outcome depends on whether the writer lives. self: this process is the
   writer, and only the trace is missing from MPI_Finalize. */
static enum cs_outcome outcome_of(const struct cs_journal_header *header, bool self, bool alive)
{
    if (header->outcome == CS_OUTCOME_SEALING && self)
        return CS_OUTCOME_FINALIZED;
    if (header->outcome == CS_OUTCOME_RUNNING || header->outcome == CS_OUTCOME_SEALING)
        return alive ? CS_OUTCOME_RUNNING : CS_OUTCOME_DIED;
    return header->outcome < CS_OUTCOME_DIED ? (enum cs_outcome)header->outcome : CS_OUTCOME_DIED;
}

static enum cs_status write_functions(struct cs_sealing *sealing)
{
    enum cs_status status = CS_OK;
    for (size_t i = 0; status == CS_OK && i < cs_function_count; i++) {
        const struct cs_function *it = &cs_functions[i];
        if (sealing->function_used[it->number])
            status = CS_INSERT(sealing->rows, function, .function = cs_int(it->number), .name = cs_text(it->name),
                               .class = cs_text(it->class), .waits = cs_text(cs_wait_words[it->wait]),
                               .mode = cs_text(cs_mode_words[it->mode]),
                               .transfer = cs_text(cs_transfer_words[it->transfer]),
                               .collective = cs_text(cs_collective_words[it->collective]),
                               .root = cs_int_unless(it->root, 0), .op = cs_int_unless(it->op, 0),
                               .datatype = cs_int_unless(it->datatype, 0), .synchronizing = cs_int(it->synchronizing),
                               .creates = cs_text(cs_verb_words[it->verb]), .duplicates = cs_int(it->duplicates));
    }
    return status;
}

/* The rows of the process and of functions come last: they need everything else. */
static enum cs_status write_all(struct cs_sealing *sealing, enum cs_outcome outcome)
{
    sealing->unfinished = outcome != CS_OUTCOME_FINALIZED;
    sealing->sites = cs_sites_create(sealing->rows);
    sealing->objects = cs_objects_create();
    sealing->profile = cs_profile_rows_create();
    sealing->errors = cs_errors_create();
    bool ready = sealing->sites && sealing->objects && sealing->profile && sealing->errors;
    enum cs_status status = ready ? CS_OK : CS_NO_MEMORY;
    if (status == CS_OK)
        status = cs_facts_load(sealing);
    if (status == CS_OK)
        status = cs_objects_write(sealing);
    cs_objects_destroy(sealing->objects); /* they use most of the memory */
    sealing->objects = NULL;
    if (status == CS_OK)
        status = cs_threads_write(sealing);
    if (status == CS_OK)
        status = cs_profile_rows_write(sealing);
    if (status == CS_OK)
        status = cs_cells_load(sealing);
    if (status == CS_OK && sealing->unfinished)
        status = cs_requests_write(sealing);
    if (status == CS_OK)
        status = cs_process_write(sealing, outcome);
    if (status == CS_OK)
        status = write_functions(sealing);
    cs_sites_destroy(sealing->sites);
    cs_profile_rows_destroy(sealing->profile);
    cs_errors_destroy(sealing->errors);
    free(sealing->thread);
    for (size_t i = 0; i < CS_ABOUT_COUNT; i++)
        free(sealing->about[i]);
    return status;
}

/* The conversion of one journal. */
struct job {
    struct cs_journal_reader *reader;
    const char *journal_path, *trace_path;
    const struct stat *like; /* file with the group and mode for the trace; NULL: only this user may read it */
    enum cs_outcome outcome;
    bool keep_journal, held; /* held: the program waits for the conversion */
    bool unknown;            /* it is unknown whether the writer runs */
    bool durable;            /* the trace must survive a power failure */
    int64_t still_seconds;   /* how long a journal with a writer taken to be alive has not changed; -1: not known to be
                                dead */
};

static enum cs_status write_trace(struct cs_sealing *sealing, const struct job *job)
{
    enum cs_status status = write_all(sealing, job->outcome);
    if (status == CS_OK && job->outcome == CS_OUTCOME_RUNNING && job->still_seconds >= 0) {
        char seconds[24];
        snprintf(seconds, sizeof seconds, "%lld", (long long)job->still_seconds);
        status = CS_INSERT(sealing->rows, meta, .key = cs_text("journal.still_s"), .value = cs_text(seconds));
    }
    if (status == CS_OK && job->outcome == CS_OUTCOME_RUNNING && job->unknown)
        status = CS_INSERT(sealing->rows, meta, .key = cs_text("journal.writer"), .value = cs_text("unknown"));
    if (status == CS_OK)
        status = cs_trace_commit(sealing->rows);
    if (status != CS_OK || !job->held)
        return status;
    /* The clock was last read when the program's own part of MPI_Finalize was over. */
    uint64_t now = cs_clock_monotonic_ns(), since = sealing->header->last.monotonic_ns;
    return CS_INSERT(sealing->rows, sealed, .seal_ns = cs_int(since < now ? (int64_t)(now - since) : 0));
}

static enum cs_status convert(const struct job *job)
{
    struct cs_sealing *sealing = calloc(1, sizeof *sealing); /* too large for the stack of some threads */
    if (!sealing) {
        cs_log("cannot seal %s: %s", job->journal_path, cs_status_text(CS_NO_MEMORY));
        return CS_NO_MEMORY;
    }
    cs_sealing_begin(sealing, job->reader);
    uint64_t now = job->outcome == CS_OUTCOME_RUNNING ? cs_sealing_now(sealing) : 0;
    if (now)
        cs_sealing_note_instant(sealing, now);
    sealing->finalizing = sealing->header->outcome == CS_OUTCOME_SEALING && job->outcome != CS_OUTCOME_FINALIZED;
    enum cs_status status =
        cs_trace_create(job->trace_path, sealing->rank, job->like, page_bytes_for(sealing->header), &sealing->rows);
    if (status == CS_OK) {
        status = write_trace(sealing, job);
        if (status != CS_OK && !cs_trace_has_failed(sealing->rows))
            cs_log("cannot seal %s: %s", job->journal_path, cs_status_text(status));
        enum cs_status closed = cs_trace_close(sealing->rows, status == CS_OK, job->durable);
        status = status == CS_OK ? closed : status;
    }
    free(sealing);
    return status;
}

/* A write past RLIMIT_FSIZE sends SIGXFSZ, which by default kills the program. While it is blocked, the write fails
   with EFBIG. A signal that was pending before is not consumed. */
static enum cs_status convert_guarded(const struct job *job)
{
    sigset_t limit, before, pending;
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    sigemptyset(&pending);
    sigpending(&pending);
    bool was_pending = sigismember(&pending, SIGXFSZ) == 1;
    bool blocked = pthread_sigmask(SIG_BLOCK, &limit, &before) == 0;
    enum cs_status status = convert(job);
    if (blocked) {
        static const struct timespec now = {0, 0};
        while (!was_pending && sigtimedwait(&limit, NULL, &now) < 0 && errno == EINTR)
            ;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    return status;
}

/* Removes the link last: it leads to the journal as long as it exists. */
static void remove_journal(const char *path)
{
    char elsewhere[PATH_MAX];
    const char *file = cs_node_local_resolve(path, elsewhere);
    bool removed = unlink(file) == 0 ||
                   errno == ENOENT; /* another process may have converted it at the same time, with the same result */
    if (removed && file != path)
        removed = unlink(path) == 0 || errno == ENOENT;
    if (!removed)
        cs_log("%s was sealed but cannot be removed: %s", path, strerror(errno));
}

/* Replaces the journal by the trace, with the owner's rights. */
static enum cs_status replace(const struct job *job)
{
    struct cs_owner before;
    if (!cs_owner_begin(job->like, &before)) {
        cs_log("%s belongs to another user: only that user or root can put a trace in its place", job->journal_path);
        return CS_DENIED;
    }
    enum cs_status status = convert_guarded(job);
    if (status == CS_OK && !job->keep_journal)
        remove_journal(job->journal_path);
    cs_owner_end(&before);
    return status;
}

enum cs_status cs_seal(const char *journal_path, const char *trace_path, const struct cs_seal_options *options)
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
        .outcome = outcome_of(header, self, alive),
        /* If the writer is unknown, it may still run: its journal is kept. */
        .keep_journal = options->keep_journal || (writer != CS_WRITER_GONE && !self),
        .held = self,
        .unknown = writer == CS_WRITER_UNKNOWN,
        .still_seconds = still_seconds,
    };
    job.durable = !options->unsynced && !options->aside && !job.keep_journal; /* then the trace is the only copy */
    status = options->aside ? convert_guarded(&job) : replace(&job);
    cs_journal_read_close(reader);
    return status;
}
