#include "cli/merge/merge.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file_system.h"
#include "base/log.h"
#include "cli/command/command.h"
#include "cli/command/newest_run.h"
#include "cli/command/options.h"
#include "cli/merge/together.h"
#include "cli/rows/frames.h"
#include "cli/text/text.h"
#include "db/run/rank_share.h"
#include "db/trace/untrusted.h"
#include "journal/run_files.h"

static const char help[] = "Usage: callsign merge [RUN] [-o FILE]\n\n"
                           "Writes all ranks of a run into one SQLite database for DuckDB, Python, R and\n"
                           "sqlite3. It has all tables and views (docs/schema.md). Every row has its rank,\n"
                           "all instants are on one clock, and functions, files and lines are looked up.\n"
                           "Every command accepts the file as RUN.\n\n"
                           "Without -o it makes merged.db in the run folder. Other commands read that file,\n"
                           "and make it themselves for a run of more than 16 ranks.\n"
                           "Under an MPI launcher, process 0 writes the file and the others read the ranks.\n"
                           "Without RUN it reads the newest run of the current folder.\n\n"
                           "  -o, --output FILE  the database to make\n"
                           "  -f, --force        replace FILE if it exists\n"
                           "  -h, --help         print this\n\n"
                           "Examples:\n"
                           "  callsign merge program.k3f9a2xq.callsign -o program.db\n"
                           "  mpirun -n 64 callsign merge program.k3f9a2xq.callsign\n";

static const char snapshot_help[] = "Usage: callsign snapshot [RUN] [-o FILE]\n\n"
                                    "Writes what a running job has recorded so far into one SQLite database, as\n"
                                    "callsign merge does: profile, objects, messages, and all events that its\n"
                                    "journals have. The job goes on; nothing happens in its processes.\n"
                                    "Every command accepts the file as RUN.\n\n"
                                    "For NAME.callsign the file is NAME.snapshot-1.db, or the next free number.\n"
                                    "Without RUN it reads the newest run of the current folder.\n"
                                    "callsign run --snapshot-on SIGUSR2 does the same when it receives the signal.\n\n"
                                    "  -o, --output FILE  the database to make\n"
                                    "  -f, --force        replace FILE if it exists\n"
                                    "  -h, --help         print this\n\n"
                                    "Example:\n"
                                    "  callsign snapshot program.k3f9a2xq.callsign\n";

struct merge {
    const char *run, *output;
    char *numbered; /* the output, if its name was chosen here; NULL: the user named it */
    bool force;
    bool snapshot; /* with all events of processes that run */
    bool silent;   /* prints nothing on stdout */
    struct cs_together together;
    struct cs_run_info info;
    int64_t ranks;
};

/* The path of the unfinished output; "" if there is none. */
static char temporary[PATH_MAX];

static void remove_and_end(int signal)
{
    unlink(temporary);
    kill(getpid(), signal); /* the handler removes itself: the default action follows */
}

static void remove_when_interrupted(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = remove_and_end, .sa_flags = (int)SA_RESETHAND};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}

static bool may_write(const struct merge *merge)
{
    struct stat about;
    if (lstat(merge->output, &about) != 0)
        return true;
    if (!S_ISREG(about.st_mode)) {
        cs_log("%s is not a regular file: name another", merge->output);
        return false;
    }
    if (!merge->force)
        cs_log("%s exists; --force replaces it", merge->output);
    return merge->force;
}

/* Opens the run, and notes what is in it. */
static struct cs_run *open_run(struct merge *merge, struct cs_run_options *options)
{
    struct cs_progress progress;
    struct cs_run *run = NULL;
    cs_progress_begin(&progress, "merging ranks");
    options->progress = cs_progress_step;
    options->progress_context = &progress;
    options->parallel = merge->together.parallel;
    options->processes = merge->together.processes;
    enum cs_status status = cs_run_open(merge->run, options, &run);
    cs_progress_end(&progress);
    if (status != CS_OK)
        return NULL;
    cs_merge_query_integer(cs_run_database(run), "SELECT count(*) FROM process", NULL, &merge->ranks);
    merge->info = *cs_run_info(run);
    return run;
}

static bool put_together(struct merge *merge)
{
    struct cs_run_options options = {.database = temporary, .shown = merge->output, .all_events = merge->snapshot};
    struct cs_run *run = open_run(merge, &options);
    if (!run)
        return false;
    cs_run_close(run);
    struct cs_frames *frames = cs_frames_new(); /* NULL: resolves nothing */
    bool filled = cs_frames_resolve_in_place(frames, temporary);
    cs_frames_free(frames);
    if (!filled)
        cs_log("cannot write %s", temporary);
    return filled;
}

