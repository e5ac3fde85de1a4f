#include "cli/mpi_symbols.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/elf.h"

/* MPI 4.1, 7.8 and 7.7. */
static const struct {
    enum cs_mpi_family family;
    const char *name;
} routines[] = {
    {CS_MPI_NAMES, "MPI_Comm_set_name"},
    {CS_MPI_NAMES, "MPI_Comm_get_name"},
    {CS_MPI_NAMES, "MPI_Type_set_name"},
    {CS_MPI_NAMES, "MPI_Type_get_name"},
    {CS_MPI_NAMES, "MPI_Win_set_name"},
    {CS_MPI_NAMES, "MPI_Win_get_name"},
    {CS_MPI_ATTRIBUTES, "MPI_Comm_create_keyval"},
    {CS_MPI_ATTRIBUTES, "MPI_Comm_free_keyval"},
    {CS_MPI_ATTRIBUTES, "MPI_Comm_set_attr"},
    {CS_MPI_ATTRIBUTES, "MPI_Comm_get_attr"},
    {CS_MPI_ATTRIBUTES, "MPI_Comm_delete_attr"},
    {CS_MPI_ATTRIBUTES, "MPI_Type_create_keyval"},
    {CS_MPI_ATTRIBUTES, "MPI_Type_free_keyval"},
    {CS_MPI_ATTRIBUTES, "MPI_Type_set_attr"},
    {CS_MPI_ATTRIBUTES, "MPI_Type_get_attr"},
    {CS_MPI_ATTRIBUTES, "MPI_Type_delete_attr"},
    {CS_MPI_ATTRIBUTES, "MPI_Win_create_keyval"},
    {CS_MPI_ATTRIBUTES, "MPI_Win_free_keyval"},
    {CS_MPI_ATTRIBUTES, "MPI_Win_set_attr"},
    {CS_MPI_ATTRIBUTES, "MPI_Win_get_attr"},
    {CS_MPI_ATTRIBUTES, "MPI_Win_delete_attr"},
};
enum { ROUTINES = sizeof routines / sizeof *routines };

struct reading {
    struct cs_mpi_symbols *symbols;
    bool has[ROUTINES];
};

static void keep_example(char example[64], const char *name)
{
    if (!*example)
        snprintf(example, 64, "%s", name);
}

/* "MPI_Send", "MPIX_Query_cuda_support" */
static bool is_of_c(const char *name)
{
    size_t prefix = strncmp(name, "MPI_", 4) == 0 ? 4 : strncmp(name, "MPIX_", 5) == 0 ? 5 : 0;
    return prefix && isupper((unsigned char)name[prefix]) && islower((unsigned char)name[prefix + 1]);
}

static void note_import(struct cs_mpi_symbols *symbols, const struct cs_elf_symbol *symbol)
{
    const char *name = symbol->name;
    size_t length = strlen(name);
    if (is_of_c(name)) {
        symbols->called += !symbol->is_weak;
        symbols->weak += symbol->is_weak;
        if (symbol->is_weak)
            keep_example(symbols->weak_example, name);
    } else if (name[0] == 'P' && is_of_c(name + 1)) {
        symbols->called_pmpi++;
        keep_example(symbols->pmpi_example, name);
    } else if (strncmp(name, "mpi_", 4) == 0 && name[length - 1] == '_') {
        symbols->called_fortran++;
        symbols->fortran_f08 += strstr(name, "_f08") != NULL;
    }
}

static void note_symbol(void *context, const struct cs_elf_symbol *symbol)
{
    struct reading *reading = context;
    if (!symbol->is_defined) {
        if (symbol->is_dynamic) /* the other table repeats it */
            note_import(reading->symbols, symbol);
        return;
    }
    if (!is_of_c(symbol->name))
        return;
    reading->symbols->defined++;
    keep_example(reading->symbols->defined_example, symbol->name);
    for (unsigned i = 0; i < ROUTINES; i++)
        reading->has[i] = reading->has[i] || strcmp(symbol->name, routines[i].name) == 0;
}

void cs_mpi_symbols_read(const char *path, struct cs_mpi_symbols *symbols)
{
    memset(symbols, 0, sizeof *symbols);
    struct reading reading = {.symbols = symbols};
    cs_elf_symbols(path, note_symbol, &reading);
    for (unsigned i = 0; i < ROUTINES; i++) {
        enum cs_mpi_family family = routines[i].family;
        symbols->known[family]++;
        symbols->missing[family] += !reading.has[i];
        if (!reading.has[i])
            keep_example(symbols->missing_example[family], routines[i].name);
    }
}
