/* The files of a run: a folder with one trace or journal per rank, or a single file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum cs_run_file_kind { CS_RUN_TRACE, CS_RUN_JOURNAL };

struct cs_run_file {
    char *path;
    enum cs_run_file_kind kind;
    bool of_node;    /* a trace of several ranks of a node */
    bool ranked;     /* named after a rank; false: after a process that never learned its rank, or a single file */
    bool blocked;    /* a journal whose trace cannot be written, because another file has its name */
    uint64_t number; /* rank, or process id (unique only on one node) */
    uint64_t inode;  /* inode: identifies a file of a folder under any name */
};

struct cs_run_files {
    struct cs_run_file *file; /* ranks in order, then nodes by name, then processes */
    size_t count, room;
    bool single;     /* the path was a file, not a folder */
    size_t left_out; /* files with names of the run that cannot be read: pipes, folders (each was logged in one line) */
    char **node_folder; /* folders with journals of a node, which are in `file` too */
    size_t node_folders, node_room;
};

/* Lists the files of the run at path. In a folder: rank-*.db, node-*.db, process-*.db, and *.journal without a .db that
   is a trace, also in folders node-*.journals. Removes temporary files of killed processes. The type of a single file
   follows from its first bytes. CS_INVALID: no such file, or no run (logged in one line); CS_IO, CS_NO_MEMORY (logged).
 */
enum cs_status cs_run_files_list(const char *path, struct cs_run_files *files);

struct cs_converted_node;

/* The journals of a node folder were converted: replaces them by their trace. CS_NO_MEMORY. */
enum cs_status cs_run_files_replace(struct cs_run_files *files, const char *node_folder,
                                    const struct cs_converted_node *converted);

void cs_run_files_free(struct cs_run_files *files);

/* Updates the name of a journal that its process renamed since the listing, after it learned its rank. Returns true
   if the name changed. */
bool cs_run_file_follow(struct cs_run_file *file);

/* True if files can be created in this one's folder. */
bool cs_run_folder_is_writable(const char *path);
