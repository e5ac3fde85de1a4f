/* Cells of objects that are dead. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "record/cells.h"

/* Each communicator, window or file that was used leaves cells behind when it dies. A program that makes a million of
   them, one after the other, should not need memory for all: when most cells are of the dead, this leaves them all to
   the journal. To be called before a cell is added; object_of: the object of a cell. True: it has left them, and what
   lives gets a cell once more, which is at most one for three of the dead. */
bool cs_cells_leave_the_dead(struct cs_cells *cells, uint32_t (*object_of)(const void *cell));
