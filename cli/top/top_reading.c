#include "cli/top/top_reading.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/proc.h"
#include "db/run/files.h"
#include "journal/format.h"
#include "journal/liveness.h"
#include "journal/reader.h"
#include "journal/run_files.h"

/* A cell that changes all the time is used as it is: the error is the length of one short call. */
enum { TRIES = 5 };

/* ---- sums of one journal ---- */

struct now {
    double ticks; /* of the journal's clock */
    double ns_per_tick;
};

/* Threads whose current calls are known to the activity. */
enum { CURRENTS_MOST = 64 };

struct reading {
    const struct cs_journal_reader *reader;
    struct cs_top_rank *rank;
    struct cs_top_current current[CURRENTS_MOST];
    size_t currents;
    struct now now;
    double longest;     /* ticks of the longest current call */
    uint64_t last_left; /* when the last call ended */
};

static double ticks_since(const struct now *now, uint64_t ticks)
{
    double passed = now->ticks - (double)ticks;
    return ticks && passed > 0 ? passed : 0;
}

/* Reads the fields before `inner` until they are twice the same: the thread may be changing them. */
static void settle(const struct cs_journal_reader *reader, uint64_t offset, struct cs_thread_state *state)
{
    enum { BYTES = offsetof(struct cs_thread_state, inner) };
    struct cs_thread_state again;
    for (int i = 0; i < TRIES; i++) {
        if (!cs_journal_read_cell(reader, offset, &again, BYTES) || memcmp(state, &again, BYTES) == 0)
            return;
        memcpy(state, &again, BYTES);
    }
}

static void note_call(struct reading *reading, const struct cs_thread_state *state, double inside)
{
    struct cs_top_rank *rank = reading->rank;
    bool is_inside = state->doing == CS_THREAD_INSIDE;
    if (!state->function || (!is_inside && (rank->inside || state->until_ticks < reading->last_left)) ||
        (is_inside && rank->inside && inside <= reading->longest))
        return;
    rank->inside = is_inside;
    rank->function = state->function;
    reading->longest = inside;
    reading->last_left = state->until_ticks;
    rank->state_ns = (is_inside ? inside : ticks_since(&reading->now, state->until_ticks)) * reading->now.ns_per_tick;
}

static enum cs_status add_thread(void *context, uint64_t offset, const void *cell)
{
    struct reading *reading = context;
    struct cs_top_sums *sums = &reading->rank->now;
    struct cs_thread_state state = *(const struct cs_thread_state *)cell;
    settle(reading->reader, offset, &state);
    bool ended = state.doing == CS_THREAD_ENDED;
    double inside = state.doing == CS_THREAD_INSIDE ? ticks_since(&reading->now, state.since_ticks) : 0;
    sums->mpi_ns += ((double)state.mpi_ticks + inside) * reading->now.ns_per_tick;
    sums->lived_ns += ((double)state.lived_ticks + (ended ? 0 : ticks_since(&reading->now, state.began_ticks))) *
                      reading->now.ns_per_tick;
    sums->calls += state.calls;
    if (inside > 0 && reading->currents < CURRENTS_MOST)
        reading->current[reading->currents++] =
            (struct cs_top_current){state.site, state.object, state.function, (uint64_t)inside};
    if (!ended)
        note_call(reading, &state, inside);
    return CS_OK;
}

static enum cs_status add_traffic(void *context, const void *cell)
{
    const struct cs_traffic_cell *traffic = cell;
    struct cs_top_sums *sums = context;
    if (traffic->direction == CS_SEND) {
        sums->messages += (uint64_t)(int64_t)traffic->messages;
        sums->bytes += traffic->bytes;
    }
    return CS_OK;
}

/* This instant on the clock that the journal has. Another machine's is derived from the time of day. */
static struct now now_of(const struct cs_journal_header *header, bool here, int clock)
{
    struct now now = {.ns_per_tick = 1};
    if (here && header->clock_kind == CS_CLOCK_MONOTONIC) {
        now.ticks = (double)cs_clock_monotonic_ns();
        return now;
    }
    struct cs_clock_pair pair = cs_clock_pair(), last = header->last;
    bool same = here && header->clock_kind == (uint32_t)clock;
    if (same)
        last = pair;
    now.ns_per_tick = cs_clock_ns_per_tick(header->ticks_per_second, &header->first, &last);
    if (!isfinite(now.ns_per_tick) || now.ns_per_tick <= 0)
        now.ns_per_tick = 1;
    now.ticks = same ? (double)pair.ticks
                     : (double)last.ticks + ((double)pair.realtime_ns - (double)last.realtime_ns) / now.ns_per_tick;
    return now;
}

