/* Bounds that the lines of the clocks do not keep. */
#pragma once

#include "db/run/clocks.h"

/* Of clocks that have lines and errors: raises contradiction_ns to by how much somebody left a call, by all that is
   known, before another one entered it, and error_ns by that. */
void cs_clocks_contradict(struct cs_clock *clock, size_t clocks, const struct cs_clock_bound *bound, size_t bounds);
