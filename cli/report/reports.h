/* The table of reports. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <sqlite3.h>

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

/* A report is a table (the rows of a SELECT), or a function that prints sentences above and below the table.
 *
 * The last word of a column's name decides its form: ns and seconds are durations, bytes are shown in KiB etc.,
 * percent has one digit, site is its location in the source. A last column named more is not shown. A number there
 * means that the row sums up that many rows, and the first cell says so. */
struct cs_report {
    const char *name;
    const char *title; /* title above the table, and in the list of reports */
    int position;      /* position in the overview, from 1; 0: not part of it */
    size_t rows;       /* rows shown there, or of a report that is not part of it; 0: all */
    const char *empty; /* printed in place of a table without rows; NULL: nothing. A report without table prints it if
                          it has no line and the user named the report */
    const char *drop;  /* columns that a narrow terminal leaves out, in this order: "a, b" */
    const struct cs_report_words *words; /* columns that the table shows in words; the last has no name. NULL: none */
    const char *hidden;    /* columns that the table does not show, because words have what is in them: "a, b" */
    const char *view;      /* view with all rows that the table sums up; NULL: none */
    const char *shared[2]; /* views of events that several of its queries read: each is computed once, in this order */
    bool by_region; /* it shows MPI time of the profile, or code between calls: --region reduces it to a region */
    enum cs_status (*write_table)(sqlite3 *run, sqlite3 *to); /* makes the table in memory that the SELECT reads; NULL:
                                                                 it reads the run */
    const char *sql;                                          /* one SELECT for the table, CSV and JSON */
    const char *table_sql; /* SELECT of the table for people, if it puts rows together; NULL: sql */
    enum cs_status (*print)(
        struct cs_report_output *output); /* NULL: only the table. Returns CS_SQL or CS_NO_MEMORY, logged */
};

/* Sorted by name. */
extern const struct cs_report cs_reports[];
extern const size_t cs_reports_count;

/* NULL: no report has this name. */
const struct cs_report *cs_report_find(const char *name);

/* The functions of reports that are more than a table, each in its own file, report_NAME.c. */
enum cs_status report_attributes(struct cs_report_output *output);
enum cs_status report_balance(struct cs_report_output *output);
enum cs_status report_call_tree(struct cs_report_output *output);
enum cs_status report_checks(struct cs_report_output *output);
enum cs_status report_critical_path(struct cs_report_output *output);
enum cs_status report_delays(struct cs_report_output *output);
enum cs_status report_efficiency(struct cs_report_output *output);
enum cs_status report_endings(struct cs_report_output *output);
enum cs_status report_leaks(struct cs_report_output *output);
enum cs_status report_placement(struct cs_report_output *output);
enum cs_status report_regions(struct cs_report_output *output);
enum cs_status report_run(struct cs_report_output *output);
enum cs_status report_sizes(struct cs_report_output *output);
enum cs_status report_tags(struct cs_report_output *output);
enum cs_status report_traffic(struct cs_report_output *output);
enum cs_status report_verdict(struct cs_report_output *output);
enum cs_status report_waits(struct cs_report_output *output);
enum cs_status report_noise(struct cs_report_output *output);
enum cs_status report_why(struct cs_report_output *output);

/* Columns in words, of report_labels.c. */
extern const struct cs_report_words report_attributes_words[], report_balance_words[], report_call_tree_words[],
    report_communicators_words[], report_congruent_words[], report_disagree_words[], report_objects_words[],
    report_sizes_words[], report_tags_words[];
