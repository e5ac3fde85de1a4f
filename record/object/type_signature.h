/* Signatures: hashes of the sequence of basic types in data, without displacements. MPI compares the data of a sender
   and of a receiver by it (MPI 4.1, 3.3.1 and 5.1).

   Equal sequences have equal signatures, however a datatype was made. Data of one basic type, the usual case, is
   described by that type and its size. Other sequences are numbers in base B modulo the prime 2^61 - 1, one digit for
   each byte, so that n copies and concatenations take logarithmic time (Gropp 2000; Langou, Bosilca and others 2005).

   The basic types are lenient: C and Fortran types of one kind and size are one; signed and unsigned integers and
   characters, too, unless CALLSIGN_CHECK asks for all checks; a complex number is two real ones. Bytes without type
   have the same size as their partner, nothing more is known. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

/* ---- of a datatype: kept in uid of its struct callsign_record, with the size in bytes ---- */

enum cs_basic { CS_BASIC_INTEGER = 1, CS_BASIC_REAL, CS_BASIC_LOGICAL, CS_BASIC_UNSIGNED };

#define CS_TYPE_UNKNOWN ((uint64_t)0)
#define CS_TYPE_BYTES   ((uint64_t)1)       /* MPI_BYTE, and types that contain it */
#define CS_TYPE_MISSING ((uint64_t)2)       /* of data: not even their size is known */
#define CS_TYPE_UNIFORM ((uint64_t)1 << 62) /* only one basic type: kind and size below */
#define CS_TYPE_MIXED   ((uint64_t)1 << 63) /* a hash below */

/* A basic type of this size. */
static inline uint64_t cs_type_basic(enum cs_basic kind, uint64_t bytes)
{
    return CS_TYPE_UNIFORM | (uint64_t)kind << 32 | bytes;
}

/* True if a type consists of basic types of this kind alone. */
static inline bool cs_type_is_of(uint64_t signature, enum cs_basic kind)
{
    return signature >> 32 == cs_type_basic(kind, 0) >> 32;
}

/* The signature of several pieces, one behind the other. Begin with CS_SEQUENCE_EMPTY. */
struct cs_sequence {
    uint64_t signature; /* CS_TYPE_* */
    uint64_t bytes;     /* 0: empty */
};
#define CS_SEQUENCE_EMPTY ((struct cs_sequence){0, 0})

/* n copies. */
struct cs_sequence cs_sequence_repeat(struct cs_sequence sequence, uint64_t n);
struct cs_sequence cs_sequence_join(struct cs_sequence first, struct cs_sequence second);

/* ---- of data ---- */

#define CS_DATA_UNKNOWN ((uint64_t)0)
#define CS_DATA_EMPTY   ((uint64_t)1)
#define CS_DATA_BYTES   ((uint64_t)2) /* only the size is known */

uint64_t cs_data_of_mixed(uint64_t signature, uint64_t bytes, uint64_t count);

/* The signature of so many bytes, at least one, of one basic type. */
static inline uint64_t cs_data_uniform(uint64_t signature, uint64_t bytes)
{
    return cs_hash_mix(cs_hash_mix(0, signature), bytes) | 4;
}

/* The signature of `count` elements of a datatype with this signature and this size. */
static inline uint64_t cs_data_signature(uint64_t signature, int64_t bytes, int64_t count)
{
    if (__builtin_expect(count <= 0, 0))
        return count == 0 ? CS_DATA_EMPTY : CS_DATA_UNKNOWN;
    if (__builtin_expect((signature & CS_TYPE_UNIFORM) != 0, 1)) {
        uint64_t total = (uint64_t)bytes * (uint64_t)count;
        return total ? cs_data_uniform(signature, total) : CS_DATA_EMPTY;
    }
    if (bytes <= 0)
        return bytes == 0 ? CS_DATA_EMPTY : CS_DATA_UNKNOWN;
    if (signature == CS_TYPE_BYTES)
        return CS_DATA_BYTES;
    return signature & CS_TYPE_MIXED ? cs_data_of_mixed(signature, (uint64_t)bytes, (uint64_t)count) : CS_DATA_UNKNOWN;
}

/* The signature of data of this size, whose datatype has this signature and size. Signature and size of the data are
   enough to tell whether two results are equal. */
static inline uint64_t cs_data_of(uint64_t signature, uint64_t type_bytes, uint64_t bytes)
{
    if (__builtin_expect((signature & CS_TYPE_UNIFORM) != 0, 1))
        return cs_data_signature(signature, 1, (int64_t)bytes);
    if (signature == CS_TYPE_MISSING)
        return CS_DATA_UNKNOWN;
    if (!bytes)
        return CS_DATA_EMPTY;
    if (!type_bytes || bytes % type_bytes)
        return CS_DATA_UNKNOWN;
    return cs_data_signature(signature, (int64_t)type_bytes, (int64_t)(bytes / type_bytes));
}

/* The part of one message in a sum over pairs of ranks: sums are modulo 2^40, so that SQL adds many of them. A known
   sum has the bit CS_SUM_KNOWN. */
#define CS_SUM_KNOWN ((uint64_t)1 << 40)
static inline uint64_t cs_data_of_pair(uint64_t signature, int32_t source, int32_t dest)
{
    uint64_t pair = (uint64_t)(uint32_t)source << 32 | (uint32_t)dest;
    return signature == CS_DATA_EMPTY ? 0 : cs_hash_mix(cs_hash_mix(0x5bd1e995u, signature), pair) & (CS_SUM_KNOWN - 1);
}
