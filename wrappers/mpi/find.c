#include "wrappers/mpi/find.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "base/known_mpi.h"
#include "base/settings.h"
#include "next.h"
#include "pmpi_queries.h"
#include "preload/front.h"

static const struct cs_front *front;

void *cs_next_definition(const char *name)
{
    return front ? front->next(name) : dlsym(RTLD_NEXT, name);
}

/* The next MPI_x in the program's search order, so that other tools stay in the chain. Programs that load their MPI
   at run time have none; then PMPI_x is used. */
static void *find_next(const struct cs_next_entry *entry, void *library)
{
    bool has_twin = strcmp(entry->name, entry->pmpi_name) != 0;
    /* The copy of a static MPI in the program has it. A shared library of that MPI may be loaded, too. */
    if (entry->pmpi && !has_twin)
        return entry->pmpi;
    void *found = cs_next_definition(entry->name);
    if (!found)
        found = entry->pmpi;
    /* A few functions have no PMPI_ name: their own name is looked up in the library itself. */
    return found || !library ? found : dlsym(library, entry->pmpi_name);
}

/* callsign's queries are not calls of the program, so other tools must not see them: they are looked up in the MPI
   itself, because a tool may define PMPI_ names, too. An MPI without PMPI_ names has only one function for both. */
static void *find_query(const struct cs_pmpi_query *query, void *library)
{
    void *found = library ? dlsym(library, query->pmpi_name) : NULL;
    if (!found)
        found = query->pmpi;
    if (!found)
        found = cs_next_definition(query->pmpi_name);
    return found ? found : cs_next_definition(query->name);
}

/* Opens the MPI by one of its names. */
static void *open_library(void)
{
    void *library = NULL;
    for (size_t i = 0; CS_MPI_SONAME[0] && !library && i < cs_known_mpis_count; i++) /* "": the MPI is in the program */
        if (strcmp(cs_known_mpis[i].flavour, CS_FLAVOUR) == 0)
            library = dlopen(cs_known_mpis[i].soname, RTLD_LAZY | RTLD_NOLOAD);
    return library;
}

void cs_find_functions(void)
{
    static bool found_all;
    if (found_all)
        return;
    void *library = open_library();
    for (size_t i = 0; i < cs_next_count; i++)
        *cs_next_entries[i].slot = find_next(&cs_next_entries[i], library);
    for (size_t i = 0; i < cs_pmpi_query_count; i++) {
        void *found = find_query(&cs_pmpi_queries[i], library);
        if (found)
            *cs_pmpi_queries[i].slot = found;
    }
    if (library)
        dlclose(library);
    found_all = true;
}

/* The functions are found before the front's slots are filled: a signal handler may call MPI_Wtime at once. */
__attribute__((visibility("default"))) int callsign_flavour_attach(const struct cs_front *given)
{
    if (given->version != CS_FRONT_VERSION || given->bytes < sizeof *given)
        return -1;
    front = given;
    cs_settings_begin_in(given->folder);
    cs_find_functions();
    return 0;
}

const char *cs_looked_up(uint32_t i, const char **path)
{
    return front ? front->looked_up(i, path) : NULL;
}
