#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "cli/command/command.h"
#include "cli/command/newest_run.h"
#include "cli/command/options.h"
#include "cli/report/finding.h"
#include "cli/report/report_checks.h"
#include "cli/report/sentences.h"
#include "cli/rows/location.h"
#include "cli/text/xml.h"

static const char help[] = "Usage: callsign check [OPTION...] [RUN]\n\n"
                           "Lists what is wrong, with the line of each call:\n"
                           "collective calls that differ between the members of a communicator, window or\n"
                           "file, in function, root, operation, size or type of the data;\n"
                           "messages that differ between sender and receiver, or that only one of them has;\n"
                           "wrong arguments, and errors that the MPI returned for them (callsign run\n"
                           "--check all finds more); calls in which the MPI ended the run; deadlocks.\n"
                           "Without RUN it reads the newest run of the current folder.\n"
                           "\n"
                           "Exit code: 0 if nothing is wrong; 1 if something is; 2 if there is no run; 3 if\n"
                           "nothing wrong was found, but calls may be missing or the run cannot be read.\n"
                           "\n"
                           "  -j, --junit FILE  write them as a JUnit file, for CI\n"
                           "  -h, --help        print this\n\n"
                           "Example:\n"
                           "  callsign run -- mpirun -n 4 ./tests && callsign check\n";

enum { UNDECIDED = 3 };

struct checking {
    const struct cs_report_output *output;
    FILE *junit; /* NULL: none */
    struct cs_output file;
    size_t count;   /* of what is wrong */
    size_t reasons; /* why more may be */
};

/* A JUnit file has what is wrong as a failure, and why nothing is known as an error. */
static void add_case(struct checking *checking, const char *kind, const char *what, const char *object,
                     const char *outcome, const char *text)
{
    if (!checking->junit)
        return;
    fputs("  <testcase classname=\"callsign.check.", checking->junit);
    cs_xml_text(checking->junit, kind);
    fputs("\" name=\"", checking->junit);
    cs_xml_text(checking->junit, what);
    if (object) {
        fputs(" on ", checking->junit);
        cs_xml_text(checking->junit, object);
    }
    fprintf(checking->junit, "\"><%s message=\"", outcome);
    cs_xml_text(checking->junit, text);
    fputs("\"/></testcase>\n", checking->junit);
}

static void tell(void *context, const struct cs_check *check, struct cs_phrase *line)
{
    struct checking *checking = context;
    struct cs_report_output output = *checking->output;
    checking->count++;
    add_case(checking, check->kind, check->what, check->object, "failure", cs_phrase_text(line));
    cs_report_print_line(&output, line);
}

/* The error class with which the MPI certainly ended ranks. *error: NULL: none; to be freed. */
static enum cs_status find_error(sqlite3 *db, char **error)
{
    struct cs_rows row = cs_rows_begin(db, "SELECT error FROM ended_by_error WHERE error_signal IS NULL");
    *error = cs_rows_next(&row) ? strdup(cs_rows_text(&row, "error")) : NULL;
    return cs_rows_end(&row);
}

static void tell_end(struct checking *checking, const char *kind, bool wrong, const char *text, const char *error)
{
    struct cs_report_output output = *checking->output;
    struct cs_phrase line = {0};
    cs_phrase_add(&line, "%s%s%s%s", wrong ? "" : "Undecided: ", text, error ? ": " : "", error ? error : "");
    add_case(checking, kind, "the end", NULL, wrong ? "failure" : "error", cs_phrase_text(&line));
    cs_report_print_line(&output, &line);
    cs_phrase_free(&line);
    *(wrong ? &checking->count : &checking->reasons) += 1;
}

static bool is_about(const struct cs_sentence *sentence, const char *kind)
{
    return sentence->kind && strcmp(sentence->kind, kind) == 0;
}

/* What may go wrong with other messages, or may be right, is no failure. */
static void tell_warning(const struct checking *checking, const char *text)
{
    struct cs_report_output output = *checking->output;
    struct cs_phrase line = {0};
    cs_phrase_add(&line, "Warning: %s", text);
    cs_report_print_line(&output, &line);
    cs_phrase_free(&line);
}

static void tell_apart(void *context, const struct cs_check *check, struct cs_phrase *line)
{
    struct cs_report_output output = *((const struct checking *)context)->output;
    (void)check;
    cs_report_print_line(&output, line);
}

