#include "wrappers/fallback/emulation.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "pmpi_queries.h"
#include "base/settings.h"
#include "next.h"
#include "preload/front.h"
#include "wrappers/fallback/emulated_attribute.h"
#include "wrappers/fallback/underlying_mpi.h"
#include "wrappers/fallback/emulated_lifetime.h"
#include "wrappers/fallback/emulated_name.h"

/* A family is served whole: keyvals of one are of no use to the other's functions. */
enum family {
    NAMES_OF_COMMUNICATORS,
    NAMES_OF_DATATYPES,
    NAMES_OF_WINDOWS,
    ATTRIBUTES_OF_COMMUNICATORS,
    ATTRIBUTES_OF_DATATYPES,
    ATTRIBUTES_OF_WINDOWS,
    FAMILIES
};

static const char *const words[FAMILIES] = {
    [NAMES_OF_COMMUNICATORS] = "names of communicators",
    [NAMES_OF_DATATYPES] = "names of datatypes",
    [NAMES_OF_WINDOWS] = "names of windows",
    [ATTRIBUTES_OF_COMMUNICATORS] = "attributes of communicators",
    [ATTRIBUTES_OF_DATATYPES] = "attributes of datatypes",
    [ATTRIBUTES_OF_WINDOWS] = "attributes of windows",
};
static bool served[FAMILIES];

#define SLOT(name)  (void **)&cs_next.MPI_##name, (void *)cs_fallback_##name
#define ASKED(name) SLOT(name), (void **)&cs_mpi.name

/* The routines of each family. */
static const struct routine {
    enum family family;
    void **slot;
    void *own;
    void **asked; /* by callsign itself; NULL: never */
} routines[] = {
    {NAMES_OF_COMMUNICATORS, ASKED(Comm_set_name)},
    {NAMES_OF_COMMUNICATORS, ASKED(Comm_get_name)},
    {NAMES_OF_DATATYPES, ASKED(Type_set_name)},
    {NAMES_OF_DATATYPES, ASKED(Type_get_name)},
#ifdef CS_HAS_MPI_Win_set_name
    {NAMES_OF_WINDOWS, ASKED(Win_set_name)},
    {NAMES_OF_WINDOWS, ASKED(Win_get_name)},
#endif
    {ATTRIBUTES_OF_COMMUNICATORS, SLOT(Comm_create_keyval), NULL},
    {ATTRIBUTES_OF_COMMUNICATORS, SLOT(Comm_free_keyval), NULL},
    {ATTRIBUTES_OF_COMMUNICATORS, SLOT(Comm_set_attr), NULL},
    {ATTRIBUTES_OF_COMMUNICATORS, ASKED(Comm_get_attr)},
    {ATTRIBUTES_OF_COMMUNICATORS, SLOT(Comm_delete_attr), NULL},
    {ATTRIBUTES_OF_DATATYPES, SLOT(Type_create_keyval), NULL},
    {ATTRIBUTES_OF_DATATYPES, SLOT(Type_free_keyval), NULL},
    {ATTRIBUTES_OF_DATATYPES, SLOT(Type_set_attr), NULL},
    {ATTRIBUTES_OF_DATATYPES, ASKED(Type_get_attr)},
    {ATTRIBUTES_OF_DATATYPES, SLOT(Type_delete_attr), NULL},
#ifdef CS_HAS_MPI_Win_set_attr
    {ATTRIBUTES_OF_WINDOWS, SLOT(Win_create_keyval), NULL},
    {ATTRIBUTES_OF_WINDOWS, SLOT(Win_free_keyval), NULL},
    {ATTRIBUTES_OF_WINDOWS, SLOT(Win_set_attr), NULL},
    {ATTRIBUTES_OF_WINDOWS, ASKED(Win_get_attr)},
    {ATTRIBUTES_OF_WINDOWS, SLOT(Win_delete_attr), NULL},
#endif
};

#define NEWER(name) (void **)&cs_next.MPI_##name

/* What goes with a family and is no sign that the MPI lacks it: functions that were removed from MPI, and those around
   which something happens to names and attributes. */