static void stop_reading(struct cs_top *top, struct cs_top_journal *journal)
{
    cs_top_activity_end(top->activity, journal->process);
    cs_top_process_free(journal->process);
    journal->process = NULL;
    cs_journal_read_close(journal->reader);
    journal->reader = NULL;
}

/* What the kernel tells of a process on this machine. */
static void look_at_process(struct cs_top_rank *rank, const struct cs_look *before)
{
    rank->look = cs_look_at("/proc", (pid_t)rank->pid, !rank->inside);
    bool same = before->known && !rank->inside && rank->state_ns >= (double)(rank->look.at_ns - before->at_ns);
    rank->activity = same ? cs_activity_between(before, &rank->look) : CS_ACTIVITY_UNKNOWN;
    if (rank->activity == CS_ACTIVITY_UNKNOWN)
        rank->activity = cs_activity_at(&rank->look);
}

static enum cs_status read_rank(struct cs_top *top, struct cs_top_journal *journal)
{
    struct cs_journal_reader *reader = journal->reader;
    cs_journal_read_again(reader);
    bool silent = cs_journal_read_still_seconds(reader) >= 0;
    bool running = cs_journal_read_writer(reader) != CS_WRITER_GONE && !silent;
    const struct cs_journal_header *header = cs_journal_read_header(reader);
    struct cs_top_rank *rank = &journal->rank;
    struct cs_look look = rank->look;
    *rank = (struct cs_top_rank){.rank = header->rank,
                                 .pid = header->pid,
                                 .running = running,
                                 .silent = silent,
                                 .ran = rank->running,
                                 .is_new = rank->now.at_ns <= 0,
                                 .before = rank->now};
    struct reading reading = {.reader = reader, .rank = rank};
    bool here = cs_journal_read_writer(reader) == CS_WRITER_HERE;
    reading.now = now_of(header, here, top->clock);
    rank->age_ns = ticks_since(&reading.now, header->first.ticks) * reading.now.ns_per_tick;
    enum cs_status status = cs_journal_read_located_cells(reader, CS_BLOCK_THREAD, add_thread, &reading);
    double begun = (double)cs_clock_monotonic_ns();
    if (status == CS_OK)
        status = cs_journal_read_cells(reader, CS_BLOCK_TRAFFIC, add_traffic, &rank->now);
    rank->now.at_ns = (begun + (double)cs_clock_monotonic_ns()) / 2;
    if (here && running)
        look_at_process(rank, &look);
    if (status == CS_OK)
        status = cs_top_activity_add(top->activity, journal->process, rank->rank,
                                     rank->ran ? rank->now.lived_ns - rank->before.lived_ns : 0,
                                     reading.now.ns_per_tick, reading.current, reading.currents);
    if (!running && !silent) { /* its files may be converted and removed now */
        stop_reading(top, journal);
    }
    return status;
}

double cs_top_share(const struct cs_top_rank *rank)
{
    double lived = rank->now.lived_ns - rank->before.lived_ns, mpi = rank->now.mpi_ns - rank->before.mpi_ns;
    return lived <= 0 || mpi <= 0 ? 0 : mpi < lived ? mpi / lived : 1;
}

/* ---- the journals of the run ---- */

static bool changed_just_now(const struct stat *about)
{
    return about->st_mtim.tv_sec >= time(NULL) - 1;
}

/* When the folder changed. 0: just now, so that the next change may get the same time; or unknown. */
static uint64_t time_of_change(const char *folder)
{
    struct stat about;
    if (stat(folder, &about) != 0 || changed_just_now(&about))
        return 0;
    return (uint64_t)about.st_mtim.tv_sec * 1000000000u + (uint64_t)about.st_mtim.tv_nsec;
}

static bool is_of_another_node(const struct cs_journal_reader *reader)
{
    return cs_journal_read_header(reader)->boot != cs_proc_place("/proc").boot;
}

/* A process gives its journal another name when it knows its rank. */
static enum cs_status keep_path(struct cs_top_journal *journal, const char *path)
{
    if (strcmp(journal->path, path) == 0)
        return CS_OK;
    char *copy = strdup(path);
    if (!copy)
        return CS_NO_MEMORY;
    free(journal->path);
    journal->path = copy;
    return CS_OK;
}

