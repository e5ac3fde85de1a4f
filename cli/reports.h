/* The table of reports. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct cs_phrase;
struct cs_report_output;
struct cs_rows;

/* A column of a report that its table shows in words. */
struct cs_report_words {
    const char *column;
    const char *title; /* NULL: as the column's */
    void (*add)(struct cs_phrase *text, struct cs_rows *row);
};

/* A report is a table, the rows of a SELECT, or a function that prints sentences above and below it.
 *
 * The last word of a column's name says how it is shown: ns and seconds as durations, bytes in KiB and so on, percent
 * with one digit, site as its location in the source, tags with their beginning if they are many. A last column called
 * more is not shown: where it has a number, the row sums up so many rows, and its first cell says so. */
struct cs_report {
    const char *name;
    const char *title; /* above its table, and in the list of reports */
    int position;      /* in the overview, from 1; 0: not part of it */
    size_t rows;       /* shown there; 0: all */
    const char *empty; /* printed instead of a table without rows; NULL: the table is left out. Without a table: printed
                          when there is no line, if the report was asked for by name */
    const char *drop;  /* columns in the order in which they are left out where the terminal is too narrow: "a, b" */
    const struct cs_report_words *words; /* columns that the table shows in words; the last has no name. NULL: none */
    const char *hidden; /* columns that the table does not show, because words have what is in them: "a, b" */
    const char *view;   /* that has all rows where the table sums up some; NULL: none is named */
    const char *sql;    /* one SELECT: its table, and all that csv and json have */
    enum cs_status (*print)(struct cs_report_output *output); /* NULL: prints the table. CS_SQL, CS_NO_MEMORY: logged */
};

/* In the order of their names. */
extern const struct cs_report cs_reports[];
extern const size_t cs_reports_count;

/* NULL: there is none of that name. */
const struct cs_report *cs_report_find(const char *name);

/* What prints a report that is more than a table: one file each, report_NAME.c. */
enum cs_status report_attributes(struct cs_report_output *output);
enum cs_status report_balance(struct cs_report_output *output);
enum cs_status report_endings(struct cs_report_output *output);
enum cs_status report_leaks(struct cs_report_output *output);
enum cs_status report_placement(struct cs_report_output *output);
enum cs_status report_run(struct cs_report_output *output);
enum cs_status report_sizes(struct cs_report_output *output);
enum cs_status report_tags(struct cs_report_output *output);
enum cs_status report_traffic(struct cs_report_output *output);
enum cs_status report_verdict(struct cs_report_output *output);

/* Columns in words, of report_labels.c. */
extern const struct cs_report_words report_disagree_words[];

/* SELECTs of files in db/trace/reports; written by db/trace/embed.py. */
extern const char cs_sql_attributes[], cs_sql_balance[], cs_sql_disagree[], cs_sql_objects[], cs_sql_tags[],
    cs_sql_traffic[];

/* What callsign compare asks a run, and what it then makes of several. */
extern const char cs_sql_compare_figures[], cs_sql_compare_changes[];
