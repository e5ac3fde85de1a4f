#include "cli/mpi_symbols.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/elf.h"

static void keep_example(char example[64], const char *name)
{
    if (!*example)
        snprintf(example, 64, "%s", name);
}

bool cs_mpi_is_function_of_c(const char *name)
{
    size_t prefix = strncmp(name, "MPI_", 4) == 0 ? 4 : strncmp(name, "MPIX_", 5) == 0 ? 5 : 0;
    /* A compiler calls parts of a function MPI_Init.part.0, MPI_Send.cold, and so on: they stay when the function
       itself is renamed, and nobody else calls them. */
    return prefix && isupper((unsigned char)name[prefix]) && islower((unsigned char)name[prefix + 1]) &&
           !strchr(name, '.');
}

/* As compilers spell it. Other names that look like entry points may be the program's own. */
static bool is_fortran_init(const char *name)
{
    static const char *const spellings[] = {"mpi_init_", "mpi_init", "mpi_init__", "MPI_INIT"};
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (strcmp(name, spellings[i]) == 0)
            return true;
    return false;
}

static bool leads_on(const char *name)
{
    static const char *const functions[] = {"dlopen",   "dlmopen", "execl",       "execle",       "execlp", "execv",
                                            "execve",   "execvp",  "execvpe",     "fexecve",      "popen",  "syscall",
                                            "execveat", "system",  "posix_spawn", "posix_spawnp", "wordexp"};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(name, functions[i]) == 0)
            return true;
    return false;
}

static void note_import(struct cs_mpi_symbols *symbols, const struct cs_elf_symbol *symbol)
{
    const char *name = symbol->name;
    size_t length = strlen(name);
    symbols->leads_on = symbols->leads_on || leads_on(name);
    if (cs_mpi_is_function_of_c(name)) {
        symbols->called += !symbol->is_weak;
        symbols->weak += symbol->is_weak;
        if (symbol->is_weak)
            keep_example(symbols->weak_example, name);
    } else if (name[0] == 'P' && cs_mpi_is_function_of_c(name + 1)) {
        symbols->called_pmpi++;
        keep_example(symbols->pmpi_example, name);
    } else if (strncmp(name, "mpi_", 4) == 0 && name[length - 1] == '_') {
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
    } else if (cs_mpi_is_function_of_c(symbol->name) || is_fortran_init(symbol->name)) {
        unsigned *defined = symbol->is_dynamic ? &symbols->defined_dynamic : &symbols->defined;
        (*defined)++;
        keep_example(symbols->defined_example, symbol->name);
    } else if (symbol->name[0] == 'P' && cs_mpi_is_function_of_c(symbol->name + 1)) {
        symbols->defined_pmpi++;
    }
}

void cs_mpi_symbols_read(const char *path, struct cs_mpi_symbols *symbols)
{
    memset(symbols, 0, sizeof *symbols);
    cs_elf_symbols(path, note_symbol, symbols);
    if (symbols->defined_dynamic > symbols->defined) /* what was stripped has only these */
        symbols->defined = symbols->defined_dynamic;
}
