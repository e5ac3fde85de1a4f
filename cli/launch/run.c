/* callsign run: starts a program so that its MPI calls are recorded, and ends as the program ends. */
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/launched.h"
#include "base/log.h"
#include "base/path.h"
#include "base/settings.h"
#include "cli/command/command.h"
#include "cli/command/options.h"
#include "cli/command/program.h"
#include "cli/launch/config.h"
#include "cli/launch/detect_mpi.h"
#include "cli/launch/preload.h"
#include "cli/merge/merge.h"
#include "cli/page/report_run.h"
#include "cli/report/report_checks.h"
#include "cli/rows/frames.h"
#include "cli/text/text.h"
#include "db/run/files.h"
#include "db/run/job.h"
#include "db/run/node_trace.h"
#include "journal/node_folder.h"
#include "journal/reader.h"
#include "journal/run_files.h"

/* ---- the summary: what was recorded, in one line at the end ---- */

enum { RESOLVE_SECONDS = 3, PATIENCE = 10 };

/* The content of a run folder's .run file, written by the first rank of a launch (record/process/run_folder.c). */
struct owner {
    char hash[17], token[65];
    unsigned size; /* size of the launch, from the launcher; 0: unknown */
};

static bool read_owner(const char *run, struct owner *owner)
{
    char path[PATH_MAX], text[256];
    if ((size_t)snprintf(path, sizeof path, "%s/.run", run) >= sizeof path)
        return false;
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return false;
    ssize_t got = read(file, text, sizeof text - 1);
    close(file);
    text[got > 0 ? got : 0] = 0;
    *owner = (struct owner){.size = 0};
    return sscanf(text, "%16[0-9a-f]\n%64[^\n]\n%u", owner->hash, owner->token, &owner->size) >= 2;
}

/* The path as a user would type it: relative to the current folder. */
static const char *from_here(const char *run)
{
    char here[PATH_MAX];
    size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
    bool inside = length > 1 && strncmp(run, here, length) == 0 && run[length] == '/' && run[length + 1] != '-';
    return inside ? run + length + 1 : run;
}

static int is_of_rank(const struct dirent *entry)
{
    bool ranked;
    const char *number;
    return cs_run_name_begins(entry->d_name, &ranked, &number) || cs_node_name_is_trace(entry->d_name) ||
           cs_node_name_is_folder(entry->d_name);
}

static bool is_empty(const char *run)
{
    struct dirent **entries = NULL;
    int count = scandir(run, &entries, is_of_rank, NULL);
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    return count == 0;
}

/* True if the process recorded how it ended, so that its trace was written. */
static bool ended_properly(const struct cs_run_file *file)
{
    struct cs_journal_reader *reader;
    if (file->kind == CS_RUN_TRACE)
        return true;
    if (cs_journal_read_open(file->path, &reader) != CS_OK)
        return false;
    bool finalized = cs_journal_read_header(reader)->outcome == CS_OUTCOME_FINALIZED;
    cs_journal_read_close(reader);
    return finalized;
}

/* Prints what was recorded. Returns the number of ranks. *later: ranks ended properly and left the conversion of their
   journals to a later command. */
static size_t tell_run(const char *run, bool *later)
{
    *later = false;
    if (is_empty(run)) {
        cs_log("nothing was recorded: see the message above");
        return 0;
    }
    struct cs_run_files files;
    if (cs_run_files_list(run, &files) != CS_OK)
        return 0;
    size_t ranks = 0, cut_off = 0;
    for (size_t i = 0; i < files.count; i++) {
        const struct cs_run_file *file = &files.file[i];
        struct cs_node_trace trace = {0};
        if (file->of_node) {
            cs_node_trace_read(file->path, &trace);
            ranks += trace.ranks;
            cut_off += trace.ranks - trace.finalized;
        } else {
            bool ended = ended_properly(file);
            ranks += file->ranked;
            cut_off += !ended;
            *later = *later || (ended && file->kind != CS_RUN_TRACE);
        }
        cs_node_trace_free(&trace);
    }
    bool ranked = ranks > 0;
    if (!ranked)
        ranks = files.count;
    cs_run_files_free(&files);
    char word[CS_SHELL_WORD_BYTES], left[64] = "";
    if (cut_off)
        snprintf(left, sizeof left, " (%zu without MPI_Finalize)", cut_off);
    const char *what = ranked ? "rank" : "process"; /* ended before it knew its rank */
    const char *plural = ranks == 1 ? "" : ranked ? "s" : "es";
    cs_log("%zu %s%s recorded%s; next: callsign %s %s", ranks, what, plural, left, cut_off ? "hang" : "report",
           cs_shell_word(from_here(run), word));
    return ranked ? ranks : 0;
}

