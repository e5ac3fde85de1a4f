#include "cli/report/finding.h"

#include <inttypes.h>
#include <string.h>

#include "cli/rows/label.h"

enum { RANKS_CHARACTERS = 60 };

struct sentence {
    const struct cs_report_output *output;
    struct cs_phrase *line;
    sqlite3_stmt *row;
};

/* ---- values ---- */

/* The index of a column of the row; -1: it has none. */
static int column_of(sqlite3_stmt *row, const char *name, size_t length)
{
    for (int i = 0; i < sqlite3_column_count(row); i++) {
        const char *column = sqlite3_column_name(row, i);
        if (strncmp(column, name, length) == 0 && !column[length])
            return i;
    }
    return -1;
}

static const char *text_of(sqlite3_stmt *row, const char *name)
{
    int column = column_of(row, name, strlen(name));
    return column < 0 ? NULL : (const char *)sqlite3_column_text(row, column);
}

static int64_t integer_of(sqlite3_stmt *row, const char *name)
{
    int column = column_of(row, name, strlen(name));
    return column < 0 ? 0 : sqlite3_column_int64(row, column);
}

static enum cs_finding_type type_of(const char *name, size_t length)
{
    for (size_t i = 0; i < cs_finding_columns_count; i++)
        if (strncmp(cs_finding_columns[i].name, name, length) == 0 && !cs_finding_columns[i].name[length])
            return cs_finding_columns[i].type;
    return CS_FINDING_TEXT;
}

static void add_label(struct cs_phrase *line, sqlite3_stmt *row)
{
    cs_label_add_row(line, &(struct cs_row_name){.name = text_of(row, "communicator"),
                                                 .number = integer_of(row, "number"),
                                                 .names = integer_of(row, "names"),
                                                 .communicators = integer_of(row, "communicators"),
                                                 .kind = text_of(row, "object_kind")});
}

void cs_finding_add_communicator(struct cs_phrase *line, struct cs_rows *row)
{
    if (!text_of(row->statement, "communicator"))
        return;
    cs_phrase_add(line, " on ");
    add_label(line, row->statement);
}

static void add_value(struct sentence *sentence, int column, enum cs_finding_type type)
{
    struct cs_phrase *line = sentence->line;
    sqlite3_stmt *row = sentence->row;
    switch (type) {
    case CS_FINDING_TEXT:
        cs_phrase_add(line, "%s", (const char *)sqlite3_column_text(row, column));
        break;
    case CS_FINDING_INT:
        cs_phrase_add(line, "%" PRId64, (int64_t)sqlite3_column_int64(row, column));
        break;
    case CS_FINDING_REAL:
        cs_phrase_add(line, "%g", sqlite3_column_double(row, column));
        break;
    case CS_FINDING_SECONDS:
        cs_phrase_add_seconds(line, sqlite3_column_double(row, column));
        break;
    case CS_FINDING_PERCENT:
        cs_phrase_add_percent(line, sqlite3_column_double(row, column));
        break;
    case CS_FINDING_BYTES:
        cs_phrase_add_bytes(line, sqlite3_column_double(row, column));
        break;
    case CS_FINDING_COMMUNICATOR:
        add_label(line, row);
        break;
    case CS_FINDING_INSTANT:
        cs_phrase_add_instant(line, sqlite3_column_double(row, column));
        break;
    case CS_FINDING_RANKS:
        cs_phrase_add_ranks(line, (const char *)sqlite3_column_text(row, column), RANKS_CHARACTERS);
        break;
    case CS_FINDING_SITE:
        cs_report_add_site(sentence->output, line, "", sqlite3_column_int64(row, column));
        break;
    }
}

/* ---- words ---- */

/* Appends the word for one or for many: "fact|facts", at `words`. */
static void add_word(struct cs_phrase *line, const char *words, const char *end, bool one)
{
    const char *bar = memchr(words, '|', (size_t)(end - words));
    if (bar && one)
        cs_phrase_append(line, words, (size_t)(bar - words));
    else
        cs_phrase_append(line, bar ? bar + 1 : words, (size_t)(end - (bar ? bar + 1 : words)));
}

/* Appends the words for a text: "sure=surely|likely=perhaps", at `words`. */
static void add_choice(struct cs_phrase *line, const char *words, const char *end, const char *text)
{
    while (text && words < end) {
        const char *bar = memchr(words, '|', (size_t)(end - words));
        const char *until = bar ? bar : end, *equals = memchr(words, '=', (size_t)(until - words));
        if (equals && strlen(text) == (size_t)(equals - words) && strncmp(text, words, strlen(text)) == 0)
            cs_phrase_append(line, equals + 1, (size_t)(until - equals - 1));
        words = until + 1;
    }
}

