/* Files that callsign writes for people and other programs. A file appears whole or not at all: it is written under a
   name of its own in the same folder, and renamed at the end. Nothing that others put in its place is followed, opened
   or waited for. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

enum cs_output_kind {
    CS_OUTPUT_CHOSEN, /* callsign chose the name: whatever has it is replaced */
    CS_OUTPUT_NAMED,  /* the user named it: may also be a pipe, a device or /dev/stdout, which is written directly */
    CS_OUTPUT_NEW,    /* the user named it, and nothing is replaced */
};

struct cs_output {
    FILE *stream;
    enum cs_output_kind kind;
    int folder;         /* -1: it is written directly */
    struct stat parent; /* of that folder */
    char name[NAME_MAX + 1], temporary[NAME_MAX + 1];
    void *lock; /* for whoever opened it */
};

/* Opens an output. folder: the folder that the file must be created in, in case its path was changed; NULL: any. Root
   creates files in the folder of another user as that user. Returns false with the cause in errno: EEXIST if a new file
   exists, ESTALE if the folder is another one. */
bool cs_output_open(struct cs_output *output, const char *path, enum cs_output_kind kind, const struct stat *folder);

/* Closes the file and gives it its name. Returns false with the cause in errno: then the file was removed. */
bool cs_output_commit(struct cs_output *output);

/* Removes the file. What was written directly stays. */
void cs_output_abandon(struct cs_output *output);

/* ---- permissions ---- */

/* Outputs get no permission that a file did not have whose content is in them. Call this for every file that is read,
   before outputs are opened. */
void cs_output_narrow(const struct stat *read);

/* The permissions of a new file of this group that may have content of the files read. mode: 0666, or those of the file
   that it replaces. */
mode_t cs_output_mode(mode_t mode, gid_t group);
