/* The files of a run: their names, journals on storage of the node, temporary files, and the lock of a process on its
   journal. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* ---- names ----

   The files of a run are called rank-00012.journal and rank-00012.db, or process-NODE-PID.journal and .db of a
   process whose rank was never known. */

#define CS_RUN_JOURNAL_SUFFIX ".journal"
#define CS_RUN_TRACE_SUFFIX   ".db"

/* The path of a rank's file. False: too long. */
bool cs_run_name_of_rank(const char *folder, int rank, const char *suffix, char path[PATH_MAX]);

/* The path of this process's journal before its rank is known. False: too long. */
bool cs_run_name_of_process(const char *folder, char path[PATH_MAX]);

/* The path of the trace that a journal becomes. False: too long. */
bool cs_run_name_of_trace(const char *journal, char trace[PATH_MAX]);

/* Whether a name begins as those of a run's files do. Then the number in it (the rank; the pid) begins at *number. */
bool cs_run_name_begins(const char *name, bool *ranked, const char **number);

/* ---- journals on storage of the node ----

   A journal may lie on storage of its node (CALLSIGN_JOURNAL) while its trace belongs into the run's folder. A symbolic
   link in the run's folder, of the journal's own name, leads to it, so that nothing is lost when the process dies. */

/* The file of this process in a folder that all users of the node may share: callsign-<run>-<node>-<pid>.journal, which
   no other run has and which is another one on every node. attempt: how often the name was taken. False: too long. */
bool cs_node_local_name(const char *folder, uint64_t run_hash, unsigned attempt, char file[PATH_MAX]);

/* Where the journal `path` lies: path itself, or in `file` where it leads if it is such a link. */
const char *cs_node_local_of(const char *path, char file[PATH_MAX]);

/* Whether the link was made by the owner of the file that it leads to: links of others are not to be followed. */
bool cs_node_local_is_owners(const char *path, const struct stat *file);

/* One line: the file is not here. */
void cs_node_local_tell(const char *path, const char *file);

/* ---- temporary files ----

   Files that are written under a temporary name, in the folder of the one that they replace. The name says which
   process writes it: "rank-00012.db.BOOT-NAMESPACE-PID-0.tmp", with struct cs_proc_place of base/proc.h. Files of
   killed processes are recognized by it. */

/* Makes a new empty file for the one that is to become `path`, readable by its owner only, and its name in `name`
   (PATH_MAX bytes). Its descriptor; -1: errno tells, and name is "". */
int cs_temporary_create(const char *path, char *name);

/* Removes files that were to become `path` and whose process is no more. Makers hold the lock of
   a writer (below) on them where there are locks. */
void cs_temporary_clear_beside(const char *path);

/* Removes the file in an open folder if it bears such a name for a trace or journal, and its process was one of those
   that this process can see, and is no more. Its owner or root does; for others nothing happens, nor to any other file;
   nothing is logged.
 */
void cs_temporary_clear(int folder, const char *name);

/* ---- the lock of a writer ----

   The lock of a process on its journal, by which others see that it lives: the kernel drops it when the process ends,
   however it ends, and shows it in all containers. Only on file systems where all readers see the same locks. */

enum cs_writer_lock {
    CS_WRITER_LOCK_UNKNOWN, /* it cannot be seen from here */
    CS_WRITER_LOCK_FREE,
    CS_WRITER_LOCK_HELD,
};

/* Locks an open file for as long as this process runs. Takes the descriptor and closes it. Returns what
   cs_writer_lock_drop takes; NULL: there is no lock. Forked children do not hold it, nor does a program that this
   process becomes. */
void *cs_writer_lock_hold(int fd);

/* Drops the lock; NULL: nothing. */
void cs_writer_lock_drop(void *lock);

/* Whether some process, this one too, holds the lock of a file that is open here. */
enum cs_writer_lock cs_writer_lock_look(int fd);