/* Finds a free name beside the run. Returns false if there is none. */
static bool name_snapshot(const char *run, char path[PATH_MAX])
{
    enum { MOST = 10000 };
    static const char suffix[] = ".callsign";
    size_t length = strlen(run);
    while (length > 1 && run[length - 1] == '/')
        length--;
    if (length > strlen(suffix) && strncmp(run + length - strlen(suffix), suffix, strlen(suffix)) == 0)
        length -= strlen(suffix);
    struct stat about;
    for (int i = 1; i < MOST; i++) {
        if (snprintf(path, PATH_MAX, "%.*s.snapshot-%d.db", (int)length, run, i) >= PATH_MAX)
            break;
        if (lstat(path, &about) != 0 && !cs_temporary_is_written(path))
            return true;
    }
    cs_log("no name is free for a snapshot of %s: -o names a file", run);
    return false;
}

/* Moves the finished file to its path, or to the next free number, with the permissions of the umask. */
static bool move_to_output(const struct merge *merge, int file)
{
    mode_t mask = umask(0);
    umask(mask);
    if (fchmod(file, cs_output_mode(0666 & ~mask, getegid())) == 0) {
        if (merge->force && rename(temporary, merge->output) == 0)
            return true;
        while (!merge->force) {
            if (cs_rename_without_replacing(temporary, merge->output))
                return true;
            if (errno != EEXIST || !merge->numbered)
                break;
            /* Another snapshot took the number meanwhile. */
            if (!name_snapshot(merge->run, merge->numbered))
                return false;
        }
    }
    cs_log("cannot write %s: %s", merge->output, strerror(errno));
    return false;
}

static void print_summary(const struct merge *merge, const char *path, uint64_t begin_ns)
{
    struct stat about = {.st_size = 0};
    char size[32], time[32];
    uint64_t ns = cs_clock_monotonic_ns() - begin_ns;
    stat(path, &about);
    printf("%lld rank%s in ", (long long)merge->ranks, merge->ranks == 1 ? "" : "s");
    cs_text_put(stdout, path);
    printf(", %s, %s\n", cs_text_bytes(size, sizeof size, (double)about.st_size),
           cs_text_duration(time, sizeof time, (double)ns));
    if (merge->info.left_out)
        printf("%zu of %zu rank files could not be read (see the messages above): the file does not have them\n",
               merge->info.left_out, merge->info.files);
    if (merge->info.alive)
        printf("%zu process%s still run%s: the file has what was recorded until now\n", merge->info.alive,
               merge->info.alive == 1 ? "" : "es", merge->info.alive == 1 ? "s" : "");
    if (merge->info.unknown)
        printf("%zu process%s on other nodes or containers may still run: the file has what was recorded until now\n",
               merge->info.unknown, merge->info.unknown == 1 ? "" : "es");
}

/* Makes the file that becomes the output, and locks it, so that others see that it is being written. -1: logged. */
static int begin_output(const struct merge *merge, void **lock)
{
    int file;
    while ((file = cs_temporary_create_locked(merge->output, !merge->force, temporary, lock)) < 0 && errno == EBUSY &&
           merge->numbered)
        if (!name_snapshot(merge->run, merge->numbered)) /* another snapshot took the number meanwhile */
            return -1;
    if (file < 0 && errno == EBUSY)
        cs_log("%s is being written by another command", merge->output);
    else if (file < 0)
        cs_log("cannot write %s: %s", merge->output, strerror(errno));
    return file;
}

static int write_merged(struct merge *merge)
{
    uint64_t begin_ns = cs_clock_monotonic_ns();
    if (!may_write(merge))
        return CS_EXIT_TROUBLE;
    void *lock;
    int file = begin_output(merge, &lock);
    if (file < 0)
        return CS_EXIT_TROUBLE;
    remove_when_interrupted();
    bool done = put_together(merge) && move_to_output(merge, file);
    if (done && merge->silent)
        cs_log("%lld rank%s in %s", (long long)merge->ranks, merge->ranks == 1 ? "" : "s", merge->output);
    else if (done)
        print_summary(merge, merge->output, begin_ns);
    else
        unlink(temporary);
    cs_writer_lock_release(lock);
    close(file);
    int written = merge->silent ? CS_EXIT_OK : cs_command_close_output(stdout, NULL);
    return done ? written : CS_EXIT_TROUBLE;
}

/* Why no merged file is kept of the run. */
static const char *why_not_kept(const struct merge *merge)
{
    if (merge->info.single)
        return "it is a single file";
    if (merge->info.alive || merge->info.unknown)
        return "it may still run";
    if (merge->ranks <= CS_RUN_KEPT_ABOVE)
        return "commands read so small a run as fast";
    return "no place can be written";
}

