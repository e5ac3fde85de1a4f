/* Files that are written under a temporary name beside the one whose place they take. The name says which process of
   which machine writes it: "rank-00012.db.NODE-PID-0.tmp". What a killed process left is found by it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Makes a new empty file for the one that is to become `path`, readable by its owner only, and its name in `name`
   (PATH_MAX bytes). Its descriptor; -1: errno tells, and name is "". */
int cs_temporary_create(const char *path, char *name);

/* Removes the file in an open folder if it bears such a name for a trace or journal, and its process was of this
   machine and is no more. Its owner or root does; others, and any other file, are left alone, without a word. */
void cs_temporary_clear(int folder, const char *name);
