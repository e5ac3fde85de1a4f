#include "wrappers/fallback/fallback.h"

#include <stdio.h>
#include <string.h>

#include "asked.h"
#include "base/settings.h"
#include "wrappers/fallback/attribute.h"
#include "wrappers/fallback/keyval.h"
#include "wrappers/fallback/lifetime.h"
#include "wrappers/fallback/name.h"
#include "wrappers/fallback/native.h"

static const char *const words[CS_FALLBACK_FAMILIES] = {
    [CS_NAMES_OF_COMMUNICATORS] = "names of communicators",
    [CS_NAMES_OF_DATATYPES] = "names of datatypes",
    [CS_NAMES_OF_WINDOWS] = "names of windows",
    [CS_ATTRIBUTES_OF_COMMUNICATORS] = "attributes of communicators",
    [CS_ATTRIBUTES_OF_DATATYPES] = "attributes of datatypes",
    [CS_ATTRIBUTES_OF_WINDOWS] = "attributes of windows",
};
static bool served[CS_FALLBACK_FAMILIES];

#define SLOT(name)  (void **)&cs_next.MPI_##name, (void *)cs_fallback_##name
#define ASKED(name) SLOT(name), (void **)&cs_mpi.name

/* The routines of each family. */
static const struct routine {
    enum cs_fallback_family family;
    void **slot;
    void *own;
    void **asked; /* by callsign itself; NULL: never */
} routines[] = {
    {CS_NAMES_OF_COMMUNICATORS, ASKED(Comm_set_name)},
    {CS_NAMES_OF_COMMUNICATORS, ASKED(Comm_get_name)},
    {CS_NAMES_OF_DATATYPES, ASKED(Type_set_name)},
    {CS_NAMES_OF_DATATYPES, ASKED(Type_get_name)},
#ifdef CS_HAS_MPI_Win_set_name
    {CS_NAMES_OF_WINDOWS, ASKED(Win_set_name)},
    {CS_NAMES_OF_WINDOWS, ASKED(Win_get_name)},
#endif
    {CS_ATTRIBUTES_OF_COMMUNICATORS, SLOT(Comm_create_keyval), NULL},
    {CS_ATTRIBUTES_OF_COMMUNICATORS, SLOT(Comm_free_keyval), NULL},
    {CS_ATTRIBUTES_OF_COMMUNICATORS, SLOT(Comm_set_attr), NULL},
    {CS_ATTRIBUTES_OF_COMMUNICATORS, ASKED(Comm_get_attr)},
    {CS_ATTRIBUTES_OF_COMMUNICATORS, SLOT(Comm_delete_attr), NULL},
    {CS_ATTRIBUTES_OF_DATATYPES, SLOT(Type_create_keyval), NULL},
    {CS_ATTRIBUTES_OF_DATATYPES, SLOT(Type_free_keyval), NULL},
    {CS_ATTRIBUTES_OF_DATATYPES, SLOT(Type_set_attr), NULL},
    {CS_ATTRIBUTES_OF_DATATYPES, ASKED(Type_get_attr)},
    {CS_ATTRIBUTES_OF_DATATYPES, SLOT(Type_delete_attr), NULL},
#ifdef CS_HAS_MPI_Win_set_attr
    {CS_ATTRIBUTES_OF_WINDOWS, SLOT(Win_create_keyval), NULL},
    {CS_ATTRIBUTES_OF_WINDOWS, SLOT(Win_free_keyval), NULL},
    {CS_ATTRIBUTES_OF_WINDOWS, SLOT(Win_set_attr), NULL},
    {CS_ATTRIBUTES_OF_WINDOWS, ASKED(Win_get_attr)},
    {CS_ATTRIBUTES_OF_WINDOWS, SLOT(Win_delete_attr), NULL},
#endif
};

/* What goes with a family and is no sign that the MPI lacks it: functions that were removed from MPI, and those around
   which something happens to names and attributes. */