/* Processes of one launch, each with a world of its own. */
struct alone {
    size_t runs;
    struct owner launch;
};

static void note_alone(struct alone *alone, const struct owner *owner, size_t ranks)
{
    if (ranks != 1 || owner->size < 2 || (alone->runs && strcmp(alone->launch.hash, owner->hash) != 0))
        return;
    alone->launch = *owner;
    alone->runs++;
}

/* One command of the user. */
struct launch {
    const char *folder; /* parent of the run folders */
    const char *token;  /* CALLSIGN_LAUNCH, as in .run files */
    const char *path;   /* of the command */
    char *const *arguments;
};

/* The launcher of another MPI than the program's starts each process as a job of one rank. A launcher may also be a
   script, or support several MPIs. */
static void tell_alone(unsigned processes, const struct launch *launch)
{
    struct cs_detected detected;
    cs_detect_mpi(launch->path, launch->arguments, &detected);
    const char *of_launcher = *detected.launcher ? cs_mpi_of_launcher(detected.launcher) : NULL;
    if (of_launcher && detected.mpi && strcmp(of_launcher, detected.mpi->title) != 0)
        cs_log("%u processes ran alone, each as a job of one rank: %s is the launcher of %s, but %s uses %s. Use the "
               "launcher of its MPI",
               processes, cs_path_name(detected.launcher), of_launcher, cs_path_name(detected.program),
               detected.mpi->title);
    else
        cs_log("%u processes ran alone, each as a job of one rank: is the launcher that of another MPI? See `callsign "
               "doctor`",
               processes);
}

