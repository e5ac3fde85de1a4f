/* The files of a run: names, journals on storage of the node, temporary files, and a process's lock on its journal. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* ---- names ----

   The files of a run are called rank-00012.journal and rank-00012.db, or process-NODE-PID.journal and .db of a
   process whose rank was never known. journal/node_folder.h has those of a node. */

#define CS_RUN_JOURNAL_SUFFIX ".journal"
#define CS_RUN_TRACE_SUFFIX   ".db"

/* A line "RANK FUNCTION" for each MPI function that a rank called after MPI_Finalize. */
#define CS_RUN_LATE_NAME ".late"

/* Writes the path of a rank's file. Returns false if it is too long. */
bool cs_run_name_of_rank(const char *folder, int rank, const char *suffix, char path[PATH_MAX]);

/* Writes the path of this process's journal before its rank is known. Returns false if it is too long. */
bool cs_run_name_of_process(const char *folder, char path[PATH_MAX]);

/* Writes the path of a journal's trace, which never lies in the folder of a node. Returns false if it is too long. */
bool cs_run_name_of_trace(const char *journal, char trace[PATH_MAX]);

/* True if a name begins like those of a run's files. *number: begin of the number in it (rank or pid). */
bool cs_run_name_begins(const char *name, bool *ranked, const char **number);

/* ---- journals on storage of the node ----

   A journal may lie on storage of its node (CALLSIGN_JOURNAL) while its trace belongs into the run's folder. A symbolic
   link in the run's folder, of the journal's own name, leads to it, so that nothing is lost when the process dies. */

/* The file of this process in a folder that all users of the node may share: callsign-<run>-<node>-<pid>.journal,
   unique for each run and node. attempt: how often the name was taken. Returns false if it is too long. */
bool cs_node_local_name(const char *folder, uint64_t run_hash, unsigned attempt, char file[PATH_MAX]);

/* The real path of the journal: path itself, or in `file` the target if it is a link to storage of the node. */
const char *cs_node_local_resolve(const char *path, char file[PATH_MAX]);

/* Writes the name of the node into `node` if the path is such a link to a file that is not on this node. */
bool cs_node_local_is_elsewhere(const char *path, char node[NAME_MAX + 1]);

/* True if the owner of the target made the link: links of others must not be followed. */
bool cs_node_local_is_owners(const char *path, const struct stat *file);

/* Logs one line: the file is not on this node. */
void cs_node_local_log_missing(const char *path, const char *file);

/* ---- temporary files, in the folder of the one that they replace: base/temporary.h has their names ---- */

/* Makes an empty file for the future `path`, readable only by its owner, and writes its name to `name` (PATH_MAX
   bytes). Returns its descriptor; -1: errno has the cause, and name is "". */
int cs_temporary_create(const char *path, char *name);

/* True if another process writes a temporary file for `path`, with a writer's lock on it. */
bool cs_temporary_is_written(const char *path);

/* cs_temporary_create with a writer's lock, which the caller releases. Removes those that killed processes left. alone:
   not if another process writes one (EBUSY). */
int cs_temporary_create_locked(const char *path, bool alone, char *name, void **lock);

/* Removes temporary files for `path` whose process has ended. Where there are locks, makers hold a writer's lock
   (below) on them. */
void cs_temporary_clear_beside(const char *path);

/* Removes the file in an open folder if its name is that of a temporary trace or journal, and its process, visible
 * from here, has ended. Only the owner or root does this. Nothing happens to other files; nothing is logged. */
void cs_temporary_clear(int folder, const char *name);

/* ---- the lock of a writer ----

   The lock of a process on its journal, by which others see that it lives: the kernel drops it when the process ends,
   however it ends, and shows it in all containers. Only on file systems where all readers see the same locks. */

enum cs_writer_lock {
    CS_WRITER_LOCK_UNKNOWN, /* not visible from here */
    CS_WRITER_LOCK_FREE,
    CS_WRITER_LOCK_HELD,
};

/* Locks an open file for as long as this process runs. Takes the descriptor and closes it. Returns the lock for
   cs_writer_lock_release; NULL: no lock. Forked children do not hold it, nor does a program after exec. */
void *cs_writer_lock_acquire(int fd);

/* Drops the lock; NULL is allowed. */
void cs_writer_lock_release(void *lock);

/* Finds out whether some process, including this one, holds the lock of an open file. */
enum cs_writer_lock cs_writer_lock_query(int fd);
