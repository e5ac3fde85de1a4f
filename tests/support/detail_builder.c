#include "tests/support/detail_builder.h"

#include <stdlib.h>
#include <string.h>

void cs_built_text(struct cs_built_detail *built, unsigned key, unsigned form, const char *values, size_t bytes)
{
    size_t padded = (bytes + 7) / 8 * 8;
    struct cs_detail head = {.key = (uint16_t)key, .form = (uint16_t)form, .bytes = (uint32_t)padded};
    if (built->bytes + sizeof head + padded > sizeof built->words)
        abort();
    char *to = (char *)built->words + built->bytes;
    memcpy(to, &head, sizeof head);
    memset(to + sizeof head, 0, padded);
    memcpy(to + sizeof head, values, bytes);
    built->bytes += sizeof head + padded;
}

void cs_built_integer(struct cs_built_detail *built, unsigned key, int64_t value)
{
    cs_built_text(built, key, CS_DETAIL_INTEGER, (const char *)&value, sizeof value);
}

void cs_built_integers(struct cs_built_detail *built, unsigned key, unsigned form, int64_t were, const int64_t *values,
                       size_t here)
{
    int64_t list[64] = {were};
    if (here > 63)
        abort();
    memcpy(list + 1, values, here * sizeof *values);
    cs_built_text(built, key, form, (const char *)list, (1 + here) * sizeof *list);
}
