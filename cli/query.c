#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "cli/catalog.h"
#include "cli/command.h"
#include "cli/location.h"
#include "cli/similar_name.h"
#include "cli/report_file.h"
#include "cli/result.h"
#include "cli/shell.h"
#include "cli/sql.h"

static const char help[] = "Usage: callsign query [OPTION...] RUN [SQL|VIEW|-]\n\n"
                           "Runs one SELECT on all ranks of a run as if they were one database; - reads it\n"
                           "from stdin. The name of a view or table stands for all its rows. Without SQL:\n"
                           "lists what can be asked. Besides SQLite's own functions there are\n"
                           "ranges(number), cycles(from, to), duration(ns), bytes(number), pattern(text)\n"
                           "and location(site).\n\n"
                           "  -f, --format table|csv|json  how rows are printed (default: table)\n"
                           "  -o, --output FILE            write to FILE\n"
                           "  -h, --help                   print this\n\n"
                           "Examples:\n"
                           "  callsign query program.k3f9a2xq.callsign\n"
                           "  callsign query program.k3f9a2xq.callsign communicators --format csv\n"
                           "  callsign query program.k3f9a2xq.callsign \\\n"
                           "    \"SELECT rank, sum(time_ns) / 1e9 AS seconds FROM calls\n"
                           "     WHERE communicator = 'rows' GROUP BY rank\"\n";

struct question {
    const char *run, *sql, *output;
    enum cs_format format;
};

/* All of stdin, to be freed; NULL: logged. */
static char *read_stdin(void)
{
    char *text = NULL;
    size_t size = 0;
    errno = 0;
    ssize_t length = getdelim(&text, &size, '\0', stdin);
    if (length < 0 || ferror(stdin)) {
        cs_log("cannot read SQL from stdin: %s", errno ? strerror(errno) : "it is empty");
        free(text);
        return NULL;
    }
    return text;
}

/* The SELECT that a bare name of a view or table stands for, to be freed with sqlite3_free. NULL: it is none. */
static char *select_by_name(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *find;
    char *complete = NULL;
    if (sqlite3_prepare_v2(
            db, "SELECT name FROM sqlite_schema WHERE name = trim(?1, ' ;' || char(9, 10, 13)) COLLATE NOCASE", -1,
            &find, NULL) == SQLITE_OK) {
        sqlite3_bind_text(find, 1, sql, -1, SQLITE_STATIC);
        if (sqlite3_step(find) == SQLITE_ROW)
            complete = sqlite3_mprintf("SELECT * FROM \"%w\"", sqlite3_column_text(find, 0));
    }
    sqlite3_finalize(find);
    return complete;
}

static int print_answer(sqlite3 *db, const char *sql, const struct question *question)
{
    sqlite3_stmt *statement = cs_sql_prepare(db, sql);
    if (!statement)
        return CS_EXIT_TROUBLE;
    FILE *stream = stdout;
    if (question->output)
        stream = fopen(question->output, "we");
    if (!stream) {
        cs_log("cannot write %s: %s", question->output, strerror(errno));
        sqlite3_finalize(statement);
        return CS_EXIT_TROUBLE;
    }
    enum cs_status status = cs_result_print(statement, stream, question->format, NULL);
    if (status == CS_SQL)
        cs_log("SQL: %s", sqlite3_errmsg(db));
    else if (status != CS_OK)
        cs_log("%s", cs_status_text(status));
    sqlite3_finalize(statement);
    int code = cs_command_close_output(stream, question->output);
    return status == CS_OK ? code : CS_EXIT_TROUBLE;
}

static int answer_sql(sqlite3 *db, const char *sql, const struct question *question)
{
    char path[CS_SHELL_WORD_BYTES];
    char *select = select_by_name(db, sql);
    int code = CS_EXIT_TROUBLE;
    if (!select && cs_report_find(sql))
        cs_log("%s is a report: callsign report %s %s", sql, cs_shell_word(question->run, path), sql);
    else if (!select && cs_similar_name_is_word(sql))
        cs_similar_name_suggest(db, sql);
    else
        code = print_answer(db, select ? select : sql, question);
    sqlite3_free(select);
    return code;
}

static int answer(const struct question *question)
{
    bool from_stdin = question->sql && strcmp(question->sql, "-") == 0;
    char *text = from_stdin ? read_stdin() : NULL;
    if (from_stdin && !text)
        return CS_EXIT_TROUBLE;
    int code = CS_EXIT_TROUBLE;
    struct cs_run *run = cs_command_open(question->run, false);
    if (run && !question->sql) {
        code = cs_catalog_print(cs_run_database(run), question->run, stdout);
    } else if (run) {
        code = answer_sql(cs_run_database(run), text ? text : question->sql, question);
        cs_location_print_rebuilt(NULL);
    }
    cs_run_close(run);
    free(text);
    return code;
}

int cmd_query(int argc, char **argv)
{
    static const struct option options[] = {{"format", required_argument, NULL, 'f'},
                                            {"output", required_argument, NULL, 'o'},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    struct question question = {.format = CS_FORMAT_TABLE};
    int option;
    while ((option = getopt_long(argc, argv, "f:o:h", options, NULL)) != -1) {
        if (option == 'f' && cs_format_parse(optarg, &question.format))
            continue;
        if (option == 'o')
            question.output = optarg;
        else
            return option == 'h' ? cs_command_help(help) : cs_command_usage("query");
    }
    if (optind == argc) {
        cs_log("query: which run? Name a folder (*.callsign)");
        return cs_command_usage("query");
    }
    if (argc - optind > 2) {
        cs_log("query: one run and one SQL text, please; quote the SQL. There is also \"%s\"", argv[optind + 2]);
        return cs_command_usage("query");
    }
    question.run = argv[optind];
    question.sql = argv[optind + 1]; /* NULL: none */
    return answer(&question);
}
