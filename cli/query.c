/* callsign query: runs SQL on a run, or lists its views, tables and reports with one line for each. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/temporary.h"
#include "cli/command/command.h"
#include "cli/command/newest_run.h"
#include "cli/command/options.h"
#include "cli/report/reports.h"
#include "cli/rows/location.h"
#include "cli/rows/result.h"
#include "cli/rows/similar_name.h"
#include "cli/rows/sql.h"
#include "cli/text/phrase.h"
#include "cli/text/text.h"
#include "db/run/files.h"
#include "db/run/node_trace.h"
#include "db/trace/schema.h"
#include "journal/run_files.h"

/* ---- the list of what can be asked: views, tables and reports, with one line about each ---- */

#define NARROWEST_EXPLANATION 20

struct catalog {
    FILE *stream;
    struct cs_terminal terminal;
    size_t name_width; /* width of the longest name */
};

static size_t wrap_width(const struct catalog *catalog)
{
    size_t least = catalog->name_width + 2 + NARROWEST_EXPLANATION;
    size_t width = catalog->terminal.width ? catalog->terminal.width : 80; /* for people, even through a pager */
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
    print_row(catalog, type, "contents", strlen("contents"));
    fputs(cs_terminal_plain(&catalog->terminal), catalog->stream);
}

/* Prints the description of a view or table: the comment on the first line of its definition and the lines that
   continue it. */
static void print_definition(const struct catalog *catalog, const char *name, const char *sql)
{
    static const char continued[] = "\n        -- ";
    size_t line = strcspn(sql, "\n");
    const char *comment = strstr(sql, "--");
    struct cs_phrase text = {0};
    if (comment && comment < sql + line) {
        comment += 2 + strspn(comment + 2, " ");
        cs_phrase_add(&text, "%.*s", (int)(sql + line - comment), comment);
        for (const char *end = sql + line; strncmp(end, continued, strlen(continued)) == 0; end += strcspn(end, "\n")) {
            end += strlen(continued);
            cs_phrase_add(&text, " %.*s", (int)strcspn(end, "\n"), end);
        }
    }
    print_row(catalog, name, cs_phrase_text(&text), strlen(cs_phrase_text(&text)));
    cs_phrase_free(&text);
}

static void print_views_and_tables(const struct catalog *catalog)
{
    print_title(catalog, "view");
    for (size_t i = 0; i < cs_views_count; i++)
        print_definition(catalog, cs_views[i].name, cs_views[i].sql);
    fputc('\n', catalog->stream);
    print_title(catalog, "table");
    for (size_t i = 0; i < cs_tables_count; i++)
        print_definition(catalog, cs_tables[i].name, cs_tables[i].sql);
    fputc('\n', catalog->stream);
}

static void print_reports(const struct catalog *catalog)
{
    print_title(catalog, "report");
    for (size_t i = 0; i < cs_reports_count; i++)
        print_row(catalog, cs_reports[i].name, cs_reports[i].title, strlen(cs_reports[i].title));
    fputc('\n', catalog->stream);
}

/* Finds the longest name of views and tables; names of reports are shorter. */
static size_t find_name_width(void)
{
    size_t width = 0;
    for (size_t i = 0; i < cs_views_count; i++)
        width = strlen(cs_views[i].name) > width ? strlen(cs_views[i].name) : width;
    for (size_t i = 0; i < cs_tables_count; i++)
        width = strlen(cs_tables[i].name) > width ? strlen(cs_tables[i].name) : width;
    return width;
}

/* Prints the list; run is the path for the examples. Returns an exit code. */
static int print_catalog(const char *run, FILE *stream)
{
    struct catalog catalog = {.stream = stream, .terminal = cs_terminal_of(stream), .name_width = find_name_width()};
    print_views_and_tables(&catalog);
    print_reports(&catalog);
    char word[CS_SHELL_WORD_BYTES];
    cs_shell_word(run, word);
    fprintf(stream, "The rows of a view or table:  callsign query %s NAME\n", word);
    fprintf(stream, "One report:                   callsign report %s NAME\n", word);
    return cs_command_close_output(stream, NULL);
}

/* ---- the question ---- */