/* Deadlocks, calls after MPI_Finalize, and ranks that the MPI ended in a call, are wrong: if these were in several
   calls, nobody knows which one it was. What else the overview says of the recording and the end of the ranks is why
   calls may be missing. */
static enum cs_status tell_rest(struct checking *checking)
{
    struct cs_sentences sentences = {0};
    char *error = NULL;
    size_t died = 0;
    enum cs_status status = find_error(checking->output->db, &error);
    if (status == CS_OK)
        status = cs_sentences_collect(checking->output, &sentences);
    for (size_t i = 0; status == CS_OK && i < sentences.count; i++)
        died += is_about(&sentences.sentence[i], "died");
    if (status == CS_OK && error && died > 1)
        tell_end(checking, "died", true, "The MPI ended the run in one of the calls below", error);
    for (size_t i = 0; status == CS_OK && i < sentences.count; i++) {
        const struct cs_sentence *sentence = &sentences.sentence[i];
        const struct cs_finding_kind *kind = cs_finding_find(sentence->kind);
        if (is_about(sentence, "hidden_deadlock"))
            tell_warning(checking, sentence->text);
        bool alone = error && died == 1 && is_about(sentence, "died");
        if (kind && (kind->undecides || is_about(sentence, "deadlock") || is_about(sentence, "after_finalize")))
            tell_end(checking, kind->name, alone || !kind->undecides, sentence->text, alone ? error : NULL);
    }
    free(error);
    cs_sentences_free(&sentences);
    return status;
}

/* A file without failures has one test that passed: some readers refuse an empty one. */
static int end_junit(struct checking *checking, const char *name, bool good)
{
    if (!checking->count && !checking->reasons)
        fputs("  <testcase classname=\"callsign.check\" name=\"no mismatch\"/>\n", checking->junit);
    fputs("</testsuite>\n", checking->junit);
    return cs_command_end_output(&checking->file, name, good);
}

static int check(const char *path, const char *junit)
{
    struct cs_run *run = cs_command_open(path, CS_OPEN_FOR_OVERVIEW);
    if (!run)
        return UNDECIDED;
    struct cs_report_output output = {.db = cs_run_database(run),
                                      .run = path,
                                      .resolver = cs_resolver_new(CS_RESOLVER_IN_COMMAND),
                                      .stream = stdout,
                                      .named = true,
                                      .terminal = cs_terminal_of(stdout)};
    struct checking checking = {.output = &output};
    int code = output.resolver ? CS_EXIT_OK : UNDECIDED;
    if (output.resolver)
        cs_resolver_on_lost_lines(output.resolver, cs_location_note_lost);
    if (code == CS_EXIT_OK && junit) {
        if (!cs_command_open_output(&checking.file, junit, CS_OUTPUT_NAMED, NULL))
            code = UNDECIDED;
        checking.junit = checking.file.stream;
    }
    if (checking.junit)
        fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"callsign check\">\n", checking.junit);
    if (code == CS_EXIT_OK && (cs_checks_tell(&output, tell, &checking) != CS_OK || tell_rest(&checking) != CS_OK ||
                               cs_checks_tell_apart(&output, tell_apart, &checking) != CS_OK))
        code = UNDECIDED;
    if (code == CS_EXIT_OK && !checking.count && !checking.reasons)
        puts(cs_report_find("checks")->empty);
    if (checking.junit && end_junit(&checking, junit, code == CS_EXIT_OK) != CS_EXIT_OK)
        code = UNDECIDED;
    if (code == CS_EXIT_OK && checking.reasons)
        code = UNDECIDED;
    if (checking.count)
        code = CS_EXIT_TROUBLE;
    cs_location_print_lost(stdout);
    cs_resolver_free(output.resolver);
    cs_run_close(run);
    int written = cs_command_close_output(stdout, NULL);
    return code == CS_EXIT_OK ? written : code;
}

int cmd_check(int argc, char **argv)
{
    struct cs_options options;
    cs_options_begin(&options, argc, argv, "", help);
    const char *junit = NULL;
    const char *option;
    while ((option = cs_option_next(&options))) {
        if (!cs_option_is(option, "junit"))
            return cs_option_stop(&options, option);
        junit = optarg;
    }
    if (argc - optind > 1) {
        cs_log("check: give one run");
        return cs_command_usage("check");
    }
    const char *run = optind < argc ? argv[optind] : cs_newest_run("check", false);
    return run ? check(run, junit) : CS_EXIT_USAGE; /* 1 would say that something is wrong */
}
