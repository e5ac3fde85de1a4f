/* The Python frames that call stacks contain. The journal gets each distinct one once; then it has a number. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/site/python_code.h"

/* The number of a frame of the calling thread, with CS_SITE_STACK set as in the addresses of a stack; 0: it has no
   source, or there are too many. *is_hidden: it has no source, or belongs to mpi4py or to the import system, which make
   calls for their callers. */
uint64_t cs_python_frame_number(const struct cs_python_layout *layout, const struct cs_python_types *types,
                                uint64_t frame, bool *is_hidden);

/* Writes "function file.py:12" of a frame with this number, as cs_python_frame_number gives it; "?" if it is unknown.
 */
void cs_python_frame_write(uint64_t number, char *text, size_t size);

/* In a forked child. */
void cs_python_frames_forget(void);