static int is_name(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Why no run folder can be made there; NULL: it can. */
static const char *trouble_with(const char *folder)
{
    char path[PATH_MAX];
    struct stat about;
    snprintf(path, sizeof path, "%s", folder);
    while (stat(path, &about) != 0 && errno == ENOENT && strlen(path) > 1)
        cs_path_to_folder(path); /* missing folders are created */
    return access(path, W_OK | X_OK) != 0 ? strerror(errno) : NULL;
}

static void tell_nothing(const char *folder, const struct cs_job *job)
{
    const char *trouble = trouble_with(folder);
    if (trouble)
        cs_log("nothing was recorded: cannot make a run folder in %s: %s", folder, trouble);
    else if (job->exit_code > 0)
        cs_log("nothing was recorded: the command failed with exit code %" PRId64 " before a process with callsign's "
               "library called MPI_Init. See its messages above, or `callsign doctor -- COMMAND`",
               job->exit_code);
    else
        cs_log("nothing was recorded: no process with callsign's library called MPI_Init. Did the program call MPI, "
               "and did LD_PRELOAD reach it? See `callsign doctor -- COMMAND`");
}

/* Resolves frames while the program is still the one that ran; it may be rebuilt before the first report. */
static void resolve(void *argument)
{
    const char *run = argument;
    struct cs_run_files files;
    struct cs_frames *frames = cs_frames_new();
    if (frames && cs_run_files_list(run, &files) == CS_OK) {
        for (size_t i = 0; i < files.count; i++)
            if (files.file[i].kind == CS_RUN_TRACE)
                cs_frames_resolve(frames, files.file[i].path);
        cs_run_files_free(&files);
    }
    cs_frames_free(frames);
}

enum { CHECKED_RANKS = 16 }; /* larger runs are merged by the first command that reads them, which takes time */

struct mismatches {
    size_t count;
    char object[64];
    int64_t site;
};

static void count_mismatch(void *context, const struct cs_check *check, struct cs_phrase *line)
{
    struct mismatches *mismatches = context;
    (void)line;
    if (mismatches->count++)
        return;
    snprintf(mismatches->object, sizeof mismatches->object, "%s", check->object);
    mismatches->site = check->site;
}

/* "1 mismatch on rows at main solve.c:214; callsign report RUN checks" */
static void tell_mismatches(void *argument)
{
    const char *path = argument;
    struct cs_run *run = cs_command_open(path, CS_OPEN_NAMES_MISSING);
    if (!run)
        return;
    struct cs_report_output output = {
        .db = cs_run_database(run), .run = path, .resolver = cs_resolver_new(CS_RESOLVER_IN_COMMAND)};
    struct mismatches mismatches = {0};
    if (output.resolver && cs_checks_tell(&output, count_mismatch, &mismatches) == CS_OK && mismatches.count) {
        struct cs_phrase where = {0};
        char word[CS_SHELL_WORD_BYTES];
        cs_report_add_site(&output, &where, " at ", mismatches.site);
        cs_log("%zu mismatch%s on %s%s; callsign report %s checks", mismatches.count,
               mismatches.count == 1 ? "" : "es, the first", mismatches.object, cs_phrase_text(&where),
               cs_shell_word(from_here(path), word));
        cs_phrase_free(&where);
    }
    cs_resolver_free(output.resolver);
    cs_run_close(run);
}

/* Prints the overview to stderr, because stdout belongs to the program, or adds it to a file. */
struct overview {
    char *run;
    const char *file; /* NULL: stderr */
    bool first;       /* of this launch: it replaces the file */
};

static void print_overview_on(int descriptor, const struct overview *overview)
{
    const struct cs_report_request request = {.rows = CS_REPORT_ROWS_DEFAULT, .format = CS_FORMAT_TABLE};
    if (dup2(descriptor, STDOUT_FILENO) < 0)
        return;
    cs_report_run(from_here(overview->run), &request);
    cs_command_close_output(stdout, overview->file);
}

static void print_overview(void *argument)
{
    const struct overview *overview = argument;
    struct cs_output output;
    struct stat about;
    if (!overview->file) {
        print_overview_on(STDERR_FILENO, overview);
    } else if (!overview->first && lstat(overview->file, &about) == 0 && S_ISREG(about.st_mode)) {
        int file = open(overview->file, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (file < 0)
            cs_log("cannot write %s: %s", overview->file, strerror(errno));
        else
            print_overview_on(file, overview);
    } else if (cs_command_open_output(&output, overview->file, CS_OUTPUT_NAMED, NULL)) {
        print_overview_on(fileno(output.stream), overview);
        cs_command_end_output(&output, overview->file, true);
    }
}

/* Works in a child process, which is ended after so many seconds of processor time, or after PATIENCE times as many by
   the clock (0: never). On a busy machine the answer comes later, but it comes. A trace is replaced at once or not at
   all. */
static void work_apart(void (*work)(void *argument), void *argument, unsigned seconds, bool silent)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        sigset_t none;
        sigemptyset(&none);
        signal(SIGALRM, SIG_DFL);
        signal(SIGPROF, SIG_DFL);
        sigprocmask(SIG_SETMASK, &none, NULL);
        setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = seconds}, NULL);
        alarm(PATIENCE * seconds);
        if (!silent || freopen("/dev/null", "w", stderr)) /* the summary reports errors */
            cs_large_stack_call(work, argument);
        _exit(0);
    }
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* The user's wishes for the time after the program. */
struct ending {
    bool quiet;              /* print no summary */
    bool report;             /* print the overview */
    const char *report_file; /* to this file; NULL: to stderr */
    int snapshot_on;         /* the signal for a snapshot; 0: none */
};

/* For each run folder of a launch: stores how the command ended, and prints to stderr the number of ranks, the place,
   and the next command, then the overview if it is wanted. */
static void summarize(const struct launch *launch, const struct cs_job *job, const struct ending *ending)
{
    bool quiet = ending->quiet;
    struct dirent **entries = NULL;
    int count = scandir(launch->folder, &entries, is_name, alphasort);
    size_t found = 0, reported = 0;
    struct alone alone = {.runs = 0};
    for (int i = 0; i < count; i++) {
        char run[PATH_MAX];
        struct owner owner;
        if ((size_t)snprintf(run, sizeof run, "%s/%s", launch->folder, entries[i]->d_name) < sizeof run &&
            read_owner(run, &owner) && strcmp(owner.token, launch->token) == 0) {
            found++;
            if (!is_empty(run) && !cs_job_write(run, job) && !quiet)
                cs_log("cannot write how the command ended into %s: %s", run, strerror(errno));
            work_apart(resolve, run, RESOLVE_SECONDS, true);
            if (!quiet) {
                bool later;
                size_t ranks = tell_run(run, &later);
                note_alone(&alone, &owner, ranks);
                if (ranks > 1 && ranks <= CHECKED_RANKS && !later)
                    work_apart(tell_mismatches, run, RESOLVE_SECONDS, false);
            }
            struct overview overview = {run, ending->report_file, reported == 0};
            if (ending->report && !is_empty(run)) {
                work_apart(print_overview, &overview, 0, false);
                reported++;
            }
        }
        free(entries[i]);
    }
    free(entries);
    if (alone.runs > 1 && alone.runs == found)
        tell_alone(alone.launch.size, launch);
    if (!found && !quiet)
        tell_nothing(launch->folder, job);
}

