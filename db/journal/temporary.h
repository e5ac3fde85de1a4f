/* Files that are written under a temporary name, in the folder of the one that they replace. The name says which
   process writes it: "rank-00012.db.BOOT-NAMESPACE-PID-0.tmp", with struct cs_proc_place of base/proc.h. Files of
   killed processes are recognized by it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Makes a new empty file for the one that is to become `path`, readable by its owner only, and its name in `name`
   (PATH_MAX bytes). Its descriptor; -1: errno tells, and name is "". */
int cs_temporary_create(const char *path, char *name);

/* Removes files that were to become `path` and whose process is no more. Makers hold the lock of
   db/journal/writer_lock.h on them where there are locks. */
void cs_temporary_clear_beside(const char *path);

/* Removes the file in an open folder if it bears such a name for a trace or journal, and its process was one of those
   that this process can see, and is no more. Its owner or root does; for others nothing happens, nor to any other file;
   nothing is logged.
 */
void cs_temporary_clear(int folder, const char *name);
