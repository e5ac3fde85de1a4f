/* The reports: one SQL file each, db/trace/reports/NAME.sql, embedded at build time. Its text begins with comment
 * lines:
 *
 *     -- Objects created and freed              the title, also in the list of reports
 *     -- overview: 2, 12 rows                   its position in the overview, and how many rows are shown there;
 * optional
 *     -- empty: All were freed.                 printed when there are no rows; without it the report is then left out,
 *                                               or its lines stand alone. Of a report of lines only when it is asked
 *                                               for by name
 *     -- drop: parent, sent_bytes               columns of the table in the order in which they are left out where the
 *                                               terminal is too narrow
 *     -- any other line                         for the reader of the file
 *
 * One SELECT follows, or several with ; between. One whose only column is called line is printed as plain lines, one
 * other is the table. The last word of a column's name says how it is shown: ns and seconds as durations, bytes in KiB
 * and so on, percent with one digit, site as its location in the source. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct cs_report_file {
    const char *name;
    const char *sql;
};

/* In the order of their names; made by db/trace/embed.py. */
extern const struct cs_report_file cs_reports[];
extern const size_t cs_reports_count;

/* What the comment lines of a file say; the texts are parts of it, not ended by NUL. */
struct cs_report {
    const char *name, *sql;
    const char *title, *empty;
    const char *drop;
    size_t title_length, empty_length, drop_length;
    int position; /* in the overview; 0: not part of it */
    size_t rows;  /* shown there; 0: all */
};

/* The column's number in the list of "drop", from 1; 0: it is not left out. */
int cs_report_drop_turn(const struct cs_report *report, const char *column);

struct cs_report cs_report_parse(const struct cs_report_file *file);

/* NULL: there is none of that name. */
const struct cs_report_file *cs_report_find(const char *name);
