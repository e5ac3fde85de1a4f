/* Hash tables of uthash. Their items are allocated one by one; without memory an item is left out, and the process goes
   on. */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* Hashes a key word by word, at a third of the cost of uthash's own hash. */
static inline unsigned cs_hash_key(const void *key, size_t bytes)
{
    const char *at = key;
    uint64_t hash = bytes, word;
    for (; bytes >= sizeof word; at += sizeof word, bytes -= sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = cs_hash_mix(hash, word);
    }
    word = 0;
    memcpy(&word, at, bytes);
    hash = cs_hash_mix(hash, word);
    return (unsigned)(hash ^ hash >> 32);
}

#define HASH_NONFATAL_OOM 1
#ifndef HASH_FUNCTION
#define HASH_FUNCTION(key, bytes, hash) (hash) = cs_hash_key((key), (bytes))
#endif
#include <uthash.h>

/* Adds an allocated item under `bytes` bytes of it. Without memory it is freed, and `item` is NULL. */
#define CS_TABLE_ADD_UNDER(table, key, bytes, item)                                                                    \
    do {                                                                                                               \
        HASH_ADD_KEYPTR(hh, table, key, bytes, item);                                                                  \
        if (!(item)->hh.tbl) {                                                                                         \
            free(item);                                                                                                \
            (item) = NULL;                                                                                             \
        }                                                                                                              \
    } while (0)

/* Adds it under one of its fields. */
#define CS_TABLE_ADD(table, field, item) CS_TABLE_ADD_UNDER(table, &(item)->field, sizeof(item)->field, item)

/* Empties a table and frees its items. */
#define CS_TABLE_FREE(table)                                                                                           \
    do {                                                                                                               \
        __typeof__(table) item_ = (table), next_;                                                                      \
        HASH_CLEAR(hh, table);                                                                                         \
        for (; item_; item_ = next_) {                                                                                 \
            next_ = item_->hh.next;                                                                                    \
            free(item_);                                                                                               \
        }                                                                                                              \
    } while (0)
