/* One report on the terminal: durations, bytes and locations in words that people read. */
#pragma once

#include <sqlite3.h>
#include <stdio.h>

#include "base/symbols/resolver.h"
#include "cli/phrase.h"
#include "cli/reports.h"
#include "cli/table.h"

/* What the report has printed so far: the next line stands below it. */
enum cs_report_above { CS_ABOVE_NOTHING, CS_ABOVE_LINE, CS_ABOVE_TABLE, CS_ABOVE_EMPTY_TABLE };

struct cs_report_output {
    sqlite3 *db;
    struct cs_resolver *resolver;
    const char *run; /* its path, for the command that shows the rest */
    FILE *stream;
    struct cs_terminal terminal;
    size_t rows;                    /* of a table to show at most; 0: all */
    bool named;                     /* the report was asked for by name, and is not part of the overview */
    const struct cs_report *report; /* that is printed; set by cs_report_print */
    enum cs_report_above above;     /* likewise */
};

/* Prints a report: its title, table and lines. CS_SQL, CS_NO_MEMORY: logged. */
enum cs_status cs_report_print(struct cs_report_output *output, const struct cs_report *report);

/* For a report's function: prints its table, the rows of its SELECT, or what stands for an empty one. */
enum cs_status cs_report_print_table(struct cs_report_output *output);

/* Likewise: prints the line, made safe for a terminal and broken between words, and clears it. Spaces at its beginning
   are kept. Below a table a blank line stands first; below one that was left out, the title does. */
void cs_report_print_line(struct cs_report_output *output, struct cs_phrase *line);

/* Appends `before` and where the site is, in words: " at " and "main solver.c:12". Nothing for site 0. */
void cs_report_add_site(const struct cs_report_output *output, struct cs_phrase *line, const char *before,
                        int64_t site);
