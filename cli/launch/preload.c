#include "cli/launch/preload.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/path.h"
#include "base/shared_library.h"
#include "base/words.h"
#include "cli/command/command.h"
#include "cli/launch/detect_mpi.h"
#include "cli/launch/elf.h"

static const char env_list[] = "OMPI_MCA_mca_base_env_list";

/* The library that cs_preload_set put in front; before, any name of it. */
static char chosen[PATH_MAX + 64] = "libcallsign.so";

/* A value of LD_PRELOAD with the library in front of the entries of `present` and behind a sanitizer's runtime, to be
   freed. Leaves out callsign's libraries in `present`: an outer `callsign run` may have chosen another one. NULL: no
   memory. */
static char *merge_value(const char *library, const char *present)
{
    size_t size = strlen(library) + strlen(present) + 3;
    char *value = malloc(size);
    char *copy = strdup(present);
    if (!value || !copy) {
        free(value);
        free(copy);
        return NULL;
    }
    char *rest = NULL;
    char *word = strtok_r(copy, ": ", &rest);
    size_t used = 0;
    for (; word && cs_library_is_sanitizer(word); word = strtok_r(NULL, ": ", &rest))
        used += (size_t)snprintf(value + used, size - used, "%s:", word);
    used += (size_t)snprintf(value + used, size - used, "%s", library);
    for (; word; word = strtok_r(NULL, ": ", &rest))
        if (cs_library_kind_of(word) != CS_LIBRARY_CALLSIGN)
            used += (size_t)snprintf(value + used, size - used, ":%s", word);
    free(copy);
    return value;
}

static bool set_preload(const char *library)
{
    const char *present = getenv("LD_PRELOAD");
    char *value = merge_value(library, present ? present : "");
    bool done = value && setenv("LD_PRELOAD", value, 1) == 0;
    free(value);
    snprintf(chosen, sizeof chosen, "%s", library);
    return done;
}

/* Preloading the runtime of AddressSanitizer first would bring it into launchers and shells, too, and report their
   leaks. So it is asked to accept the order; other programs ignore the variable. */
static bool accept_any_order(const struct cs_detected *detected)
{
    const char *present = getenv("ASAN_OPTIONS");
    if ((detected->mpi && !cs_elf_checks_order(detected->program)) ||
        (present && strstr(present, "verify_asan_link_order")))
        return true;
    char *value = NULL;
    bool done =
        asprintf(&value, "%s%s%s", present ? present : "", present && *present ? ":" : "", CS_ASAN_ANY_ORDER) >= 0 &&
        setenv("ASAN_OPTIONS", value, 1) == 0;
    free(value);
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
    if (detected.is_static && !cs_elf_contains(detected.program, CS_CONVERT_LIBRARY))
        cs_log("%s is linked statically: only programs that it starts can be recorded", detected.program);
    if (detected.mpi)
        snprintf(path, sizeof path, "%s/libcallsign-front-%s.so", folder, detected.mpi->flavour);
    if (!detected.mpi || access(path, R_OK) != 0)
        snprintf(path, sizeof path, "%s/libcallsign.so", folder);
    if (access(path, R_OK) != 0) {
        cs_log("there is no %s; install callsign again", path);
        return CS_EXIT_TROUBLE;
    }
    if (set_preload(path) && accept_any_order(&detected))
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
        named = named || cs_begins_with(cs_path_name(program), names[i]);
    if (!named)
        return false;
    struct cs_elf elf;
    cs_elf_read(program, &elf);
    for (unsigned i = 0; i < elf.needed_count; i++)
        if (cs_library_kind_of(elf.needed[i]) == CS_LIBRARY_MPI_RUNTIME)
            return true;
    return false;
}

static char *merge_in_list(const char *list, char separator);

static bool is_ours(const char *variable)
{
    return cs_begins_with(variable, "CALLSIGN_") || cs_begins_with(variable, "LD_PRELOAD=") ||
           (cs_begins_with(variable, "ASAN_OPTIONS=") && strstr(variable, CS_ASAN_ANY_ORDER));
}

