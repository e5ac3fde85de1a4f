#include "db/journal/run_names.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"

static const char of_rank[] = "rank-", of_process[] = "process-";

bool cs_run_name_of_rank(const char *folder, int rank, const char *suffix, char path[PATH_MAX])
{
    return snprintf(path, PATH_MAX, "%s/%s%05d%s", folder, of_rank, rank, suffix) < PATH_MAX;
}

bool cs_run_name_of_process(const char *folder, char path[PATH_MAX])
{
    char node[_POSIX_HOST_NAME_MAX + 1] = "";
    gethostname(node, sizeof node - 1);
    return snprintf(path, PATH_MAX, "%s/%s%s-%d" CS_RUN_JOURNAL_SUFFIX, folder, of_process, node, (int)getpid()) <
           PATH_MAX;
}

bool cs_run_name_of_trace(const char *journal, char trace[PATH_MAX])
{
    size_t length = strlen(journal);
    if (cs_path_ends(journal, CS_RUN_JOURNAL_SUFFIX))
        length -= strlen(CS_RUN_JOURNAL_SUFFIX);
    return snprintf(trace, PATH_MAX, "%.*s" CS_RUN_TRACE_SUFFIX, (int)length, journal) < PATH_MAX;
}

bool cs_run_name_begins(const char *name, bool *ranked, const char **number)
{
    *ranked = strncmp(name, of_rank, strlen(of_rank)) == 0;
    if (*ranked)
        *number = name + strlen(of_rank);
    else if (strncmp(name, of_process, strlen(of_process)) == 0)
        *number = strrchr(name, '-') + 1; /* a node's name may have a - too */
    else
        return false;
    return true;
}
