#include "record/process/run_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/file_system.h"
#include "base/hash.h"
#include "base/keep_errno.h"
#include "base/launched.h"
#include "base/log.h"
#include "base/path.h"
#include "base/proc.h"
#include "base/settings.h"
#include "base/uncancelled.h"
#include "journal/node_folder.h"
#include "journal/run_files.h"
#include "journal/writer.h"
#include "record/process/recorder.h"

/* ---- launch ---- */

enum { ANCESTORS_MOST = 64, LAUNCH_TEXT_MOST = 80 };

/* The launch of this rank, from the environment and the ancestors, without communication. */
struct launch {
    char id[LAUNCH_TEXT_MOST]; /* valid in a file name: "4711.0", "4711.abcdefgh" or "abcdefgh" */
    uint64_t hash;             /* equal on all ranks of the launch */
    bool mpmd;                 /* the launch has several programs */
    unsigned size;             /* number of processes that the launcher started together; 0: unknown */
};

enum kind { KIND_UNKNOWN, KIND_OPENMPI, KIND_HYDRA, KIND_SLURM, KIND_OTHER, KIND_SINGLETON };

/* Findings of the search through the ancestors. */
struct ancestry {
    enum kind kind;       /* kind of the nearest launcher */
    char ports[256];      /* Hydra: address to which the proxies report, equal on all nodes */
    uint64_t start_ticks; /* start of the nearest launcher process on this node */
    bool several_programs;
};

/* The value of an environment variable, or NULL if it is unset or empty. */
static const char *find_variable(char *const *environment, const char *name)
{
    size_t length = strlen(name);
    for (char *const *at = environment; at && *at; at++)
        if (strncmp(*at, name, length) == 0 && (*at)[length] == '=')
            return (*at)[length + 1] ? *at + length + 1 : NULL;
    return NULL;
}

/* The first ancestor with one of these names launched the rank, whatever an outer launcher left in the environment. */
static enum kind kind_of_process(const char *name)
{
    static const struct {
        const char *prefix;
        enum kind kind;
    } launchers[] = {
        {"hydra_", KIND_HYDRA},   {"pmi_proxy", KIND_HYDRA}, {"orterun", KIND_OPENMPI},  {"orted", KIND_OPENMPI},
        {"mpirun", KIND_OPENMPI}, {"mpiexec", KIND_OPENMPI}, {"prterun", KIND_OPENMPI},  {"prted", KIND_OPENMPI},
        {"prun", KIND_OPENMPI},   {"oshrun", KIND_OPENMPI},  {"slurmstepd", KIND_SLURM},
    };
    for (size_t i = 0; i < sizeof launchers / sizeof launchers[0]; i++)
        if (strncmp(name, launchers[i].prefix, strlen(launchers[i].prefix)) == 0)
            return launchers[i].kind;
    return KIND_UNKNOWN;
}

/* Detects `mpiexec -n 1 a : -n 1 b`, or a file of such lines. After the program's name nothing belongs to the
   launcher. But a lone colon among a program's arguments would have been taken by the launcher, too. */
static bool names_several_programs(const char *arguments, size_t used)
{
    for (const char *at = NULL; (at = cs_proc_next_argument(arguments, used, at));)
        if (strcmp(at, ":") == 0 || strcmp(at, "-configfile") == 0 || strcmp(at, "--configfile") == 0)
            return true;
    return false;
}

/* Reads the options of Hydra's proxies that identify launcher and process group (a spawned group has another
   number). */
static void note_ports(struct ancestry *ancestry, const char *arguments, size_t used)
{
    static const char *const options[] = {"--control-port", "--upstream-host", "--upstream-port", "--pgid"};
    for (const char *at = NULL; (at = cs_proc_next_argument(arguments, used, at));)
        for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
            const char *value = cs_proc_next_argument(arguments, used, at);
            size_t length = strlen(ancestry->ports);
            if (strcmp(at, options[i]) == 0 && value)
                snprintf(ancestry->ports + length, sizeof ancestry->ports - length, "%s=%s;", options[i], value);
        }
}

