/* A table for people: as wide as its content, but no wider than the terminal if possible. If it is too wide,
   functions lose their MPI_ and call sites their library, then columns are left out, then the longest texts lose
   their middle; a call site keeps its file and line, if there is room. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"
#include "cli/text/text.h"

struct cs_table;

/* Makes an empty table with this number of columns. NULL: out of memory. */
struct cs_table *cs_table_new(size_t columns);
void cs_table_free(struct cs_table *table);

/* Sets the heading of a column. Returns CS_NO_MEMORY. */
enum cs_status cs_table_title(struct cs_table *table, size_t column, const char *title);

/* What the cells of a column can lose. */
enum cs_table_cells {
    CS_CELLS_STAY,
    CS_CELLS_OF_FUNCTIONS, /* "MPI_" at the beginning */
    CS_CELLS_OF_CALL_SITES /* "A::" of "A::B::c in library", the library, and " (inlined into d)" */
};

/* The part of a column that a narrow terminal may omit before texts are cut. */
struct cs_table_yield {
    bool empty; /* the column, on every terminal, if all its cells are empty */
    enum cs_table_cells cells;
    int turn; /* the column: 1 before 2, etc.; 0: it stays */
};
void cs_table_yield(struct cs_table *table, size_t column, struct cs_table_yield yield);

enum cs_cell { CS_CELL_EMPTY, CS_CELL_TEXT, CS_CELL_NUMBER };

/* Adds the next cell, from left to right and top to bottom; control characters are made visible. A column is
   right-aligned if its first cell that is not empty is a number. Returns CS_NO_MEMORY. */
enum cs_status cs_table_cell(struct cs_table *table, enum cs_cell kind, const char *text, size_t length);

size_t cs_table_rows(const struct cs_table *table);

/* For other forms than text: the visible text of a cell or title, and whether the column is one of numbers. A column
   with `yield.empty` and without values is left out. */
size_t cs_table_columns(const struct cs_table *table);
const char *cs_table_title_text(const struct cs_table *table, size_t column);
const char *cs_table_cell_text(const struct cs_table *table, size_t row, size_t column);
bool cs_table_has_numbers(const struct cs_table *table, size_t column);
bool cs_table_is_empty(const struct cs_table *table, size_t column);

/* True if the column was left out for the width; known after printing. */
bool cs_table_left_out(const struct cs_table *table, size_t column);

/* Prints the rows and forgets them. Widths and heading stay for the next lot, so that long results are printed piece
   by piece. Tables that cannot fit are printed as one "column  value" line per cell. Write errors stay in the stream
   (ferror). */
void cs_table_print(struct cs_table *table, FILE *stream, const struct cs_terminal *terminal);

/* A call site as narrow tables show it, for sentences: changes the text, and returns where it begins. */
char *cs_table_strip_call_site(char *text);
