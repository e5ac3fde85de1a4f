#include "cli/catalog.h"

#include <string.h>

#include "base/log.h"
#include "cli/command.h"
#include "cli/report_file.h"
#include "cli/shell.h"
#include "cli/table.h"

/* A view's or table's description is the comment on the first line of its definition. */
static enum cs_status add_description(struct cs_table *table, const char *sql)
{
    size_t line = strcspn(sql, "\n");
    const char *comment = strstr(sql, "--");
    if (!comment || comment >= sql + line)
        return cs_table_cell(table, CS_CELL_EMPTY, "", 0);
    comment += 2 + strspn(comment + 2, " ");
    return cs_table_cell(table, CS_CELL_TEXT, comment, strcspn(comment, "\n"));
}

static enum cs_status add_definitions(struct cs_table *table, sqlite3 *db, const char *type)
{
    sqlite3_stmt *list;
    if (sqlite3_prepare_v2(db, "SELECT name, sql FROM sqlite_schema WHERE type = ?1 ORDER BY rowid", -1, &list, NULL) !=
        SQLITE_OK)
        return CS_SQL;
    sqlite3_bind_text(list, 1, type, -1, SQLITE_STATIC);
    enum cs_status status = CS_OK;
    while (status == CS_OK && sqlite3_step(list) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(list, 0);
        const char *sql = (const char *)sqlite3_column_text(list, 1);
        status = cs_table_cell(table, CS_CELL_TEXT, name, strlen(name));
        if (status == CS_OK)
            status = add_description(table, sql ? sql : "");
    }
    sqlite3_finalize(list);
    return status;
}

static enum cs_status add_reports(struct cs_table *table)
{
    enum cs_status status = CS_OK;
    for (size_t i = 0; i < cs_reports_count && status == CS_OK; i++) {
        struct cs_report report = cs_report_parse(&cs_reports[i]);
        if (!report.title_length)
            continue;
        status = cs_table_cell(table, CS_CELL_TEXT, cs_reports[i].name, strlen(cs_reports[i].name));
        if (status == CS_OK)
            status = cs_table_cell(table, CS_CELL_TEXT, report.title, report.title_length);
    }
    return status;
}

static enum cs_status print_part(sqlite3 *db, FILE *stream, const struct cs_terminal *terminal, const char *type)
{
    struct cs_table *table = cs_table_new(2);
    enum cs_status status = table ? cs_table_title(table, 0, type) : CS_NO_MEMORY;
    if (status == CS_OK)
        status = cs_table_title(table, 1, "what it tells");
    if (status == CS_OK)
        status = strcmp(type, "report") == 0 ? add_reports(table) : add_definitions(table, db, type);
    if (status == CS_OK)
        cs_table_print(table, stream, terminal);
    cs_table_free(table);
    fputc('\n', stream);
    return status;
}

int cs_catalog_print(sqlite3 *db, const char *run, FILE *stream)
{
    static const char *const parts[] = {"view", "table", "report"};
    struct cs_terminal terminal = cs_terminal_of(stream);
    enum cs_status status = CS_OK;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && status == CS_OK; i++)
        status = print_part(db, stream, &terminal, parts[i]);
    if (status != CS_OK) {
        cs_log("cannot list what can be asked: %s", cs_status_text(status));
        return CS_EXIT_TROUBLE;
    }
    char word[CS_SHELL_WORD_BYTES];
    cs_shell_word(run, word);
    fprintf(stream, "The rows of a view or table:  callsign query %s NAME\n", word);
    fprintf(stream, "One report:                   callsign report %s NAME\n", word);
    return cs_command_close_output(stream, NULL);
}
