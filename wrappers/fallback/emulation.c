#include "wrappers/fallback/emulation.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/settings.h"
#include "emulated.h"
#include "next.h"
#include "pmpi_queries.h"
#include "preload/front.h"
#include "wrappers/fallback/emulated_name.h"
#include "wrappers/fallback/underlying_mpi.h"

static const char *const words[CS_FAMILIES] = {
    [CS_NAMES_OF_COMMUNICATORS] = "names of communicators",
    [CS_NAMES_OF_DATATYPES] = "names of datatypes",
    [CS_NAMES_OF_WINDOWS] = "names of windows",
    [CS_ATTRIBUTES_OF_COMMUNICATORS] = "attributes of communicators",
    [CS_ATTRIBUTES_OF_DATATYPES] = "attributes of datatypes",
    [CS_ATTRIBUTES_OF_WINDOWS] = "attributes of windows",
};
static bool served[CS_FAMILIES];

static bool is_forced(enum cs_family family)
{
    bool attributes = family >= CS_ATTRIBUTES_OF_COMMUNICATORS;
    return cs_setting_is(CS_SETTING_FORCE, "all") ||
           cs_setting_is(CS_SETTING_FORCE, attributes ? "attributes" : "names");
}

static void install_routine(const struct cs_emulated_function *function)
{
    if (!function->routine || !served[function->family])
        return;
    *function->slot = function->own;
    if (function->query)
        *function->query = function->own;
}

/* Installs functions that MPI has removed, and functions that must also handle names and attributes. It runs after
   the routines themselves. A missing one is no sign that the MPI lacks the family. */
static void install_companion(const struct cs_emulated_function *function)
{
    bool is_served = served[function->family] || served[function->or_family];
    if (function->routine)
        return;
    if (is_served && (*function->slot || function->newer))
        *function->slot = function->own;
    else if (!*function->slot && function->newer)
        *function->slot = *function->newer;
}

void cs_fallback_install(void)
{
    const struct cs_emulated_function *functions = cs_emulated_functions;
    cs_native_save();
    for (int i = 0; i < CS_FAMILIES; i++)
        served[i] = is_forced((enum cs_family)i);
    for (size_t i = 0; i < cs_emulated_count; i++)
        served[functions[i].family] |= functions[i].routine && !*functions[i].slot;
    for (size_t i = 0; i < cs_emulated_count; i++)
        install_routine(&functions[i]);
    for (size_t i = 0; i < cs_emulated_count; i++)
        install_companion(&functions[i]);
    if (!cs_next.MPI_Get_processor_name)
        cs_next.MPI_Get_processor_name = cs_mpi.Get_processor_name = cs_fallback_Get_processor_name;
}

/* True if callsign replaces a function that the MPI lacks. */
static bool replaces(void *const *slot)
{
    for (size_t i = 0; i < cs_emulated_count; i++)
        if (cs_emulated_functions[i].slot == slot &&
            (cs_emulated_functions[i].routine || cs_emulated_functions[i].newer))
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

const char *cs_fallback_list_families(void)
{
    static char text[256];
    size_t used = 0;
    for (int i = 0; i < CS_FAMILIES; i++)
        if (served[i])
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "", words[i]);
    return text;
}
