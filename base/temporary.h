/* Temporary files and folders. The name of each says which process makes it, so that others can remove what a killed
   one left: "rank-00012.db.BOOT-NAMESPACE-PID-NUMBER.tmp", with struct cs_proc_place of base/proc.h. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/proc.h"

/* Writes a temporary name for a future file: its own, shortened if necessary, with this process and a number that
   nobody can guess. */
void cs_temporary_name(const char *name, char temporary[NAME_MAX + 1]);

/* Reads the part of a temporary name behind that of the future file and a dot. Returns false for other texts. */
bool cs_temporary_parse(const char *text, struct cs_proc_place *place, pid_t *pid);

/* True if this process would be visible from here. */
bool cs_temporary_is_here(const struct cs_proc_place *place);

/* True if no process has the number. */
bool cs_temporary_is_gone(pid_t pid);

/* Makes a new folder in TMPDIR or /tmp that only this user may read, and writes its name to `path`. Removes those of
   this user that killed processes left. Returns false with the cause in errno; `path` then has the name that was
   tried. */
bool cs_temporary_folder(char path[PATH_MAX]);

/* Removes the folder and all in it; nothing is logged. */
void cs_temporary_folder_remove(const char *path);
