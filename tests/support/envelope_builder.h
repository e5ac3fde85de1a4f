/* Cells of messages in journals for tests. */
#pragma once

#include "tests/support/journal_builder.h"

/* Puts what a thread counted of messages: both directions, one-sided, to nobody, to too many; tags and a range of tags;
   one message more than another thread, and for each thread but the first one taken back that the first one counted. */
void cs_built_envelopes(struct cs_built *built, uint32_t thread);
