/* Libraries of ours that come into the program only when they are needed. */
#pragma once

#include <stdbool.h>

/* Opens the library of this file name, from the folder of the one that this code is in, so that nobody else sees its
   names, and it sees those of its own libraries and not the program's. Returns the address of `function`; NULL: dlerror
   may tell why. */
void *cs_private_library_open(const char *library, const char *function);

/* Whether this code is in the program itself, which was linked with an archive of it (`-static`): there is nothing
   beside it, and mostly no dynamic linker either. What such a library does is left to the command then. */
bool cs_private_library_none(void);
