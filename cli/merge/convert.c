#include "db/convert/journal_to_trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/path.h"
#include "base/settings.h"
#include "cli/command/command.h"
#include "cli/command/options.h"
#include "cli/rows/frames.h"
#include "cli/rows/rows.h"
#include "cli/text/phrase.h"
#include "cli/text/text.h"
#include "db/convert/node.h"
#include "db/run/files.h"
#include "db/run/traces.h"
#include "db/trace/untrusted.h"
#include "journal/node_folder.h"
#include "journal/run_files.h"
#include "reports_sql.h"

static const char help[] = "Usage: callsign convert [--keep] RUN|JOURNAL...\n\n"
                           "Converts journals to traces: rank-00012.journal becomes rank-00012.db. Journals\n"
                           "in node-NAME.journals become node-NAME.db when all ranks of the node have ended.\n"
                           "A crash, a kill or MPI_Abort leaves journals behind. Prints how each process\n"
                           "ended. Looks up functions, files and lines and writes them into the traces, so\n"
                           "that you can read them where the program is not. Leaves journals of running\n"
                           "processes alone.\n"
                           "Other commands convert journals too when they meet them.\n\n"
                           "  --keep      do not remove the journals\n"
                           "  -h, --help  print this\n\n"
                           "Example:\n"
                           "  callsign convert program.k3f9a2xq.callsign\n";

struct tally {
    size_t journals, alive, failed;
    struct cs_frames *frames;
};

/* "rank 2 died in MPI_Recv on rows, 3 facts lost" */
static void add_outcome(struct cs_phrase *text, struct cs_rows *row)
{
    int64_t rank = cs_rows_integer(row, "rank");
    const char *outcome = cs_rows_text(row, "outcome"), *object = cs_rows_text(row, "object");
    cs_phrase_add(text, "%s %" PRId64 " %s", rank < 0 ? "process" : "rank",
                  rank < 0 ? cs_rows_integer(row, "pid") : rank, outcome ? outcome : "");
    if (cs_rows_has(row, "function"))
        cs_phrase_add(text, " in %s", cs_rows_text(row, "function"));
    if (object)
        cs_phrase_add(text, " on %s", object);
    else if (cs_rows_has(row, "kind"))
        cs_phrase_add(text, " on %s %" PRId64, cs_rows_text(row, "kind"), cs_rows_integer(row, "number"));
    if (cs_rows_integer(row, "lost")) {
        cs_phrase_add(text, ", ");
        cs_phrase_add_count(text, cs_rows_integer(row, "lost"), "fact lost", "facts lost");
    }
    if (cs_rows_integer(row, "damaged"))
        cs_phrase_add(text, ", damaged journal");
}

/* "x/rank-00002.journal -> x/rank-00002.db: rank 2 died in MPI_Recv on rows". A node's trace has several ranks; the
   journal's name says which one it was. */
static void tell_outcome(const char *journal, const char *trace)
{
    bool ranked;
    const char *number;
    sqlite3 *db = NULL;
    struct cs_phrase text = {0};
    if (cs_trace_open(trace, &db, NULL) == CS_OK) {
        struct cs_rows row = cs_rows_begin(db, cs_sql_converted_end);
        if (cs_node_name_is_trace(cs_path_name(trace)) && cs_run_name_begins(cs_path_name(journal), &ranked, &number))
            sqlite3_bind_int64(row.statement, 1, strtoll(number, NULL, 10));
        if (cs_rows_next(&row))
            add_outcome(&text, &row);
        cs_rows_end(&row);
    }
    cs_text_put(stdout, journal);
    fputs(" -> ", stdout);
    cs_text_put(stdout, trace);
    fputs(": ", stdout);
    cs_text_put(stdout, text.length ? cs_phrase_text(&text) : "converted");
    putchar('\n');
    cs_phrase_free(&text);
    sqlite3_close(db);
}

static void convert_one(const char *journal, bool keep, struct tally *tally)
{
    char trace[PATH_MAX];
    if (!cs_run_name_of_trace(journal, trace)) {
        cs_log("%s: the name is too long", journal);
        tally->failed++;
        return;
    }
    tally->journals++;
    const struct cs_convert_options options = {.keep_journal = keep,
                                               .unsynced = cs_setting_in_environment(CS_SETTING_SYNC, "off")};
    bool gone;
    enum cs_status status = cs_run_journal_convert(journal, trace, &options, &gone);
    if (gone) { /* there is nothing left to convert */
        tally->journals--;
        return;
    }
    switch (status) {
    case CS_OK:
        cs_frames_resolve(tally->frames, trace);
        tell_outcome(journal, trace);
        break;
    case CS_BUSY:
        tally->alive++;
        break;
    default:
        tally->failed++;
    }
}

/* If some process of the node still runs, its journals are converted one by one. */
static void convert_node(struct cs_run_files *files, const char *folder, bool keep, struct tally *tally, bool *waited)
{
    struct cs_converted_node converted;
    const struct cs_convert_node_options options = {.keep_journals = keep,
                                                    .unsynced = cs_setting_in_environment(CS_SETTING_SYNC, "off")};
    if (cs_run_node_convert(folder, &options, &converted, waited) != CS_OK)
        return;
    if (converted.count && cs_run_files_replace(files, folder, &converted) != CS_OK)
        tally->failed++;
    for (size_t i = 0; i < converted.count; i++)
        tell_outcome(converted.journal[i], converted.trace);
    tally->journals += converted.count;
    cs_converted_node_free(&converted);
}

static void convert_path(const char *path, bool keep, struct tally *tally)
{
    struct cs_run_files files;
    if (cs_run_files_list(path, &files) != CS_OK) {
        tally->failed++;
        return;
    }
    size_t before = tally->journals;
    bool waited = false;
    for (size_t i = 0; i < files.node_folders; i++)
        convert_node(&files, files.node_folder[i], keep, tally, &waited);
    if (waited) { /* another process has converted meanwhile */
        cs_run_files_free(&files);
        if (cs_run_files_list(path, &files) != CS_OK) {
            tally->failed++;
            return;
        }
    }
    tally->failed += files.left_out;
    for (size_t i = 0; i < files.count; i++)
        if (files.file[i].blocked)
            tally->failed++; /* logged when the files were listed */
        else if (files.file[i].kind == CS_RUN_JOURNAL)
            convert_one(files.file[i].path, keep, tally);
        else
            cs_frames_resolve(tally->frames, files.file[i].path);
    if (tally->journals == before && tally->failed == 0) {
        cs_text_put(stdout, path);
        printf(": no journal to convert, %zu trace%s\n", files.count, files.count == 1 ? "" : "s");
    }
    cs_run_files_free(&files);
}

int cmd_convert(int argc, char **argv)
{
    struct cs_options options;
    cs_options_begin(&options, argc, argv, "", help);
    cs_options_set_letter(&options, "keep", 'k');
    bool keep = false;
    const char *option;
    while ((option = cs_option_next(&options))) {
        if (cs_option_is(option, "keep"))
            keep = true;
        else
            return cs_option_stop(&options, option);
    }
    if (optind == argc) {
        cs_log("convert: give a run, a folder *.callsign, or a journal");
        return cs_command_usage("convert");
    }
    struct tally tally = {.frames = cs_frames_new()};
    for (int i = optind; i < argc; i++)
        convert_path(argv[i], keep, &tally);
    cs_frames_free(tally.frames);
    int code = cs_command_close_output(stdout, NULL);
    return tally.failed ? CS_EXIT_TROUBLE : code;
}
