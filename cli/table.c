#include "cli/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/text.h"

#define GAP           2    /* columns between two columns */
#define NARROWEST     8    /* text columns are not shortened below this */
#define CELL_BYTES    1000 /* a column is as wide as its longest cell in every row: nobody reads more than this */
#define ELLIPSIS_ROOM 4    /* bytes reserved in every cell for cs_text_shorten */

struct column {
    char *title;
    bool right; /* numbers; the first cell that is not empty decides */
    bool decided;
    size_t width; /* of the widest cell or the title */
    size_t shown; /* what it is given; 0: not decided yet */
};

struct cs_table {
    size_t columns;
    struct column *column;
    char **cell;
    size_t cells, room;
    bool headed;  /* the heading was printed */
    bool records; /* too wide: one line per cell */
};

struct cs_table *cs_table_new(size_t columns)
{
    struct cs_table *table = calloc(1, sizeof *table);
    if (!table)
        return NULL;
    table->columns = columns;
    table->column = calloc(columns ? columns : 1, sizeof *table->column);
    if (!table->column) {
        free(table);
        return NULL;
    }
    return table;
}

static void forget_rows(struct cs_table *table)
{
    for (size_t i = 0; i < table->cells; i++)
        free(table->cell[i]);
    table->cells = 0;
}

void cs_table_free(struct cs_table *table)
{
    if (!table)
        return;
    forget_rows(table);
    for (size_t i = 0; i < table->columns; i++)
        free(table->column[i].title);
    free(table->column);
    free(table->cell);
    free(table);
}

size_t cs_table_rows(const struct cs_table *table)
{
    return table->columns ? table->cells / table->columns : 0;
}

static char *copy_visible(const char *text, size_t length)
{
    char *visible = cs_text_visible_part(text, length, CELL_BYTES);
    if (!visible)
        return NULL;
    char *roomy = realloc(visible, strlen(visible) + 1 + ELLIPSIS_ROOM);
    if (!roomy)
        free(visible);
    return roomy;
}

static void widen(struct column *column, const char *text)
{
    size_t width = cs_text_width(text);
    if (width > column->width)
        column->width = width;
}

enum cs_status cs_table_title(struct cs_table *table, size_t column, const char *title)
{
    struct column *it = &table->column[column];
    char *copy = copy_visible(title, strlen(title));
    if (!copy)
        return CS_NO_MEMORY;
    free(it->title);
    it->title = copy;
    widen(it, copy);
    return CS_OK;
}

enum cs_status cs_table_cell(struct cs_table *table, enum cs_cell kind, const char *text, size_t length)
{
    char *copy = cs_array_grow(&table->cell, table->cells, &table->room, sizeof *table->cell)
                     ? copy_visible(text, length)
                     : NULL;
    if (!copy)
        return CS_NO_MEMORY;
    struct column *column = &table->column[table->cells % table->columns];
    widen(column, copy);
    if (!column->decided && kind != CS_CELL_EMPTY) {
        column->right = kind == CS_CELL_NUMBER;
        column->decided = true;
    }
    table->cell[table->cells++] = copy;
    return CS_OK;
}

static size_t total_width(const struct cs_table *table)
{
    size_t width = 0;
    for (size_t i = 0; i < table->columns; i++)
        width += table->column[i].shown + (i ? GAP : 0);
    return width;
}

/* The widest text column that may still give a column of its width; NULL: none. */
static struct column *widest(struct cs_table *table)
{
    struct column *found = NULL;
    for (size_t i = 0; i < table->columns; i++) {
        struct column *it = &table->column[i];
        if (!it->right && it->shown > NARROWEST && (!found || it->shown > found->shown))
            found = it;
    }
    return found;
}

/* Numbers are shown whole; long texts give way, the longest first. */
static void decide_widths(struct cs_table *table, size_t limit)
{
    for (size_t i = 0; i < table->columns; i++)
        table->column[i].shown = table->column[i].width;
    if (limit == 0)
        return;
    struct column *it;
    while (total_width(table) > limit && (it = widest(table)))
        it->shown--;
    table->records = total_width(table) > limit;
}

static void print_spaces(FILE *stream, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fputc(' ', stream);
}

static void print_cell(const struct cs_table *table, size_t column, char *text, FILE *stream, const char *ellipsis)
{
    const struct column *it = &table->column[column];
    if (cs_text_width(text) > it->shown && ellipsis)
        cs_text_shorten(text, it->shown, ellipsis);
    size_t width = cs_text_width(text);
    size_t padding = width < it->shown ? it->shown - width : 0;
    bool last = column + 1 == table->columns;
    print_spaces(stream, column ? GAP : 0);
    if (it->right)
        print_spaces(stream, padding);
    fputs(text, stream);
    if (!it->right && !last)
        print_spaces(stream, padding);
    if (last)
        fputc('\n', stream);
}

static void print_heading(struct cs_table *table, FILE *stream, const struct cs_terminal *terminal,
                          const char *ellipsis)
{
    fputs(cs_terminal_bold(terminal), stream);
    for (size_t i = 0; i < table->columns; i++)
        print_cell(table, i, table->column[i].title, stream, ellipsis);
    fputs(cs_terminal_plain(terminal), stream);
    for (size_t i = 0; i < table->columns; i++) {
        print_spaces(stream, i ? GAP : 0);
        for (size_t n = 0; n < table->column[i].shown; n++)
            fputs(terminal->utf8 ? "─" : "-", stream);
    }
    fputc('\n', stream);
}

static void print_records(const struct cs_table *table, FILE *stream, const struct cs_terminal *terminal)
{
    size_t widest_title = 0;
    for (size_t i = 0; i < table->columns; i++) {
        size_t width = cs_text_width(table->column[i].title);
        widest_title = width > widest_title ? width : widest_title;
    }
    for (size_t i = 0; i < table->cells; i++) {
        const struct column *it = &table->column[i % table->columns];
        if (i % table->columns == 0 && (i || table->headed))
            fputc('\n', stream);
        fprintf(stream, "%s%s%s", cs_terminal_bold(terminal), it->title, cs_terminal_plain(terminal));
        print_spaces(stream, widest_title - cs_text_width(it->title) + GAP);
        fprintf(stream, "%s\n", table->cell[i]);
    }
}

void cs_table_print(struct cs_table *table, FILE *stream, const struct cs_terminal *terminal)
{
    const char *ellipsis = terminal->utf8 ? "…" : "..";
    if (table->columns == 0)
        return;
    if (!table->headed)
        decide_widths(table, terminal->width);
    if (table->records) {
        print_records(table, stream, terminal);
    } else {
        if (!table->headed)
            print_heading(table, stream, terminal, ellipsis);
        for (size_t i = 0; i < table->cells; i++)
            print_cell(table, i % table->columns, table->cell[i], stream, terminal->width ? ellipsis : NULL);
    }
    table->headed = true;
    forget_rows(table);
}
