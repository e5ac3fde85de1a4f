/* The rows of a table or view as a CSV file (RFC 4180), and the types of its columns. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

enum cs_export_type { CS_EXPORT_UNKNOWN, CS_EXPORT_INTEGER, CS_EXPORT_REAL, CS_EXPORT_TEXT };

/* A table that was written. */
struct cs_export_table {
    char name[64], file[80];
    uint64_t rows;
    size_t longest; /* bytes of a row */
    size_t columns;
    struct cs_export_column {
        char name[64];
        enum cs_export_type type;
    } * column; /* to be freed */
};

/* Writes all rows of a SELECT, below a row with the names of the columns. NULL is an empty field, an empty text is "".
   Integers and reals are read back as the same value. Bytes that are not UTF-8, and NUL, become U+FFFD; BLOBs are
   hexadecimal. A column has the type that its table declares, or that all its values fit. Write errors stay in the
   stream. CS_SQL (the message is in the connection), CS_NO_MEMORY. */
enum cs_status cs_export_csv(sqlite3_stmt *rows, FILE *stream, struct cs_export_table *table);
