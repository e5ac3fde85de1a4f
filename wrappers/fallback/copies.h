/* Attributes of duplicates. */
#pragma once

#include "wrappers/fallback/store.h"

/* What the copy callbacks made of the attributes of an object, in the order in which they were set. */
struct cs_own_copies;
struct cs_own_result cs_own_copy(enum callsign_kind kind, uint64_t object, struct cs_own_copies **copies);

/* Gives them to the duplicate; false: some were lost for want of memory. Or drops them. NULL: nothing. */
bool cs_own_attach(uint64_t duplicate, struct cs_own_copies *copies);
void cs_own_copies_drop(struct cs_own_copies *copies);
