/* The user's naming rules (CALLSIGN_NAMES, base/rules.h) in the recorded program: finds the rule that names a new
   object. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/symbols/resolver.h"

/* Reads the file of the setting, records the rules in the journal, and opens what they need. Call it once, before
   the functions below. Logs mistakes; if the launcher tells the rank, only the first rank does. */
void cs_naming_start(void);

/* Sets another resolver; NULL: none. */
void cs_naming_set_resolver(cs_resolve_function *resolver);

/* Bit 1 << kind: some rule may name this kind. Constant after cs_naming_start. */
extern uint32_t cs_naming_kinds __attribute__((visibility("hidden")));

static inline bool cs_naming_applies_to(uint32_t kind)
{
    return kind < 32 && cs_naming_kinds >> kind & 1;
}

/* A new object, with what rules may need. */
struct cs_newborn {
    uint16_t kind;        /* enum callsign_kind */
    const char *function; /* MPI function that made it, a string that stays valid. NULL: unknown */
    uint64_t site;        /* call site as in facts: stack or return address; 0: unknown */
    const char *parent;   /* name of the parent; NULL: none */
    int64_t color, key;   /* arguments of MPI_Comm_split and similar calls; INT64_MIN: none */
    int rank;             /* rank of this process in the parent; -1: none */
    int first;            /* rank in the parent of the new object's first member; -1: none */
    uint32_t nth;         /* number of this creation among those on the parent, from 1; 0: unknown */
};

/* Writes the name from the first matching rule, at most size - 1 bytes, and returns the rule's line in the file; 0:
   no rule matches, and name is unchanged. Any thread may call it. Results are cached for each call site; the first
   object of a site may take milliseconds if a rule needs its source line. */
uint32_t cs_naming_write_name(const struct cs_newborn *newborn, char *name, size_t size);

/* In a forked child. */
void cs_naming_forget(void);
