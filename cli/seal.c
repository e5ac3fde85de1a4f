#include "db/seal/convert.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/settings.h"
#include "cli/command.h"
#include "cli/frames.h"
#include "cli/text.h"
#include "db/run/files.h"
#include "db/run/merge_ranks.h"
#include "journal/run_files.h"

static const char help[] = "Usage: callsign seal [--keep] RUN|JOURNAL...\n\n"
                           "Converts journals to traces: rank-00012.journal becomes rank-00012.db. A crash,\n"
                           "a kill or MPI_Abort leaves journals behind. Prints how each process ended. Looks\n"
                           "up functions, files and lines and writes them into the traces, so that you can\n"
                           "read them where the program is not. Leaves journals of running processes alone.\n"
                           "Other commands convert journals too when they meet them.\n\n"
                           "  --keep      do not remove the journals\n"
                           "  -h, --help  print this\n\n"
                           "Example:\n"
                           "  callsign seal program.k3f9a2xq.callsign\n";

struct tally {
    size_t journals, alive, failed;
    struct cs_frames *frames;
};

/* Of tables, not of views, which would have to be added to each trace. */
static const char ended_sql[] =
    "SELECT CASE WHEN p.rank < 0 THEN 'process ' || p.pid ELSE 'rank ' || p.rank END || ' ' || p.outcome ||\n"
    "       coalesce(' in ' || f.name, '') || coalesce(' on ' || coalesce(o.name, o.kind || ' ' || o.object), '') ||\n"
    "       CASE WHEN p.lost > 0 THEN ', ' || p.lost || ' facts lost' ELSE '' END ||\n"
    "       CASE WHEN p.damaged THEN ', the journal was cut off or damaged' ELSE '' END\n"
    "FROM process p LEFT JOIN function f ON f.function = p.last_function\n"
    "     LEFT JOIN object o ON o.rank = p.rank AND o.object = p.last_object LIMIT 1";

/* "x/rank-00002.journal -> x/rank-00002.db: rank 2 died in MPI_Recv on rows" */
static void tell_outcome(const char *journal, const char *trace)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *ended = NULL;
    const char *text = NULL;
    if (cs_untrusted_open(trace, SQLITE_OPEN_READONLY, NULL, &db) == CS_OK &&
        sqlite3_prepare_v2(db, ended_sql, -1, &ended, NULL) == SQLITE_OK && sqlite3_step(ended) == SQLITE_ROW)
        text = (const char *)sqlite3_column_text(ended, 0);
    cs_text_put(stdout, journal);
    fputs(" -> ", stdout);
    cs_text_put(stdout, trace);
    fputs(": ", stdout);
    cs_text_put(stdout, text ? text : "sealed");
    putchar('\n');
    sqlite3_finalize(ended);
    sqlite3_close(db);
}

static void seal_one(const char *journal, bool keep, struct tally *tally)
{
    char trace[PATH_MAX];
    if (!cs_run_name_of_trace(journal, trace)) {
        cs_log("%s: the name is too long", journal);
        tally->failed++;
        return;
    }
    tally->journals++;
    const struct cs_seal_options options = {.keep_journal = keep,
                                            .unsynced = cs_setting_in_environment(CS_SETTING_SYNC, "off")};
    switch (cs_seal(journal, trace, &options)) {
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

static void seal_path(const char *path, bool keep, struct tally *tally)
{
    struct cs_run_files files;
    if (cs_run_files_list(path, &files) != CS_OK) {
        tally->failed++;
        return;
    }
    size_t before = tally->journals;
    tally->failed += files.left_out;
    for (size_t i = 0; i < files.count; i++)
        if (files.file[i].blocked)
            tally->failed++; /* logged when the files were listed */
        else if (files.file[i].kind == CS_RUN_JOURNAL)
            seal_one(files.file[i].path, keep, tally);
        else
            cs_frames_resolve(tally->frames, files.file[i].path);
    if (tally->journals == before && tally->failed == 0) {
        cs_text_put(stdout, path);
        printf(": nothing to seal, %zu trace%s\n", files.count, files.count == 1 ? "" : "s");
    }
    cs_run_files_free(&files);
}

int cmd_seal(int argc, char **argv)
{
    static const struct option options[] = {{"keep", no_argument, NULL, 'k'}, {"help", no_argument, NULL, 'h'}, {0}};
    bool keep = false;
    int option;
    while ((option = getopt_long(argc, argv, "kh", options, NULL)) != -1) {
        if (option == 'k')
            keep = true;
        else
            return option == 'h' ? cs_command_help(help) : cs_command_usage("seal");
    }
    if (optind == argc) {
        cs_log("seal: give a run, a folder *.callsign, or a journal");
        return cs_command_usage("seal");
    }
    struct tally tally = {.frames = cs_frames_new()};
    for (int i = optind; i < argc; i++)
        seal_path(argv[i], keep, &tally);
    cs_frames_free(tally.frames);
    int code = cs_command_close_output(stdout, NULL);
    return tally.failed ? CS_EXIT_TROUBLE : code;
}
