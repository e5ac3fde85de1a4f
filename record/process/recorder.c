#include "record/process/recorder.h"

/* Longer spans do not fit into a short event. */
struct cs_recorder cs_recorder = {.long_ticks = (uint64_t)1 << 31};