static const struct companion {
    enum family family, or_family;
    void **slot;
    void *own;
    void **newer; /* of a function of MPI-1: what has taken its place; NULL: nothing */
} companions[] = {
#ifdef CS_HAS_MPI_Keyval_create
    {ATTRIBUTES_OF_COMMUNICATORS, ATTRIBUTES_OF_COMMUNICATORS, SLOT(Keyval_create), NEWER(Comm_create_keyval)},
    {ATTRIBUTES_OF_COMMUNICATORS, ATTRIBUTES_OF_COMMUNICATORS, SLOT(Keyval_free), NEWER(Comm_free_keyval)},
    {ATTRIBUTES_OF_COMMUNICATORS, ATTRIBUTES_OF_COMMUNICATORS, SLOT(Attr_put), NEWER(Comm_set_attr)},
    {ATTRIBUTES_OF_COMMUNICATORS, ATTRIBUTES_OF_COMMUNICATORS, SLOT(Attr_get), NEWER(Comm_get_attr)},
    {ATTRIBUTES_OF_COMMUNICATORS, ATTRIBUTES_OF_COMMUNICATORS, SLOT(Attr_delete), NEWER(Comm_delete_attr)},
#endif
    {ATTRIBUTES_OF_COMMUNICATORS, ATTRIBUTES_OF_COMMUNICATORS, SLOT(Comm_dup), NULL},
#ifdef CS_HAS_MPI_Comm_dup_with_info
    {ATTRIBUTES_OF_COMMUNICATORS, ATTRIBUTES_OF_COMMUNICATORS, SLOT(Comm_dup_with_info), NULL},
#endif
#ifdef CS_HAS_MPI_Comm_idup
    {ATTRIBUTES_OF_COMMUNICATORS, ATTRIBUTES_OF_COMMUNICATORS, SLOT(Comm_idup), NULL},
#endif
#ifdef CS_HAS_MPI_Comm_idup_with_info
    {ATTRIBUTES_OF_COMMUNICATORS, ATTRIBUTES_OF_COMMUNICATORS, SLOT(Comm_idup_with_info), NULL},
#endif
#ifdef CS_HAS_MPI_Cart_create
    {ATTRIBUTES_OF_COMMUNICATORS, ATTRIBUTES_OF_COMMUNICATORS, SLOT(Cart_create), NULL},
#endif
#ifdef CS_HAS_MPI_Cart_sub
    {ATTRIBUTES_OF_COMMUNICATORS, ATTRIBUTES_OF_COMMUNICATORS, SLOT(Cart_sub), NULL},
#endif
#ifdef CS_HAS_MPI_Graph_create
    {ATTRIBUTES_OF_COMMUNICATORS, ATTRIBUTES_OF_COMMUNICATORS, SLOT(Graph_create), NULL},
#endif
    {ATTRIBUTES_OF_COMMUNICATORS, ATTRIBUTES_OF_COMMUNICATORS, SLOT(Finalize), NULL},
#ifdef CS_HAS_MPI_Error_class
    {ATTRIBUTES_OF_COMMUNICATORS, ATTRIBUTES_OF_DATATYPES, SLOT(Error_class), NULL},
#endif
#ifdef CS_HAS_MPI_Error_string
    {ATTRIBUTES_OF_COMMUNICATORS, ATTRIBUTES_OF_DATATYPES, SLOT(Error_string), NULL},
#endif
    {ATTRIBUTES_OF_COMMUNICATORS, NAMES_OF_COMMUNICATORS, SLOT(Comm_free), NULL},
#ifdef CS_HAS_MPI_Comm_disconnect
    {ATTRIBUTES_OF_COMMUNICATORS, NAMES_OF_COMMUNICATORS, SLOT(Comm_disconnect), NULL},
#endif
#ifdef CS_HAS_MPI_Type_dup
    {ATTRIBUTES_OF_DATATYPES, ATTRIBUTES_OF_DATATYPES, SLOT(Type_dup), NULL},
#endif
    {ATTRIBUTES_OF_DATATYPES, NAMES_OF_DATATYPES, SLOT(Type_free), NULL},
#ifdef CS_HAS_MPI_Type_get_contents
    {ATTRIBUTES_OF_DATATYPES, NAMES_OF_DATATYPES, SLOT(Type_get_contents), NULL},
#endif
#ifdef CS_HAS_MPI_Type_get_contents_c
    {ATTRIBUTES_OF_DATATYPES, NAMES_OF_DATATYPES, SLOT(Type_get_contents_c), NULL},
#endif
#ifdef CS_HAS_MPI_Win_create
    {ATTRIBUTES_OF_WINDOWS, ATTRIBUTES_OF_WINDOWS, SLOT(Win_create), NULL},
#endif
#ifdef CS_HAS_MPI_Win_create_c
    {ATTRIBUTES_OF_WINDOWS, ATTRIBUTES_OF_WINDOWS, SLOT(Win_create_c), NULL},
#endif
#ifdef CS_HAS_MPI_Win_allocate
    {ATTRIBUTES_OF_WINDOWS, ATTRIBUTES_OF_WINDOWS, SLOT(Win_allocate), NULL},
#endif
#ifdef CS_HAS_MPI_Win_allocate_c
    {ATTRIBUTES_OF_WINDOWS, ATTRIBUTES_OF_WINDOWS, SLOT(Win_allocate_c), NULL},
#endif
#ifdef CS_HAS_MPI_Win_allocate_shared
    {ATTRIBUTES_OF_WINDOWS, ATTRIBUTES_OF_WINDOWS, SLOT(Win_allocate_shared), NULL},
#endif
#ifdef CS_HAS_MPI_Win_allocate_shared_c
    {ATTRIBUTES_OF_WINDOWS, ATTRIBUTES_OF_WINDOWS, SLOT(Win_allocate_shared_c), NULL},
#endif
#ifdef CS_HAS_MPI_Win_create_dynamic
    {ATTRIBUTES_OF_WINDOWS, ATTRIBUTES_OF_WINDOWS, SLOT(Win_create_dynamic), NULL},
#endif
#ifdef CS_HAS_MPI_Win_free
    {ATTRIBUTES_OF_WINDOWS, NAMES_OF_WINDOWS, SLOT(Win_free), NULL},
#endif
};
enum { ROUTINES = sizeof routines / sizeof *routines, COMPANIONS = sizeof companions / sizeof *companions };

