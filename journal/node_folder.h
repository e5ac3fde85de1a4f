/* The folder with the journals of a node, if CALLSIGN_FILES=node: RUN/node-NAME.journals. It may be a symbolic link to
   a folder on storage of the node, which then says where they are. The last rank of the node, or the command, converts
   them into RUN/node-NAME.db and removes it. The process that does so holds the lock of the folder. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/file_system.h"

enum { CS_NODE_NAME_BYTES = 65 };

/* ---- names ---- */

/* The name of this node; characters that do not suit a file name become _. */
void cs_node_name(char name[CS_NODE_NAME_BYTES]);

/* Writes the path of the trace for the journals in a node's folder: RUN/node-NAME.db, or with number 2 node-NAME.2.db.
   Returns false if it is too long. */
bool cs_node_name_of_trace(const char *node_folder, unsigned number, char path[PATH_MAX]);

/* True if a name in the run's folder is that of a node's folder or trace. */
bool cs_node_name_is_folder(const char *name);
bool cs_node_name_is_trace(const char *name);

/* ---- the folder ---- */

/* A folder on storage of this node for journals of a run on a file system of this kind: TMPDIR, /tmp or /dev/shm, the
   first that is local to the machine and can be written. NULL: none, or none is needed. */
const char *cs_node_storage(enum cs_file_system run);

/* Makes the folder of this node, unless it is there. storage: puts it there and links to it. Returns false with the
   cause in errno; path then has its name. */
bool cs_node_folder_make(const char *run, const char *storage, uint64_t run_hash, char path[PATH_MAX]);

/* True if it is a folder, or a link to a folder that callsign made for the owner of the link. */
bool cs_node_folder_is_ours(const char *path);

/* True if the link leads to a folder that this machine does not have; one line says which node has it. */
bool cs_node_folder_is_missing(const char *path);

enum cs_node_lock { CS_NODE_LOCK_OURS, CS_NODE_LOCK_OTHERS, CS_NODE_LOCK_NONE };

/* Takes the lock without waiting. *fd: open folder, also if the file system has no locks; -1: it cannot be opened. The
   kernel drops the lock when the process ends. */
enum cs_node_lock cs_node_folder_lock(const char *path, int *fd);
void cs_node_folder_unlock(int fd);

/* Takes the lock of the node folder that a journal lies in, so that nobody else converts it meanwhile. *fd: -1 if it
   lies in no such folder. */
enum cs_node_lock cs_node_journal_lock(const char *journal, int *fd);

/* Removes the folder if it is empty, and the link to it. */
void cs_node_folder_remove(const char *path);
