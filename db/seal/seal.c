#include "db/seal/seal.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "db/journal/node_local.h"
#include "db/journal/names.h"
#include "db/journal/owner.h"
#include "db/seal/load.h"
#include "functions.h"

/* Every table takes at least one page, and the profile's rows come in random order: larger pages make a small trace
   large (1 MiB with 64 KiB) and a large profile slow (half the speed). */
#define PAGE_BYTES 4096u

struct cs_value cs_sealing_function(struct cs_sealing *sealing, uint32_t number)
{
    if (number <= UINT16_MAX)
        sealing->function_used[number] = 1;
    return cs_int_unless(number, 0);
}

/* The header may say running, or sealing: then it depends on whether the writer is. self: we are the writer, and all
   that is left to do for MPI_Finalize is this. */
static enum cs_outcome outcome_of(const struct cs_journal_header *header, bool self, bool alive)
{
    if (header->outcome == CS_OUTCOME_SEALING && self)
        return CS_OUTCOME_FINALIZED;
    if (header->outcome == CS_OUTCOME_RUNNING || header->outcome == CS_OUTCOME_SEALING)
        return alive ? CS_OUTCOME_RUNNING : CS_OUTCOME_DIED;
    return header->outcome < CS_OUTCOME_DIED ? (enum cs_outcome)header->outcome : CS_OUTCOME_DIED;
}

/* Unix time of instant 0; NULL where the header makes no sense. */
static struct cs_value zero_utc_ns(struct cs_sealing *sealing)
{
    const struct cs_clock_pair *first = &sealing->header->first;
    int64_t utc_ns;
    if (__builtin_sub_overflow(first->realtime_ns, cs_sealing_instant(sealing, first->ticks), &utc_ns))
        return cs_text(NULL);
    return cs_int(utc_ns);
}

/* Whoever asks knows more than the journal: that the process is there now, or no more. Only the time of day is the same
   on all machines. 0: the clocks disagree. */
static uint64_t now_ticks(const struct cs_sealing *sealing)
{
    const struct cs_clock_pair *last = &sealing->header->last;
    uint64_t now_ns = cs_clock_pair().realtime_ns;
    double passed = now_ns > last->realtime_ns ? (double)(now_ns - last->realtime_ns) / sealing->ns_per_tick : -1;
    return passed >= 0 && passed < 9e18 && last->ticks < INT64_MAX ? last->ticks + (uint64_t)passed : 0;
}

static enum cs_status write_process(struct cs_sealing *sealing, enum cs_outcome outcome)
{
    const struct cs_journal_header *header = sealing->header;
    const struct cs_thread_state *last = &sealing->last;
    bool inside = last->function && outcome != CS_OUTCOME_FINALIZED;
    bool damaged = sealing->damaged || cs_journal_read_damaged(sealing->reader);
    uint64_t found = outcome == CS_OUTCOME_DIED ? now_ticks(sealing) : 0;
    struct cs_value nothing = cs_text(NULL);
    return CS_WRITE(
        sealing->rows, CS_ROW_PROCESS, cs_int(sealing->rank), cs_int_unless(header->size, -1),
        cs_text(sealing->about[CS_ABOUT_NODE]), cs_int(header->pid), cs_text(sealing->about[CS_ABOUT_PROGRAM]),
        cs_text(sealing->about[CS_ABOUT_ARGUMENTS]), cs_text(sealing->about[CS_ABOUT_THREAD_LEVEL]),
        cs_text(sealing->about[CS_ABOUT_STARTED]), zero_utc_ns(sealing),
        cs_sealing_instant_unless_0(sealing, header->first.ticks),
        cs_sealing_instant_unless_0(sealing, header->init_ticks),
        cs_sealing_instant_unless_0(sealing, header->finalize_ticks),
        cs_sealing_instant_unless_0(sealing, sealing->seen_ticks),
        cs_sealing_instant_unless_0(sealing, found > sealing->seen_ticks ? found : 0),
        cs_text(cs_name_of_outcome(outcome)), inside ? cs_sealing_function(sealing, last->function) : nothing,
        inside ? cs_int_unless(last->object, 0) : nothing, inside ? cs_int_unless(last->peer, CS_NO_PEER) : nothing,
        inside ? cs_int_unless(last->tag, CS_NO_TAG) : nothing,
        inside ? cs_int_unless((int64_t)last->bytes, (int64_t)CS_NO_BYTES) : nothing,
        inside ? cs_int_unless(sealing->last_site, 0) : nothing,
        inside ? cs_sealing_instant_unless_0(sealing, last->since_ticks) : nothing,
        cs_int(cs_sealing_count(sealing, sealing->threads)), cs_int((int64_t)sealing->calls),
        cs_int((int64_t)sealing->mpi_ns), cs_int(cs_sealing_count(sealing, header->lost)), cs_int(damaged),
        cs_int((int64_t)header->run_hash));
}

static enum cs_status write_functions(struct cs_sealing *sealing)
{
    enum cs_status status = CS_OK;
    for (size_t i = 0; status == CS_OK && i < cs_function_count; i++)
        if (sealing->function_used[cs_functions[i].number])
            status = CS_WRITE(sealing->rows, CS_ROW_FUNCTION, cs_int(cs_functions[i].number),
                              cs_text(cs_functions[i].name), cs_text(cs_functions[i].class));
    return status;
}

