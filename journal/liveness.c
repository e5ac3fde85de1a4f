#include "journal/liveness.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include "base/proc.h"
#include "journal/run_files.h"

/* If nothing is known about a writer, it counts as dead after its file has not changed for this time. */
enum { STILL_SECONDS = 600 };

static int64_t seconds_unchanged(const struct cs_journal_reader *reader)
{
    return (int64_t)time(NULL) - (int64_t)cs_journal_read_file(reader)->st_mtime;
}

static bool is_running(const struct cs_journal_header *header)
{
    return header->outcome == CS_OUTCOME_RUNNING || header->outcome == CS_OUTCOME_CONVERTING;
}

/* Checks the process id, which belongs to this kernel and pid namespace. A process that /proc does not show may be
   hidden; only kill proves that there is none. */
static enum cs_writer look_at_process(const struct cs_journal_header *header)
{
    struct cs_proc_stat stat;
    if (header->pid == 0 || header->pid > INT_MAX || (kill((pid_t)header->pid, 0) != 0 && errno == ESRCH))
        return CS_WRITER_GONE;
    if (!header->process_start || !cs_proc_is_ours("/proc") || !cs_proc_stat("/proc", (pid_t)header->pid, &stat))
        return CS_WRITER_UNKNOWN;
    /* A zombie writes no more, unless it is a main thread that ended before the others. */
    bool ended = (stat.state == 'Z' || stat.state == 'X') && stat.threads <= 1;
    return ended || stat.start_ticks != header->process_start ? CS_WRITER_GONE : CS_WRITER_HERE;
}

static enum cs_writer look(const struct cs_journal_reader *reader)
{
    const struct cs_journal_header *header = cs_journal_read_header(reader);
    /* Node name and process id are not enough: containers may share one and not the other. */
    struct cs_proc_place here = cs_proc_place("/proc");
    if (!here.boot || header->boot != here.boot)
        return CS_WRITER_UNKNOWN;
    enum cs_writer_lock lock =
        header->locked == 1 ? cs_writer_lock_query(cs_journal_read_descriptor(reader)) : CS_WRITER_LOCK_UNKNOWN;
    if (lock != CS_WRITER_LOCK_UNKNOWN)
        return lock == CS_WRITER_LOCK_HELD ? CS_WRITER_HERE : CS_WRITER_GONE;
    if (!here.pid_namespace || header->pid_namespace != here.pid_namespace)
        return CS_WRITER_UNKNOWN;
    return look_at_process(header);
}

enum cs_writer cs_journal_read_writer(struct cs_journal_reader *reader)
{
    if (!is_running(cs_journal_read_header(reader)))
        return CS_WRITER_GONE;
    enum cs_writer writer = look(reader);
    if (writer == CS_WRITER_GONE)
        cs_journal_read_again(reader); /* it may have finalized since */
    return writer;
}

bool cs_journal_read_is_closed(struct cs_journal_reader *reader)
{
    if (is_running(cs_journal_read_header(reader)))
        return cs_journal_read_writer(reader) == CS_WRITER_GONE;
    return cs_journal_read_header(reader)->closed == 1 || look(reader) == CS_WRITER_GONE;
}

bool cs_journal_read_is_own(struct cs_journal_reader *reader)
{
    const struct cs_journal_header *header = cs_journal_read_header(reader);
    struct cs_proc_place here = cs_proc_place("/proc");
    struct cs_proc_stat stat;
    return is_running(header) && header->pid == (uint32_t)getpid() && header->boot == here.boot &&
           header->pid_namespace == here.pid_namespace &&
           header->process_start == (cs_proc_stat("/proc", 0, &stat) ? stat.start_ticks : 0);
}

int64_t cs_journal_read_still_seconds(struct cs_journal_reader *reader)
{
    int64_t seconds = seconds_unchanged(reader);
    return seconds >= STILL_SECONDS && cs_journal_read_writer(reader) == CS_WRITER_UNKNOWN ? seconds : -1;
}

bool cs_journal_read_alive(struct cs_journal_reader *reader)
{
    return cs_journal_read_writer(reader) != CS_WRITER_GONE && cs_journal_read_still_seconds(reader) < 0;
}
