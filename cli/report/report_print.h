/* Prints a report on the terminal, with durations, bytes and locations in readable form. */
#pragma once

#include <sqlite3.h>
#include <stdio.h>

#include "base/symbols/resolver.h"
#include "cli/report/reports.h"
#include "cli/text/phrase.h"
#include "cli/text/table.h"
#include "findings.h"

/* The kind of the last printed line. */
enum cs_report_above { CS_ABOVE_NOTHING, CS_ABOVE_LINE, CS_ABOVE_TABLE, CS_ABOVE_EMPTY_TABLE };

struct cs_report_output;

/* Another form than text on a terminal. */
struct cs_report_writer {
    void (*heading)(struct cs_report_output *output, const char *title);
    void (*line)(struct cs_report_output *output, const char *text);
    void (*table)(struct cs_report_output *output, const struct cs_table *table, size_t more); /* more: rows left out */
};

struct cs_report_output {
    sqlite3 *db;
    struct cs_resolver *resolver;
    const char *run; /* its path, for the command that shows the rest */
    FILE *stream;
    struct cs_terminal terminal;
    size_t rows;                           /* rows of a table to show; 0: all */
    bool named;                            /* the user named this report; false: it is part of the overview */
    const struct cs_report *report;        /* the report that is printed; set by cs_report_print */
    enum cs_report_above above;            /* set by cs_report_print */
    const struct cs_report_writer *writer; /* NULL: text on a terminal */
    void *context;                         /* of the writer */
    const char
        *about;      /* the kind of finding (view findings) that the next lines of the overview are about; NULL: none */
    size_t faults;   /* lines of the overview that are errors or warnings */
    bool deadlocked; /* the overview names a deadlock */
    char *besides; /* findings of the overview that no view has: a JSON array for cs_findings_of_json, to be freed with
                      sqlite3_free; NULL: none */
};

/* Prepares the SELECT of a report, after making the table that it reads. NULL: logged. */
sqlite3_stmt *cs_report_prepare(sqlite3 *db, const struct cs_report *report);

/* Prints a report: its title, table and lines. Returns CS_SQL or CS_NO_MEMORY; both were logged. */
enum cs_status cs_report_print(struct cs_report_output *output, const struct cs_report *report);

/* For a report's function: prints the table of its SELECT, or the sentence for an empty one. */
enum cs_status cs_report_print_table(struct cs_report_output *output);

/* Likewise, of a statement that the caller has prepared, and which this ends. NULL: CS_SQL. */
enum cs_status cs_report_print_rows(struct cs_report_output *output, sqlite3_stmt *row);

/* For a report's function: prints the line and clears it. Makes it safe for a terminal and breaks it between words;
   spaces at its beginning are kept. Prints a blank line first after a table, or the title if the table was left out. */
void cs_report_print_line(struct cs_report_output *output, struct cs_phrase *line);

/* The next lines are about this kind of finding; none if there is no such kind. The name may be that of a row. */
void cs_report_be_about(struct cs_report_output *output, const char *kind);

/* For a report's function: prints a line for each row of a SELECT, its column `text`. A first column called kind is the
   kind of finding that the line is about. CS_SQL: logged. */
enum cs_status cs_report_print_texts(struct cs_report_output *output, const char *sql);

/* Severity of the line that is printed next, as in enum cs_severity. How the job ended is an error, shares of time are
   notes. CS_SEVERITY_NONE: it is no finding, but says what ran. */
int cs_report_severity(const struct cs_report_output *output);

/* Appends `before` and the location of the site, such as " at " and "main solver.c:12". Nothing for site 0. */
void cs_report_add_site(const struct cs_report_output *output, struct cs_phrase *line, const char *before,
                        int64_t site);
