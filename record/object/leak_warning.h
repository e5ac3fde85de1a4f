/* A warning while the program runs: it creates communicators and does not free them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "record/object/object.h"

/* Limit of live communicators; UINT32_MAX: none, and after the warning. MPIs have room for some thousands (their
   context ids), and a program near that limit usually forgets to free them. One line on stderr says so, once, with
   the call site that made most of them. Changed only under the lock of the objects. */
extern uint32_t cs_leak_warning_limit;

/* Takes the limit from the setting. */
void cs_leak_warning_start(void);

struct cs_leak_warning {
    uint32_t alive; /* communicators of the program; 0: no warning */
    uint32_t most;  /* number of those from one call site */
    uint64_t site;  /* that call site, as cs_stack_innermost gives it; 0: unknown */
};

/* True if the warning is due at the birth of this communicator. Its first member warns for all, so that a collective
   leak gives one line and not one for each rank. */
static inline bool cs_leak_warning_is_due(uint32_t alive, const struct callsign_record *born)
{
    return __builtin_expect(alive > cs_leak_warning_limit, 0) && born->rank <= 0;
}

/* 1 if it counts: the program made it. */
static inline uint32_t cs_leak_warning_counts(const struct callsign_record *object)
{
    return object->kind == CALLSIGN_COMMUNICATOR &&
           !(cs_object_flags(object) & (CS_OBJECT_INTERNAL | CS_OBJECT_PREDEFINED));
}

/* Finds the call site of most live communicators, and disables the limit. Call it with the lock of the objects. */
struct cs_leak_warning cs_leak_warning_find(uint32_t alive);

/* Prints one line on stderr for the whole run, if there is a warning. Call it without any lock. */
void cs_leak_warning_print(const struct cs_leak_warning *warning);
