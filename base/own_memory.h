/* Reads memory of this process that may not be there: a wrong address is an error and not a crash. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Copies up to `bytes` bytes from an address. Returns how many are readable from its begin, which may be fewer; -1:
   none, with errno. Takes a system call: process_vm_readv (2), or a pipe (2) where a container forbids that. */
ssize_t cs_own_memory_read(uint64_t address, void *to, size_t bytes);
