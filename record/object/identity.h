/* Which objects of different processes are one and the same, without communication.
 *
 * A uid is equal on all processes that have a part in an object, and a family is equal for all that one collective call
 * made: the parts of one MPI_Comm_split. Both follow from what all of these processes know:
 *
 *     family = H(uid of the parent, how many collective creations came before it on the parent)
 *     uid    = H(family, what tells the parts apart)
 *
 * and, where not all members of the parent take part, from the members, the tag, and how many such there were before.
 * MPI orders collective calls on a communicator, so that all of its members count alike. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

/* One number for several; never 0. Bits are mixed well enough that 2^32 objects hardly ever share one. */
static inline uint64_t cs_identity_join(uint64_t first, uint64_t second)
{
    uint64_t joined = cs_hash_mix(cs_hash_mix(CS_HASH_BEGIN, first), second);
    return joined ? joined : 1;
}

uint64_t cs_identity_of_text(const char *text);

/* How often this process has asked with these keys before. The first belongs to an object: when it dies, its counts go.
 * owner 0: the count stays. Without memory: 0. */
uint32_t cs_identity_count(uint32_t owner, uint64_t key);

/* The object is dead. */
void cs_identity_drop(uint32_t owner);

/* In a forked child. */
void cs_identity_forget(void);
