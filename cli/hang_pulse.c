#include "cli/hang_pulse.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/proc.h"
#include "db/journal/read.h"
#include "db/journal/writer.h"
#include "db/run/files.h"

/* FNV-1a over all that a thread block holds. */
static enum cs_status add_state(void *context, const void *cell)
{
    uint64_t *hash = context;
    const unsigned char *byte = cell;
    for (size_t i = 0; i < sizeof(struct cs_thread_state); i++)
        *hash = (*hash ^ byte[i]) * 0x100000001b3u;
    return CS_OK;
}

static void look_at_process(struct cs_hang_pulse *pulse)
{
    struct cs_proc_stat stat;
    pulse->here = cs_proc_stat("/proc", (pid_t)pulse->pid, &stat);
    if (!pulse->here)
        return;
    pulse->stopped = stat.state == 'T' || stat.state == 't';
    pulse->sleeps = stat.state == 'S';
    pulse->cpu_ticks = stat.cpu_ticks;
    pulse->os_threads = stat.threads;
}

/* False: the rank has ended, or the journal cannot be read. */
static bool take(const char *journal, struct cs_hang_pulse *pulse)
{
    struct cs_journal_reader *reader;
    if (cs_journal_read_open(journal, &reader) != CS_OK)
        return false;
    const struct cs_journal_header *header = cs_journal_read_header(reader);
    enum cs_writer writer = cs_journal_read_writer(reader);
    *pulse = (struct cs_hang_pulse){.rank = header->rank, .pid = header->pid, .state = 0xcbf29ce484222325u};
    bool known =
        writer != CS_WRITER_GONE && cs_journal_read_cells(reader, CS_BLOCK_THREAD, sizeof(struct cs_thread_state),
                                                          add_state, &pulse->state) == CS_OK;
    cs_journal_read_close(reader);
    if (known && writer == CS_WRITER_HERE)
        look_at_process(pulse);
    return known;
}

bool cs_hang_pulse_take(const char *run, struct cs_hang_pulse **pulses, size_t *count)
{
    struct cs_run_files files = {0};
    size_t room = 0;
    *pulses = NULL;
    *count = 0;
    if (cs_run_files_list(run, &files) != CS_OK)
        return false;
    for (size_t i = 0; i < files.count; i++)
        if (files.file[i].kind == CS_RUN_JOURNAL && cs_array_grow(pulses, *count, &room, sizeof **pulses) &&
            take(files.file[i].path, &(*pulses)[*count]))
            (*count)++;
    cs_run_files_free(&files);
    return true;
}

bool cs_hang_pulse_is_still(const struct cs_hang_pulse *before, const struct cs_hang_pulse *after, bool *undecided)
{
    if (before->pid != after->pid || before->state != after->state || before->stopped || after->stopped)
        return false;
    if (!before->here || !after->here || (before->sleeps && after->sleeps) || after->cpu_ticks > before->cpu_ticks)
        return true;
    *undecided = true;
    return false;
}
