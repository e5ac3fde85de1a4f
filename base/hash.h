/* 64-bit hashes. cs_hash_mix hashes words: for tables in memory, and for numbers that several processes compute
   alike. The other functions are FNV-1a, for bytes and for numbers stored in files; their high bits are weak. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Mixes a word into a hash that begins with 0 or with another hash. The highest bits of the product depend on all
   bits, so they are folded into the lowest bits, which select the slot of a table. Different words give different
   results. */
static inline uint64_t cs_hash_mix(uint64_t hash, uint64_t word)
{
    uint64_t product = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return product ^ product >> 48;
}

/* The place of a word in a table of 2^log2 places. */
static inline uint64_t cs_hash_place(uint64_t word, unsigned log2)
{
    return word * 0x9e3779b97f4a7c15u >> (64 - log2);
}

#define CS_HASH_BEGIN 0xcbf29ce484222325u

/* Continues `hash` with `bytes` bytes. */
static inline uint64_t cs_hash_bytes(uint64_t hash, const void *data, size_t bytes)
{
    const unsigned char *at = data;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ at[i]) * 0x100000001b3u;
    return hash;
}

/* Hashes a text with its NUL: "ab", "c" and "a", "bc" must differ. */
static inline uint64_t cs_hash_text(uint64_t hash, const char *text)
{
    return cs_hash_bytes(hash, text, strlen(text) + 1);
}

/* Hashes a number from its lowest byte, so that machines of both byte orders agree. */
static inline uint64_t cs_hash_number(uint64_t hash, uint64_t number)
{
    for (unsigned i = 0; i < 8; i++, number >>= 8)
        hash = (hash ^ (number & 0xff)) * 0x100000001b3u;
    return hash;
}
