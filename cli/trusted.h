/* Which libraries `callsign doctor` may load: those that run with the user's rights already. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether the folder of a library is trusted: one where the dynamic linker looks for callsign's own trial program, an
   absolute folder of LD_LIBRARY_PATH, or an absolute folder that the program names (RUNPATH), which nobody but root and
   the user can change and which is not the program's own. Folders that a trusted library names count as well. A
   program's $ORIGIN does not: what lies beside a program came with it.
   False: `why` says in words why not. */
bool cs_trusted_library(const char *library, const char *program, const char *trial, char *why, size_t size);
