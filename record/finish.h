/* The end of the recording: how the process ended, and the trace that becomes of its journal. */
#pragma once

#include "db/journal/format.h"

/* How it ended, unless an end was noted before. */
void cs_recorder_outcome(enum cs_outcome outcome);

/* Ends the recording and, unless the setting says later, seals the journal into the trace beside it. */
void cs_recorder_finish(void);
