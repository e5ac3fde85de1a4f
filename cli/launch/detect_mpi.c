#include "cli/launch/detect_mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/shared_library.h"
#include "base/words.h"
#include "cli/command/program.h"
#include "cli/launch/elf.h"

/* Commands that run a program from their arguments. Launchers of MPI programs match by prefix (mpirun.openmpi,
   mpiexec.hydra), others by the whole name. */
static const char *const launchers[] = {"mpirun", "mpiexec", "orterun", "prterun", "prun",  "oshrun", "shmemrun",
                                        "srun",   "aprun",   "palsrun", "jsrun",   "ibrun", "flux"};
static const char *const runners[] = {"callsign", "chrt",   "env",     "gdb",  "ionice",  "ltrace",
                                      "nice",     "nohup",  "numactl", "perf", "setarch", "setsid",
                                      "stdbuf",   "strace", "taskset", "time", "timeout", "valgrind"};

/* Launcher options with two values; the second may be the name of a command: --mca plm_rsh_agent ssh. */
static const char *const two_values[] = {"mca", "gmca", "omca", "prtemca", "pmixmca", "env", "genv"};

static bool is_launcher(const char *path)
{
    const char *name = cs_path_name(path);
    return cs_begins_with_one_of(name, launchers, sizeof launchers / sizeof *launchers);
}

static bool is_runner(const char *path)
{
    const char *name = cs_path_name(path);
    if (is_launcher(path))
        return true;
    return cs_is_one_of(name, runners, sizeof runners / sizeof *runners);
}

/* Number of words after an option that are its values. Which options have values is unknown: one is assumed. */
static unsigned values_of(const char *option)
{
    const char *name = option + strspn(option, "-");
    for (size_t i = 0; i < sizeof two_values / sizeof *two_values; i++)
        if (strcmp(name, two_values[i]) == 0)
            return 2;
    return 1;
}

static const struct cs_known_mpi *mpi_of(const struct cs_elf *elf)
{
    const struct cs_known_mpi *mpi = NULL;
    for (unsigned i = 0; i < elf->needed_count && !mpi; i++)
        mpi = cs_known_mpi_of(elf->needed[i]);
    return mpi;
}

enum kind {
    KIND_RUNNER, /* runs a program from its arguments */
    KIND_MPI,    /* a program that needs an MPI */
    KIND_OTHER,  /* any other program or script */
};

static enum kind look_at(const char *path, const struct cs_known_mpi **mpi, bool *is_static)
{
    struct cs_elf elf;
    cs_elf_read(path, &elf);
    *is_static = elf.is_elf && !elf.is_dynamic;
    *mpi = mpi_of(&elf);
    return *mpi ? KIND_MPI : is_runner(path) ? KIND_RUNNER : KIND_OTHER;
}

/* The next word that is a program, or ':' between two; NULL: none. *path: its file, to be freed. A word after an
   option counts as its value, even if it is the name of a command (--map-by node), unless it has a slash or needs an
   MPI. */
static char *const *next_program(char *const *word, char **path)
{
    const struct cs_known_mpi *mpi;
    bool is_static;
    unsigned values = 0;
    bool are_values = false; /* surely, such as the library in: -genv LD_PRELOAD library */
    for (; *word; word++) {
        *path = NULL;
        if (strcmp(*word, ":") == 0)
            return word;
        if (**word == '-') {
            values = values_of(*word);
            are_values = strcmp(*word, "-env") == 0 || strcmp(*word, "-genv") == 0;
            continue;
        }
        bool is_value = values > 0 && !strchr(*word, '/');
        bool surely = values > 0 && are_values;
        values -= values > 0;
        if (surely || cs_program_look_up(*word, path) != 0)
            continue;
        if (!is_value || is_runner(*path) || look_at(*path, &mpi, &is_static) == KIND_MPI)
            return word;
        free(*path);
    }
    return NULL;
}

/* Adds a program, unless it only runs others. Returns true if it was added. */
static bool add_program(struct cs_detected *detected, const char *path)
{
    const struct cs_known_mpi *mpi;
    bool is_static;
    if (look_at(path, &mpi, &is_static) == KIND_RUNNER) {
        if (!*detected->launcher && is_launcher(path))
            snprintf(detected->launcher, sizeof detected->launcher, "%s", path);
        return false;
    }
    if (!*detected->program) {
        snprintf(detected->program, sizeof detected->program, "%s", path);
        detected->is_static = is_static;
        detected->mpi = mpi;
    } else if (detected->mpi != mpi) {
        detected->mpi = NULL;
    }
    return true;
}

void cs_detect_mpi(const char *path, char *const arguments[], struct cs_detected *detected)
{
    memset(detected, 0, sizeof *detected);
    if (add_program(detected, path))
        return;
    bool in_arguments = false; /* of a program that was found */
    char *file;
    for (char *const *word = arguments + 1; (word = next_program(word, &file)); word++) {
        if (!file) {
            in_arguments = false;
        } else if (!in_arguments && add_program(detected, file)) {
            in_arguments = true;
            if (!detected->mpi) {
                free(file);
                return;
            }
        }
        free(file);
    }
}

bool *cs_detect_program_words(char *const arguments[], size_t count)
{
    struct cs_detected detected = {.mpi = NULL};
    bool *own = calloc(count + 1, sizeof *own);
    bool in_arguments = false; /* of a program that was found */
    char *const *begin = arguments, *file;
    for (char *const *word = arguments; own && (word = next_program(word, &file)); begin = word++) {
        for (; in_arguments && begin < word; begin++)
            own[begin - arguments] = true;
        in_arguments = file && (in_arguments || add_program(&detected, file));
        free(file);
    }
    for (; own && in_arguments && *begin; begin++)
        own[begin - arguments] = true;
    return own;
}

bool cs_needs_pmix(const char *path)
{
    struct cs_elf elf;
    cs_elf_read(path, &elf);
    for (unsigned i = 0; i < elf.needed_count; i++)
        if (cs_library_kind_of(elf.needed[i]) == CS_LIBRARY_MPI_RUNTIME)
            return true;
    return false;
}

const char *cs_mpi_of_launcher(const char *path)
{
    if (cs_needs_pmix(path))
        return "Open MPI";
    return cs_elf_contains(path, "HYDRA_HOST_FILE") ? "MPICH" : NULL;
}
