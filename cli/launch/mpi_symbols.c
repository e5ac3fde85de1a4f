#include "cli/launch/mpi_symbols.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/words.h"
#include "cli/launch/elf.h"

static void keep_example(char example[64], const char *name)
{
    if (!*example)
        snprintf(example, 64, "%s", name);
}

/* True for a name like "MPI_Send" or "MPIX_Query_cuda_support". False for the tool interface (MPI_T_) and for parts
   that a compiler splits off (MPI_Send.part.0). */
static bool is_function_of_c(const char *name)
{
    size_t prefix = strncmp(name, "MPI_", 4) == 0 ? 4 : strncmp(name, "MPIX_", 5) == 0 ? 5 : 0;
    /* Compilers split off parts of functions as MPI_Init.part.0, MPI_Send.cold, etc. They stay when the function is
       renamed, and nobody else calls them. */
    return prefix && isupper((unsigned char)name[prefix]) && islower((unsigned char)name[prefix + 1]) &&
           !strchr(name, '.');
}

static bool is_function_of_fortran(const char *name)
{
    return strncmp(name, "mpi_", 4) == 0 && name[strlen(name) - 1] == '_';
}

/* The spellings of compilers. Other names that look like entry points may be the program's own. */
static bool is_fortran_init(const char *name)
{
    static const char *const spellings[] = {"mpi_init_", "mpi_init", "mpi_init__", "MPI_INIT"};
    return cs_is_one_of(name, spellings, sizeof spellings / sizeof *spellings);
}

static bool leads_on(const char *name)
{
    static const char *const functions[] = {"dlopen",   "dlmopen", "execl",       "execle",       "execlp", "execv",
                                            "execve",   "execvp",  "execvpe",     "fexecve",      "popen",  "syscall",
                                            "execveat", "system",  "posix_spawn", "posix_spawnp", "wordexp"};
    return cs_is_one_of(name, functions, sizeof functions / sizeof *functions);
}

static void note_import(struct cs_mpi_symbols *symbols, const struct cs_elf_symbol *symbol)
{
    const char *name = symbol->name;
    symbols->leads_on = symbols->leads_on || leads_on(name);
    if (is_function_of_c(name)) {
        symbols->called += !symbol->is_weak;
        symbols->weak += symbol->is_weak;
        if (symbol->is_weak)
            keep_example(symbols->weak_example, name);
    } else if ((name[0] == 'P' && is_function_of_c(name + 1)) || (name[0] == 'p' && is_function_of_fortran(name + 1))) {
        symbols->called_pmpi++;
        keep_example(symbols->pmpi_example, name);
    } else if (is_function_of_fortran(name)) {
        symbols->called_fortran++;
        symbols->fortran_f08 += strstr(name, "_f08") != NULL;
    }
}

static void note_symbol(void *context, const struct cs_elf_symbol *symbol)
{
    struct cs_mpi_symbols *symbols = context;
    if (!symbol->is_defined) {
        if (symbol->is_dynamic) /* the other table repeats it */
            note_import(symbols, symbol);
    } else if (is_function_of_c(symbol->name) || is_fortran_init(symbol->name)) {
        unsigned *defined = symbol->is_dynamic ? &symbols->defined_dynamic : &symbols->defined;
        (*defined)++;
        keep_example(symbols->defined_example, symbol->name);
    } else if (symbol->name[0] == 'P' && is_function_of_c(symbol->name + 1)) {
        symbols->defined_pmpi++;
    }
}

void cs_mpi_symbols_read(const char *path, struct cs_mpi_symbols *symbols)
{
    memset(symbols, 0, sizeof *symbols);
    cs_elf_symbols(path, note_symbol, symbols);
    if (symbols->defined_dynamic > symbols->defined) /* a stripped file has only these */
        symbols->defined = symbols->defined_dynamic;
}

/* ---- functions that callsign does not record ---- */

/* A list of names, each a copy. */
struct names {
    char **list;
    size_t count, room;
};

static void names_add(struct names *names, const char *name)
{
    char *copy = strdup(name);
    if (copy && cs_array_grow(&names->list, names->count, &names->room, sizeof *names->list))
        names->list[names->count++] = copy;
    else
        free(copy);
}

static void drop(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->list[i]);
    free(names->list);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort(struct names *names)
{
    if (names->count)
        qsort(names->list, names->count, sizeof *names->list, by_name);
}

/* Searches the first `count` names, which are sorted. */
static bool has(const struct names *names, size_t count, char *const *name)
{
    return count && bsearch(name, names->list, count, sizeof *names->list, by_name);
}

