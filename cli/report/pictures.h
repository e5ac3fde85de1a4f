/* The rows that the pictures of callsign report --html show; callsign report --format json prints the same. */
#pragma once

#include <stddef.h>

struct cs_picture {
    const char *name;
    const char *sql; /* one SELECT */
};

/* The files of db/trace/pictures in the order of their names; written by db/trace/embed.py. */
extern const struct cs_picture cs_pictures[];
extern const size_t cs_pictures_count;

/* NULL: no picture has this name. */
const struct cs_picture *cs_picture_find(const char *name);