/* ---- snapshots of the running job ---- */

/* For each run folder of this launch. */
static void write_snapshots(void *context)
{
    const struct launch *launch = context;
    struct dirent **entries = NULL;
    int count = scandir(launch->folder, &entries, is_name, alphasort);
    for (int i = 0; i < count; i++) {
        char run[PATH_MAX];
        struct owner owner;
        if ((size_t)snprintf(run, sizeof run, "%s/%s", launch->folder, entries[i]->d_name) < sizeof run &&
            read_owner(run, &owner) && strcmp(owner.token, launch->token) == 0 && !is_empty(run))
            cs_snapshot_write(run);
        free(entries[i]);
    }
    free(entries);
}

/* Works in a process of its own, which init inherits: the program's end does not wait for it. */
static void take_snapshot(void *context)
{
    pid_t child = fork();
    if (child == 0) {
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        if (fork() == 0)
            cs_large_stack_call(write_snapshots, context);
        _exit(0);
    }
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* 0: not a signal for snapshots. */
static int snapshot_signal(const char *name)
{
    name += strncmp(name, "SIG", 3) == 0 ? 3 : 0;
    return strcmp(name, "USR1") == 0 ? SIGUSR1 : strcmp(name, "USR2") == 0 ? SIGUSR2 : 0;
}

/* ---- options ---- */

enum { OPTION_WIDTH = 26 };

/* Behind the settings. */
static const char own_options[] = "  --report[=FILE]             print the overview at the end, to stderr or FILE\n"
                                  "  --snapshot-on SIGNAL        SIGUSR1, SIGUSR2: snapshot the job when it comes\n"
                                  "  -q, --quiet                 do not print the closing line with the run folder\n"
                                  "  -h, --help                  print this\n\n"
                                  "Also variables and files: see callsign help settings and callsign help config.\n\n"
                                  "Examples:\n"
                                  "  callsign run -- mpirun -n 4 ./program\n"
                                  "  mpirun -n 4 callsign run python3 script.py";

static void print_help(void)
{
    puts("Usage: callsign run [OPTION...] [--] PROGRAM [ARGUMENT...]\n\n"
         "Records all ranks of a program, a launcher or a script. Returns its exit code.\n");
    for (size_t i = 0; i < cs_settings_count; i++) {
        const struct cs_setting *setting = &cs_settings[i];
        char option[64];
        if (!setting->option)
            continue;
        snprintf(option, sizeof option, "--%s %s", setting->option, setting->argument);
        bool wide = strlen(option) > OPTION_WIDTH;
        printf("  %-*s%s%*s%s\n", OPTION_WIDTH, option, wide ? "\n" : "", wide ? OPTION_WIDTH + 4 : 2, "",
               setting->help);
    }
    puts(own_options);
}

static_assert(CS_SETTING_COUNT + 5 <= CS_OPTIONS_MOST, "all options have room");

static const struct cs_setting *setting_of(const char *option)
{
    for (size_t i = 0; i < cs_settings_count; i++)
        if (cs_settings[i].option && cs_option_is(option, cs_settings[i].option))
            return &cs_settings[i];
    return NULL;
}

static bool put_setting(const struct cs_setting *setting, const char *value)
{
    char name[64];
    if (!cs_setting_allows(setting, value)) {
        cs_log("--%s is %s, not %s", setting->option, setting->allowed, value);
        return false;
    }
    if (setting == &cs_settings[CS_SETTING_NAMES] && *value && access(value, R_OK) != 0) {
        cs_log("--names %s: %s", value, strerror(errno));
        return false;
    }
    snprintf(name, sizeof name, "CALLSIGN_%s", setting->name);
    return setenv(name, value, 1) == 0;
}

/* Programs and launchers may change their folder before the rules are read and the journal is made. */
static bool fix_path(const char *variable)
{
    char here[PATH_MAX], path[2 * PATH_MAX];
    const char *value = getenv(variable);
    if (!value || !*value || value[0] == '/')
        return true;
    if (!getcwd(here, sizeof here) || snprintf(path, sizeof path, "%s/%s", here, value) >= (int)sizeof path) {
        cs_log("cannot find %.64s from here (%s): the current folder is gone or its path is too long", value, variable);
        return false;
    }
    return setenv(variable, path, 1) == 0;
}

/* ---- where we are ---- */

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value && *value;
}