static bool names_variable(char *const *arguments, const char *variable, size_t length)
{
    for (size_t i = 0; arguments[i] && arguments[i + 1]; i++)
        if (strcmp(arguments[i], "-x") == 0 && strncmp(arguments[i + 1], variable, length) == 0 &&
            (arguments[i + 1][length] == '=' || arguments[i + 1][length] == 0))
            return true;
    return false;
}

/* The list with the names of our variables behind, to be freed. NULL: no memory. */
static char *names_behind(const char *list, char separator)
{
    size_t size = strlen(list) + 1;
    for (char **variable = environ; *variable; variable++)
        size += is_ours(*variable) ? strcspn(*variable, "=") + 1 : 0;
    char *longer = malloc(size);
    if (!longer)
        return NULL;
    size_t used = (size_t)snprintf(longer, size, "%s", list);
    for (char **variable = environ; *variable; variable++) {
        if (!is_ours(*variable) || (cs_begins_with(*variable, "LD_PRELOAD=") && strstr(list, "LD_PRELOAD=")))
            continue;
        if (used)
            longer[used++] = separator;
        used += (size_t)snprintf(longer + used, size - used, "%.*s", (int)strcspn(*variable, "="), *variable);
    }
    return longer;
}

/* If the user has a list in the environment, Open MPI rejects -x in addition. */
static bool extend_env_list(const char *list)
{
    char *merged = merge_in_list(list, ';');
    char *longer = merged ? names_behind(merged, ';') : NULL;
    free(merged);
    bool done = longer && setenv(env_list, longer, 1) == 0;
    free(longer);
    return done;
}

static char **extend_openmpi(const char *launcher, char **arguments)
{
    const char *list = getenv(env_list);
    /* PRRTE's prun does not read the list. */
    if (list && *list && strcmp(launcher, "prun") != 0)
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

/* ---- other launchers: they pass the whole environment, unless the user limits it ---- */

/* The number of words before the launcher's program. Which options have values is not known: each without '=' may. */
static size_t count_options(char *const *arguments, size_t begin)
{
    size_t count = begin;
    bool may_have_value = false; /* the word before */
    for (; arguments[count] && strcmp(arguments[count], "--") != 0; count++) {
        bool option = arguments[count][0] == '-';
        if (!option && !may_have_value)
            break;
        may_have_value = option && !strchr(arguments[count], '=');
    }
    return count;
}

/* True if the user gives a value of LD_PRELOAD, which is merged, as in --env=LD_PRELOAD=VALUE. */
static bool has_preload(char *const *arguments, size_t end, const char *flag)
{
    for (size_t i = 1; i < end; i++)
        if (cs_begins_with(arguments[i], flag) && cs_begins_with(arguments[i] + strlen(flag), "LD_PRELOAD="))
            return true;
    return false;
}

/* Inserts words for each of our variables at a place: flag NAME=VALUE, flag NAME VALUE, or flagNAME. NULL: no memory.
 */
enum form { FORM_PAIR, FORM_TWO_WORDS, FORM_JOINED_NAME };
static char **insert_variables(char **arguments, size_t place, const char *flag, enum form form)
{
    size_t count = 0, ours = 0;
    while (arguments[count])
        count++;
    for (char **variable = environ; *variable; variable++)
        ours += is_ours(*variable);
    char **longer = calloc(count + 3 * ours + 1, sizeof *longer);
    if (!longer)
        return NULL;
    memcpy(longer, arguments, place * sizeof *longer);
    size_t used = place;
    for (char **variable = environ; *variable; variable++) {
        if (!is_ours(*variable) || (form == FORM_JOINED_NAME && cs_begins_with(*variable, "LD_PRELOAD=") &&
                                    has_preload(arguments, place, flag)))
            continue;
        int length = (int)strcspn(*variable, "=");
        char *word = *variable;
        if (form != FORM_PAIR && asprintf(&word, "%s%.*s", form == FORM_JOINED_NAME ? flag : "", length, *variable) < 0)
            return NULL;
        if (form != FORM_JOINED_NAME)
            longer[used++] = (char *)(uintptr_t)flag;
        longer[used++] = word;
        if (form == FORM_TWO_WORDS)
            longer[used++] = *variable + length + 1;
    }
    memcpy(longer + used, arguments + place, (count - place) * sizeof *longer);
    return longer;
}

/* Slurm: a list of names in --export, or in the variable that a batch job with --export leaves. NULL: no memory. */
static char *extend_export(const char *list)
{
    bool everything = cs_begins_with(list, "ALL"), nothing = strcmp(list, "NONE") == 0 || strcmp(list, "NIL") == 0;
    return everything ? strdup(list) : names_behind(nothing ? "" : list, ',');
}

static char **extend_slurm(char **arguments)
{
    static const char *const variables[] = {"SLURM_EXPORT_ENV", "SRUN_EXPORT_ENV"};
    static const char option[] = "--export=";
    size_t end = count_options(arguments, 1);
    for (size_t i = 1; i < end; i++) {
        bool joined = cs_begins_with(arguments[i], option);
        if (!joined && (strcmp(arguments[i], "--export") != 0 || !arguments[i + 1]))
            continue;
        char *list = extend_export(joined ? arguments[i] + strlen(option) : arguments[i + 1]), *word = NULL;
        if (!list || (joined && asprintf(&word, "%s%s", option, list) < 0))
            return NULL;
        arguments[joined ? i : i + 1] = joined ? word : list;
        if (joined)
            free(list);
        return arguments;
    }
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        char *merged = value ? merge_in_list(value, ',') : NULL, *list = merged ? extend_export(merged) : NULL;
        free(merged);
        if (value && (!list || setenv(variables[i], list, 1) != 0))
            return NULL;
        free(list);
    }
    return arguments;
}

