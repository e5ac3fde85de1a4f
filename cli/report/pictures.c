#include "cli/report/pictures.h"

#include <string.h>

const struct cs_picture *cs_picture_find(const char *name)
{
    for (size_t i = 0; i < cs_pictures_count; i++)
        if (strcmp(cs_pictures[i].name, name) == 0)
            return &cs_pictures[i];
    return NULL;
}
