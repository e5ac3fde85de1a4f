#include "record/launch.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/launched.h"
#include "base/path.h"
#include "base/proc.h"

enum { ANCESTORS_MOST = 64 };

enum kind { KIND_UNKNOWN, KIND_OPENMPI, KIND_HYDRA, KIND_SLURM, KIND_OTHER, KIND_SINGLETON };

/* What the search sees on its way up. */
struct ancestry {
    enum kind kind;       /* of the nearest launcher */
    char ports[256];      /* Hydra: where the proxies report to; the same text on all nodes */
    uint64_t start_ticks; /* of the nearest launcher process on this node */
    bool several_programs;
};

/* The id takes the low bits of the hash only. */
static uint64_t mix(uint64_t x)
{
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdu;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53u;
    return x ^ (x >> 33);
}

const char *cs_launch_variable(char *const *environment, const char *name)
{
    size_t length = strlen(name);
    for (char *const *at = environment; at && *at; at++)
        if (strncmp(*at, name, length) == 0 && (*at)[length] == '=')
            return (*at)[length + 1] ? *at + length + 1 : NULL;
    return NULL;
}

/* The first ancestor of one of these names launched the rank, whatever an outer launcher left in the environment. */
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

/* `mpiexec -n 1 a : -n 1 b`, or a file of such lines. Behind the program's name nothing is the launcher's any more, but
   a lone colon among a program's arguments would have been taken by the launcher, too. */
static bool names_several_programs(const char *arguments, size_t used)
{
    for (const char *at = NULL; (at = cs_proc_next_argument(arguments, used, at));)
        if (strcmp(at, ":") == 0 || strcmp(at, "-configfile") == 0 || strcmp(at, "--configfile") == 0)
            return true;
    return false;
}

/* Options of Hydra's proxies that name the launcher and the group of processes (a spawned group has another number). */
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
    if (cs_launch_variable(environment, "OMPI_COMM_WORLD_RANK"))
        return KIND_OPENMPI;
    if (cs_launch_variable(environment, "PMI_RANK") && cs_launch_variable(environment, "MPI_LOCALNRANKS"))
        return KIND_HYDRA;
    if (cs_launched_by_slurm(cs_launch_variable(environment, "SLURM_STEP_ID")))
        return KIND_SLURM;
    static const char *const others[] = {"PMIX_NAMESPACE", "PALS_APID",     "ALPS_APP_ID",
                                         "FLUX_JOB_ID",    "JSM_NAMESPACE", "PMI_RANK"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (cs_launch_variable(environment, others[i]))
            return KIND_OTHER;
    return KIND_SINGLETON;
}

/* What the ancestors say counts only if the environment has what that launcher gives its ranks. */
static enum kind decide(char *const *environment, enum kind seen)
{
    if (seen == KIND_HYDRA && cs_launch_variable(environment, "PMI_RANK"))
        return seen;
    if (seen == KIND_OPENMPI && cs_launch_variable(environment, "PMIX_NAMESPACE"))
        return seen;
    if (seen == KIND_SLURM && cs_launched_by_slurm(cs_launch_variable(environment, "SLURM_STEP_ID")))
        return seen;
    return kind_of_environment(environment);
}

static void hash_variables(uint64_t *hash, char *const *environment, const char *const names[])
{
    for (; *names; names++) {
        const char *value = cs_launch_variable(environment, *names);
        if (value) {
            *hash = cs_hash_text(*hash, *names);
            *hash = cs_hash_text(*hash, value);
        }
    }
}

static bool same(char *const *environment, const char *one, const char *other)
{
    const char *first = cs_launch_variable(environment, one), *second = cs_launch_variable(environment, other);
    return first && second && strcmp(first, second) == 0;
}

/* A process of this machine, told from a later one with the same pid, in this or another boot. */
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
    /* Open MPI up to 4 makes a random key for every job. */
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
        /* Open MPI 5 names its jobs by host and process only. */
        if (!cs_launch_variable(environment, openmpi[0]) &&
            same(environment, "OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_COMM_WORLD_SIZE"))
            hash_process(hash, proc, ancestry->start_ticks);
        break;
    case KIND_HYDRA:
        *hash = cs_hash_text(*hash, ancestry->ports);
        /* Ports come again; the proxy's start tells more, but only where all ranks have the same proxy. */
        if (same(environment, "MPI_LOCALNRANKS", "PMI_SIZE"))
            hash_process(hash, proc, ancestry->start_ticks);
        break;
    case KIND_SLURM:
        hash_variables(hash, environment, cs_launch_variable(environment, slurm_het[0]) ? slurm_het : slurm);
        break;
    case KIND_OTHER:
        hash_variables(hash, environment, others);
        break;
    default:
        hash_singleton(hash, proc, pid);
    }
}

/* Eight characters of 32: what a person can still read to another. */
static void write_id(const struct cs_launch *launch, const char *job, const char *step, char *id)
{
    static const char digits[] = "abcdefghijklmnopqrstuvwxyz234567";
    char text[9] = "";
    for (int i = 0; i < 8; i++)
        text[i] = digits[(launch->hash >> (5 * i)) & 31];
    if (job)
        snprintf(id, CS_LAUNCH_TEXT_MOST, "%.32s.%.32s", job, step ? step : text);
    else
        snprintf(id, CS_LAUNCH_TEXT_MOST, "%s", text);
}

static bool is_number(char *const *environment, const char *name, int number)
{
    const char *value = cs_launch_variable(environment, name);
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
    const char *value = names[kind] ? cs_launch_variable(environment, names[kind]) : NULL;
    unsigned long size = value ? strtoul(value, NULL, 10) : 0;
    return size < INT_MAX ? (unsigned)size : 0;
}

void cs_launch_identify(char *const *environment, const char *proc, pid_t pid, struct cs_launch *launch)
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

    const char *contexts = cs_launch_variable(environment, "OMPI_NUM_APP_CTX");
    const char *components = cs_launch_variable(environment, "SLURM_HET_SIZE");
    *launch =
        (struct cs_launch){.hash = mix(hash), .mpmd = ancestry.several_programs, .size = size_of(environment, kind)};
    if (kind == KIND_OPENMPI && contexts && strtol(contexts, NULL, 10) > 1)
        launch->mpmd = true;
    if (kind == KIND_SLURM && components && strtol(components, NULL, 10) > 1)
        launch->mpmd = true;
    const char *job = cs_launch_variable(environment, "SLURM_JOB_ID_HET_GROUP_0");
    if (!job)
        job = cs_launch_variable(environment, "SLURM_JOB_ID");
    write_id(launch, job, kind == KIND_SLURM ? cs_launch_variable(environment, "SLURM_STEP_ID") : NULL, launch->id);
}
