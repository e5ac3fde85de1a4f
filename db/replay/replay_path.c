#include "db/replay/replay_path.h"

#include <stdlib.h>

/* Boyer and Moore's vote: a rank with more than half of the time wins it. */
static void vote(struct cs_path_part *part, int64_t rank, int64_t ns)
{
    if (part->rank == rank) {
        part->rank_ns += ns;
    } else if (part->rank_ns >= ns) {
        part->rank_ns -= ns;
    } else {
        part->rank_ns = ns - part->rank_ns;
        part->rank = rank;
    }
}

/* Misra and Gries: a part that finds no room takes as much from all others. */
static bool make_room(struct cs_path *path, int64_t *ns)
{
    int64_t least_ns = *ns;
    for (int i = 0; i < CS_PATH_PARTS; i++)
        least_ns = path->part[i].ns < least_ns ? path->part[i].ns : least_ns;
    for (int i = 0; i < CS_PATH_PARTS; i++) {
        struct cs_path_part *part = &path->part[i];
        part->ns -= least_ns;
        part->rank_ns = part->rank_ns < part->ns ? part->rank_ns : part->ns;
    }
    *ns -= least_ns;
    return *ns > 0;
}

void cs_path_add(struct cs_path *path, int64_t group, bool in_call, int64_t rank, int64_t ns)
{
    struct cs_path_part *free_part = NULL;
    if (ns <= 0)
        return;
    for (int i = 0; i < CS_PATH_PARTS; i++) {
        struct cs_path_part *part = &path->part[i];
        if (!part->ns) {
            free_part = part;
        } else if (part->group == group && part->in_call == in_call) {
            part->ns += ns;
            vote(part, rank, ns);
            return;
        }
    }
    if (!free_part && !make_room(path, &ns))
        return;
    for (int i = 0; !free_part && i < CS_PATH_PARTS; i++)
        free_part = path->part[i].ns ? NULL : &path->part[i];
    if (free_part)
        *free_part = (struct cs_path_part){.group = group, .ns = ns, .rank = rank, .rank_ns = ns, .in_call = in_call};
}

static int compare_parts(const void *first, const void *second)
{
    const struct cs_path_part *a = first, *b = second;
    return (a->ns < b->ns) - (a->ns > b->ns);
}

void cs_path_sort(struct cs_path *path)
{
    qsort(path->part, CS_PATH_PARTS, sizeof *path->part, compare_parts);
}
