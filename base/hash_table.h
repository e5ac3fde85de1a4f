/* Hash tables of uthash. Their items are allocated one by one; without memory an item is left out, and the process goes
   on. */
#pragma once

#include <stdlib.h>

#define HASH_NONFATAL_OOM 1
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
