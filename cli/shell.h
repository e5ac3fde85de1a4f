/* Words for a shell: commands that callsign prints can be pasted. */
#pragma once

#include <limits.h>

enum { CS_SHELL_WORD_BYTES = 4 * PATH_MAX + 3 };

/* Writes a path so that the shell reads it back as it is, in quotes if need be; control characters become "?". Longer
   paths than PATH_MAX are cut. Returns text. */
const char *cs_shell_word(const char *path, char text[CS_SHELL_WORD_BYTES]);
