/* What else is kept of objects: their names, what windows are, and what remains of them at their end. */
#pragma once

#include <stddef.h>

#include "wrappers/fallback/keyval_table.h"

/* ---- the end of objects ---- */

/* The program was given the handle once more, and will free it once more. False without memory. */
bool cs_own_refer(enum callsign_kind kind, uint64_t object);

/* One such reference ends. False: there is none, the object itself does. */
bool cs_own_unrefer(enum callsign_kind kind, uint64_t object);

/* Whether anything is kept of the object. */
bool cs_own_has(enum callsign_kind kind, uint64_t object);

/* Takes what is kept of the object out, because the handle may be used again the moment it is free; NULL: nothing is.
   Then it is put back or dropped, as the free went. Attributes that are left are lost. */
struct cs_own_object;
struct cs_own_object *cs_own_take(enum callsign_kind kind, uint64_t object);
void cs_own_put_back(struct cs_own_object *taken);
void cs_own_drop(struct cs_own_object *taken);

/* ---- names ---- */

/* False without memory. */
bool cs_own_name_set(enum callsign_kind kind, uint64_t object, const char *name, size_t length);

/* At most `bytes` with the end; false: none was set. "" may be one. */
bool cs_own_name_get(enum callsign_kind kind, uint64_t object, char *name, size_t bytes);

/* ---- windows ---- */

/* What MPI_Win_get_attr is asked for (MPI 4.1, 12.2.6), with constants of the MPI. */
struct cs_own_window {
    void *base;
    intptr_t size_bytes;
    int displacement_unit_bytes, flavor, model;
};

/* In place of what was kept of the handle before. False without memory. */
bool cs_own_window_keep(uint64_t window, const struct cs_own_window *what);

/* Stays where it is until the window is freed. NULL: its making was not seen. */
const struct cs_own_window *cs_own_window_kept(uint64_t window);
