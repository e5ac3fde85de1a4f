#include "cli/preload.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/path.h"
#include "base/shared_library.h"
#include "cli/command.h"
#include "cli/detect_mpi.h"
#include "cli/elf.h"

static const char env_list[] = "OMPI_MCA_mca_base_env_list";

static bool begins_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Sanitizers require their library to be the first. */
static bool is_sanitizer(const char *library)
{
    const char *name = cs_path_name(library);
    return begins_with(name, "libasan.so") || begins_with(name, "libtsan.so") || begins_with(name, "libclang_rt.");
}

/* Puts the library first and keeps the user's entries, without callsign's libraries: an outer `callsign run` may
   have chosen another one. */
static bool set_preload(const char *library, const char *program)
{
    struct cs_elf elf;
    cs_elf_read(program, &elf);
    const char *present = getenv("LD_PRELOAD");
    size_t size = strlen(library) + (present ? strlen(present) : 0) + sizeof elf.needed[0] + 3;
    char *value = malloc(size);
    char *copy = present ? strdup(present) : NULL;
    if (!value || (present && !copy)) {
        free(value);
        free(copy);
        return false;
    }
    char *rest = NULL;
    char *word = copy ? strtok_r(copy, ": ", &rest) : NULL;
    size_t used = 0;
    for (; word && is_sanitizer(word); word = strtok_r(NULL, ": ", &rest))
        used += (size_t)snprintf(value + used, size - used, "%s:", word);
    for (unsigned i = 0; used == 0 && i < elf.needed_count; i++)
        if (begins_with(elf.needed[i], "libasan.so"))
            used += (size_t)snprintf(value + used, size - used, "%s:", elf.needed[i]);
    used += (size_t)snprintf(value + used, size - used, "%s", library);
    for (; word; word = strtok_r(NULL, ": ", &rest))
        if (cs_library_kind_of(word) != CS_LIBRARY_CALLSIGN)
            used += (size_t)snprintf(value + used, size - used, ":%s", word);
    bool done = setenv("LD_PRELOAD", value, 1) == 0;
    free(value);
    free(copy);
    return done;
}

int cs_preload_set(const char *program, char *const arguments[])
{
    char folder[PATH_MAX], path[PATH_MAX + 64];
    if (!cs_libraries_folder(folder)) {
        cs_log("cannot find callsign's libraries beside the command; install it again");
        return CS_EXIT_TROUBLE;
    }
    if (strpbrk(folder, ": ")) {
        cs_log("cannot preload from %s: LD_PRELOAD takes no path with a space or a colon; install callsign elsewhere",
               folder);
        return CS_EXIT_TROUBLE;
    }
    /* A flavour that was not built: the front library reports what is missing. */
    struct cs_detected detected;
    cs_detect_mpi(program, arguments, &detected);
    if (detected.is_static && !cs_elf_contains(detected.program, CS_SEAL_LIBRARY))
        cs_log("%s is linked statically: only programs that it starts can be recorded", detected.program);
    if (detected.mpi)
        snprintf(path, sizeof path, "%s/libcallsign-front-%s.so", folder, detected.mpi->flavour);
    if (!detected.mpi || access(path, R_OK) != 0)
        snprintf(path, sizeof path, "%s/libcallsign.so", folder);
    if (access(path, R_OK) != 0) {
        cs_log("there is no %s; install callsign again", path);
        return CS_EXIT_TROUBLE;
    }
    if (set_preload(path, program))
        return CS_EXIT_OK;
    cs_log("out of memory");
    return CS_EXIT_TROUBLE;
}

/* True if the program is an Open MPI launcher. Its libraries tell, because MPICH's launcher has the same name. */
static bool is_openmpi_launcher(const char *program)
{
    static const char *const names[] = {"mpirun", "mpiexec", "orterun", "prterun", "prun", "oshrun", "shmemrun"};
    bool named = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        named = named || begins_with(cs_path_name(program), names[i]);
    if (!named)
        return false;
    struct cs_elf elf;
    cs_elf_read(program, &elf);
    for (unsigned i = 0; i < elf.needed_count; i++)
        if (cs_library_kind_of(elf.needed[i]) == CS_LIBRARY_MPI_RUNTIME)
            return true;
    return false;
}

static bool is_ours(const char *variable)
{
    return begins_with(variable, "CALLSIGN_") || begins_with(variable, "LD_PRELOAD=");
}

static bool names_variable(char *const *arguments, const char *variable, size_t length)
{
    for (size_t i = 0; arguments[i] && arguments[i + 1]; i++)
        if (strcmp(arguments[i], "-x") == 0 && strncmp(arguments[i + 1], variable, length) == 0 &&
            (arguments[i + 1][length] == '=' || arguments[i + 1][length] == 0))
            return true;
    return false;
}

/* If the user has a list in the environment, Open MPI rejects -x in addition. */
static bool extend_env_list(const char *list)
{
    size_t size = strlen(list) + 1;
    for (char **variable = environ; *variable; variable++)
        size += is_ours(*variable) ? strlen(*variable) + 1 : 0;
    char *longer = malloc(size);
    if (!longer)
        return false;
    size_t used = (size_t)snprintf(longer, size, "%s", list);
    for (char **variable = environ; *variable; variable++)
        if (is_ours(*variable))
            used += (size_t)snprintf(longer + used, size - used, ";%.*s", (int)strcspn(*variable, "="), *variable);
    bool done = setenv(env_list, longer, 1) == 0;
    free(longer);
    return done;
}

char **cs_preload_arguments(const char *program, char **arguments)
{
    if (!is_openmpi_launcher(program))
        return arguments;
    const char *list = getenv(env_list);
    if (list && *list)
        return extend_env_list(list) ? arguments : NULL;
    size_t count = 0, ours = 0;
    for (; arguments[count]; count++)
        if (strcmp(arguments[count], "mca_base_env_list") == 0)
            return arguments; /* the list is on the command line: add nothing */
    for (char **variable = environ; *variable; variable++)
        ours += is_ours(*variable);
    char **longer = calloc(count + 2 * ours + 1, sizeof *longer);
    if (!longer)
        return NULL;
    size_t used = 0;
    longer[used++] = arguments[0];
    for (char **variable = environ; *variable; variable++) {
        size_t length = strcspn(*variable, "=");
        if (!is_ours(*variable) || names_variable(arguments, *variable, length))
            continue;
        char *name = strndup(*variable, length);
        if (!name)
            return NULL;
        longer[used++] = "-x";
        longer[used++] = name;
    }
    memcpy(longer + used, arguments + 1, count * sizeof *longer);
    return longer;
}