/* Makes the merged file that other commands read, unless a valid one is there. */
static int keep_merged(struct merge *merge)
{
    uint64_t begin_ns = cs_clock_monotonic_ns();
    struct cs_frames *frames = cs_frames_new(); /* NULL: resolves nothing */
    struct cs_run_options options = {.look_over_merged = cs_frames_resolve_merged, .look_over_context = frames};
    struct cs_run *run = open_run(merge, &options);
    const char *path = run ? cs_run_merged_file(run) : NULL;
    if (path)
        print_summary(merge, path, begin_ns);
    else if (run)
        cs_log("%s: no merged file is kept, because %s. -o names a file", merge->run, why_not_kept(merge));
    int code = path ? CS_EXIT_OK : CS_EXIT_TROUBLE;
    cs_run_close(run);
    cs_frames_free(frames);
    int written = cs_command_close_output(stdout, NULL);
    return code == CS_EXIT_OK ? written : code;
}

/* Merges with the other processes of the launch, if there are any. */
static int merge_together(struct merge *merge)
{
    struct cs_together *together = &merge->together;
    int code = CS_EXIT_OK;
    cs_together_begin(together);
    if (together->role == CS_ROLE_ALONE || together->role == CS_ROLE_FIRST)
        code = merge->output ? write_merged(merge) : keep_merged(merge);
    if (together->role == CS_ROLE_FIRST)
        cs_rank_share_dismiss(together->parallel, together->processes);
    if (together->role == CS_ROLE_OTHER && !cs_rank_share_serve(together->parallel))
        code = CS_EXIT_TROUBLE;
    cs_together_end(together);
    return code;
}

/* One process of a launch explains wrong arguments. */
static bool is_quiet(const struct merge *merge)
{
    return !merge->snapshot && cs_together_is_quiet();
}

/* Returns the exit code of wrong arguments. */
static int refuse_usage(const struct merge *merge, const char *trouble)
{
    const char *command = merge->snapshot ? "snapshot" : "merge";
    if (is_quiet(merge))
        return CS_EXIT_USAGE;
    if (trouble)
        cs_log("%s: %s", command, trouble);
    return cs_command_usage(command);
}

/* Reads the arguments of merge or snapshot. Returns false after --help or wrong ones, with the exit code. */
static bool read_arguments(struct merge *merge, int argc, char **argv, int *code)
{
    struct cs_options options;
    cs_options_begin(&options, argc, argv, "", merge->snapshot ? snapshot_help : help);
    const char *option;
    opterr = !is_quiet(merge);
    *code = CS_EXIT_OK;
    while ((option = cs_option_next(&options))) {
        if (cs_option_is(option, "output")) {
            merge->output = optarg;
        } else if (cs_option_is(option, "force")) {
            merge->force = true;
        } else {
            if (!cs_option_is(option, "help"))
                *code = refuse_usage(merge, NULL);
            else if (!is_quiet(merge))
                *code = cs_command_help(options.help);
            return false;
        }
    }
    if (argc - optind > 1) {
        *code = refuse_usage(merge, "give one run");
        return false;
    }
    merge->run = optind < argc ? argv[optind] : cs_newest_run(argv[0], is_quiet(merge));
    *code = merge->run ? CS_EXIT_OK : CS_EXIT_TROUBLE;
    return merge->run;
}

int cmd_merge(int argc, char **argv)
{
    struct merge merge = {.run = NULL};
    int code;
    bool valid = read_arguments(&merge, argc, argv, &code);
    if (valid && merge.force && !merge.output) {
        code = refuse_usage(&merge, "--force replaces the FILE of -o");
        valid = false;
    }
    if (valid)
        return merge_together(&merge);
    /* A launcher ends all processes when one fails: the one that explains may not have done so yet. */
    return is_quiet(&merge) ? CS_EXIT_OK : code;
}

/* ---- snapshots ---- */

void cs_snapshot_write(const char *run)
{
    char path[PATH_MAX];
    struct merge merge = {.run = run, .output = path, .numbered = path, .snapshot = true, .silent = true};
    if (name_snapshot(run, path))
        write_merged(&merge);
}

int cmd_snapshot(int argc, char **argv)
{
    char path[PATH_MAX];
    struct merge merge = {.snapshot = true};
    int code;
    if (!read_arguments(&merge, argc, argv, &code))
        return code;
    if (!merge.output) {
        if (!name_snapshot(merge.run, path))
            return CS_EXIT_TROUBLE;
        merge.output = merge.numbered = path;
    }
    return write_merged(&merge);
}
