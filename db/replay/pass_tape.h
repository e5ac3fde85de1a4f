/* A pass over the events that is to be made several times: the first one notes what it calls in a temporary file, later
   ones read that, which takes far less time. An event takes about 30 bytes. */
#pragma once

#include "db/trace/event_pass.h"

struct cs_pass_tape;

/* NULL: out of memory. */
struct cs_pass_tape *cs_pass_tape_new(struct cs_pass *pass);
void cs_pass_tape_free(struct cs_pass_tape *tape);

/* Like cs_pass_run. Without room for the file it goes over the events of the trace each time. */
int cs_pass_tape_run(struct cs_pass_tape *tape, const struct cs_pass_calls *calls, void *context);
