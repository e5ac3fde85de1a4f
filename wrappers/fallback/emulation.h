/* Selects the families of names and attributes that callsign serves itself, and installs its functions below the
   wrappers, in place of the MPI's. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Call it once, after cs_next is filled and the settings are read. Serves what the MPI lacks and what CALLSIGN_FORCE
   names. */
void cs_fallback_install(void);

/* The served families as text, separated by ", "; "": none. */
const char *cs_fallback_list_families(void);

/* ---- callbacks of the program ----

   Functions of callsign that call a callback of the program, as the MPI does natively. A callback that ends with a call
   of MPI may jump there instead, which then seems to come from here: it is told from what callsign asks itself. */

#define CS_CALLS_BACK __attribute__((noinline, section("cs_calls_back")))

/* The linker defines the bounds of the section. */
extern const char __start_cs_calls_back[] __attribute__((visibility("hidden")));
extern const char __stop_cs_calls_back[] __attribute__((visibility("hidden")));

static inline bool cs_calls_back(uint64_t address)
{
    return address >= (uint64_t)(uintptr_t)__start_cs_calls_back && address < (uint64_t)(uintptr_t)__stop_cs_calls_back;
}
