/* Windows and groups for programs with epochs of MPI_Win_start and MPI_Win_post. */
#pragma once

#include "plant.h"

enum { EPOCH_CELLS = 4 };

static inline MPI_Win make_window(MPI_Comm comm)
{
    MPI_Win window;
    void *cells;
    MPI_Win_allocate(EPOCH_CELLS * sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &cells, &window);
    return window;
}

/* The ranks of MPI_COMM_WORLD whose bit is set. */
static inline MPI_Group make_group(unsigned ranks)
{
    MPI_Group world, group;
    int rank[EPOCH_CELLS], count = 0;
    for (int i = 0; i < EPOCH_CELLS; i++)
        if (ranks >> i & 1)
            rank[count++] = i;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, count, rank, &group);
    MPI_Group_free(&world);
    return group;
}

static inline void start(unsigned targets, MPI_Win window)
{
    MPI_Group group = make_group(targets);
    MPI_Win_start(group, 0, window);
    MPI_Group_free(&group);
}

static inline void post(unsigned origins, MPI_Win window)
{
    MPI_Group group = make_group(origins);
    MPI_Win_post(group, 0, window);
    MPI_Group_free(&group);
}

/* One int, to its own place there. */
static inline void put(int rank, int target, MPI_Win window)
{
    static int value; /* lives until the epoch ends */
    value = rank;
    MPI_Put(&value, 1, MPI_INT, target, rank, 1, MPI_INT, window);
}
