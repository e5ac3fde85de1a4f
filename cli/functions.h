/* SQL functions for reports and queries:
 *
 *     ranges(number)   aggregate: the distinct numbers as ranges, '0-3,7'
 *     duration(ns)     '12.3 s'
 *     bytes(number)    '1.50 KiB'
 *     pattern(text)    numbers in it as #: 'row #'
 *     place(site)      'main solver.c:12', looked up in the recorded module
 */
#ifndef CS_CLI_FUNCTIONS_H
#define CS_CLI_FUNCTIONS_H

#include <sqlite3.h>

#include "base/status.h"

/* Adds them to a connection. CS_SQL, CS_NO_MEMORY. */
enum cs_status cs_functions_add(sqlite3 *db);

#endif
