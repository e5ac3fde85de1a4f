#include "cli/suggestion.h"

#include <stdbool.h>
#include <string.h>

#include "cli/text.h"

/* The next command for each kind of suggestion: reason, command, and the argument after the run. */
static const struct {
    const char *kind, *why, *command, *argument;
} suggestions[] = {
    {"unfinished", "The last call of every rank, and who waited for whom:", "hang", NULL},
    {"leaks", "Call sites that created objects which were never freed:", "report", "leaks"},
    {"communicator", "Functions called on %s:", "query", NULL},
    {"functions", "Time by function:", "report", "functions"},
    {"query", "Views and reports of this run:", "query", NULL},
};

/* The first SELECT with a row is suggested: reason, command, and the argument after the run. Names from the trace
   would be pasted into a shell in quotes, so only harmless ones are used. */
static const char suggestions_sql[] =
    "SELECT kind, label, argument FROM (\n"
    "    SELECT 1 AS priority, 'unfinished' AS kind, NULL AS label, NULL AS argument\n"
    "    WHERE EXISTS (SELECT 1 FROM process WHERE outcome <> 'finalized')\n"
    "    UNION ALL\n"
    "    SELECT 2, 'leaks', NULL, NULL WHERE EXISTS (SELECT 1 FROM leaks)\n"
    "    UNION ALL\n"
    "    SELECT 3, 'communicator', label,\n"
    "           'SELECT function, sum(calls) AS calls, sum(time_ns) / 1e9 AS seconds FROM calls '\n"
    "           || 'WHERE ' || CASE WHEN names > 1 THEN 'pattern(' || place || ')' ELSE place END\n"
    "           || ' = ''' || label || ''' GROUP BY function ORDER BY seconds DESC'\n"
    "    FROM (SELECT names, percent,\n"
    "                 CASE WHEN kind IN ('window', 'file') THEN 'object_name' ELSE 'communicator' END AS place,\n"
    "                 CASE WHEN names > 1 THEN pattern(communicator) ELSE communicator END AS label\n"
    "          FROM communicator_time WHERE communicator <> '(no communicator)' LIMIT 1)\n"
    "    WHERE percent >= 1 AND label NOT GLOB '*[^][A-Za-z0-9_ .,:;()<>|@/+*#%&?=~^-]*'\n"
    "    UNION ALL\n"
    "    SELECT 4, 'functions', NULL, NULL WHERE EXISTS (SELECT 1 FROM function_time WHERE percent > 0))\n"
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

/* "Functions called on rows:"; %s stands for the label. */
static void print_why(const char *why, const char *label, FILE *stream)
{
    const char *hole = strstr(why, "%s");
    if (hole)
        fprintf(stream, "\n%.*s%s%s\n", (int)(hole - why), why, label ? label : "", hole + 2);
    else
        fprintf(stream, "\n%s\n", why);
}

void cs_suggestion_print(sqlite3 *db, const char *run, const struct cs_terminal *terminal, FILE *stream)
{
    sqlite3_stmt *row = NULL;
    const char *kind = "query", *label = NULL, *argument = NULL;
    if (sqlite3_prepare_v2(db, suggestions_sql, -1, &row, NULL) == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW) {
        kind = (const char *)sqlite3_column_text(row, 0);
        label = (const char *)sqlite3_column_text(row, 1);
        argument = (const char *)sqlite3_column_text(row, 2);
    }
    size_t i = 0;
    while (i + 1 < sizeof suggestions / sizeof *suggestions && strcmp(kind, suggestions[i].kind) != 0)
        i++;
    char word[CS_SHELL_WORD_BYTES];
    print_why(suggestions[i].why, label, stream);
    fprintf(stream, "  callsign %s %s", suggestions[i].command, cs_shell_word(run, word));
    if (argument)
        print_sql(argument, terminal, stream);
    else if (suggestions[i].argument)
        fprintf(stream, " %s", suggestions[i].argument);
    fputc('\n', stream);
    sqlite3_finalize(row);
}
