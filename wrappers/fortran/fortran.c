/* Fortran: where entry points lead, its constants, and roles whose arguments have another shape. */
#include "wrappers/fortran/fortran.h"

#include <ctype.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "record/object.h"
#include "wrappers/object/look_up.h"
#include "wrappers/call/first_call.h"

enum { CS_FORTRAN_NAME_MOST = 128 };

struct cs_fortran_constants cs_fortran_constants;

/* The Fortran libraries that the entry points were taken from. */
static const char *const sonames[] = {CS_FORTRAN_SONAMES};

/* In a library that only the program's plugins see, or that the linker left out of the program because callsign has all
 * of its names. */
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

static void *find(const char *name)
{
    void *found = dlsym(RTLD_DEFAULT, name);
    return found ? found : find_in_libraries(name, RTLD_LAZY | RTLD_NOLOAD);
}

/* A Fortran name as any compiler may have spelled it. */
static void *find_spelled(const char *name)
{
    static const char *const spellings[] = {"%s_", "%s", "%s__"};
    char text[CS_FORTRAN_NAME_MOST];
    void *found = NULL;
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings && !found; i++) {
        snprintf(text, sizeof text, spellings[i], name);
        found = find(text);
    }
    if (found)
        return found;
    snprintf(text, sizeof text, "%s", name);
    for (char *c = text; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    return find(text);
}

static const void *pointed_to(const char *name)
{
    const void *const *pointer = find(name);
    return pointer ? *pointer : NULL;
}

/* Constants that nobody has stay addresses that nobody passes. */
static void set(const void *constant[CS_FORTRAN_SPELLINGS], const void *first, const void *second)
{
    constant[0] = first ? first : &cs_fortran_constants;
    constant[1] = second ? second : constant[0];
}

static void find_constants(void)
{
    struct cs_fortran_constants *all = &cs_fortran_constants;
    /* MPICH learns where its constants are at the first Fortran call, which may still be ahead. */
    int *needed = find("MPIR_F_NeedInit");
    void (*init)(void) = (void (*)(void))find_spelled("mpirinitf");
    if (needed && init && *needed) {
        init();
        *needed = 0;
    }
    const void *in_place = find_spelled("mpi_fortran_in_place");
    if (in_place) {
        set(all->in_place, in_place, NULL);
        set(all->status_ignore, find_spelled("mpi_fortran_status_ignore"), NULL);
        set(all->statuses_ignore, find_spelled("mpi_fortran_statuses_ignore"), NULL);
    } else {
        set(all->in_place, pointed_to("MPIR_F_MPI_IN_PLACE"), find("MPIR_F08_MPI_IN_PLACE"));
        set(all->status_ignore, MPI_F_STATUS_IGNORE, find("MPIR_F08_MPI_STATUS_IGNORE_OBJ"));
        set(all->statuses_ignore, MPI_F_STATUSES_IGNORE, find("MPIR_F08_MPI_STATUSES_IGNORE_OBJ"));
    }
}

/* What the dynamic linker would have said and done if callsign had not defined the name. */
static void die_of_missing(const char *name)
{
    cs_log("symbol lookup error: undefined symbol: %s: no Fortran library of the MPI is loaded", name);
    _exit(127);
}

void *cs_fortran_find(enum cs_fortran_number number)
{
    CS_KEEP_ERRNO;
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const struct cs_fortran_entry *entry = &cs_fortran_entries[number];
    void *found = cs_next_definition(entry->name);
    bool has_other = strcmp(entry->pmpi_name, entry->name) != 0;
    /* Without another name the first of the whole search order would be callsign's own. */
    if (!found)
        found = has_other ? find(entry->pmpi_name) : find_in_libraries(entry->pmpi_name, RTLD_LAZY | RTLD_NOLOAD);
    if (!found)
        found = find_in_libraries(entry->pmpi_name, RTLD_LAZY | RTLD_GLOBAL | RTLD_NODELETE);
    if (!found)
        die_of_missing(entry->name);
    pthread_once(&once, find_constants);
    __atomic_store_n(&cs_fortran_natives[number], found, __ATOMIC_RELEASE);
    return found;
}

/* ---- values ---- */

MPI_Datatype cs_fortran_types[CS_FORTRAN_TYPES];

MPI_Datatype cs_fortran_type_find(MPI_Fint handle)
{
    MPI_Datatype type = PMPI_Type_f2c(handle);
    const struct callsign_record *known = cs_object_find(CALLSIGN_DATATYPE, CS_KEY(type));
    if (known && known->flags & CS_OBJECT_PREDEFINED && (unsigned)handle < CS_FORTRAN_TYPES)
        __atomic_store(&cs_fortran_types[handle], &type, __ATOMIC_RELAXED);
    return type;
}

/* ---- roles ---- */

void cs_fortran_received(struct cs_call *call, const void *status)
{
    MPI_Status decoded;
    cs_bytes_received(call, cs_status_of_fortran(status, &decoded));
}

/* What becomes of blanks around a name, and of one that is too long, is for the MPI to say. */

void cs_named_comm_fortran(struct cs_call *call, MPI_Comm comm, const char *name, size_t length)
{
    char kept[MPI_MAX_OBJECT_NAME] = "";
    int kept_length;
    (void)name;
    (void)length;
    PMPI_Comm_get_name(comm, kept, &kept_length);
    cs_named_comm(call, comm, kept);
}

void cs_named_type_fortran(struct cs_call *call, MPI_Datatype type, const char *name, size_t length)
{
    char kept[MPI_MAX_OBJECT_NAME] = "";
    int kept_length;
    (void)name;
    (void)length;
    PMPI_Type_get_name(type, kept, &kept_length);
    cs_named_type(call, type, kept);
}

void cs_named_win_fortran(struct cs_call *call, MPI_Win win, const char *name, size_t length)
{
    char kept[MPI_MAX_OBJECT_NAME] = "";
    int kept_length;
    (void)name;
    (void)length;
    PMPI_Win_get_name(win, kept, &kept_length);
    cs_named_win(call, win, kept);
}
