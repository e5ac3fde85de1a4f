/* The beginning of the recording, at the process's first MPI call of any kind: in memory, until record/save.h gives it
   a file. Knows nothing of MPI: wrappers/lifecycle/lifecycle.c says when. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Reads the settings and begins. handle_bytes: of a communicator handle in this MPI. False: recording is off by setting
   or could not begin (one line on stderr says so). Call once. A forked child stops recording by itself: it has no MPI,
   and the journal is its parent's. */
bool cs_recorder_start(uint32_t handle_bytes, const char *flavour);