static const char help[] = "Usage: callsign query [OPTION...] [RUN] [SQL|VIEW|-]\n\n"
                           "Runs one SELECT on all ranks of a run as if they were one database. - reads the\n"
                           "SQL from stdin. The name of a view or table alone prints all its rows. Without\n"
                           "SQL it lists views, tables and reports. Without RUN it reads the newest run of\n"
                           "the current folder. callsign adds these SQL functions:\n\n"
                           "  ranges(number)  aggregate: the distinct numbers as ranges, 0-3,7;\n"
                           "                  ranges(number, 60): at most 60 characters\n"
                           "  duration(ns)    12.3 s\n"
                           "  bytes(number)   1.50 KiB\n"
                           "  pattern(text)   the text with # for numbers: row #\n"
                           "  location(site)  main solver.c:12\n"
                           "  charged(site)   the site of the program's own code that calls are charged to\n\n"
                           "  -f, --format table|csv|json  how rows are printed (default: table); csv as\n"
                           "                               RFC 4180; in json, integers over 2^53 are strings\n"
                           "  -o, --output FILE            write to FILE\n"
                           "  -r, --rank N                 read only the file of this rank\n"
                           "      --region NAME            count only MPI calls in this region\n"
                           "  -h, --help                   print this\n\n"
                           "Examples:\n"
                           "  callsign query program.k3f9a2xq.callsign\n"
                           "  callsign query program.k3f9a2xq.callsign communicators --format csv\n"
                           "  callsign query program.k3f9a2xq.callsign \\\n"
                           "    \"SELECT rank, sum(time_ns) / 1e9 AS seconds FROM calls\n"
                           "     WHERE communicator = 'rows' GROUP BY rank\"\n";

struct question {
    const char *run, *sql, *output, *region; /* region: NULL: the whole run */
    char rank_file[PATH_MAX];                /* of the one rank that is asked for; "": all */
    char temporary[PATH_MAX]; /* folder of rank_file, which came out of the trace of a node; "": it did not */
    enum cs_format format;
};

/* Reads all of stdin; to be freed. NULL: an error was logged. */
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

/* The SELECT for a bare name of a view or table, to be freed with sqlite3_free. NULL: no such name. */
static char *select_by_name(const char *sql)
{
    static const char blank[] = " ;\t\n\r";
    char word[64];
    sql += strspn(sql, blank);
    size_t length = strcspn(sql, blank);
    if (length >= sizeof word || sql[length + strspn(sql + length, blank)])
        return NULL;
    snprintf(word, sizeof word, "%.*s", (int)length, sql);
    const char *name = cs_schema_find(word);
    return name ? sqlite3_mprintf("SELECT * FROM \"%w\"", name) : NULL;
}

static int print_answer(sqlite3 *db, const char *sql, const struct question *question)
{
    sqlite3_stmt *statement = cs_sql_prepare(db, sql);
    if (!statement)
        return CS_EXIT_TROUBLE;
    struct cs_output output;
    if (question->output && !cs_command_open_output(&output, question->output, CS_OUTPUT_NAMED, NULL)) {
        sqlite3_finalize(statement);
        return CS_EXIT_TROUBLE;
    }
    enum cs_status status =
        cs_result_print(statement, question->output ? output.stream : stdout, question->format, NULL);
    if (status == CS_SQL)
        cs_log("SQL: %s", sqlite3_errmsg(db));
    else if (status != CS_OK)
        cs_log("%s", cs_status_text(status));
    sqlite3_finalize(statement);
    int code = question->output ? cs_command_end_output(&output, question->output, status == CS_OK)
                                : cs_command_close_output(stdout, NULL);
    return status == CS_OK ? code : CS_EXIT_TROUBLE;
}

static int answer_sql(struct cs_run *run, const char *sql, const struct question *question)
{
    char path[CS_SHELL_WORD_BYTES];
    char *select = select_by_name(sql);
    int code = CS_EXIT_TROUBLE;
    if (!select && cs_report_find(sql)) {
        cs_log("%s is a report: callsign report %s %s", sql, cs_shell_word(question->run, path), sql);
    } else if (!select && cs_similar_name_is_word(sql)) {
        cs_similar_name_suggest(sql);
    } else {
        cs_run_share_read(run, select ? select : sql);
        code = print_answer(cs_run_database(run), select ? select : sql, question);
    }
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
    struct cs_run *run = cs_command_open_as(*question->rank_file ? question->rank_file : question->run, 0,
                                            (struct cs_reading){.region = question->region});
    if (run && !question->sql) {
        code = print_catalog(question->run, stdout);
    } else if (run) {
        code = answer_sql(run, text ? text : question->sql, question);
        cs_location_print_lost(NULL);
    }
    cs_run_close(run);
    free(text);
    return code;
}

