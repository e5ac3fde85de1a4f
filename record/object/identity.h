/* Finds out, without communication, which objects of different processes are the same.
 *
 * A uid is equal on all processes that share an object. A family is equal for all objects of one collective call,
 * such as the parts of one MPI_Comm_split. Both follow from what all these processes know:
 *
 *     family = H(uid of the parent, number of earlier collective creations on the parent)
 *     uid    = H(family, value that distinguishes the parts)
 *
 * If not all members of the parent take part, the hash is over the members, the tag, and the number of earlier such
 * calls. MPI orders collective calls on a communicator, so all its members count alike. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

/* Combines two numbers; never 0. The bits are mixed so well that even 2^32 objects hardly ever share a number. */
static inline uint64_t cs_identity_join(uint64_t first, uint64_t second)
{
    uint64_t joined = cs_hash_mix(cs_hash_mix(CS_HASH_BEGIN, first), second);
    return joined ? joined : 1;
}

uint64_t cs_identity_of_text(const char *text);

/* How often this process called this function with these keys before. Counts belong to an object, the owner, and are
 * dropped when it dies; owner 0: the count stays. Without memory: 0. */
uint32_t cs_identity_count(uint32_t owner, uint64_t key);

/* The object is dead: drops its counts. */
void cs_identity_drop(uint32_t owner);

/* In a forked child. */
void cs_identity_forget(void);
