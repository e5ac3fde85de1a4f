/* Who cannot go on: models of ranks in calls, and what follows from them. */
#include <string.h>

#include "cli/hang_find.h"
#include "tests/support/unit_test.h"

enum { RANKS_MOST = 8, TRAFFIC_MOST = 16, WORLD = 1 };

#define WORLD_UID 700

/* Ranks with one thread each, all on MPI_COMM_WORLD. */
struct model {
    struct cs_hang hang;
    struct cs_hang_rank rank[RANKS_MOST];
    struct cs_hang_thread thread[RANKS_MOST];
    struct cs_hang_object object[RANKS_MOST];
    struct cs_hang_traffic traffic[TRAFFIC_MOST];
    struct cs_hang_tag tag[TRAFFIC_MOST];
};

/* All compute; what they do is known as of one moment, and all their messages were counted. */
static void begin(struct model *model, int ranks)
{
    *model = (struct model){0};
    for (int i = 0; i < ranks; i++) {
        model->rank[i] = (struct cs_hang_rank){.rank = i,
                                               .outcome = CS_HANG_RUNNING,
                                               .steady = true,
                                               .exact = true,
                                               .whole = true,
                                               .thread = (size_t)i,
                                               .threads = 1};
        model->thread[i] = (struct cs_hang_thread){.rank = i, .doing = CS_THREAD_OUTSIDE};
        model->object[i] = (struct cs_hang_object){
            .rank = i, .object = WORLD, .uid = WORLD_UID, .size = ranks, .remote_size = -1, .own = i, .world = true};
    }
    model->hang = (struct cs_hang){.rank = model->rank,
                                   .thread = model->thread,
                                   .object = model->object,
                                   .traffic = model->traffic,
                                   .tag = model->tag,
                                   .ranks = (size_t)ranks,
                                   .threads = (size_t)ranks,
                                   .objects = (size_t)ranks,
                                   .world_size = ranks};
}

static void enter(struct model *model, int rank, uint16_t function, int peer, int tag)
{
    model->thread[rank].doing = CS_THREAD_INSIDE;
    model->thread[rank].call = (struct cs_hang_call){.function = function, .object = WORLD, .peer = peer, .tag = tag};
}

/* The rank enters its next collective call on MPI_COMM_WORLD. */
static void enter_collective(struct model *model, int rank, uint16_t function, int root)
{
    struct cs_hang_object *object = &model->object[rank];
    enter(model, rank, function, root, CS_TAG_ANY);
    object->begun++;
    object->function = function;
    object->root = root;
    model->thread[rank].call.collective = object->begun;
}

/* Messages that were sent and nobody received. Calls come in the order of senders. */
static void send_unreceived(struct model *model, int source, int dest, int tag)
{
    model->traffic[model->hang.traffics++] =
        (struct cs_hang_traffic){.rank = source, .object = WORLD, .sent = true, .peer = dest, .messages = 1};
    model->tag[model->hang.tags++] = (struct cs_hang_tag){.rank = source, .object = WORLD, .first = tag, .last = tag};
}

/* Which ranks are stuck, as bits. */
static unsigned find(struct model *model)
{
    unsigned stuck = 0;
    assert_true(cs_hang_find(&model->hang));
    for (size_t i = 0; i < model->hang.ranks; i++)
        stuck |= (unsigned)model->rank[i].stuck << i;
    return stuck;
}

static void end(struct model *model)
{
    cs_hang_free_conclusions(&model->hang);
}

static void ranks_that_receive_from_each_other_are_a_deadlock(void **state)
{
    (void)state;
    struct model model;
    begin(&model, 3);
    enter(&model, 0, CS_MPI_Recv, 1, 7);
    enter(&model, 1, CS_MPI_Recv, 0, 7);
    assert_int_equal(find(&model), 3);
    assert_int_equal(model.hang.cores, 1);
    assert_int_equal(model.rank[0].core, model.rank[1].core);
    assert_int_equal(model.rank[2].core, CS_HANG_NONE);
    end(&model);
}

static void a_message_under_way_may_still_come(void **state)
{
    (void)state;
    struct model model;
    begin(&model, 2);
    enter(&model, 0, CS_MPI_Recv, 1, 7);
    enter(&model, 1, CS_MPI_Recv, 0, 7);
    send_unreceived(&model, 1, 0, 7);
    assert_int_equal(find(&model), 0);
    end(&model);
}

static void a_message_with_another_tag_does_not_help(void **state)
{
    (void)state;
    struct model model;
    begin(&model, 2);
    enter(&model, 0, CS_MPI_Recv, 1, 7);
    enter(&model, 1, CS_MPI_Recv, 0, 7);
    send_unreceived(&model, 1, 0, 8);
    assert_int_equal(find(&model), 3);
    assert_true(model.hang.need[model.thread[0].need].wrong_tag);
    assert_false(model.hang.need[model.thread[1].need].wrong_tag);
    end(&model);
}

static void without_whole_accounts_nobody_is_accused(void **state)
{
    (void)state;
    struct model model;
    for (int lacking = 0; lacking < 3; lacking++) {
        begin(&model, 2);
        enter(&model, 0, CS_MPI_Recv, 1, 7);
        enter(&model, 1, CS_MPI_Recv, 0, 7);
        model.rank[1].exact = lacking != 0;
        model.rank[1].steady = lacking != 1;
        model.object[1].adopted = lacking == 2;
        assert_int_equal(find(&model), 0);
        end(&model);
    }
}

