#include "db/journal/node_local.h"

#include <string.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/log.h"
#include "db/journal/run_names.h"
#include "base/path.h"

static const char begin[] = "callsign-";

bool cs_node_local_name(const char *folder, uint64_t run_hash, unsigned attempt, char file[PATH_MAX])
{
    struct utsname system;
    char again[16] = "";
    if (attempt > 0)
        snprintf(again, sizeof again, "-%u", attempt + 1);
    const char *node = uname(&system) == 0 ? system.nodename : "node";
    return snprintf(file, PATH_MAX, "%s/%s%016llx-%s-%d%s" CS_RUN_JOURNAL_SUFFIX, folder, begin,
                    (unsigned long long)run_hash, node, (int)getpid(), again) < PATH_MAX;
}

/* Only absolute paths and names as above: a link to anything else is none of ours. */
const char *cs_node_local_of(const char *path, char file[PATH_MAX])
{
    ssize_t length = readlink(path, file, PATH_MAX - 1);
    if (length <= 0 || file[0] != '/')
        return path;
    file[length] = 0;
    const char *name = cs_path_name(file);
    return strncmp(name, begin, strlen(begin)) == 0 && cs_path_ends(name, CS_RUN_JOURNAL_SUFFIX) ? file : path;
}

bool cs_node_local_is_owners(const char *path, const struct stat *file)
{
    struct stat link;
    return lstat(path, &link) == 0 && link.st_uid == file->st_uid;
}

void cs_node_local_tell(const char *path, const char *file)
{
    cs_log("%s lies on the node that wrote it, in %s: `callsign seal` there makes the trace, unless it is gone", path,
           file);
}