static void make_token(char token[17])
{
    uint64_t number;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        number = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec + ((uint64_t)getpid() << 40);
    }
    snprintf(token, 17, "%016llx", (unsigned long long)number);
}

/* Makes CALLSIGN_OUTPUT absolute, so that run folders are found at the end even if the program changes its folder. */
static bool fix_output(char output[PATH_MAX])
{
    const char *wanted = getenv("CALLSIGN_OUTPUT");
    char here[PATH_MAX] = "";
    if (!wanted || !*wanted)
        wanted = ".";
    if (wanted[0] != '/' && !getcwd(here, sizeof here))
        return false;
    int length = strcmp(wanted, ".") == 0 ? snprintf(output, PATH_MAX, "%s", here)
                                          : snprintf(output, PATH_MAX, "%s%s%s", here, *here ? "/" : "", wanted);
    return length < PATH_MAX && setenv("CALLSIGN_OUTPUT", output, 1) == 0;
}

/* The parent of the run folder: CALLSIGN_RUN may name one elsewhere. */
static void write_parent(const char *output, char parent[PATH_MAX])
{
    const char *run = getenv("CALLSIGN_RUN");
    if (!run || !*run)
        run = "x";
    int length =
        run[0] == '/' ? snprintf(parent, PATH_MAX, "%s", run) : snprintf(parent, PATH_MAX, "%s/%s", output, run);
    size_t end = length < PATH_MAX ? (size_t)length : PATH_MAX - 1;
    while (end > 1 && parent[end - 1] == '/')
        parent[--end] = 0;
    cs_path_to_folder(parent);
}

/* ---- the run ---- */

