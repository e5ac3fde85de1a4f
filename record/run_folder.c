#include "record/run_folder.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/path.h"
#include "record/launch.h"
#include "base/proc.h"

enum { PROGRAM_MOST = 64, HASH_DIGITS = 16, TOKEN_MOST = 64, ATTEMPTS_MOST = 1000, LOOKS_MOST = 50 };

static const char suffix[] = ".callsign";
static const char owner_file[] =
    ".run"; /* in a run folder: the launch's hash, CALLSIGN_LAUNCH and the launch's size, each on a line */

/* Programs that run what their argument names. */
static bool is_interpreter(const char *name)
{
    static const char *const interpreters[] = {"python",  "pypy", "perl",   "ruby",     "julia",
                                               "Rscript", "lua",  "octave", "ld-linux", "ld.so"};
    for (size_t i = 0; i < sizeof interpreters / sizeof interpreters[0]; i++)
        if (strncmp(name, interpreters[i], strlen(interpreters[i])) == 0)
            return true;
    return false;
}

/* The script or module that an interpreter runs; NULL when it is not clear: only plain options stand before a script,
   and -c and options with values in the next argument are not guessed at. */
static const char *script_of(const char *arguments, size_t used)
{
    const char *at = cs_proc_next_argument(arguments, used, NULL);
    while (at && (at = cs_proc_next_argument(arguments, used, at))) {
        if (strcmp(at, "-m") == 0)
            return cs_proc_next_argument(arguments, used, at);
        if (at[0] != '-')
            return cs_path_name(at);
        if (at[1] == 0 || (strchr("ceELWX", at[1]) && at[2] == 0))
            return NULL;
    }
    return NULL;
}

/* Into a file name: letters, digits and a few signs; no leading dot or dash; without the ending of a script. */
static void write_program_name(const char *name, char program[PROGRAM_MOST])
{
    size_t length = 0;
    for (; name[length] && length < PROGRAM_MOST - 1; length++) {
        unsigned char c = (unsigned char)name[length];
        bool fits = isalnum(c) || strchr("_+", c) || (strchr(".-", c) && length > 0);
        program[length] = (char)(fits ? c : '_');
    }
    program[length] = 0;
    if (length == 0)
        strcpy(program, "program");
}

static void find_program(const char *proc, pid_t pid, char program[PROGRAM_MOST])
{
    char path[PATH_MAX];
    char *arguments = malloc(CS_PROC_ARGUMENTS_MOST);
    size_t used = arguments ? cs_proc_arguments(proc, pid, arguments, CS_PROC_ARGUMENTS_MOST) : 0;
    const char *name = "program";
    if (cs_proc_executable(proc, pid, path, sizeof path)) {
        name = cs_path_name(path);
        char *deleted = strstr(path, " (deleted)");
        if (deleted)
            *deleted = 0;
    } else if (used) {
        name = cs_path_name(arguments);
    }
    const char *script = used && is_interpreter(name) ? script_of(arguments, used) : NULL;
    write_program_name(script ? script : name, program);
    free(arguments);
}

/* The program's part of a name that callsign makes up. */
static void choose_program(const struct cs_run_request *request, const char *proc, pid_t pid, bool mpmd,
                           char program[PROGRAM_MOST])
{
    if (request->program)
        write_program_name(request->program, program);
    else if (mpmd)
        strcpy(program, "mpmd");
    else
        find_program(proc, pid, program);
}

/* The path of the run folder: <output>/<name>[-<attempt+1>].callsign; a name of the user's keeps its own ending. */
static bool write_path(const struct cs_run_request *request, const char *name, unsigned attempt, char *path,
                       size_t size)
{
    const char *output = request->output && request->output[0] ? request->output : ".";
    char again[16] = "";
    if (attempt > 0)
        snprintf(again, sizeof again, "-%u", attempt + 1);
    size_t length = strlen(name), ending = sizeof suffix - 1;
    while (length > 1 && name[length - 1] == '/')
        length--;
    size_t stem = length;
    if (length > ending && strncmp(name + length - ending, suffix, ending) == 0)
        stem = length - ending;
    return (size_t)snprintf(path, size, "%s%s%.*s%s%.*s", name[0] == '/' ? "" : output, name[0] == '/' ? "" : "/",
                            (int)stem, name, again, (int)(length - stem), name + stem) < size;
}

