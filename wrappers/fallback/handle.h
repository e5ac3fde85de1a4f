/* Handles as plain 64-bit keys: what record/ and the store of names and attributes work with. */
#pragma once

#include <stdint.h>

/* MPICH's are 32-bit integers, some of them negative. */
#define CS_KEY(handle) (sizeof(handle) == 4 ? (uint64_t)(uint32_t)(uintptr_t)(handle) : (uint64_t)(uintptr_t)(handle))

/* And back. */
#define CS_HANDLE_OF(type, key) ((type)(uintptr_t)(sizeof(type) == 4 ? (uint64_t)(uint32_t)(key) : (key)))