static void who_waits_for_a_deadlock_is_stuck_but_no_part_of_it(void **state)
{
    (void)state;
    struct model model;
    begin(&model, 4);
    enter(&model, 0, CS_MPI_Ssend, 1, 7);
    enter(&model, 1, CS_MPI_Ssend, 2, 7);
    enter(&model, 2, CS_MPI_Ssend, 0, 7);
    enter(&model, 3, CS_MPI_Recv, 0, 7);
    assert_int_equal(find(&model), 15);
    assert_int_equal(model.hang.cores, 1);
    assert_int_equal(model.rank[0].core, 0);
    assert_int_equal(model.rank[2].core, 0);
    assert_int_equal(model.rank[3].core, CS_HANG_NONE);
    end(&model);
}

static void two_circles_are_two_deadlocks(void **state)
{
    (void)state;
    struct model model;
    begin(&model, 4);
    enter(&model, 0, CS_MPI_Recv, 1, 7);
    enter(&model, 1, CS_MPI_Recv, 0, 7);
    enter(&model, 2, CS_MPI_Recv, 3, 7);
    enter(&model, 3, CS_MPI_Recv, 2, 7);
    assert_int_equal(find(&model), 15);
    assert_int_equal(model.hang.cores, 2);
    assert_int_not_equal(model.rank[0].core, model.rank[2].core);
    end(&model);
}

static void who_waits_for_a_rank_that_computes_is_not_stuck(void **state)
{
    (void)state;
    struct model model;
    begin(&model, 3);
    enter(&model, 0, CS_MPI_Recv, 1, 7);
    enter(&model, 1, CS_MPI_Recv, 2, 7);
    assert_int_equal(find(&model), 0);
    end(&model);
}

static void what_a_dead_rank_was_to_send_never_comes(void **state)
{
    (void)state;
    struct model model;
    begin(&model, 2);
    enter(&model, 0, CS_MPI_Recv, 1, 7);
    model.rank[1].outcome = CS_HANG_FINALIZED;
    assert_int_equal(find(&model), 1);
    assert_int_equal(model.hang.cores, 0);
    end(&model);
}

static void members_in_different_collective_calls_are_a_mismatch(void **state)
{
    (void)state;
    struct model model;
    begin(&model, 2);
    enter_collective(&model, 0, CS_MPI_Barrier, CS_NO_PEER);
    enter_collective(&model, 1, CS_MPI_Allreduce, CS_NO_PEER);
    assert_int_equal(find(&model), 3);
    assert_int_equal(model.hang.mismatches, 1);
    assert_int_equal(model.hang.mismatch[0].uid, WORLD_UID);
    assert_int_equal(model.hang.mismatch[0].number, 1);
    end(&model);
}

static void a_barrier_waits_for_members_outside(void **state)
{
    (void)state;
    struct model model;
    begin(&model, 3);
    enter_collective(&model, 0, CS_MPI_Barrier, CS_NO_PEER);
    enter_collective(&model, 1, CS_MPI_Barrier, CS_NO_PEER);
    assert_int_equal(find(&model), 0);
    assert_int_equal(model.hang.mismatches, 0);
    assert_int_equal(model.hang.need[model.thread[0].need].state, CS_HANG_MISSING);
    assert_int_equal(model.hang.need[model.thread[0].need].givers, 1);
    assert_int_equal(model.hang.need[model.thread[0].need].giver[0], 2);
    end(&model);
}

static void ranks_and_objects_are_found_by_number(void **state)
{
    (void)state;
    struct model model;
    size_t count;
    begin(&model, 3);
    model.rank[2].rank = model.object[2].rank = 9; /* ranks 0, 1 and 9 are known */
    model.object[2].uid = 0;
    assert_int_equal(find(&model), 0);
    assert_int_equal(cs_hang_number_of(&model.hang, 0), 0);
    assert_int_equal(cs_hang_number_of(&model.hang, 9), 2);
    assert_int_equal(cs_hang_number_of(&model.hang, 5), CS_HANG_NONE);
    assert_int_equal(cs_hang_number_of(&model.hang, 10), CS_HANG_NONE);
    assert_ptr_equal(cs_hang_object_of(&model.hang, 9, WORLD), &model.object[2]);
    assert_null(cs_hang_object_of(&model.hang, 9, WORLD + 1));
    assert_null(cs_hang_object_of(&model.hang, 10, WORLD));
    const int *member = cs_hang_members(&model.hang, WORLD_UID, &count);
    assert_int_equal(count, 2);
    assert_int_equal(member[0], 0);
    assert_int_equal(member[1], 1);
    cs_hang_members(&model.hang, 0, &count);
    assert_int_equal(count, 0);
    cs_hang_members(&model.hang, WORLD_UID + 1, &count);
    assert_int_equal(count, 0);
    end(&model);
}

static void a_run_without_ranks_has_no_deadlock(void **state)
{
    (void)state;
    struct model model;
    begin(&model, 0);
    assert_int_equal(find(&model), 0);
    assert_int_equal(model.hang.cores, 0);
    end(&model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_that_receive_from_each_other_are_a_deadlock),
        cmocka_unit_test(a_message_under_way_may_still_come),
        cmocka_unit_test(a_message_with_another_tag_does_not_help),
        cmocka_unit_test(without_whole_accounts_nobody_is_accused),
        cmocka_unit_test(who_waits_for_a_deadlock_is_stuck_but_no_part_of_it),
        cmocka_unit_test(two_circles_are_two_deadlocks),
        cmocka_unit_test(who_waits_for_a_rank_that_computes_is_not_stuck),
        cmocka_unit_test(what_a_dead_rank_was_to_send_never_comes),
        cmocka_unit_test(members_in_different_collective_calls_are_a_mismatch),
        cmocka_unit_test(a_barrier_waits_for_members_outside),
        cmocka_unit_test(ranks_and_objects_are_found_by_number),
        cmocka_unit_test(a_run_without_ranks_has_no_deadlock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