/* Goes up to the nearest launcher; for Hydra on through its proxies to mpiexec, which only the first node has. */
static void climb(const char *proc, pid_t pid, struct ancestry *ancestry)
{
    char *arguments = malloc(CS_PROC_ARGUMENTS_MOST);
    struct cs_proc_stat stat;
    bool more = arguments && cs_proc_stat(proc, pid, &stat);
    for (int i = 0; more && i < ANCESTORS_MOST && stat.parent > 1; i++) {
        pid_t process = stat.parent;
        if (!cs_proc_stat(proc, process, &stat))
            break;
        size_t used = cs_proc_arguments(proc, process, arguments, CS_PROC_ARGUMENTS_MOST);
        enum kind kind = used ? kind_of_process(cs_path_name(arguments)) : KIND_UNKNOWN;
        if (ancestry->kind == KIND_UNKNOWN) {
            if (kind == KIND_UNKNOWN)
                continue; /* a shell, a debugger, `callsign run` */
            ancestry->kind = kind;
            ancestry->start_ticks = stat.start_ticks;
        }
        if (kind == KIND_HYDRA)
            note_ports(ancestry, arguments, used);
        else if (kind != KIND_UNKNOWN && names_several_programs(arguments, used))
            ancestry->several_programs = true;
        more = kind == KIND_HYDRA;
    }
    free(arguments);
}

