/* Records that are written in order and read back from the last one to the first. All but the newest megabyte is in a
   temporary file, so that memory does not grow with them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { CS_WAIT_TAPE_RECORD_MOST = 1 << 16 };

struct cs_wait_tape;

/* NULL: out of memory. */
struct cs_wait_tape *cs_wait_tape_new(void);
void cs_wait_tape_free(struct cs_wait_tape *tape);

/* A record of at most CS_WAIT_TAPE_RECORD_MOST bytes. False: the temporary file cannot be made, or the disk is full. */
bool cs_wait_tape_write(struct cs_wait_tape *tape, const void *head, size_t head_bytes, const void *body,
                        size_t body_bytes);

/* The record before the one that was returned last, valid until the next call. NULL: there is none, or the file cannot
   be read; *failed says which. */
const void *cs_wait_tape_read_back(struct cs_wait_tape *tape, size_t *bytes, bool *failed);
