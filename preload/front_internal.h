/* What the files of the front library share. */
#ifndef CS_PRELOAD_FRONT_INTERNAL_H
#define CS_PRELOAD_FRONT_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/map.h"

/* ---- from slots.S (preload/emit_slots.py): names are sorted by strcmp, an index is a position ---- */
extern void *cs_front_slots[] __attribute__((visibility("hidden")));
extern const uint32_t cs_front_count __attribute__((visibility("hidden")));
extern const uint32_t cs_front_name_offsets[] __attribute__((visibility("hidden")));
extern const int32_t cs_front_stub_distances[] __attribute__((visibility("hidden")));
extern const char cs_front_names[] __attribute__((visibility("hidden")));

/* ---- slots.c ---- */

const char *cs_front_name(uint32_t index);
/* The index of a function name, or -1 when the front library has no such function. */
int64_t cs_front_index(const char *name);
/* The front library's own function: what the program calls. */
void *cs_front_stub(uint32_t index);

/* ---- real.c: definitions that are not callsign's ---- */

/* The C library's dlsym (or that of another library that interposes it). Set by cs_front_find_dlsym. */
extern void *(*cs_front_real_dlsym)(void *handle, const char *name) __attribute__((visibility("hidden")));
void *cs_front_find_dlsym(void);

/* Looks again which libraries are callsign's own; cs_front_next passes over what they define. Call under the lock of
 * front.c. */
void cs_front_note_ours(const struct cs_map *map);

/* The next definition after callsign in the search order of the program, or NULL. */
void *cs_front_next(const char *name);
/* Likewise, or else that of an MPI library that is mapped out of the search order; NULL when there is none at all.
   `mpi`: the library to ask first, or NULL. */
void *cs_front_real(const char *name, const struct cs_map *map, const struct cs_mapped *mpi);

/* ---- missing.c ---- */

/* What to call instead of a function that no library has. A module that refers to it weakly gets one that fails as MPI
   functions do (told in one line, once); any other ends as the dynamic linker would end it. mpi: NULL if there is none.
 */
void *cs_front_missing(const char *name, const void *caller, const struct cs_map *map, const struct cs_mapped *mpi);

/* ---- choose.c: which MPI, which flavour ---- */

/* The MPI library that the program calls. caller: an address in the calling code, or NULL. NULL when none is mapped. */
const struct cs_mapped *cs_front_choose_mpi(const struct cs_map *map, const void *caller);
/* For a program that is linked to this library and whose MPI was left out by its linker: loads it. False when that is
 * not the case. */
bool cs_front_bring_mpi(const void *caller);
/* Loads the flavour for this MPI, attaches it and fills the slots. False when that cannot be (one line on stderr says
 * so). */
bool cs_front_load_flavour(const struct cs_mapped *mpi);
/* A function of the loaded flavour; NULL: no flavour is loaded, or it has none of this name. */
void *cs_front_in_flavour(const char *name);
/* The flavour's answer whether the calling thread is inside a call that came through callsign; false without a flavour.
 */
bool cs_front_inside(void);

/* ---- front.c ---- */

/* Called by cs_front_first_call (assembly): the function to jump to. caller: return address of the call. */
void *cs_front_resolve(uint32_t index, const void *caller);
/* True when another library of callsign stands before this one, or no flavour could be loaded: calls go straight to the
 * MPI. */
bool cs_front_is_bare(void);

/* ---- dlsym.c ---- */

#define CS_FRONT_PASS ((void *)-1) /* also in entry_*.S */
/* Called by dlsym (assembly) for names that begin with "mpi" in either case and any handle but RTLD_NEXT. caller:
 * return address. */
void *cs_front_dlsym(void *handle, const char *name, const void *caller);

#endif
