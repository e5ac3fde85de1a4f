#include "cli/rows/similar_name.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/log.h"
#include "db/trace/schema.h"

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The Damerau-Levenshtein distance (each pair swapped at most once). Words that are too long are no typing errors. */
static size_t distance_of(const char *from, const char *to)
{
    enum { LONGEST = sizeof((struct cs_similar_name *)NULL)->name };
    size_t rows = strlen(from);
    size_t columns = strlen(to);
    size_t cost[3][LONGEST];
    if (rows >= LONGEST || columns >= LONGEST)
        return SIZE_MAX;
    for (size_t j = 0; j <= columns; j++)
        cost[0][j] = j;
    for (size_t i = 1; i <= rows; i++) {
        size_t *now = cost[i % 3];
        const size_t *before = cost[(i - 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            bool same = cs_ascii_to_lower(from[i - 1]) == cs_ascii_to_lower(to[j - 1]);
            now[j] = least(least(before[j], now[j - 1]) + 1, before[j - 1] + !same);
            if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
                now[j] = least(now[j], cost[(i - 2) % 3][j - 2] + 1);
        }
    }
    return cost[rows % 3][columns];
}

void cs_similar_name_offer(struct cs_similar_name *nearest, const char *name)
{
    size_t distance = distance_of(nearest->word, name);
    /* With more than a third of the letters wrong it is another word. */
    if (distance > strlen(nearest->word) / 3 || (*nearest->name && distance >= nearest->distance))
        return;
    nearest->distance = distance;
    snprintf(nearest->name, sizeof nearest->name, "%s", name);
}

void cs_similar_name_suggest(const char *name)
{
    struct cs_similar_name nearest = {.word = name};
    for (size_t i = 0; i < cs_views_count; i++)
        cs_similar_name_offer(&nearest, cs_views[i].name);
    for (size_t i = 0; i < cs_tables_count; i++)
        cs_similar_name_offer(&nearest, cs_tables[i].name);
    if (*nearest.name)
        cs_log("there is no view or table %s; the nearest is %s (callsign query RUN lists all)", name, nearest.name);
    else
        cs_log("there is no view or table %s; callsign query RUN lists all", name);
}

bool cs_similar_name_is_word(const char *text)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    return length && !text[length];
}