/* Every folder of the path that is missing. Other ranks do the same at the same time: what exists is fine. */
static bool make_folders(char *path)
{
    for (char *slash = path; slash;) {
        slash = strchr(slash + 1, '/');
        if (slash)
            *slash = 0;
        /* Another error in front, such as a read-only file system, does not matter if the folder is there. */
        int failed = mkdir(path, 0777) != 0 ? errno : 0;
        struct stat status;
        if (failed && (stat(path, &status) != 0 || !S_ISDIR(status.st_mode))) {
            errno = failed == EEXIST ? ENOTDIR : failed;
            return false;
        }
        if (slash)
            *slash = '/';
    }
    return true;
}

enum claim { CLAIM_OURS, CLAIM_OTHERS, CLAIM_FAILED };

/* Whose folder it is, by what the first rank of its launch has written there. Only a moment lies between the making and
   the filling of that file; one that stays empty was left by a process that died there. */
static enum claim claim(const char *folder, const struct cs_launch *launch, const char *token)
{
    char path[PATH_MAX], ours[HASH_DIGITS + TOKEN_MOST + 16], theirs[HASH_DIGITS + 1];
    int length = snprintf(ours, sizeof ours, "%016" PRIx64 "\n%.*s\n%u\n", launch->hash, (int)TOKEN_MOST,
                          token ? token : "", launch->size);
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, owner_file) >= sizeof path)
        return CLAIM_FAILED;
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file >= 0) {
        bool written = write(file, ours, (size_t)length) == length;
        int saved_errno = errno;
        close(file);
        errno = saved_errno;
        return written ? CLAIM_OURS : CLAIM_FAILED;
    }
    if (errno != EEXIST)
        return CLAIM_FAILED;
    for (int i = 0; i < LOOKS_MOST; i++) {
        file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
        if (file < 0)
            return CLAIM_FAILED;
        ssize_t got = read(file, theirs, sizeof theirs);
        close(file);
        if (got == (ssize_t)sizeof theirs)
            return memcmp(ours, theirs, sizeof theirs) == 0 ? CLAIM_OURS : CLAIM_OTHERS;
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
    return CLAIM_OTHERS;
}

enum cs_status cs_run_folder(const struct cs_run_request *request, char *path, size_t size, uint64_t *run_hash)
{
    static char *const nothing[] = {NULL};
    char *const *environment = request->environment;
    if (!environment)
        environment = getauxval(AT_SECURE) ? nothing : environ;
    const char *proc = request->proc ? request->proc : "/proc";
    pid_t pid = request->pid ? request->pid : getpid();

    struct cs_launch launch;
    cs_launch_identify(environment, proc, pid, &launch);
    char program[PROGRAM_MOST], made_up[PROGRAM_MOST + CS_LAUNCH_TEXT_MOST + sizeof suffix], wanted[PATH_MAX],
        resolved[PATH_MAX];
    const char *name = request->run;
    if (!name || !name[0]) {
        choose_program(request, proc, pid, launch.mpmd, program);
        snprintf(made_up, sizeof made_up, "%s.%s%s", program, launch.id, suffix);
        name = made_up;
    }
    enum claim claimed = CLAIM_OTHERS;
    for (unsigned attempt = request->attempt; claimed == CLAIM_OTHERS && attempt < ATTEMPTS_MOST; attempt++) {
        if (!write_path(request, name, attempt, wanted, sizeof wanted))
            return CS_INVALID;
        if (!make_folders(wanted) || !realpath(wanted, resolved))
            return CS_IO;
        if (strlen(resolved) >= size)
            return CS_INVALID;
        claimed = claim(resolved, &launch, cs_launch_variable(environment, "CALLSIGN_LAUNCH"));
    }
    if (claimed == CLAIM_OTHERS)
        errno = EEXIST;
    if (claimed != CLAIM_OURS)
        return CS_IO;
    strcpy(path, resolved);
    *run_hash = launch.hash;
    return CS_OK;
}
