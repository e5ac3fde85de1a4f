#include "cli/text/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/text/text.h"

#define GAP           2    /* columns between two columns */
#define NARROWEST     8    /* text columns are not shortened below this */
#define WHOLE         40   /* other columns are left out before texts of up to this width are cut */
#define CELL_BYTES    1000 /* limit for a cell: longer text is cut, because a column is as wide as its longest cell */
#define ELLIPSIS_ROOM 4    /* bytes reserved in every cell for cs_text_shorten */

struct column {
    char *title;
    bool right; /* a column of numbers; its first cell that is not empty decides */
    bool decided;
    size_t width;       /* width of the widest cell or the title */
    size_t short_width; /* width without what its cells can lose */
    size_t shown;       /* width in print */
    bool left_out;
    struct cs_table_yield yield;
};

struct cs_table {
    size_t columns;
    struct column *column;
    char **cell;
    size_t cells, room;
    bool headed;  /* the heading was printed */
    bool bare;    /* cells lose what they can */
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

size_t cs_table_columns(const struct cs_table *table)
{
    return table->columns;
}

const char *cs_table_title_text(const struct cs_table *table, size_t column)
{
    return table->column[column].title ? table->column[column].title : "";
}

const char *cs_table_cell_text(const struct cs_table *table, size_t row, size_t column)
{
    return table->cell[row * table->columns + column];
}

bool cs_table_has_numbers(const struct cs_table *table, size_t column)
{
    return table->column[column].right;
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

static char *without_prefix(char *text)
{
    static const char prefix[] = "MPI_";
    return strncmp(text, prefix, strlen(prefix)) == 0 ? text + strlen(prefix) : text;
}

/* The last two names of "A::B::c". Those between brackets do not count, nor those after a blank. */
static char *without_namespaces(char *text)
{
    char *last = text, *before = text;
    int depth = 0;
    for (char *c = text; *c && (*c != ' ' || depth > 0); c++) {
        depth += *c == '<' || *c == '(' || *c == '{';
        depth -= *c == '>' || *c == ')' || *c == '}';
        if (depth == 0 && c[0] == ':' && c[1] == ':') {
            before = last;
            last = c + 2;
        }
    }
    return before;
}

/* Where the library of "function in library" begins, or the end of the text. */
static char *library_of(char *text)
{
    char *library = strstr(text, " in ");
    return library && !strpbrk(library + strlen(" in "), " :") ? library : text + strlen(text);
}

/* Bytes of " (inlined into main)" in a call site, from *begin on; 0: it has none. */
static size_t inlined_part(const struct column *it, char *text, char **begin)
{
    static const char words[] = " (inlined into ";
    *begin = it->yield.cells == CS_CELLS_OF_CALL_SITES ? strstr(text, words) : NULL;
    if (!*begin)
        return 0;
    int depth = 1;
    char *c = *begin + strlen(words);
    for (; *c && depth > 0; c++)
        depth += (*c == '(') - (*c == ')');
    return (size_t)(c - *begin);
}

/* The part of a cell that it cannot lose, from the result to *end. */
static char *find_core(const struct column *it, char *text, char **end)
{
    *end = text + strlen(text);
    if (it->yield.cells == CS_CELLS_OF_FUNCTIONS)
        return without_prefix(text);
    if (it->yield.cells != CS_CELLS_OF_CALL_SITES)
        return text;
    *end = library_of(text);
    return without_namespaces(text);
}

/* The text without what it can lose, in place. */
static char *strip_cell(const struct column *it, char *text)
{
    char *end, *inlined, *core = find_core(it, text, &end);
    *end = '\0';
    size_t length = inlined_part(it, core, &inlined);
    if (length)
        memmove(inlined, inlined + length, strlen(inlined + length) + 1);
    return core;
}

char *cs_table_strip_call_site(char *text)
{
    const struct column column = {.yield = {.cells = CS_CELLS_OF_CALL_SITES}};
    return strip_cell(&column, text);
}

static void widen(struct column *column, char *text)
{
    char *end, *core = find_core(column, text, &end), lost = *end;
    size_t width = cs_text_width(text);
    *end = '\0';
    size_t short_width = cs_text_width(core);
    char *inlined;
    size_t length = inlined_part(column, core, &inlined);
    if (length) {
        char after = inlined[length];
        inlined[length] = '\0';
        short_width -= cs_text_width(inlined);
        inlined[length] = after;
    }
    *end = lost;
    column->width = width > column->width ? width : column->width;
    column->short_width = short_width > column->short_width ? short_width : column->short_width;
}

void cs_table_yield(struct cs_table *table, size_t column, struct cs_table_yield yield)
{
    table->column[column].yield = yield;
}

static bool is_empty(const struct column *column)
{
    return column->yield.empty && !column->decided;
}

bool cs_table_is_empty(const struct cs_table *table, size_t column)
{
    return is_empty(&table->column[column]);
}

bool cs_table_left_out(const struct cs_table *table, size_t column)
{
    return table->column[column].left_out && !is_empty(&table->column[column]);
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

/* ---- widths ---- */

/* Width of the table if no column is wider than `most`. */
static size_t total_width(const struct cs_table *table, size_t most)
{
    size_t width = 0;
    for (size_t i = 0; i < table->columns; i++) {
        const struct column *it = &table->column[i];
        if (!it->left_out)
            width += (it->right || it->shown < most ? it->shown : most) + (width ? GAP : 0);
    }
    return width;
}

/* The widest text column that can still lose a character; NULL: none. */
static struct column *widest(struct cs_table *table)
{
    struct column *found = NULL;
    for (size_t i = 0; i < table->columns; i++) {
        struct column *it = &table->column[i];
        if (!it->right && !it->left_out && it->shown > NARROWEST && (!found || it->shown > found->shown))
            found = it;
    }
    return found;
}

static void strip_cells(struct cs_table *table)
{
    table->bare = true;
    for (size_t i = 0; i < table->columns; i++)
        table->column[i].shown = table->column[i].short_width;
}

/* The next column to leave out; NULL: none may be left out. */
static struct column *next_to_leave(struct cs_table *table)
{
    struct column *found = NULL;
    for (size_t i = 0; i < table->columns; i++) {
        struct column *it = &table->column[i];
        if (it->yield.turn && !it->left_out && (!found || it->yield.turn < found->yield.turn))
            found = it;
    }
    return found;
}

/* Numbers are shown whole; the longest texts are cut first. */
static void decide_widths(struct cs_table *table, size_t limit)
{
    for (size_t i = 0; i < table->columns; i++) {
        table->column[i].shown = table->column[i].width;
        table->column[i].left_out = is_empty(&table->column[i]);
    }
    if (limit == 0 || total_width(table, SIZE_MAX) <= limit)
        return;
    strip_cells(table);
    struct column *it;
    while (total_width(table, WHOLE) > limit && (it = next_to_leave(table)))
        it->left_out = true;
    while (total_width(table, SIZE_MAX) > limit && (it = widest(table)))
        it->shown--;
    table->records = total_width(table, SIZE_MAX) > limit;
    for (size_t i = 0; i < table->columns && table->records; i++)
        table->column[i].left_out = is_empty(&table->column[i]); /* records have room for all others */
}

/* ---- printing ---- */

static void print_spaces(FILE *stream, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fputc(' ', stream);
}

static void print_cell(const struct column *it, char *text, bool last, FILE *stream, const char *ellipsis)
{
    if (ellipsis && it->yield.cells == CS_CELLS_OF_CALL_SITES)
        cs_text_shorten_place(text, it->shown, ellipsis);
    else if (ellipsis)
        cs_text_shorten(text, it->shown, ellipsis);
    size_t width = cs_text_width(text);
    size_t padding = width < it->shown ? it->shown - width : 0;
    if (it->right)
        print_spaces(stream, padding);
    fputs(text, stream);
    if (!it->right && !last)
        print_spaces(stream, padding);
}

/* The next shown column from this one on; table->columns: none. */
static size_t shown_from(const struct cs_table *table, size_t column)
{
    while (column < table->columns && table->column[column].left_out)
        column++;
    return column;
}

/* cell NULL: the titles. */
static void print_line(const struct cs_table *table, char *const *cell, FILE *stream, const char *ellipsis)
{
    size_t next;
    for (size_t i = shown_from(table, 0); i < table->columns; i = next) {
        const struct column *it = &table->column[i];
        next = shown_from(table, i + 1);
        char *text = cell ? cell[i] : it->title;
        if (cell && table->bare)
            text = strip_cell(it, text);
        print_cell(it, text, next == table->columns, stream, ellipsis);
        print_spaces(stream, next < table->columns ? GAP : 0);
    }
    fputc('\n', stream);
}

static void print_heading(struct cs_table *table, FILE *stream, const struct cs_terminal *terminal,
                          const char *ellipsis)
{
    fputs(cs_terminal_bold(terminal), stream);
    print_line(table, NULL, stream, ellipsis);
    fputs(cs_terminal_plain(terminal), stream);
    for (size_t i = shown_from(table, 0); i < table->columns;) {
        for (size_t n = 0; n < table->column[i].shown; n++)
            fputs(terminal->utf8 ? "─" : "-", stream);
        i = shown_from(table, i + 1);
        print_spaces(stream, i < table->columns ? GAP : 0);
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
        if (it->left_out)
            continue;
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
        for (size_t i = 0; i < table->cells; i += table->columns)
            print_line(table, &table->cell[i], stream, terminal->width ? ellipsis : NULL);
    }
    table->headed = true;
    forget_rows(table);
}
