/* FNV-1a, 64 bits: for tables, and for numbers that traces and files keep. Its high bits are weak: mix them where they
   count. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define CS_HASH_BEGIN 0xcbf29ce484222325u

/* Goes on from `hash`, with so many bytes. */
static inline uint64_t cs_hash_bytes(uint64_t hash, const void *data, size_t bytes)
{
    const unsigned char *at = data;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ at[i]) * 0x100000001b3u;
    return hash;
}

/* A text and its NUL, so that two texts in turn cannot be taken for two others. */
static inline uint64_t cs_hash_text(uint64_t hash, const char *text)
{
    return cs_hash_bytes(hash, text, strlen(text) + 1);
}

/* A number, from its lowest byte: the same on machines of either byte order. */
static inline uint64_t cs_hash_number(uint64_t hash, uint64_t number)
{
    for (unsigned i = 0; i < 8; i++, number >>= 8)
        hash = (hash ^ (number & 0xff)) * 0x100000001b3u;
    return hash;
}