static char **extend_hydra(char **arguments)
{
    static const char *const limits[] = {"-genvnone", "-genvlist", "-envnone", "-envlist"};
    size_t end = count_options(arguments, 1);
    for (size_t i = 1; i < end; i++)
        for (size_t j = 0; j < sizeof limits / sizeof *limits; j++)
            if (strcmp(arguments[i], limits[j]) == 0)
                return insert_variables(arguments, 1, "-genv", FORM_TWO_WORDS);
    return arguments;
}

/* Rules of flux run apply in their order, so ours follow the user's. */
static char **extend_flux(char **arguments)
{
    if (!arguments[1] || strcmp(arguments[1], "run") != 0)
        return arguments;
    size_t end = count_options(arguments, 2), place = 0;
    for (size_t i = 2; i < end; i++)
        if (cs_begins_with(arguments[i], "--env"))
            place = i + (strchr(arguments[i], '=') ? 1 : 2);
    return place && place <= end ? insert_variables(arguments, place, "--env=", FORM_JOINED_NAME) : arguments;
}

static bool is_hydra(const char *program)
{
    char whole[PATH_MAX];
    return realpath(program, whole) && cs_begins_with(cs_path_name(whole), "mpiexec.hydra");
}

/* The user's options for AddressSanitizer on the command line, where they would replace ours: -x ASAN_OPTIONS=VALUE,
   env ASAN_OPTIONS=VALUE, -genv ASAN_OPTIONS VALUE. */
static bool extend_asan_options(char **arguments)
{
    const char *ours = getenv("ASAN_OPTIONS");
    if (!ours || !strstr(ours, CS_ASAN_ANY_ORDER))
        return true;
    for (size_t i = 0; arguments[i]; i++) {
        bool is_name = i > 0 && arguments[i - 1][0] == '-' && strcmp(arguments[i], "ASAN_OPTIONS") == 0;
        bool is_value = is_name && cs_path_ends(arguments[i - 1], "env") && arguments[i + 1];
        char **value = is_value ? &arguments[i + 1] : &arguments[i];
        if (!is_value && !cs_begins_with(arguments[i], "ASAN_OPTIONS="))
            continue;
        if (asprintf(value, "%s:%s", *value, CS_ASAN_ANY_ORDER) < 0)
            return false;
    }
    return true;
}

/* ---- LD_PRELOAD on the command line: it replaces the one of the environment ---- */

static const char preload[] = "LD_PRELOAD=";

/* The list of assignments with callsign's library in the one of LD_PRELOAD, to be freed. separator 0: it is a single
   one. NULL: no memory. */
