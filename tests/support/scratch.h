/* A folder of its own for each test, and what is on stderr. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Makes a new empty folder and goes into it. cmocka set-up function. */
int cs_scratch_enter(void **state);

/* Leaves it and removes it with its files. cmocka tear-down function. */
int cs_scratch_leave(void **state);

/* Returns the number of files in it. */
size_t cs_scratch_files(void);

/* When a process began, in clock ticks since boot. */
uint64_t cs_scratch_start_of(pid_t pid);

/* Sends stderr into a file until cs_scratch_heard, which returns what was written (up to the next call). */
void cs_scratch_listen(void);
const char *cs_scratch_heard(void);
