#include "db/journal/writer.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/proc.h"
#include "db/journal/read.h"
#include "db/journal/reader_state.h"

/* A writer on another machine whose file has not changed for so long is taken for dead. */
enum { STILL_SECONDS = 600 };

static int64_t seconds_unchanged(const struct cs_journal_reader *reader)
{
    return (int64_t)time(NULL) - (int64_t)reader->file.st_mtime;
}

/* CS_BUSY ends the reading: the node is known. */
static enum cs_status find_node(void *context, const struct cs_fact *fact)
{
    if (fact->type != CS_FACT_META)
        return CS_OK;
    const char *key = cs_fact_string(fact, sizeof(struct cs_fact_meta), 0);
    const char *value = cs_fact_string(fact, sizeof(struct cs_fact_meta), 1);
    if (!key || !value || strcmp(key, "node") != 0)
        return CS_OK;
    snprintf(context, sizeof(struct utsname), "%s", value);
    return CS_BUSY;
}

/* When the process began, as in the header; 0: it writes no more. */
static uint64_t start_of(uint32_t pid)
{
    struct cs_proc_stat stat;
    if (!cs_proc_stat("/proc", (pid_t)pid, &stat))
        return 0;
    /* A zombie writes no more, unless it is a main thread that ended before the others. */
    return (stat.state == 'Z' || stat.state == 'X') && stat.threads <= 1 ? 0 : stat.start_ticks;
}

enum cs_writer cs_journal_read_writer(struct cs_journal_reader *reader)
{
    if (reader->header.outcome != CS_OUTCOME_RUNNING && reader->header.outcome != CS_OUTCOME_SEALING)
        return CS_WRITER_GONE;
    char node[sizeof(struct utsname)] = "";
    struct utsname here;
    bool was_damaged = reader->damaged;
    if (cs_journal_read_facts(reader, find_node, node) != CS_BUSY)
        node[0] = 0;
    reader->damaged = was_damaged; /* this reading was only for the node */
    if (node[0] && uname(&here) == 0 && strcmp(node, here.nodename) != 0)
        return CS_WRITER_ELSEWHERE;
    uint64_t begin = start_of(reader->header.pid);
    return begin && begin == reader->header.process_start ? CS_WRITER_HERE : CS_WRITER_GONE;
}

int64_t cs_journal_read_still_seconds(struct cs_journal_reader *reader)
{
    int64_t seconds = seconds_unchanged(reader);
    return seconds >= STILL_SECONDS && cs_journal_read_writer(reader) == CS_WRITER_ELSEWHERE ? seconds : -1;
}

bool cs_journal_read_alive(struct cs_journal_reader *reader)
{
    return cs_journal_read_writer(reader) != CS_WRITER_GONE && cs_journal_read_still_seconds(reader) < 0;
}
