/* Too many communicators alive at once: MPIs have room for some thousands (their context ids), and a program that comes
   near that mostly forgets to free them. Said once, with the call site that made most of them, while the program can
   still be looked at. */
#pragma once

#include <stdint.h>

#include "callsign/debug.h"
#include "db/journal/format.h"
#include "record/object_table.h"

/* More living communicators than this are too many; UINT32_MAX: never, and once it was said. Changed under the lock of
   the objects only. */
extern uint32_t cs_leak_warning_limit;

struct cs_leak_warning {
    uint32_t alive; /* communicators of the program; 0: nothing to tell */
    uint32_t most;  /* of these: created at one call site */
    uint64_t pc;    /* that call site, a return address; 0: not known */
};

/* Takes the limit from the setting. */
void cs_leak_warning_start(void);

/* Whether the birth of this communicator is when to tell: the first member of a communicator tells for all, so that a
   collective leak is one line and not one for each rank. */
static inline bool cs_leak_warning_is(uint32_t alive, const struct callsign_record *born)
{
    return __builtin_expect(alive > cs_leak_warning_limit, 0) && born->rank <= 0;
}

/* Whether it counts: made by the program. */
static inline uint32_t cs_leak_warning_counts(const struct callsign_record *object)
{
    return object->kind == CALLSIGN_COMMUNICATOR &&
           !(cs_object_flags(object) & (CS_OBJECT_INTERNAL | CS_OBJECT_PREDEFINED));
}

/* Finds the call site that made most of the living, and takes the limit away. With the lock of the objects. */
struct cs_leak_warning cs_leak_warning_look(uint32_t alive);

/* One line on stderr for the whole run, unless there is nothing to tell. Without any lock. */
void cs_leak_warning_tell(const struct cs_leak_warning *warning);
