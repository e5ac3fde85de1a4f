/* A journal may lie on storage of its node (CALLSIGN_JOURNAL) while its trace belongs into the run's folder. A symbolic
   link in the run's folder, of the journal's own name, leads to it, so that nothing is lost when the process dies. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/* The file of this process in a folder that all users of the node may share: callsign-<run>-<node>-<pid>.journal, which
   no other run has and which is another one on every node. attempt: how often the name was taken. False: too long. */
bool cs_node_local_name(const char *folder, uint64_t run_hash, unsigned attempt, char file[PATH_MAX]);

/* Where the journal `path` lies: path itself, or in `file` where it leads if it is such a link. */
const char *cs_node_local_of(const char *path, char file[PATH_MAX]);

/* Whether the link was made by the owner of the file that it leads to: links of others are not to be followed. */
bool cs_node_local_is_owners(const char *path, const struct stat *file);

/* One line: the file is not here. */
void cs_node_local_tell(const char *path, const char *file);
