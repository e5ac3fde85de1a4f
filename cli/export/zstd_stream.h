/* A stream that compresses: libzstd is opened when it is needed, so that callsign does not depend on it. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* True if libzstd is installed; if not, one line is logged. */
bool cs_zstd_open(void);

/* After cs_zstd_open: the stream compresses its input into `file`, and fclose closes both. NULL: errno says
   why, and `file` is closed. */
FILE *cs_zstd_stream(FILE *file);
