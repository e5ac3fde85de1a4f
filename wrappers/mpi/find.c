#include "wrappers/mpi/find.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "asked.h"
#include "next.h"
#include "preload/front.h"

static const struct cs_front *front;

__attribute__((visibility("default"))) int callsign_flavour_attach(const struct cs_front *given)
{
    if (given->version != CS_FRONT_VERSION || given->bytes < sizeof *given)
        return -1;
    front = given;
    return 0;
}

void *cs_next_definition(const char *name)
{
    return front ? front->next(name) : dlsym(RTLD_NEXT, name);
}

/* The next MPI_x in the program's own order, so that other tools stay in the chain; in programs that loaded their MPI
   at run time there is none, and PMPI_x is what is left. */
static void *find_next(const struct cs_next_entry *entry, void *library)
{
    bool has_twin = strcmp(entry->name, entry->pmpi_name) != 0;
    /* The copy of a static MPI has it nevertheless, and is in the program: a library of that MPI may be there as well.
     */
    if (entry->pmpi && !has_twin)
        return entry->pmpi;
    void *found = cs_next_definition(entry->name);
    if (!found)
        found = entry->pmpi;
    /* A few have no such name: their own, asked of the library itself. */
    return found || !library ? found : dlsym(library, entry->pmpi_name);
}

/* Questions are none of the program's calls: other tools are not to see them. An MPI without PMPI_ names has only one
   function for both. */
static void *find_asked(const struct cs_asked *asked)
{
    void *found = asked->pmpi;
    if (!found)
        found = cs_next_definition(asked->pmpi_name);
    return found ? found : cs_next_definition(asked->name);
}

void cs_find_functions(void)
{
    void *library = CS_MPI_SONAME[0] ? dlopen(CS_MPI_SONAME, RTLD_LAZY | RTLD_NOLOAD) : NULL; /* "": in the program */
    for (size_t i = 0; i < cs_next_count; i++)
        *cs_next_entries[i].slot = find_next(&cs_next_entries[i], library);
    for (size_t i = 0; i < cs_asked_count; i++) {
        void *found = find_asked(&cs_asked[i]);
        if (found)
            *cs_asked[i].slot = found;
    }
    if (library)
        dlclose(library);
}
