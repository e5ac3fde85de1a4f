/* Opens libraries of callsign that come into the program only when they are needed. */
#pragma once

#include <stdbool.h>

/* Opens a library by file name, from the folder of this code's library, for the life of the process. The program does
   not see its symbols. It and the libraries that came with it use their own symbols (SQLite, libunwind, elfutils),
   whatever the program exports, and the program's malloc. Returns the address of `function`; NULL, with the reason in
   `why`. */
void *cs_private_library_open(const char *library, const char *function, const char **why);

/* True if this code is in the program itself, linked from an archive (`-static`): then there are no libraries next
   to it, and usually no dynamic linker. The command does their work later. */
bool cs_is_linked_statically(void);
