/* Descriptions of terminals. Their header has macros called lines and columns, so that no other file includes it. */
#pragma once

#include <stdbool.h>

/* True if the terminal that TERM names is described on this machine. Ask before newterm, which leaks memory if it
   fails. */
bool cs_top_terminal_is_known(int fd);