static bool is_forced(enum family family)
{
    bool attributes = family >= ATTRIBUTES_OF_COMMUNICATORS;
    return cs_setting_is(CS_SETTING_FORCE, "all") ||
           cs_setting_is(CS_SETTING_FORCE, attributes ? "attributes" : "names");
}

/* After the routines themselves. */
static void install_companion(const struct companion *companion)
{
    bool is_served = served[companion->family] || served[companion->or_family];
    if (is_served && (*companion->slot || companion->newer))
        *companion->slot = companion->own;
    else if (!*companion->slot && companion->newer)
        *companion->slot = *companion->newer;
}

void cs_fallback_install(void)
{
    cs_native_keep();
    for (int i = 0; i < FAMILIES; i++)
        served[i] = is_forced((enum family)i);
    for (int i = 0; i < ROUTINES; i++)
        served[routines[i].family] |= !*routines[i].slot;
    for (int i = 0; i < ROUTINES; i++)
        if (served[routines[i].family]) {
            *routines[i].slot = routines[i].own;
            if (routines[i].asked)
                *routines[i].asked = routines[i].own;
        }
    for (int i = 0; i < COMPANIONS; i++)
        install_companion(&companions[i]);
    if (!cs_next.MPI_Get_processor_name)
        cs_next.MPI_Get_processor_name = cs_mpi.Get_processor_name = cs_fallback_Get_processor_name;
}

/* Whether it has something in place of a function that the MPI lacks. */
static bool replaces(void *const *slot)
{
    for (int i = 0; i < ROUTINES; i++)
        if (routines[i].slot == slot)
            return true;
    for (int i = 0; i < COMPANIONS; i++)
        if (companions[i].slot == slot && companions[i].newer)
            return true;
    return slot == (void **)&cs_next.MPI_Get_processor_name;
}

__attribute__((visibility("default"))) int callsign_flavour_serves(const char *name)
{
    for (size_t i = 0; i < cs_next_count; i++)
        if (strcmp(cs_next_entries[i].name, name) == 0)
            return replaces(cs_next_entries[i].slot);
    return false;
}

const char *cs_fallback_served(void)
{
    static char text[256];
    size_t used = 0;
    for (int i = 0; i < FAMILIES; i++)
        if (served[i])
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "", words[i]);
    return text;
}
