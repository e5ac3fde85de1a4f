#include "wrappers/fortran/fortran_symbols.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/keep_errno.h"
#include "base/log.h"
#include "wrappers/call/first_call.h"
#include "wrappers/fallback/emulated_fortran.h"
#include "wrappers/mpi/find.h"

enum { NAME_MOST = 128 };

/* The Fortran libraries from which the entry points were generated. */
static const char *const sonames[] = {CS_FORTRAN_SONAMES};

/* Searches the Fortran libraries themselves, opened with this mode of dlopen. Only plugins of the program may see a
   library, or the linker left it out because callsign defines all of its names. */
static void *find_in_libraries(const char *name, int mode)
{
    void *found = NULL;
    for (size_t i = 0; i < sizeof sonames / sizeof *sonames && !found; i++) {
        void *library = dlopen(sonames[i], mode);
        if (!library)
            continue;
        found = dlsym(library, name);
        dlclose(library);
    }
    return found;
}

/* Searches the program, then Fortran libraries that only its plugins see. */
static void *find_symbol(const char *name)
{
    void *found = dlsym(RTLD_DEFAULT, name);
    return found ? found : find_in_libraries(name, RTLD_LAZY | RTLD_NOLOAD);
}

/* Searches all spellings that compilers use for the name. */
static void *find_spelled(const char *name)
{
    static const char *const spellings[] = {"%s_", "%s", "%s__"};
    char text[NAME_MOST];
    void *found = NULL;
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings && !found; i++) {
        snprintf(text, sizeof text, spellings[i], name);
        found = find_symbol(text);
    }
    if (found)
        return found;
    snprintf(text, sizeof text, "%s", name);
    for (char *c = text; *c; c++)
        *c = cs_ascii_to_upper(*c);
    return find_symbol(text);
}

/* ---- constants ---- */

struct cs_fortran_constants cs_fortran_constants;

static const void *pointed_to(const char *name)
{
    const void *const *pointer = find_symbol(name);
    return pointer ? *pointer : NULL;
}

/* A constant that this MPI lacks becomes an address that nobody passes. */
static void set_constant(const void *constant[CS_FORTRAN_SPELLINGS], const void *first, const void *second)
{
    constant[0] = first ? first : &cs_fortran_constants;
    constant[1] = second ? second : constant[0];
}

/* Called once, before the first native call. */
static void find_constants(void)
{
    struct cs_fortran_constants *all = &cs_fortran_constants;
    /* MPICH finds its constants at the first Fortran call, which may still come. */
    int *needed = find_symbol("MPIR_F_NeedInit");
    void (*init)(void) = (void (*)(void))find_spelled("mpirinitf");
    if (needed && init && *needed) {
        init();
        *needed = 0;
    }
    const void *in_place = find_spelled("mpi_fortran_in_place");
    if (in_place) {
        set_constant(all->in_place, in_place, NULL);
        set_constant(all->status_ignore, find_spelled("mpi_fortran_status_ignore"), NULL);
        set_constant(all->statuses_ignore, find_spelled("mpi_fortran_statuses_ignore"), NULL);
    } else {
        set_constant(all->in_place, pointed_to("MPIR_F_MPI_IN_PLACE"), find_symbol("MPIR_F08_MPI_IN_PLACE"));
        set_constant(all->status_ignore, MPI_F_STATUS_IGNORE, find_symbol("MPIR_F08_MPI_STATUS_IGNORE_OBJ"));
        set_constant(all->statuses_ignore, MPI_F_STATUSES_IGNORE, find_symbol("MPIR_F08_MPI_STATUSES_IGNORE_OBJ"));
    }
}

/* ---- native functions ---- */

/* Prints and does what the dynamic linker would do if callsign did not define the name. */
static void die_of_missing(const char *name)
{
    cs_log("symbol lookup error: undefined symbol: %s: no Fortran library of the MPI is loaded", name);
    _exit(127);
}

void *cs_fortran_native_find(enum cs_fortran_number number)
{
    CS_KEEP_ERRNO;
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const struct cs_fortran_entry *entry = &cs_fortran_entries[number];
    if (!cs_thread_self) /* before that, callsign's own replacements are not known */
        cs_first_call_of_thread();
    void *found = entry->copied ? entry->copied : cs_next_definition(entry->name);
    bool has_other = strcmp(entry->pmpi_name, entry->name) != 0;
    /* If there is no other name, the first definition in the search order would be callsign's own. */
    if (!found)
        found =
            has_other ? find_symbol(entry->pmpi_name) : find_in_libraries(entry->pmpi_name, RTLD_LAZY | RTLD_NOLOAD);
    if (!found)
        found = find_in_libraries(entry->pmpi_name, RTLD_LAZY | RTLD_GLOBAL | RTLD_NODELETE);
    found = cs_fallback_fortran(entry->name, found);
    if (!found)
        die_of_missing(entry->name);
    pthread_once(&once, find_constants);
    atomic_store_explicit(&cs_fortran_natives[number], found, memory_order_release);
    return found;
}
