/* The SQL function cycles(from, to), an aggregate: circles in a graph of which each row is an edge, as JSON:
 * '[[0,3,1]]' says that edges lead from 0 to 3, from there to 1, and back to 0. Of circles that share a node one is
 * told. Its time grows as the number of edges. */
#pragma once

#include <sqlite3.h>

#include "base/status.h"

enum cs_status cs_cycles_add(sqlite3 *db);