/* Writes the command as one line: each line of the file has one item. */
static void write_command(char command[CS_JOB_COMMAND_BYTES], char *const *arguments)
{
    size_t used = 0;
    *command = 0;
    for (; *arguments && used < CS_JOB_COMMAND_BYTES; arguments++)
        used += (size_t)snprintf(command + used, CS_JOB_COMMAND_BYTES - used, "%s%s", used ? " " : "", *arguments);
    for (char *c = command; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
}

static void describe(struct cs_job *job, const struct cs_program_end *end, char *const *arguments)
{
    *job = (struct cs_job){.ended_utc_ns = (int64_t)cs_clock_pair().realtime_ns,
                           .ran_ns = (int64_t)(end->ended_ns - end->began_ns),
                           .pid = end->pid,
                           .exit_code = WIFSIGNALED(end->status) ? -1 : WEXITSTATUS(end->status)};
    job->began_utc_ns = job->ended_utc_ns - job->ran_ns;
    if (WIFSIGNALED(end->status))
        cs_job_name_signal(WTERMSIG(end->status), job->signal);
    if (end->received) {
        cs_job_name_signal(end->received, job->received);
        job->received_ns = (int64_t)(end->received_ns - end->began_ns);
    }
    write_command(job->command, arguments);
}

static int run_and_tell(const char *path, char **arguments, const struct ending *ending)
{
    char output[PATH_MAX], parent[PATH_MAX], token[17];
    make_token(token);
    if (!fix_output(output) || setenv("CALLSIGN_LAUNCH", token, 1) != 0) {
        cs_log("cannot prepare the environment: the current folder is gone or its path is too long");
        return CS_EXIT_TROUBLE;
    }
    write_parent(output, parent);
    char **complete = cs_preload_arguments(path, arguments);
    struct cs_program_end end;
    struct launch launch = {.folder = parent, .token = token, .path = path, .arguments = arguments};
    const struct cs_program_signal kept = {ending->snapshot_on, take_snapshot, &launch};
    int failed = cs_program_wait(path, complete ? complete : arguments, &kept, &end);
    if (failed)
        return failed;
    const char *record = getenv("CALLSIGN_RECORD");
    bool off = record && strcmp(cs_setting_word(&cs_settings[CS_SETTING_RECORD], record), "off") == 0;
    if (!off) {
        struct cs_job job;
        describe(&job, &end, arguments);
        summarize(&launch, &job, ending);
    }
    cs_program_exit_like(end.status);
}

/* --report has an optional value: a file; the words yes and no are for variables and configuration files. */
static void wish_report(struct ending *ending, const char *value)
{
    bool no = value && strcmp(value, "no") == 0, yes = !value || strcmp(value, "yes") == 0;
    ending->report = !no;
    ending->report_file = no || yes ? NULL : value;
}

/* Options that the command line does not have. Returns false without memory. */
static bool take_config(const struct cs_config *config, const bool *given, struct ending *ending)
{
    const char *quiet = config->item[CS_CONFIG_QUIET].value, *report = config->item[CS_CONFIG_REPORT].value;
    const char *signal = config->item[CS_CONFIG_SNAPSHOT_ON].value;
    if (quiet && !given[CS_CONFIG_QUIET])
        ending->quiet = strcmp(quiet, "yes") == 0;
    if (report && !given[CS_CONFIG_REPORT])
        wish_report(ending, report);
    if (signal && !given[CS_CONFIG_SNAPSHOT_ON])
        ending->snapshot_on = snapshot_signal(signal);
    return cs_config_apply(config);
}

/* Returns -1, or an exit code. */
static int read_options(int argc, char **argv, bool *given, struct ending *ending)
{
    struct cs_options options;
    cs_options_begin(&options, argc, argv, "+", "");
    for (size_t i = 0; i < cs_settings_count; i++)
        if (cs_settings[i].option)
            cs_options_add(&options, cs_settings[i].option);
    cs_options_read(&options, own_options);
    const char *option;
    while ((option = cs_option_next(&options))) {
        if (cs_option_is(option, "help")) {
            print_help();
            return CS_EXIT_OK;
        }
        if (cs_option_is(option, "snapshot-on")) {
            ending->snapshot_on = snapshot_signal(optarg);
            given[CS_CONFIG_SNAPSHOT_ON] = true;
            if (ending->snapshot_on)
                continue;
            cs_log("--snapshot-on is SIGUSR1 or SIGUSR2, not %s", optarg);
            return cs_command_usage("run");
        }
        if (cs_option_is(option, "report")) {
            wish_report(ending, optarg);
            given[CS_CONFIG_REPORT] = true;
        } else if (cs_option_is(option, "quiet")) {
            ending->quiet = given[CS_CONFIG_QUIET] = true;
        } else {
            const struct cs_setting *setting = setting_of(option);
            if (!setting || !put_setting(setting, optarg))
                return cs_command_usage("run");
        }
    }
    return -1;
}

int cmd_run(int argc, char **argv)
{
    bool given[CS_CONFIG_COUNT] = {false};
    struct ending ending = {.quiet = false};
    int code = read_options(argc, argv, given, &ending);
    if (code >= 0)
        return code;
    if (optind == argc) {
        cs_log("no program given");
        return cs_command_usage("run");
    }
    char **arguments = argv + optind;
    char *path;
    int failed = cs_program_find(arguments[0], &path);
    if (failed)
        return failed;
    struct cs_config config;
    /* Ranks of a launch read the same files: one of them logs what is wrong. */
    cs_config_read(&config, path, arguments, cs_launched_rank() > 0);
    /* A launcher that started this process waits for it and signals it, so the program must replace it. An outer
       `callsign run` waits and prints the summary. */
    bool replaced = cs_launched_rank() >= 0 || is_set("CALLSIGN_LAUNCH");
    if (replaced && ending.report && cs_launched_rank() <= 0)
        cs_log("--report is ignored: only callsign run before the launcher can print it");
    if (!take_config(&config, given, &ending) || !fix_path("CALLSIGN_NAMES") || !fix_path("CALLSIGN_JOURNAL"))
        failed = CS_EXIT_TROUBLE;
    if (!failed)
        failed = cs_preload_set(path, arguments);
    if (failed)
        free(path);
    else if (replaced)
        failed = fix_path("CALLSIGN_OUTPUT") ? cs_program_exec(path, cs_preload_merge(arguments)) : CS_EXIT_TROUBLE;
    else
        failed = run_and_tell(path, arguments, &ending);
    cs_config_free(&config);
    return failed;
}
