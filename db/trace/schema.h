/* The texts of schema.sql and of the files in views, as they were when this was built. */
#pragma once

#include <stddef.h>

#define CS_TRACE_APPLICATION_ID 0x43414c4c /* 'CALL': PRAGMA application_id of a trace */
#define CS_TRACE_VERSION        8          /* PRAGMA user_version */

extern const char cs_schema_sql[]; /* pragmas and tables */

struct cs_view {
    const char *name, *sql; /* sql: CREATE VIEW ..., without semicolon */
};
extern const struct cs_view cs_views[];
extern const size_t cs_views_count;
