/* One report on the terminal: durations, bytes and locations in words that people read. */
#pragma once

#include <sqlite3.h>
#include <stdio.h>

#include "base/symbols/resolver.h"
#include "cli/report_file.h"
#include "cli/table.h"

struct cs_report_output {
    sqlite3 *db;
    struct cs_resolver *resolver;
    const char *run; /* its path, for the command that shows the rest */
    FILE *stream;
    struct cs_terminal terminal;
    size_t rows; /* to show at most; 0: all */
    bool named;  /* the report was asked for by name, and is not part of the overview */
};

/* Prints title and rows, and the lines before or after them. CS_SQL, CS_NO_MEMORY: logged. */
enum cs_status cs_report_print(const struct cs_report_output *output, const struct cs_report *report);

/* Prepares the SELECT of a report's table, or of its lines if it has none. NULL: logged. */
sqlite3_stmt *cs_report_prepare_table(sqlite3 *db, const char *sql);
