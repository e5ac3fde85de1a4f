/* The user's naming rules (CALLSIGN_NAMES, base/rules.h) in the program under record: which rule names a
   new object. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/symbols/resolver.h"

/* Reads the file that the setting names, tells the rules to the journal, and opens what they need. Once, before others
   may call the functions below. Mistakes are logged, by the first rank only where the launcher says who that is. */
void cs_naming_start(void);

/* Another resolver; NULL: none. */
void cs_naming_use(cs_resolve_function *resolver);

/* Bit 1 << kind: some rule may name objects of this kind. Does not change after cs_naming_start. */
extern uint32_t cs_naming_kinds __attribute__((visibility("hidden")));

static inline bool cs_naming_wants(uint32_t kind)
{
    return kind < 32 && cs_naming_kinds >> kind & 1;
}

/* A new object, as far as rules may ask. */
struct cs_newborn {
    uint16_t kind;        /* enum callsign_kind */
    const char *function; /* MPI function that made it; a text that stays where it is. NULL: not known */
    uint64_t site;        /* as in facts: stack or return address; 0: not known */
    const char *parent;   /* name of the object that it was made from; NULL: none */
    int64_t color, key;   /* arguments of MPI_Comm_split and its kin; INT64_MIN: none */
    int rank;             /* of this process in the parent; -1: none */
    int first;            /* rank in the parent of the new object's first member; -1: none */
    uint32_t nth;         /* number of this creation among such on the parent, from 1; 0: not known */
};

/* Writes the name that the first matching rule gives, at most size - 1 bytes, and returns the rule's line in the file;
   0: no rule matches, name is not touched. From any thread. Much is remembered for each call site: the first object
   of one may take milliseconds when a rule asks for its source. */
uint32_t cs_naming_write_name(const struct cs_newborn *newborn, char *name, size_t size);

/* In a forked child. */
void cs_naming_forget(void);
