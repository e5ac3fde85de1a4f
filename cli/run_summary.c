#include "cli/run_summary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "base/path.h"
#include "cli/frames.h"
#include "cli/large_stack.h"
#include "cli/shell.h"
#include "db/journal/reader.h"
#include "db/journal/run_names.h"
#include "db/run/files.h"

enum { RESOLVE_SECONDS = 3 };

/* What the first rank of a launch wrote into .run (see record/run_folder.c). */
struct owner {
    char hash[17], token[65];
    unsigned size; /* of the launch, as the launcher says; 0: it does not */
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

/* As a person would type it: relative to the current folder. */
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
    return cs_run_name_begins(entry->d_name, &ranked, &number);
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

/* Traces were written because their processes said how they end. */
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

/* Returns how many ranks were recorded. */
static size_t tell_run(const char *run)
{
    if (is_empty(run)) {
        cs_log("nothing was recorded, for the reason told above");
        return 0;
    }
    struct cs_run_files files;
    if (cs_run_files_list(run, &files) != CS_OK)
        return 0;
    size_t ranks = 0, cut_off = 0;
    for (size_t i = 0; i < files.count; i++) {
        ranks += files.file[i].ranked;
        cut_off += !ended_properly(&files.file[i]);
    }
    bool ranked = ranks > 0;
    if (!ranked)
        ranks = files.count;
    cs_run_files_free(&files);
    char word[CS_SHELL_WORD_BYTES], left[64] = "";
    if (cut_off)
        snprintf(left, sizeof left, " (%zu without a proper end)", cut_off);
    const char *what = ranked ? "rank" : "process"; /* that ended before it knew its rank */
    const char *plural = ranks == 1 ? "" : ranked ? "s" : "es";
    cs_log("%zu %s%s recorded%s; next: callsign %s %s", ranks, what, plural, left, cut_off ? "hang" : "report",
           cs_shell_word(from_here(run), word));
    return ranked ? ranks : 0;
}

/* The processes of one launch of which each has a world of its own. */
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

static int is_name(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Why no run folder can have been made there; NULL: one could. */
static const char *trouble_with(const char *folder)
{
    char path[PATH_MAX];
    struct stat about;
    snprintf(path, sizeof path, "%s", folder);
    while (stat(path, &about) != 0 && errno == ENOENT && strlen(path) > 1)
        cs_path_to_folder(path); /* folders are made as needed */
    return access(path, W_OK | X_OK) != 0 ? strerror(errno) : NULL;
}

static void tell_nothing(const char *folder)
{
    const char *trouble = trouble_with(folder);
    if (trouble)
        cs_log("nothing was recorded: no run folder can be made in %s: %s", folder, trouble);
    else
        cs_log("nothing was recorded: no process that had callsign's library called MPI_Init. Did the program call "
               "MPI, and"
               " did LD_PRELOAD reach it? `callsign doctor -- COMMAND` tries");
}

/* While the program still is the one that ran: it may be built anew before anybody asks for a report. */
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

/* In a child, because nobody waits for it any longer than so. A trace is replaced at once or not at all. */
static void resolve_bounded(char *run)
{
    pid_t child = fork();
    if (child == 0) {
        sigset_t none;
        sigemptyset(&none);
        signal(SIGALRM, SIG_DFL);
        sigprocmask(SIG_SETMASK, &none, NULL);
        alarm(RESOLVE_SECONDS);
        if (freopen("/dev/null", "w", stderr)) /* what is wrong is said by the summary */
            cs_large_stack_call(resolve, run);
        _exit(0);
    }
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
}

void cs_run_summary(const char *folder, const char *token, const struct cs_job *job, bool quiet)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_name, alphasort);
    size_t found = 0;
    struct alone alone = {.runs = 0};
    for (int i = 0; i < count; i++) {
        char run[PATH_MAX];
        struct owner owner;
        if ((size_t)snprintf(run, sizeof run, "%s/%s", folder, entries[i]->d_name) < sizeof run &&
            read_owner(run, &owner) && strcmp(owner.token, token) == 0) {
            found++;
            if (!is_empty(run) && !cs_job_write(run, job) && !quiet)
                cs_log("cannot write how the command ended into %s: %s", run, strerror(errno));
            resolve_bounded(run);
            if (!quiet)
                note_alone(&alone, &owner, tell_run(run));
        }
        free(entries[i]);
    }
    free(entries);
    if (alone.runs > 1 && alone.runs == found)
        cs_log("each process was a job of its own, of one rank, but the launcher started %u together: is it the "
               "launcher of another MPI? callsign doctor tells",
               alone.launch.size);
    if (!found && !quiet)
        tell_nothing(folder);
}
