/* SQL functions for reports and queries:
 *
 *     ranges(number)   aggregate: the distinct numbers as ranges, '0-3,7'
 *     duration(ns)     '12.3 s'
 *     bytes(number)    '1.50 KiB'
 *     pattern(text)    numbers in it as #: 'row #'
 *     location(site)   'main solver.c:12', looked up in the recorded module
 *     charged(site)    the call site that its calls are charged to, as in the view charged_sites
 *     label(text, n)   aggregate, for reports: the n-th of the texts; those that differ by digits only are one
 *     labels(text)     aggregate, for reports: how many there are then
 *     row_name(communicator, number, names, communicators, kind)
 *                      for reports: name of a row of communicator_time
 *     single()         for reports: 1 if one file was named, and not the folder of a run
 */
#pragma once

#include "base/status.h"
#include "db/run/open_run.h"

/* Adds them to the run's connection. Returns CS_SQL or CS_NO_MEMORY. */
enum cs_status cs_sql_functions_add(struct cs_run *run);
