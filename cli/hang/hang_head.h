/* The first lines of callsign hang: how many ranks do what, and what is not certain about them. */
#pragma once

#include "cli/hang/hang_print.h"

/* Returns false if there is no more to say. *good: false if the database cannot be read. */
bool cs_hang_print_head(const struct cs_hang_output *output, bool *good);
