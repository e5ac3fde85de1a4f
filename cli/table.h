/* A table for people: as wide as its content, never wider than the terminal if that can be helped. */
#ifndef CS_CLI_TABLE_H
#define CS_CLI_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

/* What the output can show. */
struct cs_terminal {
    size_t width; /* columns; 0: no limit */
    bool bold;    /* may use escape sequences */
    bool utf8;    /* may use characters beyond ASCII */
};

/* Looks at the stream and the environment (COLUMNS, NO_COLOR, TERM, LC_*): a file or pipe has no limit unless COLUMNS
 * says so. */
struct cs_terminal cs_terminal_of(FILE *stream);

struct cs_table;

/* A table of that many columns without rows. NULL: out of memory. */
struct cs_table *cs_table_new(size_t columns);
void cs_table_free(struct cs_table *table);

/* The heading of a column, and whether its cells stand at the right. CS_NO_MEMORY. */
enum cs_status cs_table_column(struct cs_table *table, size_t column, const char *title, bool right);

/* The next cell, from left to right and top to bottom; control characters are made visible. CS_NO_MEMORY. */
enum cs_status cs_table_cell(struct cs_table *table, const char *text, size_t length);

size_t cs_table_rows(const struct cs_table *table);

/* Prints the rows and forgets them; widths and the heading stay for the next lot, so that long results are printed
   piece by piece. Tables that cannot fit are printed as one "column  value" line per cell. Write errors stay in the
   stream (ferror). */
void cs_table_print(struct cs_table *table, FILE *stream, const struct cs_terminal *terminal);

/* Whether the result is indented by so many columns. */
void cs_table_indent(struct cs_table *table, size_t columns);

#endif
