/* Like stuck.c, for epochs of MPI_Win_start and MPI_Win_post. */
#include "epochs.h"

#define WORLD MPI_COMM_WORLD

static void second_waits_for_first(int rank)
{
    if (rank == 1)
        plant_receive(0, 77, WORLD);
}

static void epoch_without_a_post(int rank)
{
    MPI_Win window = make_window(WORLD);
    second_waits_for_first(rank);
    start(1u << (1 - rank), window);
    put(rank, 1 - rank, window);
    MPI_Win_complete(window);
}

static void epoch_without_a_complete(int rank)
{
    MPI_Win window = make_window(WORLD);
    second_waits_for_first(rank);
    post(1u << (1 - rank), window);
    MPI_Win_wait(window);
}

/* The origin has put, and waits for a message that the target sends after the epoch. */
static void epoch_that_is_not_completed(int rank)
{
    MPI_Win window = make_window(WORLD);
    if (rank == 0) {
        start(0x2, window);
        put(rank, 1, window);
        plant_receive(1, 1, WORLD);
        MPI_Win_complete(window);
    } else {
        post(0x1, window);
        MPI_Win_wait(window);
        plant_send(0, 1, WORLD);
    }
}

static void starts_before_posts(int rank)
{
    MPI_Win window = make_window(WORLD);
    unsigned other = 1u << (1 - rank);
    start(other, window);
    put(rank, 1 - rank, window);
    MPI_Win_complete(window);
    post(other, window);
    MPI_Win_wait(window);
}

static void waits_before_completes(int rank)
{
    MPI_Win window = make_window(WORLD);
    unsigned other = 1u << (1 - rank);
    post(other, window);
    start(other, window);
    put(rank, 1 - rank, window);
    MPI_Win_wait(window);
    MPI_Win_complete(window);
}

static void two_targets_that_do_not_post(int rank)
{
    MPI_Win window = make_window(WORLD);
    if (rank > 0)
        plant_receive(0, 1, WORLD);
    start(0x6, window);
    MPI_Win_complete(window);
}

/* Rank 1 has posted and waits for rank 0, that for rank 2, which waits for rank 1. */
static void one_of_two_targets_posts(int rank)
{
    MPI_Win window = make_window(WORLD);
    if (rank == 0) {
        start(0x6, window);
        MPI_Win_complete(window);
    }
    if (rank == 2)
        plant_receive(1, 1, WORLD);
    if (rank > 0) {
        post(0x1, window);
        MPI_Win_wait(window);
    }
    if (rank == 1)
        plant_send(2, 1, WORLD);
}

/* Rank 1 has completed. */
static void one_of_two_origins_does_not_complete(int rank)
{
    MPI_Win window = make_window(WORLD);
    if (rank == 0) {
        post(0x6, window);
        MPI_Win_wait(window);
        plant_send(2, 1, WORLD);
    } else {
        start(0x1, window);
        put(rank, 0, window);
        if (rank == 2)
            plant_receive(0, 1, WORLD);
        MPI_Win_complete(window);
    }
    MPI_Barrier(WORLD);
}

/* The target leaves its loop one round earlier. In one round it polls. */
static void loop_of_epochs_left_too_early(int rank)
{
    MPI_Win window = make_window(WORLD);
    for (int round = 0; round < (rank == 0 ? 4 : 3); round++)
        if (rank == 0) {
            start(0x2, window);
            put(rank, 1, window);
            MPI_Win_complete(window);
        } else {
            post(0x1, window);
            for (int done = round != 1; !done;)
                MPI_Win_test(window, &done);
            if (round != 1)
                MPI_Win_wait(window);
        }
    second_waits_for_first(rank);
}

static void post_on_another_window(int rank)
{
    MPI_Win window[2] = {make_window(WORLD), make_window(WORLD)};
    if (rank == 0) {
        start(0x2, window[0]);
        MPI_Win_complete(window[0]);
        start(0x2, window[1]);
        MPI_Win_complete(window[1]);
    } else {
        post(0x1, window[1]);
        MPI_Win_wait(window[1]);
        post(0x1, window[0]);
        MPI_Win_wait(window[0]);
    }
}

/* Rank 1 posts for rank 2 and not for rank 0. */
static void post_for_another_rank(int rank)
{
    MPI_Win window = make_window(WORLD);
    if (rank == 0) {
        start(0x2, window);
        MPI_Win_complete(window);
        plant_send(2, 1, WORLD);
    }
    if (rank == 1) {
        post(0x4, window);
        MPI_Win_wait(window);
    }
    if (rank == 2) {
        plant_receive(0, 1, WORLD);
        start(0x2, window);
        MPI_Win_complete(window);
    }
}

/* Ranks of the window are those of MPI_COMM_WORLD backwards: 0 and 3 wait for each other. */
static void epoch_on_reversed_ranks(int rank)
{
    MPI_Comm reversed;
    MPI_Comm_split(WORLD, 0, -rank, &reversed);
    MPI_Win window = make_window(reversed);
    if (rank == 0) {
        start(0x8, window);
        MPI_Win_complete(window);
    }
    if (rank == 3)
        plant_receive(0, 1, WORLD);
    MPI_Barrier(reversed);
}

static void ring_of_starts(int rank)
{
    MPI_Win window = make_window(WORLD);
    start(1u << (rank + 1) % 3, window);
    put(rank, (rank + 1) % 3, window);
    MPI_Win_complete(window);
    post(1u << (rank + 2) % 3, window);
    MPI_Win_wait(window);
}

/* A fence on one side of what is an epoch on the other. */
static void fence_against_an_epoch(int rank)
{
    MPI_Win window = make_window(WORLD);
    if (rank == 0)
        MPI_Win_fence(0, window);
    else {
        post(0x1, window);
        MPI_Win_wait(window);
    }
}

/* The origin lists itself and has not posted. */
static void start_at_itself(int rank)
{
    MPI_Win window = make_window(WORLD);
    if (rank == 0) {
        start(0x1, window);
        put(rank, 0, window);
        MPI_Win_complete(window);
    }
    MPI_Barrier(WORLD);
}

const struct plant plants[] = {
    {"epoch_without_a_post", 2, epoch_without_a_post, "0,1"},
    {"epoch_without_a_complete", 2, epoch_without_a_complete, "0,1"},
    {"epoch_that_is_not_completed", 2, epoch_that_is_not_completed, "0,1"},
    {"starts_before_posts", 2, starts_before_posts, "0,1"},
    {"waits_before_completes", 2, waits_before_completes, "0,1"},
    {"two_targets_that_do_not_post", 3, two_targets_that_do_not_post, "0,1,2"},
    {"one_of_two_targets_posts", 3, one_of_two_targets_posts, "0,1,2"},
    {"one_of_two_origins_does_not_complete", 3, one_of_two_origins_does_not_complete, "0,2 (1)"},
    {"loop_of_epochs_left_too_early", 2, loop_of_epochs_left_too_early, "0,1"},
    {"post_on_another_window", 2, post_on_another_window, "0,1"},
    {"post_for_another_rank", 3, post_for_another_rank, "0,1,2"},
    {"epoch_on_reversed_ranks", 4, epoch_on_reversed_ranks, "0,3 (1,2)"},
    {"ring_of_starts", 3, ring_of_starts, "0,1,2"},
    {"fence_against_an_epoch", 2, fence_against_an_epoch, "0,1"},
    {"start_at_itself", 2, start_at_itself, "0 (1)"},
};
const size_t plants_count = sizeof plants / sizeof *plants;