/* Process and functions last: what they say is known only when all else was read. */
static enum cs_status write_all(struct cs_sealing *sealing, enum cs_outcome outcome)
{
    sealing->places = cs_places_create(sealing->rows);
    if (!sealing->places)
        return CS_NO_MEMORY;
    enum cs_status status = cs_seal_modules(sealing);
    if (status == CS_OK)
        status = cs_seal_facts(sealing);
    if (status == CS_OK)
        status = cs_seal_threads(sealing);
    if (status == CS_OK)
        status = cs_seal_cells(sealing);
    if (status == CS_OK)
        status = write_process(sealing, outcome);
    if (status == CS_OK)
        status = write_functions(sealing);
    cs_places_destroy(sealing->places);
    free(sealing->line);
    free(sealing->home);
    for (size_t i = 0; i < CS_ABOUT_COUNT; i++)
        free(sealing->about[i]);
    return status;
}

/* What becomes of a journal. */
struct job {
    struct cs_journal_reader *reader;
    const char *journal_path, *trace_path;
    const struct stat *like; /* whose group and mode the trace gets; NULL: nobody's */
    enum cs_outcome outcome;
    bool keep_journal, held; /* held: the program waits for it */
};

static enum cs_status write_trace(struct cs_sealing *sealing, const struct job *job)
{
    enum cs_status status = write_all(sealing, job->outcome);
    if (status == CS_OK)
        status = cs_rows_commit(sealing->rows);
    if (status != CS_OK || !job->held)
        return status;
    /* The clock was read last when the program's own part of MPI_Finalize was over. */
    uint64_t now = cs_clock_monotonic_ns(), since = sealing->header->last.monotonic_ns;
    return CS_WRITE(sealing->rows, CS_ROW_SEALED, cs_int(since < now ? (int64_t)(now - since) : 0));
}

static enum cs_status convert(const struct job *job)
{
    const struct cs_journal_header *header = cs_journal_read_header(job->reader);
    struct cs_sealing *sealing = calloc(1, sizeof *sealing); /* too large for the stack of some thread of the program */
    if (!sealing) {
        cs_log("cannot seal %s: %s", job->journal_path, cs_status_text(CS_NO_MEMORY));
        return CS_NO_MEMORY;
    }
    sealing->reader = job->reader;
    sealing->header = header;
    /* Without a rank, the process id is at least a number that no other process of the node has. */
    sealing->rank = header->rank >= 0 ? header->rank : header->pid ? -(int64_t)header->pid : -1;
    cs_sealing_set_clock(sealing);
    uint64_t now = job->outcome == CS_OUTCOME_RUNNING ? now_ticks(sealing) : 0;
    if (now)
        cs_sealing_see(sealing, now);
    sealing->finalizing = header->outcome == CS_OUTCOME_SEALING && job->outcome != CS_OUTCOME_FINALIZED;
    enum cs_status status = cs_rows_create(job->trace_path, job->like, PAGE_BYTES, &sealing->rows);
    if (status == CS_OK) {
        status = write_trace(sealing, job);
        if (status != CS_OK && !cs_rows_failed(sealing->rows))
            cs_log("cannot seal %s: %s", job->journal_path, cs_status_text(status));
        enum cs_status closed = cs_rows_close(sealing->rows, status == CS_OK);
        status = status == CS_OK ? closed : status;
    }
    free(sealing);
    return status;
}

/* Writing past RLIMIT_FSIZE sends SIGXFSZ, whose default is to kill the program that we are in. Blocked, the write
   fails with EFBIG. A signal that was pending before is not ours to take. */
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

/* The link last: as long as it is there, what it leads to is found. */
static void remove_journal(const char *path)
{
    char elsewhere[PATH_MAX];
    const char *file = cs_node_local_of(path, elsewhere);
    bool removed =
        unlink(file) == 0 || errno == ENOENT; /* somebody else sealed it at the same time, with the same result */
    if (removed && file != path)
        removed = unlink(path) == 0 || errno == ENOENT;
    if (!removed)
        cs_log("%s was sealed but cannot be removed: %s", path, strerror(errno));
}

/* The trace in place of the journal, as its owner. */
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
    bool self = writer == CS_WRITER_HERE && header->pid == (uint32_t)getpid(); /* we write no more */
    bool alive = cs_journal_read_alive(reader);
    if (alive && !self && !options->alive_ok) {
        cs_log("%s is still being written by process %u%s", journal_path, header->pid,
               writer == CS_WRITER_ELSEWHERE ? " of another machine, as far as can be told from here" : "");
        cs_journal_read_close(reader);
        return CS_BUSY;
    }
    const struct job job = {
        .reader = reader,
        .journal_path = journal_path,
        .trace_path = trace_path,
        .like = options->aside ? NULL : cs_journal_read_file(reader),
        .outcome = outcome_of(header, self, alive),
        /* Of a writer elsewhere one cannot be sure: what it may still write is not thrown away. */
        .keep_journal = options->keep_journal || (writer != CS_WRITER_GONE && !self),
        .held = self,
    };
    status = options->aside ? convert_guarded(&job) : replace(&job);
    cs_journal_read_close(reader);
    return status;
}
