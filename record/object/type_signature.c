#include "record/object/type_signature.h"

#define PRIME (((uint64_t)1 << 61) - 1)
#define BASE  ((uint64_t)0x165667b19e3779f9u) /* any large number below the prime */

__extension__ typedef unsigned __int128 product;

static uint64_t multiply(uint64_t a, uint64_t b)
{
    product p = (product)a * b;
    uint64_t sum = (uint64_t)(p & PRIME) + (uint64_t)(p >> 61);
    return sum >= PRIME ? sum - PRIME : sum;
}

static uint64_t signature_add(uint64_t a, uint64_t b)
{
    return a + b >= PRIME ? a + b - PRIME : a + b;
}

static uint64_t power(uint64_t exponent)
{
    uint64_t result = 1;
    for (uint64_t factor = BASE; exponent; exponent >>= 1, factor = multiply(factor, factor))
        if (exponent & 1)
            result = multiply(result, factor);
    return result;
}

/* The hash of n copies of a sequence: shift is B to the size of one. */
static uint64_t repeat_hash(uint64_t hash, uint64_t shift, uint64_t n)
{
    uint64_t result = 0;
    for (; n; n >>= 1) {
        if (n & 1)
            result = signature_add(multiply(result, shift), hash);
        /* twice the sequence */
        hash = signature_add(multiply(hash, shift), hash);
        shift = multiply(shift, shift);
    }
    return result;
}

/* The hash of a sequence, also of a uniform one. */
static uint64_t hash_of(struct cs_sequence sequence)
{
    if (sequence.signature & CS_TYPE_MIXED)
        return sequence.signature & PRIME;
    uint64_t size = (uint32_t)sequence.signature;
    uint64_t digit = cs_hash_mix(0, sequence.signature) & (PRIME >> 1);
    return size ? repeat_hash(digit, power(size), sequence.bytes / size) : 0;
}

struct cs_sequence cs_sequence_join(struct cs_sequence first, struct cs_sequence second)
{
    if (!first.bytes || !second.bytes)
        return first.bytes ? first : second;
    struct cs_sequence both = {first.signature, first.bytes + second.bytes};
    if (!first.signature || !second.signature)
        both.signature = CS_TYPE_UNKNOWN;
    else if (first.signature == CS_TYPE_BYTES || second.signature == CS_TYPE_BYTES)
        both.signature = CS_TYPE_BYTES;
    else if (first.signature != second.signature || first.signature & CS_TYPE_MIXED)
        both.signature = CS_TYPE_MIXED | signature_add(multiply(hash_of(first), power(second.bytes)), hash_of(second));
    return both;
}

struct cs_sequence cs_sequence_repeat(struct cs_sequence sequence, uint64_t n)
{
    if (!n || !sequence.bytes)
        return CS_SEQUENCE_EMPTY;
    if (sequence.signature & CS_TYPE_MIXED)
        sequence.signature = CS_TYPE_MIXED | repeat_hash(sequence.signature & PRIME, power(sequence.bytes), n);
    sequence.bytes *= n;
    return sequence;
}

uint64_t cs_data_of_mixed(uint64_t signature, uint64_t bytes, uint64_t count)
{
    struct cs_sequence all = cs_sequence_repeat((struct cs_sequence){signature, bytes}, count);
    return cs_hash_mix(cs_hash_mix(0, all.signature), all.bytes) | 4;
}
