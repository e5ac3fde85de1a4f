/* Who can never continue: conclusions from what each thread waits for. */
#pragma once

#include "cli/deadlock/hang_model.h"

/* Draws the conclusions. Returns false without memory. */
bool cs_hang_find(struct cs_hang *hang);
