#include "cli/passed_on.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/elf.h"
#include "cli/mpi_symbols.h"

/* Names, each a copy. */
struct names {
    char **list;
    size_t count, room;
};

static void add(struct names *names, const char *name)
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

/* Of the first `count`, which are sorted. */
static bool has(const struct names *names, size_t count, char *const *name)
{
    return count && bsearch(name, names->list, count, sizeof *names->list, by_name);
}

/* NULL: there is none. */
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
    char *told = cs_elf_variable(flavour, "callsign_passed_on", &bytes);
    for (const char *name = told; name && name < told + bytes && *name; name += strlen(name) + 1)
        add(names, name);
    free(told);
}

char *cs_passed_on(const char *flavour)
{
    struct names names = {0};
    read_told(flavour, &names);
    char *text = text_of(&names);
    drop(&names);
    return text;
}

static void add_function(void *context, const struct cs_elf_symbol *symbol)
{
    if (symbol->is_defined && symbol->is_dynamic && cs_mpi_is_function_of_c(symbol->name))
        add(context, symbol->name);
}

char *cs_passed_on_here(const char *flavour, const char *mpi)
{
    struct names served = {0}, here = {0}, left = {0};
    cs_elf_symbols(flavour, add_function, &served);
    cs_elf_symbols(mpi, add_function, &here);
    read_told(flavour, &left);
    sort(&served);
    sort(&left);
    size_t told = left.count;
    for (size_t i = 0; i < here.count; i++)
        if (!has(&served, served.count, &here.list[i]) && !has(&left, told, &here.list[i]))
            add(&left, here.list[i]);
    sort(&left);
    char *text = text_of(&left);
    drop(&served);
    drop(&here);
    drop(&left);
    return text;
}

/* Of both tables: what the dynamic linker does not see was linked by the static one. */
static void add_defined(void *context, const struct cs_elf_symbol *symbol)
{
    if (symbol->is_defined && cs_mpi_is_function_of_c(symbol->name))
        add(context, symbol->name);
}

unsigned cs_taken_from_callsign(const char *library, const char *program)
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
