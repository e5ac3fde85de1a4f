#include "cli/next.h"

#include <stdbool.h>
#include <string.h>

/* The first of these that has a row is suggested: why, and the SQL to type. Names from the trace end up inside quotes
   on somebody's command line, so only harmless ones are used. */
static const char suggestions_sql[] =
    "SELECT why, sql FROM (\n"
    "    SELECT 1 AS place, 'What every rank was doing at the end:' AS why,\n"
    "           'SELECT rank, outcome, last_call, last_communicator, last_peer FROM processes' AS sql\n"
    "    WHERE EXISTS (SELECT 1 FROM process WHERE outcome <> 'finalized')\n"
    "    UNION ALL\n"
    "    SELECT 2, 'Where the objects that are left were made:', 'leaks_by_site'\n"
    "    WHERE EXISTS (SELECT 1 FROM leaks)\n"
    "    UNION ALL\n"
    "    SELECT 3, 'What was called on ' || communicator || ':',\n"
    "           'SELECT function, sum(calls) AS calls, sum(time_ns) / 1e9 AS seconds FROM calls '\n"
    "           || 'WHERE communicator = ''' || communicator || ''' GROUP BY function ORDER BY seconds DESC'\n"
    "    FROM (SELECT communicator FROM communicator_time\n"
    "          WHERE communicator NOT GLOB '*[^-A-Za-z0-9_ .,:()]*' AND communicator <> '(no communicator)' LIMIT 1)\n"
    "    UNION ALL\n"
    "    SELECT 4, 'What else can be asked:', NULL)\n"
    "ORDER BY place LIMIT 1";

/* Prints a word as the shell reads it back. */
static void print_quoted(FILE *stream, const char *word)
{
    if (*word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+:,@%")]) {
        fputs(word, stream);
        return;
    }
    fputc('\'', stream);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", stream);
        else
            fputc((unsigned char)*word < 0x20 || *word == 0x7f ? '?' : *word, stream);
    fputc('\'', stream);
}

void cs_next_print(sqlite3 *db, const char *run, FILE *stream)
{
    sqlite3_stmt *row = NULL;
    const char *why = NULL, *sql = NULL;
    if (sqlite3_prepare_v2(db, suggestions_sql, -1, &row, NULL) == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW) {
        why = (const char *)sqlite3_column_text(row, 0);
        sql = (const char *)sqlite3_column_text(row, 1);
    }
    fprintf(stream, "\n%s\n  callsign query ", why ? why : "What else can be asked:");
    print_quoted(stream, run);
    if (sql) {
        bool name = !strchr(sql, ' ');
        fprintf(stream, name ? " %s" : " \"%s\"", sql);
    }
    fputc('\n', stream);
    sqlite3_finalize(row);
}