/* NULL: the list is empty. */
static char *text_of(const struct names *names)
{
    size_t bytes = 1;
    for (size_t i = 0; i < names->count; i++)
        bytes += strlen(names->list[i]) + 2;
    char *text = names->count ? malloc(bytes) : NULL, *end = text;
    for (size_t i = 0; text && i < names->count; i++)
        end += sprintf(end, "%s%s", i ? ", " : "", names->list[i]);
    return text;
}

static void read_told(const char *flavour, struct names *names)
{
    size_t bytes = 0;
    char *listed = cs_elf_variable(flavour, "callsign_passed_on", &bytes);
    for (const char *name = listed; name && name < listed + bytes && *name; name += strlen(name) + 1)
        names_add(names, name);
    free(listed);
}

char *cs_list_passed_on(const char *flavour)
{
    struct names names = {0};
    read_told(flavour, &names);
    char *text = text_of(&names);
    drop(&names);
    return text;
}

static void add_function(void *context, const struct cs_elf_symbol *symbol)
{
    if (symbol->is_defined && symbol->is_dynamic && is_function_of_c(symbol->name))
        names_add(context, symbol->name);
}

static void add_entry_of_fortran(void *context, const struct cs_elf_symbol *symbol)
{
    if (symbol->is_defined && symbol->is_dynamic && is_function_of_fortran(symbol->name))
        names_add(context, symbol->name);
}

static void add_call(void *context, const struct cs_elf_symbol *symbol)
{
    if (!symbol->is_defined && symbol->is_dynamic)
        names_add(context, symbol->name);
}

/* True for "mpi_send_f08ts_" if "MPI_Send" is a function: not for "mpi_dup_fn_", which the MPI has for Fortran alone.
 */
static bool leads_to_c(const struct names *functions, const char *entry)
{
    static const char *const endings[] = {
        "_", "__", "_f08_", "_f08ts_", "_fts_", "_f08_large_", "_f08ts_large_", "_c_f08_", "_c_f08ts_"};
    for (size_t i = 0; i < functions->count; i++) {
        size_t bytes = strlen(functions->list[i]);
        if (strncasecmp(entry, functions->list[i], bytes) == 0 &&
            cs_is_one_of(entry + bytes, endings, sizeof endings / sizeof *endings))
            return true;
    }
    return false;
}

char *cs_list_passed_on_calls(const char *flavour, const char *mpi, const char *program, struct cs_passed_on *others)
{
    struct names served = {0}, entries = {0}, here = {0}, left = {0}, wanted = {0}, called = {0};
    memset(others, 0, sizeof *others);
    cs_elf_symbols(flavour, add_function, &served);
    cs_elf_symbols(flavour, add_entry_of_fortran, &entries);
    cs_elf_symbols(mpi, add_function, &here);
    cs_elf_symbols(program, add_call, &wanted);
    read_told(flavour, &left);
    sort(&served);
    sort(&entries);
    sort(&left);
    sort(&wanted);
    size_t listed = left.count;
    for (size_t i = 0; i < here.count; i++)
        if (!has(&served, served.count, &here.list[i]) && !has(&left, listed, &here.list[i]))
            names_add(&left, here.list[i]);
    sort(&left);
    for (size_t i = 0; i < left.count; i++) {
        if (!has(&wanted, wanted.count, &left.list[i])) {
            others->count++;
            keep_example(others->example, left.list[i]);
        }
    }
    for (size_t i = 0; i < wanted.count; i++)
        if (has(&left, left.count, &wanted.list[i]) ||
            (is_function_of_fortran(wanted.list[i]) && !has(&entries, entries.count, &wanted.list[i]) &&
             leads_to_c(&here, wanted.list[i])))
            names_add(&called, wanted.list[i]);
    char *text = text_of(&called);
    drop(&served);
    drop(&entries);
    drop(&here);
    drop(&left);
    drop(&wanted);
    drop(&called);
    return text;
}

/* Reads both tables: the static linker resolves names that the dynamic linker does not see. */
static void add_defined(void *context, const struct cs_elf_symbol *symbol)
{
    if (symbol->is_defined && is_function_of_c(symbol->name))
        names_add(context, symbol->name);
}

unsigned cs_count_taken_from_callsign(const char *library, const char *program)
{
    struct names served = {0}, here = {0};
    unsigned taken = 0;
    cs_elf_symbols(library, add_function, &served);
    cs_elf_symbols(program, add_defined, &here);
    sort(&served);
    for (size_t i = 0; i < here.count; i++)
        taken += has(&served, served.count, &here.list[i]);
    drop(&served);
    drop(&here);
    return taken;
}