/* Copies the rows of a rank out of a node's trace into a new temporary folder. */
static bool extract_rank(const char *trace, long rank, struct question *question)
{
    char *path = question->rank_file;
    if (!cs_temporary_folder(question->temporary)) {
        cs_log("cannot make the temporary folder %s: %s; TMPDIR names another place", question->temporary,
               strerror(errno));
        *question->temporary = '\0';
        return false;
    }
    int fd = -1;
    struct stat about; /* the folder is ours alone; outputs get the permissions of the node's trace */
    if (stat(trace, &about) == 0 && cs_run_name_of_rank(question->temporary, (int)rank, CS_RUN_TRACE_SUFFIX, path))
        fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, (about.st_mode & 0666) | 0600);
    if (fd >= 0)
        close(fd);
    enum cs_status status = fd < 0 ? CS_IO : cs_node_trace_extract(trace, rank, path);
    if (status != CS_OK)
        cs_log("cannot copy rank %ld of %s: %s", rank, trace, cs_status_text(status));
    return status == CS_OK;
}

static bool has_rank(const char *trace, long rank)
{
    struct cs_node_trace ranks;
    bool found = cs_node_trace_read(trace, &ranks) == CS_OK && cs_node_trace_has(&ranks, rank);
    cs_node_trace_free(&ranks);
    return found;
}

/* Looks into the files of nodes. *found: there is one, even if it could not be read. */
static bool find_in_nodes(struct question *question, long rank, bool *found)
{
    struct cs_run_files files;
    bool ready = false;
    if (cs_run_files_list(question->run, &files) != CS_OK) {
        *found = true; /* logged */
        return false;
    }
    for (size_t i = 0; !*found && i < files.count; i++) {
        const struct cs_run_file *file = &files.file[i];
        if (file->of_node && has_rank(file->path, rank)) {
            *found = true;
            ready = extract_rank(file->path, rank, question);
        } else if (file->ranked && file->number == (uint64_t)rank) { /* a journal in the folder of a node */
            snprintf(question->rank_file, sizeof question->rank_file, "%s", file->path);
            *found = ready = true;
        }
    }
    cs_run_files_free(&files);
    return ready;
}

static void remove_extracted(const struct question *question)
{
    if (!*question->temporary)
        return;
    cs_temporary_folder_remove(question->temporary);
}

/* Finds the file of a rank in the folder of a run. Returns false (logged) if there is none. */
static bool find_rank(struct question *question, const char *text)
{
    static const char *const suffixes[] = {CS_RUN_TRACE_SUFFIX, CS_RUN_JOURNAL_SUFFIX};
    const char *run = question->run;
    char *end, *path = question->rank_file;
    errno = 0;
    long rank = strtol(text, &end, 10);
    bool number = *text >= '0' && *text <= '9' && !*end && !errno && rank <= INT_MAX;
    for (size_t i = 0; number && i < sizeof suffixes / sizeof *suffixes; i++)
        if (cs_run_name_of_rank(run, (int)rank, suffixes[i], path) && access(path, F_OK) == 0)
            return true;
    bool found = false;
    if (number && find_in_nodes(question, rank, &found))
        return true;
    if (found)
        return false;
    if (number)
        cs_log("there is no file of rank %ld in %s", rank, run);
    else
        cs_log("query: --rank %s: not a rank", text);
    return false;
}

/* True if the only argument is what is asked, not a run. */
static bool is_question(const char *argument)
{
    return strcmp(argument, "-") == 0 ||
           (access(argument, F_OK) != 0 && (cs_similar_name_is_word(argument) || strpbrk(argument, " \t\n")));
}

int cmd_query(int argc, char **argv)
{
    struct cs_options options;
    cs_options_begin(&options, argc, argv, "", help);
    const char *rank = NULL;
    struct question question = {.format = CS_FORMAT_TABLE};
    const char *option;
    while ((option = cs_option_next(&options))) {
        if (cs_option_is(option, "format") && cs_format_parse(optarg, &question.format))
            continue;
        if (cs_option_is(option, "output"))
            question.output = optarg;
        else if (cs_option_is(option, "region"))
            question.region = optarg;
        else if (cs_option_is(option, "rank"))
            rank = optarg;
        else
            return cs_option_stop(&options, option);
    }
    if (argc - optind > 1 && access(argv[optind], F_OK) == 0 && access(argv[optind + 1], F_OK) == 0) {
        cs_log("query: it reads one run, not both %s and %s. Name one, or none for the newest", argv[optind],
               argv[optind + 1]);
        return cs_command_usage("query");
    }
    if (argc - optind > 2) {
        cs_log("query: give one run and one SQL text in quotes; \"%s\" is one argument too many", argv[optind + 2]);
        return cs_command_usage("query");
    }
    bool named = argc - optind == 2 || (argc - optind == 1 && !is_question(argv[optind]));
    question.run = named ? argv[optind++] : cs_newest_run("query", false);
    question.sql = argv[optind]; /* NULL: none */
    if (!question.run)
        return CS_EXIT_TROUBLE;
    bool found = !rank || find_rank(&question, rank);
    int code = found ? answer(&question) : CS_EXIT_TROUBLE;
    remove_extracted(&question);
    return code;
}
