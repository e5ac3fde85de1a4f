/* A journal moves from memory into its file, the file to its name and, at the end, into the run's folder. */
#pragma once

#include "base/status.h"

struct cs_journal;

/* Moves the journal into the new file `path` (absolute), with the permissions that the umask leaves; or, unless it is
   NULL, into the new file `elsewhere` (absolute), and path becomes a symbolic link to it. CS_IO: errno tells, EEXIST
   among others; the journal then goes on in memory. Call while no other thread writes cells: what such a thread stores
   during the move may be lost. */
enum cs_status cs_journal_save(struct cs_journal *journal, const char *path, const char *elsewhere);

/* A journal that lies elsewhere replaces the link to it: it is complete, and whoever seals it later may be on
   another node. Nothing happens to one that was sealed or lies there. CS_IO, CS_NO_SPACE: it stays; errno tells. */
enum cs_status cs_journal_bring(struct cs_journal *journal);

/* Removes the file, and the link to one that lies elsewhere; nothing of a journal that was not saved. A journal that
   was saved is closed then. */
void cs_journal_remove(struct cs_journal *journal);

/* Renames the file, or the link to it; never replaces another. CS_IO with errno EEXIST if there is one. */
enum cs_status cs_journal_rename(struct cs_journal *journal, const char *path);