/* Appends what stands for a {...}; `at`: behind the brace. Returns where the brace ends. */
static const char *add_field(struct sentence *sentence, const char *at)
{
    size_t length = strcspn(at, ":?}");
    const char *words = at + length + 1, *end = strchr(at, '}');
    int column = column_of(sentence->row, at, length);
    enum cs_finding_type type = type_of(at, length);
    if (column < 0 || !end)
        return end ? end + 1 : at + strlen(at);
    int64_t number = sqlite3_column_int64(sentence->row, column);
    if (at[length] == '}') {
        add_value(sentence, column, type);
    } else if (at[length] == ':') {
        cs_phrase_add(sentence->line, "%" PRId64 " ", number);
        add_word(sentence->line, words, end, number == 1);
    } else if (type == CS_FINDING_TEXT) {
        add_choice(sentence->line, words, end, (const char *)sqlite3_column_text(sentence->row, column));
    } else if (type == CS_FINDING_RANKS) {
        const char *ranks = (const char *)sqlite3_column_text(sentence->row, column);
        add_word(sentence->line, words, end, !ranks || !strpbrk(ranks, ",-"));
    } else {
        add_word(sentence->line, words, end, number == 1);
    }
    return end + 1;
}

/* ---- templates ---- */

/* The first of these characters from `at` on that is not in braces; `end` if there is none. */
static const char *find_outside(const char *at, const char *end, const char *characters)
{
    for (bool inside = false; at < end; at++) {
        if (!inside && strchr(characters, *at))
            return at;
        inside = *at == '{' || (inside && *at != '}');
    }
    return end;
}

static bool has_all_values(const struct sentence *sentence, const char *at, const char *end)
{
    while ((at = find_outside(at, end, "{")) < end) {
        at++;
        int column = column_of(sentence->row, at, strcspn(at, ":?}"));
        if (column < 0 || sqlite3_column_type(sentence->row, column) == SQLITE_NULL)
            return false;
        at = strchr(at, '}') + 1;
    }
    return true;
}

static void add_part(struct sentence *sentence, const char *at, const char *end)
{
    while (at < end) {
        const char *plain = find_outside(at, end, "{");
        cs_phrase_append(sentence->line, at, (size_t)(plain - at));
        at = plain < end ? add_field(sentence, plain + 1) : end;
    }
}

static void add_template(struct sentence *sentence, const char *at)
{
    const char *end = at + strlen(at);
    while (at < end) {
        const char *begin = find_outside(at, end, "["), *close = find_outside(begin, end, "]");
        const char *bar = find_outside(begin, close, "|");
        add_part(sentence, at, begin);
        if (begin < end && has_all_values(sentence, begin + 1, bar))
            add_part(sentence, begin + 1, bar);
        else if (bar < close)
            add_part(sentence, bar + 1, close);
        at = close < end ? close + 1 : end;
    }
}

/* ---- findings ---- */

bool cs_finding_add(const struct cs_report_output *output, struct cs_phrase *line, struct cs_rows *row)
{
    const struct cs_finding_kind *kind = cs_finding_find(cs_rows_text(row, "kind"));
    struct sentence sentence = {output, line, row->statement};
    if (!kind || !kind->sentence)
        return false;
    size_t begin = line->length;
    add_template(&sentence, kind->sentence);
    if (begin == 0 && line->length && *line->text == 'r') /* "ranks 0,3 wait ..." */
        *line->text = 'R';
    return true;
}

enum cs_status cs_findings_print_rows(struct cs_report_output *output, struct cs_rows *rows, int severity)
{
    struct cs_phrase line = {0};
    while (cs_rows_next(rows)) {
        const struct cs_finding_kind *kind = cs_finding_find(cs_rows_text(rows, "kind"));
        output->about = kind ? kind->name : NULL;
        if (!kind || (severity && kind->severity != severity) || !cs_finding_add(output, &line, rows))
            continue;
        if (kind->next)
            cs_phrase_add(&line, ": %s", kind->next);
        cs_report_print_line(output, &line);
    }
    output->about = NULL;
    cs_phrase_free(&line);
    return cs_rows_end(rows);
}

enum cs_status cs_findings_print(struct cs_report_output *output, const char *sql, int severity)
{
    struct cs_rows rows = cs_rows_begin(output->db, sql);
    return cs_findings_print_rows(output, &rows, severity);
}