static char *merge_in_list(const char *list, char separator)
{
    const char *at = list;
    while (at && !cs_begins_with(at, preload))
        at = separator && (at = strchr(at, separator)) ? at + 1 : NULL;
    if (!at)
        return strdup(list);
    at += strlen(preload);
    const char separators[] = {separator, 0};
    size_t length = separator ? strcspn(at, separators) : strlen(at);
    char *theirs = strndup(at, length), *value = theirs ? merge_value(chosen, theirs) : NULL, *merged = NULL;
    if (value && asprintf(&merged, "%.*s%s%s", (int)(at - list), list, value, at + length) < 0)
        merged = NULL;
    free(theirs);
    free(value);
    return merged;
}

/* True for a word behind env and its options and assignments. */
static bool follows_env(char *const *arguments, size_t place)
{
    while (place-- > 0) {
        if (strcmp(cs_path_name(arguments[place]), "env") == 0)
            return true;
        bool may_be_value = place > 0 && arguments[place - 1][0] == '-'; /* env -u NAME */
        if (arguments[place][0] != '-' && !strchr(arguments[place], '=') && !may_be_value)
            return false;
    }
    return false;
}

/* Returns the merged word, the word itself, or NULL without memory. */
static char *merge_word(char **arguments, size_t place)
{
    static const char *const pairs[] = {"-x", "-E", "-e"};
    static const struct {
        const char *option;
        char separator;
    } lists[] = {{"--export=", ','}, {"--env=", 0}}; /* of Slurm, of Flux */
    char *word = arguments[place], *value, *merged = NULL;
    const char *before = place > 0 ? arguments[place - 1] : "", *second = place > 1 ? arguments[place - 2] : "";
    if (strcmp(before, "mca_base_env_list") == 0)
        return merge_in_list(word, ';');
    if (strcmp(before, "--export") == 0)
        return merge_in_list(word, ',');
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        size_t length = strlen(lists[i].option);
        if (!cs_begins_with(word, lists[i].option))
            continue;
        value = merge_in_list(word + length, lists[i].separator);
        if (value && asprintf(&merged, "%s%s", lists[i].option, value) < 0)
            merged = NULL;
        free(value);
        return merged;
    }
    if (strcmp(before, "LD_PRELOAD") == 0 &&
        (strcmp(second + strspn(second, "-"), "genv") == 0 || strcmp(second + strspn(second, "-"), "env") == 0))
        return merge_value(chosen, word);
    if (!cs_begins_with(word, preload))
        return word;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (strcmp(before, pairs[i]) == 0)
            return merge_in_list(word, 0);
    return follows_env(arguments, place) ? merge_in_list(word, 0) : word;
}

char **cs_preload_merge(char **arguments)
{
    static char **merged; /* stays until the command ends: longer lists refer to its words, which stand in it twice */
    size_t count = 0;
    while (arguments[count])
        count++;
    merged = calloc(2 * (count + 1), sizeof *merged);
    bool *own = cs_detect_program_words(arguments, count); /* these are the programs' own */
    for (size_t i = 0; merged && own && i < count; i++) {
        merged[i] = own[i] ? arguments[i] : merge_word(arguments, i);
        if (!merged[i])
            merged[i] = arguments[i];
        merged[count + 1 + i] = merged[i]; /* the first half is the callers' */
    }
    if (!own) {
        free(merged);
        merged = NULL;
    }
    free(own);
    return merged ? merged : arguments;
}

char **cs_preload_arguments(const char *program, char **arguments)
{
    arguments = cs_preload_merge(arguments);
    if (!extend_asan_options(arguments))
        return NULL;
    const char *name = cs_path_name(program);
    if (is_openmpi_launcher(program))
        return extend_openmpi(name, arguments);
    if (strcmp(name, "srun") == 0)
        return extend_slurm(arguments);
    if (strcmp(name, "flux") == 0)
        return extend_flux(arguments);
    if (strcmp(name, "jsrun") == 0)
        return insert_variables(arguments, 1, "-E", FORM_PAIR);
    if (strcmp(name, "aprun") == 0)
        return insert_variables(arguments, 1, "-e", FORM_PAIR);
    return is_hydra(program) ? extend_hydra(arguments) : arguments;
}
