/* Local checks of buffered sends: the buffer that the program has attached for them. */
#pragma once

#include "wrappers/call/misuse.h"

/* A buffered send of this data: a buffer is attached, and has room for it. */
void cs_checks_buffered(struct cs_call *call, MPI_Count count, MPI_Datatype type, int peer);

/* Only one buffer is attached at a time. */
void cs_checks_attaching(struct cs_call *call);

void cs_check_attached(struct cs_call *call, const void *buffer, MPI_Count bytes);
void cs_check_detached(struct cs_call *call);
/* To a communicator or session: then nothing is known of its messages. */
void cs_check_attached_elsewhere(struct cs_call *call);