static enum kind kind_of_environment(char *const *environment)
{
    if (find_variable(environment, "OMPI_COMM_WORLD_RANK"))
        return KIND_OPENMPI;
    if (find_variable(environment, "PMI_RANK") && find_variable(environment, "MPI_LOCALNRANKS"))
        return KIND_HYDRA;
    if (cs_launched_by_slurm(find_variable(environment, "SLURM_STEP_ID")))
        return KIND_SLURM;
    static const char *const others[] = {"PMIX_NAMESPACE", "PALS_APID",     "ALPS_APP_ID",
                                         "FLUX_JOB_ID",    "JSM_NAMESPACE", "PMI_RANK"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (find_variable(environment, others[i]))
            return KIND_OTHER;
    return KIND_SINGLETON;
}

/* A launcher found among the ancestors counts only if the environment has the variables of its ranks. */
static enum kind decide(char *const *environment, enum kind seen)
{
    if (seen == KIND_HYDRA && find_variable(environment, "PMI_RANK"))
        return seen;
    if (seen == KIND_OPENMPI && find_variable(environment, "PMIX_NAMESPACE"))
        return seen;
    if (seen == KIND_SLURM && cs_launched_by_slurm(find_variable(environment, "SLURM_STEP_ID")))
        return seen;
    return kind_of_environment(environment);
}

static void hash_variables(uint64_t *hash, char *const *environment, const char *const names[])
{
    for (; *names; names++) {
        const char *value = find_variable(environment, *names);
        if (value) {
            *hash = cs_hash_text(*hash, *names);
            *hash = cs_hash_text(*hash, value);
        }
    }
}

static bool same(char *const *environment, const char *one, const char *other)
{
    const char *first = find_variable(environment, one), *second = find_variable(environment, other);
    return first && second && strcmp(first, second) == 0;
}

/* Hashes a process of this machine, so that a later one with the same pid, in this or another boot, differs. */
static void hash_process(uint64_t *hash, const char *proc, uint64_t start_ticks)
{
    char text[128];
    cs_proc_line(proc, "sys/kernel/random/boot_id", text, sizeof text);
    *hash = cs_hash_text(*hash, text);
    snprintf(text, sizeof text, "%llu", (unsigned long long)start_ticks);
    *hash = cs_hash_text(*hash, text);
}

static void hash_singleton(uint64_t *hash, const char *proc, pid_t pid)
{
    char text[256];
    struct cs_proc_stat stat = {.start_ticks = 0};
    cs_proc_line(proc, "sys/kernel/hostname", text, sizeof text);
    *hash = cs_hash_text(*hash, text);
    snprintf(text, sizeof text, "%d", (int)pid);
    *hash = cs_hash_text(*hash, text);
    cs_proc_stat(proc, pid, &stat);
    hash_process(hash, proc, stat.start_ticks);
}

static void hash_launch(uint64_t *hash, char *const *environment, const char *proc, pid_t pid, enum kind kind,
                        const struct ancestry *ancestry)
{
    /* Open MPI up to 4 makes a random key for each job. */
    static const char *const openmpi[] = {"OMPI_MCA_orte_precondition_transports", "PMIX_NAMESPACE", NULL};
    static const char *const slurm[] = {"SLURM_JOB_ID_HET_GROUP_0", "SLURM_JOB_ID", "SLURM_STEP_ID",
                                        "SLURM_RESTART_COUNT", NULL};
    static const char *const slurm_het[] = {"SLURM_JOB_ID_HET_GROUP_0", "SLURM_STEP_ID", "SLURM_RESTART_COUNT", NULL};
    static const char *const others[] = {"PMIX_NAMESPACE", "PALS_APID", "ALPS_APP_ID",  "FLUX_JOB_ID",
                                         "JSM_NAMESPACE",  "PMI_JOBID", "PMI_KVS_NAME", "LSB_JOBID",
                                         "PBS_JOBID",      NULL};
    switch (kind) {
    case KIND_OPENMPI:
        hash_variables(hash, environment, openmpi);
        /* Open MPI 5 names its jobs only by host and process. */
        if (!find_variable(environment, openmpi[0]) &&
            same(environment, "OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_COMM_WORLD_SIZE"))
            hash_process(hash, proc, ancestry->start_ticks);
        break;
    case KIND_HYDRA:
        *hash = cs_hash_text(*hash, ancestry->ports);
        /* Ports are reused. The start of the proxy helps, but only if all ranks have the same proxy. */
        if (same(environment, "MPI_LOCALNRANKS", "PMI_SIZE"))
            hash_process(hash, proc, ancestry->start_ticks);
        break;
    case KIND_SLURM:
        hash_variables(hash, environment, find_variable(environment, slurm_het[0]) ? slurm_het : slurm);
        break;
    case KIND_OTHER:
        hash_variables(hash, environment, others);
        break;
    default:
        hash_singleton(hash, proc, pid);
    }
}

/* Eight of 32 characters: short enough to read aloud. */
static void write_id(const struct launch *launch, const char *job, const char *step, char *id)
{
    static const char digits[] = "abcdefghijklmnopqrstuvwxyz234567";
    char text[9] = "";
    for (int i = 0; i < 8; i++)
        text[i] = digits[(launch->hash >> (5 * i)) & 31];
    if (job)
        snprintf(id, LAUNCH_TEXT_MOST, "%.32s.%.32s", job, step ? step : text);
    else
        snprintf(id, LAUNCH_TEXT_MOST, "%s", text);
}

static bool is_number(char *const *environment, const char *name, int number)
{
    const char *value = find_variable(environment, name);
    return value && strtol(value, NULL, 10) == number;
}

bool cs_launch_is_on_node(char *const *environment, int size)
{
    return (is_number(environment, "OMPI_COMM_WORLD_LOCAL_SIZE", size) &&
            is_number(environment, "OMPI_COMM_WORLD_SIZE", size)) ||
           (is_number(environment, "MPI_LOCALNRANKS", size) && is_number(environment, "PMI_SIZE", size));
}

static unsigned size_of(char *const *environment, enum kind kind)
{
    static const char *const names[] = {[KIND_OPENMPI] = "OMPI_COMM_WORLD_SIZE",
                                        [KIND_HYDRA] = "PMI_SIZE",
                                        [KIND_SLURM] = "SLURM_STEP_NUM_TASKS",
                                        [KIND_SINGLETON] = NULL};
    const char *value = names[kind] ? find_variable(environment, names[kind]) : NULL;
    unsigned long size = value ? strtoul(value, NULL, 10) : 0;
    return size < INT_MAX ? (unsigned)size : 0;
}

/* Identifies the launch. environment: "NAME=value" strings, ended by NULL; proc: folder of /proc; pid: the rank.
   Never fails: a process without launcher is a launch of its own. */
static void identify_launch(char *const *environment, const char *proc, pid_t pid, struct launch *launch)
{
    struct ancestry ancestry = {.kind = KIND_UNKNOWN};
    climb(proc, pid, &ancestry);
    enum kind kind = decide(environment, ancestry.kind);
    if (kind != ancestry.kind) {
        ancestry.start_ticks = 0;
        ancestry.several_programs = false;
    }
    uint64_t hash = CS_HASH_BEGIN;
    hash_launch(&hash, environment, proc, pid, kind, &ancestry);
    static const char *const token[] = {"CALLSIGN_LAUNCH", NULL};
    hash_variables(&hash, environment, token);

    const char *contexts = find_variable(environment, "OMPI_NUM_APP_CTX");
    const char *components = find_variable(environment, "SLURM_HET_SIZE");
    *launch = (struct launch){
        .hash = cs_hash_mix(0, hash), .mpmd = ancestry.several_programs, .size = size_of(environment, kind)};
    if (kind == KIND_OPENMPI && contexts && strtol(contexts, NULL, 10) > 1)
        launch->mpmd = true;
    if (kind == KIND_SLURM && components && strtol(components, NULL, 10) > 1)
        launch->mpmd = true;
    const char *job = find_variable(environment, "SLURM_JOB_ID_HET_GROUP_0");
    if (!job)
        job = find_variable(environment, "SLURM_JOB_ID");
    write_id(launch, job, kind == KIND_SLURM ? find_variable(environment, "SLURM_STEP_ID") : NULL, launch->id);
}

/* ---- run folder ---- */

enum { PROGRAM_MOST = 64, HASH_DIGITS = 16, TOKEN_MOST = 64, ATTEMPTS_MOST = 1000, LOOKS_MOST = 50 };

static const char suffix[] = ".callsign";
static const char owner_file[] =
    ".run"; /* file in a run folder: the launch's hash, CALLSIGN_LAUNCH and the launch's size, one per line */

/* Makes a file name: letters, digits and a few signs; no leading dot or dash; without a script's suffix. */
static void write_program_name(const char *name, char program[PROGRAM_MOST])
{
    size_t length = 0;
    for (; name[length] && length < PROGRAM_MOST - 1; length++) {
        char c = name[length];
        bool fits = cs_ascii_is_alnum(c) || strchr("_+", c) || (strchr(".-", c) && length > 0);
        program[length] = fits ? c : '_';
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
    const char *script = used ? cs_proc_script(name, arguments, used) : NULL;
    write_program_name(script ? script : name, program);
    free(arguments);
}

/* The program's part of a run folder's name. */
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

/* The path of the run folder: <output>/<name>[-<attempt+1>].callsign; a user's name keeps its own suffix. */
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

/* Makes all missing folders of the path. Other ranks do the same at the same time: existing folders are fine. */
static bool make_folders(char *path)
{
    for (char *slash = path; slash;) {
        slash = strchr(slash + 1, '/');
        if (slash)
            *slash = 0;
        /* For folders that exist, other errors, such as a read-only file system, do not matter. */
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

/* Finds the owner of the folder by the file that the first rank of its launch writes there. It is filled a moment
   after it is made; one that stays empty is from a process that died. */
static enum claim claim(const char *folder, const struct launch *launch, const char *token)
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

enum cs_status cs_run_folder(const struct cs_run_request *request, char *path, size_t size, uint64_t *run_hash,
                             unsigned *processes)
{
    static char *const nothing[] = {NULL};
    char *const *environment = request->environment;
    if (!environment)
        environment = getauxval(AT_SECURE) ? nothing : environ;
    const char *proc = request->proc ? request->proc : "/proc";
    pid_t pid = request->pid ? request->pid : getpid();

    struct launch launch;
    identify_launch(environment, proc, pid, &launch);
    char program[PROGRAM_MOST], made_up[PROGRAM_MOST + LAUNCH_TEXT_MOST + sizeof suffix], wanted[PATH_MAX],
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
        claimed = claim(resolved, &launch, find_variable(environment, "CALLSIGN_LAUNCH"));
    }
    if (claimed == CLAIM_OTHERS)
        errno = EEXIST;
    if (claimed != CLAIM_OURS)
        return CS_IO;
    strcpy(path, resolved);
    *run_hash = launch.hash;
    if (processes)
        *processes = launch.size;
    return CS_OK;
}

/* ---- save ---- */

enum { ATTEMPTS_MAX = 1000, NODE_LOCAL_ATTEMPTS_MAX = 16, NODE_FOLDER_ATTEMPTS_MAX = 4 };

enum { NODE_FILES_ABOVE = 256 }; /* ranks; below, the files are few, and journals can be read from all nodes */

static char folder[PATH_MAX];
static char node_folder[PATH_MAX]; /* "": each rank has a file of its own */
static struct cs_run_request request;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects both, and the choice of a name */

/* Stops the recording for good; the program continues. */
static void give_up(const char *what, const char *why)
{
    cs_recorder_switch(CS_RECORDS_CALLS, false);
    cs_log("nothing is recorded, the program runs on: %s: %s", what, why);
}

static bool wants_node_file(int size)
{
    return cs_setting_is(CS_SETTING_FILES, "node") ||
           (cs_setting_is(CS_SETTING_FILES, "auto") && size > NODE_FILES_ABOVE);
}

/* Where the user wants journals, or else where they spare a parallel file system. NULL: in the run folder. */
static const char *choose_storage(void)
{
    const char *wanted = cs_setting_text(CS_SETTING_JOURNAL);
    if (strcmp(wanted, CS_SETTING_IN_RUN) == 0 || cs_setting_is(CS_SETTING_KEEP_JOURNAL, "yes"))
        return NULL;
    return *wanted ? wanted : cs_node_storage(cs_file_system_at(folder));
}

/* Without this folder each rank has a file of its own. */
static void choose_node_folder(bool in_run)
{
    const char *storage = in_run ? NULL : choose_storage();
    uint64_t run_hash = cs_journal_header(cs_recorder.journal)->run_hash;
    if (storage && cs_node_folder_make(folder, storage, run_hash, node_folder))
        return;
    if (storage && *cs_setting_text(CS_SETTING_JOURNAL))
        cs_log("the journal is in the run folder, not in %s: %s", storage, strerror(errno));
    if (!cs_node_folder_make(folder, NULL, run_hash, node_folder))
        *node_folder = '\0';
}

const char *cs_recorder_run_folder(void)
{
    return folder;
}

const char *cs_recorder_node_folder(void)
{
    return node_folder;
}

/* Chooses the folder and a file name in it that no earlier run left there. */
static void choose_folder(void)
{
    uint64_t run_hash = 0;
    unsigned processes = 0;
    enum cs_status status = cs_run_folder(&request, folder, sizeof folder, &run_hash, &processes);
    if (status == CS_OK) {
        struct cs_journal_header *header = cs_journal_header(cs_recorder.journal);
        header->run_hash = run_hash;
        *node_folder = '\0';
        if (wants_node_file(header->size > 0 ? header->size : (int)processes))
            choose_node_folder(false);
        return;
    }
    const char *why = status == CS_IO ? strerror(errno) : cs_status_text(status);
    give_up(request.run && *request.run ? request.run : request.output, why);
}

/* Puts the journal on storage of the node if the user names a folder there. Returns false if not; if it was wanted,
   one line says why. */
static bool save_node_local(const char *path)
{
    const char *wanted = cs_setting_text(CS_SETTING_JOURNAL);
    char local[PATH_MAX], file[PATH_MAX];
    if (!*wanted || strcmp(wanted, CS_SETTING_IN_RUN) == 0)
        return false;
    uint64_t run_hash = cs_journal_header(cs_recorder.journal)->run_hash;
    bool again = realpath(wanted, local) != NULL;
    for (unsigned attempt = 0; again && attempt < NODE_LOCAL_ATTEMPTS_MAX; attempt++) {
        errno = ENAMETOOLONG;
        if (cs_node_local_name(local, run_hash, attempt, file) &&
            cs_journal_save(cs_recorder.journal, path, file) == CS_OK)
            return true;
        again = errno == EEXIST;
    }
    cs_log("the journal is in the run folder, not in %s: %s", wanted, strerror(errno));
    return false;
}

/* Puts the journal into the folder of the node, which the last rank of an earlier program may remove meanwhile. */
static bool save_in_node_folder(void)
{
    char path[PATH_MAX];
    for (int i = 0; *node_folder && i < NODE_FOLDER_ATTEMPTS_MAX; i++) {
        errno = ENAMETOOLONG;
        if (cs_run_name_of_process(node_folder, path) && cs_journal_save(cs_recorder.journal, path, NULL) == CS_OK)
            return true;
        if (errno != ENOENT)
            break;
        choose_node_folder(false);
    }
    *node_folder = '\0';
    return false;
}

static void save_locked(void)
{
    if (!cs_is_recording() || cs_journal_is_in_file(cs_recorder.journal))
        return;
    request.output = cs_setting_text(CS_SETTING_OUTPUT);
    request.run = cs_setting_text(CS_SETTING_RUN);
    choose_folder();
    if (!cs_is_recording())
        return;
    if (save_in_node_folder())
        return;
    char path[PATH_MAX];
    if (!cs_run_name_of_process(folder, path)) {
        give_up(folder, strerror(ENAMETOOLONG));
        return;
    }
    if (!save_node_local(path) && cs_journal_save(cs_recorder.journal, path, NULL) != CS_OK)
        give_up(path, strerror(errno));
}

/* Several threads may open their first session at the same time. */
void cs_recorder_save(void)
{
    CS_UNCANCELLED;
    CS_KEEP_ERRNO;
    if (!cs_is_recording())
        return;
    pthread_mutex_lock(&lock);
    save_locked();
    pthread_mutex_unlock(&lock);
}

static bool file_exists(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0;
}

/* Another program of the launch wrote the trace of this node. Its ranks are taken to be the same. */
static bool is_node_converted(void)
{
    char trace[PATH_MAX];
    return *node_folder && cs_node_name_of_trace(node_folder, 1, trace) && file_exists(trace);
}

/* Renames the journal. Returns false with the cause in errno. */
static bool rename_in_folder(int rank)
{
    char path[PATH_MAX];
    for (int i = 0; i < NODE_FOLDER_ATTEMPTS_MAX; i++) {
        errno = ENAMETOOLONG;
        if (cs_run_name_of_rank(*node_folder ? node_folder : folder, rank, CS_RUN_JOURNAL_SUFFIX, path) &&
            cs_journal_rename(cs_recorder.journal, path) == CS_OK)
            return true;
        if (errno != ENOENT || !*node_folder)
            break;
        choose_node_folder(false); /* another program of the launch has removed it */
    }
    return false;
}

/* Renames to rank-00012.journal; if the folder has traces of this rank from another run, in the next folder. */
static bool name_by_rank(int rank)
{
    for (; request.attempt < ATTEMPTS_MAX; request.attempt++) {
        char journal[PATH_MAX], converted[PATH_MAX];
        if (request.attempt)
            choose_folder();
        if (!cs_is_recording())
            return true;
        if (!cs_run_name_of_rank(folder, rank, CS_RUN_JOURNAL_SUFFIX, journal) ||
            !cs_run_name_of_rank(folder, rank, CS_RUN_TRACE_SUFFIX, converted)) {
            errno = ENAMETOOLONG;
            return false;
        }
        if (file_exists(converted) || (*node_folder && file_exists(journal)) || is_node_converted())
            continue;
        if (rename_in_folder(rank))
            return true;
        if (errno != EEXIST)
            return false;
    }
    return false;
}

bool cs_recorder_node_is_elsewhere(void)
{
    struct stat about;
    return *node_folder && lstat(node_folder, &about) == 0 && S_ISLNK(about.st_mode);
}

void cs_recorder_leave_node(void)
{
    char path[PATH_MAX];
    if (cs_recorder_node_is_elsewhere() &&
        snprintf(path, sizeof path, "%s/%s", folder, cs_path_name(cs_journal_path(cs_recorder.journal))) < PATH_MAX)
        cs_journal_leave_folder(cs_recorder.journal, path);
}

void cs_recorder_set_world(int rank, int size)
{
    CS_UNCANCELLED;
    if (!cs_is_recording())
        return;
    pthread_mutex_lock(&lock);
    struct cs_journal_header *header = cs_journal_header(cs_recorder.journal);
    bool named = header->rank >= 0;
    if (rank < 0)
        rank = named ? header->rank : cs_launched_rank();
    header->rank = rank < 0 ? 0 : rank;
    header->size = size;
    /* The launcher did not say how many processes there are. */
    if (!named && !*node_folder && wants_node_file(size))
        choose_node_folder(true);
    if (!named && !name_by_rank(header->rank))
        cs_log("cannot rename %s: %s", cs_journal_path(cs_recorder.journal), strerror(errno));
    pthread_mutex_unlock(&lock);
}

bool cs_recorder_has_world(void)
{
    return cs_journal_header(cs_recorder.journal)->size > 0;
}

/* Only one process can create this file. */
bool cs_recorder_is_first_to(const char *name)
{
    CS_UNCANCELLED;
    CS_KEEP_ERRNO;
    char path[PATH_MAX];
    pthread_mutex_lock(&lock);
    int length = *folder ? snprintf(path, sizeof path, "%s/.%s", folder, name) : 0;
    pthread_mutex_unlock(&lock);
    if (length <= 0 || (size_t)length >= sizeof path)
        return true;
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0)
        return errno != EEXIST;
    close(file);
    return true;
}

void cs_recorder_withdraw(void)
{
    CS_UNCANCELLED;
    CS_KEEP_ERRNO;
    pthread_mutex_lock(&lock);
    if (cs_is_recording())
        cs_journal_remove(cs_recorder.journal);
    cs_recorder_switch(CS_RECORDS_CALLS, false);
    pthread_mutex_unlock(&lock);
}
