/* Like slow.c, for epochs of MPI_Win_start and MPI_Win_post. */
#include "epochs.h"

#include <pthread.h>

#define WORLD MPI_COMM_WORLD

static void post_and_start(int rank, int late)
{
    MPI_Win window = make_window(WORLD);
    if (rank == late)
        plant_hold();
    if (rank == 0) {
        start(0x2, window);
        put(rank, 1, window);
        MPI_Win_complete(window);
    } else {
        post(0x1, window);
        MPI_Win_wait(window);
    }
    MPI_Win_free(&window);
}

static void late_post(int rank)
{
    post_and_start(rank, 1);
}

static void late_start_of_an_epoch(int rank)
{
    post_and_start(rank, 0);
}

static void late_complete(int rank)
{
    MPI_Win window = make_window(WORLD);
    if (rank == 0) {
        start(0x2, window);
        put(rank, 1, window);
        plant_hold();
        MPI_Win_complete(window);
    } else {
        post(0x1, window);
        MPI_Win_wait(window);
    }
    MPI_Win_free(&window);
}

/* The target has posted, and waits for a message that the origin sends after its epoch. */
static void target_that_has_posted_waits_for_the_origin(int rank)
{
    MPI_Win window = make_window(WORLD);
    if (rank == 0) {
        start(0x2, window);
        put(rank, 1, window);
        plant_hold();
        MPI_Win_complete(window);
        plant_send(1, 1, WORLD);
    } else {
        post(0x1, window);
        plant_receive(0, 1, WORLD);
        MPI_Win_wait(window);
    }
    MPI_Win_free(&window);
}

/* Epochs of earlier rounds say nothing about this one. */
static void late_post_of_a_later_round(int rank)
{
    MPI_Win window = make_window(WORLD);
    for (int round = 0; round < 4; round++)
        if (rank == 0) {
            start(0x2, window);
            put(rank, 1, window);
            MPI_Win_complete(window);
        } else {
            if (round == 3)
                plant_hold();
            post(0x1, window);
            MPI_Win_wait(window);
        }
    MPI_Win_free(&window);
}

static void late_one_of_two_targets(int rank)
{
    MPI_Win window = make_window(WORLD);
    if (rank == 0) {
        start(0x6, window);
        put(rank, 2, window);
        MPI_Win_complete(window);
    } else {
        if (rank == 2)
            plant_hold();
        post(0x1, window);
        MPI_Win_wait(window);
    }
    MPI_Win_free(&window);
}

static void late_one_of_two_origins(int rank)
{
    MPI_Win window = make_window(WORLD);
    if (rank == 0) {
        post(0x6, window);
        MPI_Win_wait(window);
    } else {
        start(0x1, window);
        put(rank, 0, window);
        if (rank == 2)
            plant_hold();
        MPI_Win_complete(window);
    }
    MPI_Win_free(&window);
}

/* Rank 0 waits for the post of rank 1, that for the end of an epoch of rank 2. */
static void chain_of_epochs(int rank)
{
    MPI_Win window = make_window(WORLD);
    if (rank == 1) {
        post(0x4, window);
        MPI_Win_wait(window);
        post(0x1, window);
        MPI_Win_wait(window);
    } else {
        start(0x2, window);
        if (rank == 2)
            plant_hold();
        put(rank, 1, window);
        MPI_Win_complete(window);
    }
    MPI_Win_free(&window);
}

