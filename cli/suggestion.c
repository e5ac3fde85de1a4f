#include "cli/suggestion.h"

#include <stdbool.h>
#include <string.h>

#include "cli/text.h"

/* The first SELECT with a row is suggested: reason, command, and the argument after the run. Names from the trace
   would be pasted into a shell in quotes, so only harmless ones are used. */
static const char suggestions_sql[] =
    "SELECT why, command, argument FROM (\n"
    "    SELECT 1 AS priority, 'The last call of every rank, and who waited for whom:' AS why,\n"
    "           'hang' AS command, NULL AS argument\n"
    "    WHERE EXISTS (SELECT 1 FROM process WHERE outcome <> 'finalized')\n"
    "    UNION ALL\n"
    "    SELECT 2, 'Call sites that created objects which were never freed:', 'report', 'leaks'\n"
    "    WHERE EXISTS (SELECT 1 FROM leaks)\n"
    "    UNION ALL\n"
    "    SELECT 3, 'Functions called on ' || label || ':', 'query',\n"
    "           'SELECT function, sum(calls) AS calls, sum(time_ns) / 1e9 AS seconds FROM calls '\n"
    "           || 'WHERE ' || CASE WHEN names > 1 THEN 'pattern(' || place || ')' ELSE place END\n"
    "           || ' = ''' || label || ''' GROUP BY function ORDER BY seconds DESC'\n"
    "    FROM (SELECT names, percent,\n"
    "                 CASE WHEN kind IN ('window', 'file') THEN 'object_name' ELSE 'communicator' END AS place,\n"
    "                 CASE WHEN names > 1 THEN pattern(communicator) ELSE communicator END AS label\n"
    "          FROM communicator_time WHERE communicator <> '(no communicator)' LIMIT 1)\n"
    "    WHERE percent >= 1 AND label NOT GLOB '*[^][A-Za-z0-9_ .,:;()<>|@/+*#%&?=~^-]*'\n"
    "    UNION ALL\n"
    "    SELECT 4, 'Time by function:', 'report', 'functions'\n"
    "    WHERE EXISTS (SELECT 1 FROM function_time WHERE percent > 0)\n"
    "    UNION ALL\n"
    "    SELECT 5, 'Views and reports of this run:', 'query', NULL)\n"
    "ORDER BY priority LIMIT 1";

/* Bytes up to the next blank outside quotes; names from a trace are ASCII here. */
static size_t word_width(const char *sql)
{
    size_t width = 0;
    for (bool quoted = false; sql[width] && (quoted || sql[width] != ' '); width++)
        quoted ^= sql[width] == '\'';
    return width + 1; /* the blank, or the closing quote */
}

/* Prints SQL in double quotes, which the shell accepts over several lines. Breaks between words at the width of the
   terminal, but not inside quoted names. */
static void print_sql(const char *sql, const struct cs_terminal *terminal, FILE *stream)
{
    static const char indent[] = "\n     ";
    size_t column = strlen(indent);
    bool quoted = false;
    fputs(terminal->width ? " \\\n    \"" : " \"", stream);
    for (const char *c = sql; *c; c++) {
        quoted ^= *c == '\'';
        column++;
        if (*c == ' ' && !quoted && terminal->width && column + word_width(c + 1) > terminal->width) {
            fputs(indent, stream);
            column = strlen(indent) - 1;
        } else {
            fputc(*c, stream);
        }
    }
    fputc('"', stream);
}

void cs_suggestion_print(sqlite3 *db, const char *run, const struct cs_terminal *terminal, FILE *stream)
{
    sqlite3_stmt *row = NULL;
    const char *why = NULL, *command = NULL, *argument = NULL;
    if (sqlite3_prepare_v2(db, suggestions_sql, -1, &row, NULL) == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW) {
        why = (const char *)sqlite3_column_text(row, 0);
        command = (const char *)sqlite3_column_text(row, 1);
        argument = (const char *)sqlite3_column_text(row, 2);
    }
    char word[CS_SHELL_WORD_BYTES];
    fprintf(stream, "\n%s\n  callsign %s %s", why ? why : "Views and reports of this run:", command ? command : "query",
            cs_shell_word(run, word));
    if (argument && strchr(argument, ' '))
        print_sql(argument, terminal, stream);
    else if (argument)
        fprintf(stream, " %s", argument);
    fputc('\n', stream);
    sqlite3_finalize(row);
}
