#include "wrappers/members.h"

#include <stdio.h>
#include <stdlib.h>

#include "record/recorder.h"

/* Enough for the ranges that real communicators have; beyond it the list ends with "...". */
enum { TEXT_MAX = 4096 };

/* One step of the ranges: from ranks[at], how many follow at the same distance. */
static int run_length(const int ranks[], int at, int size)
{
    if (at + 1 >= size)
        return 1;
    int step = ranks[at + 1] - ranks[at];
    int length = 2;
    if (step <= 0)
        return 1;
    while (at + length < size && ranks[at + length] - ranks[at + length - 1] == step)
        length++;
    /* Two that are not neighbours read better on their own. */
    return length == 2 && step > 1 ? 1 : length;
}

static char *ranges(const int ranks[], int size)
{
    char *text = malloc(TEXT_MAX);
    if (!text)
        return NULL;
    size_t used = 0;
    text[0] = '\0';
    for (int at = 0; at < size;) {
        int length = run_length(ranks, at, size);
        int last = ranks[at + length - 1], step = length > 1 ? ranks[at + 1] - ranks[at] : 0;
        if (used > TEXT_MAX - 48) {
            sprintf(text + used, ",...");
            break;
        }
        if (ranks[at] == MPI_UNDEFINED)
            used += (size_t)sprintf(text + used, "%s?", at ? "," : "");
        else if (length == 1)
            used += (size_t)sprintf(text + used, "%s%d", at ? "," : "", ranks[at]);
        else
            used += (size_t)sprintf(text + used, step == 1 ? "%s%d-%d" : "%s%d-%d:%d", at ? "," : "", ranks[at], last,
                                    step);
        at += length;
    }
    return text;
}

static bool translate(MPI_Group group, int size, int world_ranks[])
{
    MPI_Group world;
    if (PMPI_Comm_group(MPI_COMM_WORLD, &world) != MPI_SUCCESS)
        return false;
    int *own = malloc((size_t)size * sizeof *own);
    bool done = own != NULL;
    for (int i = 0; done && i < size; i++)
        own[i] = i;
    if (done)
        done = PMPI_Group_translate_ranks(group, size, own, world, world_ranks) == MPI_SUCCESS;
    free(own);
    PMPI_Group_free(&world);
    return done;
}

char *cs_members(MPI_Comm comm, int size)
{
    MPI_Group group;
    int world_size = cs_journal_header(cs_recorder.journal)->size;
    if (world_size <= 0 || size <= 0 || PMPI_Comm_group(comm, &group) != MPI_SUCCESS)
        return NULL;
    int *world_ranks = malloc((size_t)size * sizeof *world_ranks);
    char *text = NULL;
    if (world_ranks && translate(group, size, world_ranks))
        text = ranges(world_ranks, size);
    free(world_ranks);
    PMPI_Group_free(&group);
    return text;
}
