#include "wrappers/fortran/native.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/keep_errno.h"
#include "base/log.h"
#include "wrappers/call/first_call.h"
#include "wrappers/fallback/fortran.h"
#include "wrappers/mpi/find.h"
#include "wrappers/fortran/constants.h"
#include "wrappers/fortran/symbol.h"

/* What the dynamic linker would have said and done if callsign had not defined the name. */
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
    if (!cs_thread_self) /* only then it is known what callsign serves itself */
        cs_first_call_of_thread();
    void *found = entry->copied ? entry->copied : cs_next_definition(entry->name);
    bool has_other = strcmp(entry->pmpi_name, entry->name) != 0;
    /* Without another name the first of the whole search order would be callsign's own. */
    if (!found)
        found = has_other ? cs_fortran_symbol(entry->pmpi_name)
                          : cs_fortran_symbol_in_libraries(entry->pmpi_name, RTLD_LAZY | RTLD_NOLOAD);
    if (!found)
        found = cs_fortran_symbol_in_libraries(entry->pmpi_name, RTLD_LAZY | RTLD_GLOBAL | RTLD_NODELETE);
    found = cs_fallback_fortran(entry->name, found);
    if (!found)
        die_of_missing(entry->name);
    pthread_once(&once, cs_fortran_constants_find);
    __atomic_store_n(&cs_fortran_natives[number], found, __ATOMIC_RELEASE);
    return found;
}