static enum cs_status follow(struct cs_top *top, const char *path)
{
    struct stat about;
    if (lstat(path, &about) != 0)
        return CS_OK; /* it was converted just now */
    for (size_t i = 0; i < top->count; i++)
        if (top->journal[i].device == about.st_dev && top->journal[i].inode == about.st_ino)
            return keep_path(&top->journal[i], path);
    if (S_ISREG(about.st_mode) && (about.st_blocks == 0 || about.st_size < CS_JOURNAL_PAGE) && changed_just_now(&about))
        return CS_OK; /* its process is creating it: the folder is new, too, and is listed again */
    if (!cs_array_grow(&top->journal, top->count, &top->room, sizeof *top->journal))
        return CS_NO_MEMORY;
    struct cs_top_journal *journal = &top->journal[top->count++];
    *journal = (struct cs_top_journal){
        .device = about.st_dev, .inode = about.st_ino, .path = strdup(path), .number = top->count - 1};
    char node[NAME_MAX + 1];
    if (cs_node_local_is_elsewhere(path, node)) {
        journal->unread = true;
        journal->left_out = top->only_node;
        journal->node = strdup(node);
        return journal->path && journal->node ? CS_OK : CS_NO_MEMORY;
    }
    journal->unread = cs_journal_read_open(path, &journal->reader) != CS_OK;
    if (!journal->unread && top->only_node && is_of_another_node(journal->reader)) {
        cs_journal_read_close(journal->reader);
        journal->reader = NULL;
        journal->unread = journal->left_out = true;
    }
    if (!journal->unread)
        journal->process = cs_top_process_new(journal->reader, journal->number);
    return journal->path && (journal->process || journal->unread) ? CS_OK : CS_NO_MEMORY;
}

/* Lists the files again only if the folder changed: a listing logs what is wrong in it. */
static enum cs_status find_journals(struct cs_top *top)
{
    uint64_t changed = time_of_change(top->run);
    if ((changed && changed == top->changed) || (top->count && access(top->run, F_OK) != 0))
        return CS_OK;
    struct cs_run_files files = {0};
    enum cs_status status = cs_run_files_list(top->run, &files);
    size_t traces = 0;
    for (size_t i = 0; status == CS_OK && i < files.count; i++) {
        if (files.file[i].kind == CS_RUN_JOURNAL)
            status = follow(top, files.file[i].path);
        else
            traces++;
    }
    if (!top->clock)
        top->traces = traces;
    top->changed = files.node_folders ? 0 : changed; /* what changes in those does not change this folder */
    cs_run_files_free(&files);
    return status;
}

static int by_rank(const void *left, const void *right)
{
    const struct cs_top_journal *a = left, *b = right;
    int order = cs_compare(a->rank.rank, b->rank.rank);
    return order ? order : cs_compare(a->rank.pid, b->rank.pid);
}

enum cs_status cs_top_read(struct cs_top *top)
{
    if (!top->activity)
        top->activity = cs_top_activity_new();
    enum cs_status status = top->activity ? find_journals(top) : CS_NO_MEMORY;
    if (status == CS_NO_MEMORY)
        cs_log("top: out of memory");
    if (status != CS_OK)
        return status;
    uint64_t per_second;
    if (!top->clock)
        top->clock = (int)cs_clock_choose(false, &per_second);
    double now = (double)cs_clock_monotonic_ns();
    top->interval_ns = top->read_ns > 0 ? now - top->read_ns : 0;
    top->read_ns = now;
    cs_top_activity_begin(top->activity);
    for (size_t i = 0; i < top->count; i++) {
        struct cs_top_journal *journal = &top->journal[i];
        if (!journal->reader) {
            journal->rank.before = journal->rank.now;
            journal->rank.ran = journal->rank.running;
        } else if (read_rank(top, journal) != CS_OK) {
            cs_log("top: cannot read the journal of process %u", journal->rank.pid);
            stop_reading(top, journal);
            journal->rank.running = false;
            journal->unread = true;
        }
    }
    cs_top_activity_close(top->activity);
    if (top->count)
        qsort(top->journal, top->count, sizeof *top->journal, by_rank);
    return CS_OK;
}

void cs_top_free(struct cs_top *top)
{
    for (size_t i = 0; i < top->count; i++) {
        cs_top_process_free(top->journal[i].process);
        cs_journal_read_close(top->journal[i].reader);
        free(top->journal[i].path);
        free(top->journal[i].node);
    }
    free(top->journal);
    cs_top_activity_free(top->activity);
    *top = (struct cs_top){0};
}
