/* The tree of callers, from the program's outermost functions to the MPI functions. */
#pragma once

#include <sqlite3.h>

#include "base/status.h"

/* Each makes the table call_tree in the database `to`, which is the caller's own: `run` can only be read. It has the
   nodes of the tree in the order of printing, the child with the most time first. A node with one child shares its row
   with it. Every row has the calls below it, of all ranks. MPI_Init, MPI_Finalize and similar have a tree of their own,
   at the end. CS_SQL, CS_NO_MEMORY. */
enum cs_status cs_call_tree_write(sqlite3 *run, sqlite3 *to);
/* The same, with a tree for each communicator, window and file. Those whose names differ only by digits share one. */
enum cs_status cs_call_tree_write_by_communicator(sqlite3 *run, sqlite3 *to);