static const struct companion {
    enum cs_fallback_family family, or_family;
    void **slot;
    void *own;
} companions[] = {
#ifdef CS_HAS_MPI_Keyval_create
    {CS_ATTRIBUTES_OF_COMMUNICATORS, CS_ATTRIBUTES_OF_COMMUNICATORS, SLOT(Keyval_create)},
    {CS_ATTRIBUTES_OF_COMMUNICATORS, CS_ATTRIBUTES_OF_COMMUNICATORS, SLOT(Keyval_free)},
    {CS_ATTRIBUTES_OF_COMMUNICATORS, CS_ATTRIBUTES_OF_COMMUNICATORS, SLOT(Attr_put)},
    {CS_ATTRIBUTES_OF_COMMUNICATORS, CS_ATTRIBUTES_OF_COMMUNICATORS, SLOT(Attr_get)},
    {CS_ATTRIBUTES_OF_COMMUNICATORS, CS_ATTRIBUTES_OF_COMMUNICATORS, SLOT(Attr_delete)},
#endif
    {CS_ATTRIBUTES_OF_COMMUNICATORS, CS_ATTRIBUTES_OF_COMMUNICATORS, SLOT(Comm_dup)},
#ifdef CS_HAS_MPI_Comm_dup_with_info
    {CS_ATTRIBUTES_OF_COMMUNICATORS, CS_ATTRIBUTES_OF_COMMUNICATORS, SLOT(Comm_dup_with_info)},
#endif
#ifdef CS_HAS_MPI_Comm_idup
    {CS_ATTRIBUTES_OF_COMMUNICATORS, CS_ATTRIBUTES_OF_COMMUNICATORS, SLOT(Comm_idup)},
#endif
#ifdef CS_HAS_MPI_Comm_idup_with_info
    {CS_ATTRIBUTES_OF_COMMUNICATORS, CS_ATTRIBUTES_OF_COMMUNICATORS, SLOT(Comm_idup_with_info)},
#endif
#ifdef CS_HAS_MPI_Cart_create
    {CS_ATTRIBUTES_OF_COMMUNICATORS, CS_ATTRIBUTES_OF_COMMUNICATORS, SLOT(Cart_create)},
#endif
#ifdef CS_HAS_MPI_Cart_sub
    {CS_ATTRIBUTES_OF_COMMUNICATORS, CS_ATTRIBUTES_OF_COMMUNICATORS, SLOT(Cart_sub)},
#endif
#ifdef CS_HAS_MPI_Graph_create
    {CS_ATTRIBUTES_OF_COMMUNICATORS, CS_ATTRIBUTES_OF_COMMUNICATORS, SLOT(Graph_create)},
#endif
    {CS_ATTRIBUTES_OF_COMMUNICATORS, CS_ATTRIBUTES_OF_COMMUNICATORS, SLOT(Finalize)},
    {CS_ATTRIBUTES_OF_COMMUNICATORS, CS_NAMES_OF_COMMUNICATORS, SLOT(Comm_free)},
#ifdef CS_HAS_MPI_Comm_disconnect
    {CS_ATTRIBUTES_OF_COMMUNICATORS, CS_NAMES_OF_COMMUNICATORS, SLOT(Comm_disconnect)},
#endif
#ifdef CS_HAS_MPI_Type_dup
    {CS_ATTRIBUTES_OF_DATATYPES, CS_ATTRIBUTES_OF_DATATYPES, SLOT(Type_dup)},
#endif
    {CS_ATTRIBUTES_OF_DATATYPES, CS_NAMES_OF_DATATYPES, SLOT(Type_free)},
#ifdef CS_HAS_MPI_Type_get_contents
    {CS_ATTRIBUTES_OF_DATATYPES, CS_NAMES_OF_DATATYPES, SLOT(Type_get_contents)},
#endif
#ifdef CS_HAS_MPI_Win_free
    {CS_ATTRIBUTES_OF_WINDOWS, CS_NAMES_OF_WINDOWS, SLOT(Win_free)},
#endif
};
enum { ROUTINES = sizeof routines / sizeof *routines, COMPANIONS = sizeof companions / sizeof *companions };

static bool is_forced(enum cs_fallback_family family)
{
    bool attributes = family >= CS_ATTRIBUTES_OF_COMMUNICATORS;
    return cs_setting_is(CS_SETTING_FORCE, "all") ||
           cs_setting_is(CS_SETTING_FORCE, attributes ? "attributes" : "names");
}

void cs_fallback_install(void)
{
    cs_native_keep();
    for (int i = 0; i < CS_FALLBACK_FAMILIES; i++)
        served[i] = is_forced((enum cs_fallback_family)i);
    for (int i = 0; i < ROUTINES; i++)
        served[routines[i].family] |= !*routines[i].slot;
    for (int i = 0; i < ROUTINES; i++)
        if (served[routines[i].family]) {
            *routines[i].slot = routines[i].own;
            if (routines[i].asked)
                *routines[i].asked = routines[i].own;
        }
    for (int i = 0; i < COMPANIONS; i++)
        if (*companions[i].slot && (served[companions[i].family] || served[companions[i].or_family]))
            *companions[i].slot = companions[i].own;
    if (!cs_next.MPI_Get_processor_name)
        cs_next.MPI_Get_processor_name = cs_fallback_Get_processor_name;
}

bool cs_fallback_serves(enum cs_fallback_family family)
{
    return served[family];
}

const char *cs_fallback_served(void)
{
    static char text[256];
    size_t used = 0;
    for (int i = 0; i < CS_FALLBACK_FAMILIES; i++)
        if (served[i])
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "", words[i]);
    return text;
}