static void late_rank_of_a_ring_of_epochs(int rank)
{
    MPI_Win window = make_window(WORLD);
    unsigned others = 0x7u & ~(1u << rank);
    if (rank == 2)
        plant_hold();
    post(others, window);
    start(others, window);
    put(rank, (rank + 1) % 3, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
    MPI_Win_free(&window);
}

static void epochs_in_a_ring(int rank)
{
    MPI_Win window = make_window(WORLD);
    unsigned others = 0x7u & ~(1u << rank);
    MPI_Group group = make_group(others);
    for (int on = 1; on;) {
        MPI_Win_post(group, 0, window);
        MPI_Win_start(group, 0, window);
        put(rank, (rank + 1) % 3, window);
        MPI_Win_complete(window);
        MPI_Win_wait(window);
        on = plant_goes_on();
        MPI_Bcast(&on, 1, MPI_INT, 0, WORLD);
    }
    MPI_Group_free(&group);
    MPI_Win_free(&window);
}

/* The post came before, as MPI_MODE_NOCHECK asserts. */
static void start_without_a_check(int rank)
{
    MPI_Win window = make_window(WORLD);
    MPI_Group other = make_group(rank == 0 ? 0x2 : 0x1);
    if (rank == 1)
        MPI_Win_post(other, MPI_MODE_NOCHECK, window);
    MPI_Barrier(WORLD);
    if (rank == 0) {
        MPI_Win_start(other, MPI_MODE_NOCHECK, window);
        put(rank, 1, window);
        plant_hold();
        MPI_Win_complete(window);
    } else {
        MPI_Win_wait(window);
    }
    MPI_Group_free(&other);
    MPI_Win_free(&window);
}

/* Rank 2 waits for rank 1, which polls for the end of an epoch of rank 0. */
static void poll_for_the_end_of_an_epoch(int rank)
{
    MPI_Win window = make_window(WORLD);
    if (rank == 0) {
        start(0x2, window);
        plant_hold();
        MPI_Win_complete(window);
    }
    if (rank == 1) {
        post(0x1, window);
        for (int done = 0; !done;)
            MPI_Win_test(window, &done);
        plant_send(2, 1, WORLD);
    }
    if (rank == 2)
        plant_receive(1, 1, WORLD);
    MPI_Win_free(&window);
}

static MPI_Win shared;

static void *posts_late(void *ignored)
{
    plant_hold();
    post(0x1, shared);
    MPI_Win_wait(shared);
    return ignored;
}

/* The ranks wait for each other, and another thread, which MPI does not know yet, will post. */
static void thread_that_posts(int rank)
{
    pthread_t thread;
    shared = make_window(WORLD);
    if (rank == 0) {
        start(0x2, shared);
        put(rank, 1, shared);
        MPI_Win_complete(shared);
        plant_send(1, 1, WORLD);
    } else {
        pthread_create(&thread, NULL, posts_late, NULL);
        plant_receive(0, 1, WORLD);
        pthread_join(thread, NULL);
    }
    MPI_Win_free(&shared);
}

static void *completes_late(void *ignored)
{
    start(0x2, shared);
    put(0, 1, shared);
    plant_hold();
    MPI_Win_complete(shared);
    return ignored;
}

static void thread_that_completes(int rank)
{
    pthread_t thread;
    shared = make_window(WORLD);
    if (rank == 0) {
        pthread_create(&thread, NULL, completes_late, NULL);
        plant_receive(1, 1, WORLD);
        pthread_join(thread, NULL);
    } else {
        post(0x1, shared);
        MPI_Win_wait(shared);
        plant_send(0, 1, WORLD);
    }
    MPI_Win_free(&shared);
}

const struct plant plants[] = {
    {"late_post", 2, late_post, "1"},
    {"late_start_of_an_epoch", 2, late_start_of_an_epoch, "0"},
    {"late_complete", 2, late_complete, "0"},
    {"target_that_has_posted_waits_for_the_origin", 2, target_that_has_posted_waits_for_the_origin, "0"},
    {"late_post_of_a_later_round", 2, late_post_of_a_later_round, "1"},
    {"late_one_of_two_targets", 3, late_one_of_two_targets, "2"},
    {"late_one_of_two_origins", 3, late_one_of_two_origins, "2"},
    {"chain_of_epochs", 3, chain_of_epochs, "2"},
    {"late_rank_of_a_ring_of_epochs", 3, late_rank_of_a_ring_of_epochs, "2"},
    {"epochs_in_a_ring", 3, epochs_in_a_ring, "moves"},
    {"start_without_a_check", 2, start_without_a_check, "0"},
    {"poll_for_the_end_of_an_epoch", 3, poll_for_the_end_of_an_epoch, ""},
    {"thread_that_posts", 2, thread_that_posts, "", .threads = true},
    {"thread_that_completes", 2, thread_that_completes, "", .threads = true},
};
const size_t plants_count = sizeof plants / sizeof *plants;
