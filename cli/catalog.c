#include "cli/catalog.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "cli/command.h"
#include "cli/report_file.h"
#include "cli/shell.h"
#include "cli/terminal.h"
#include "cli/text.h"

#define NARROWEST_EXPLANATION 20

struct catalog {
    FILE *stream;
    struct cs_terminal terminal;
    size_t name_width; /* of the longest name */
};

static size_t wrap_width(const struct catalog *catalog)
{
    size_t least = catalog->name_width + 2 + NARROWEST_EXPLANATION;
    size_t width = catalog->terminal.width ? catalog->terminal.width : 80; /* for people, also through a pager */
    return width > least ? width : least;
}

static void print_row(const struct catalog *catalog, const char *name, const char *text, size_t length)
{
    char *visible = cs_text_visible(text, length);
    size_t indent = catalog->name_width + 2;
    fprintf(catalog->stream, "%-*s", (int)(*text ? indent : 0), name);
    cs_text_wrap(catalog->stream, visible ? visible : "", wrap_width(catalog), indent, indent);
    free(visible);
}

static void print_title(const struct catalog *catalog, const char *type)
{
    fputs(cs_terminal_bold(&catalog->terminal), catalog->stream);
    print_row(catalog, type, "what it tells", strlen("what it tells"));
    fputs(cs_terminal_plain(&catalog->terminal), catalog->stream);
}

/* A view's or table's description is the comment on the first line of its definition. */
static void print_definition(const struct catalog *catalog, const char *name, const char *sql)
{
    size_t line = strcspn(sql, "\n");
    const char *comment = strstr(sql, "--");
    bool none = !comment || comment >= sql + line;
    if (!none)
        comment += 2 + strspn(comment + 2, " ");
    print_row(catalog, name, none ? "" : comment, none ? 0 : strcspn(comment, "\n"));
}

static enum cs_status print_definitions(const struct catalog *catalog, sqlite3 *db, const char *type)
{
    sqlite3_stmt *list;
    if (sqlite3_prepare_v2(db, "SELECT name, coalesce(sql, '') FROM sqlite_schema WHERE type = ?1 ORDER BY rowid", -1,
                           &list, NULL) != SQLITE_OK)
        return CS_SQL;
    sqlite3_bind_text(list, 1, type, -1, SQLITE_STATIC);
    print_title(catalog, type);
    int step;
    while ((step = sqlite3_step(list)) == SQLITE_ROW)
        print_definition(catalog, (const char *)sqlite3_column_text(list, 0),
                         (const char *)sqlite3_column_text(list, 1));
    fputc('\n', catalog->stream);
    sqlite3_finalize(list);
    return step == SQLITE_DONE ? CS_OK : CS_SQL;
}

static void print_reports(const struct catalog *catalog)
{
    print_title(catalog, "report");
    for (size_t i = 0; i < cs_reports_count; i++) {
        struct cs_report report = cs_report_parse(&cs_reports[i]);
        if (report.title_length)
            print_row(catalog, report.name, report.title, report.title_length);
    }
    fputc('\n', catalog->stream);
}

/* Of views and tables; reports have shorter ones. */
static enum cs_status find_name_width(sqlite3 *db, size_t *width)
{
    sqlite3_stmt *longest;
    if (sqlite3_prepare_v2(db, "SELECT max(length(name)) FROM sqlite_schema", -1, &longest, NULL) != SQLITE_OK)
        return CS_SQL;
    enum cs_status status = sqlite3_step(longest) == SQLITE_ROW ? CS_OK : CS_SQL;
    *width = (size_t)sqlite3_column_int(longest, 0);
    sqlite3_finalize(longest);
    return status;
}

int cs_catalog_print(sqlite3 *db, const char *run, FILE *stream)
{
    struct catalog catalog = {.stream = stream, .terminal = cs_terminal_of(stream)};
    enum cs_status status = find_name_width(db, &catalog.name_width);
    if (status == CS_OK)
        status = print_definitions(&catalog, db, "view");
    if (status == CS_OK)
        status = print_definitions(&catalog, db, "table");
    if (status != CS_OK) {
        cs_log("cannot list what can be asked: %s", cs_status_text(status));
        return CS_EXIT_TROUBLE;
    }
    print_reports(&catalog);
    char word[CS_SHELL_WORD_BYTES];
    cs_shell_word(run, word);
    fprintf(stream, "The rows of a view or table:  callsign query %s NAME\n", word);
    fprintf(stream, "One report:                   callsign report %s NAME\n", word);
    return cs_command_close_output(stream, NULL);
}
