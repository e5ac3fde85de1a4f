/* The state of a journal's reader, for reader.c, read.c and writer.c alone. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "db/journal/format.h"

struct cs_journal_reader {
    int fd;
    bool damaged;
    bool sparse; /* parts of the file were never written */
    struct cs_journal_header header;
    uint64_t end; /* of the blocks that the header counts and the file has */
    char *buffer; /* of buffer_bytes: whole cells */
    size_t buffer_bytes;
    struct stat file;
};
