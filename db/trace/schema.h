/* The texts of the schema that gen/model declares, and of the files in views, as they were when this was built. */
#pragma once

#include <stddef.h>

#include "db/trace/trace_writer.h" /* CS_TRACE_VERSION: PRAGMA user_version */

#define CS_TRACE_APPLICATION_ID 0x43414c4c /* 'CALL': PRAGMA application_id of a trace */

extern const char cs_schema_sql[]; /* pragmas and tables */

struct cs_view {
    const char *name, *sql; /* sql: CREATE VIEW ..., without semicolon */
};
extern const struct cs_view cs_views[];
extern const size_t cs_views_count;
