/* Models of ranks in calls, and the ranks that can never continue. */
#include <string.h>

#include "cli/deadlock/hang_find.h"
#include "tests/support/unit_test.h"

enum { RANKS_MOST = 8, TRAFFIC_MOST = 16, EPOCHS_MOST = 8, REQUESTS_MOST = 4, WORLD = 1 };

#define WORLD_UID 700

/* Ranks with one thread each, all on MPI_COMM_WORLD. */
struct model {
    struct cs_hang hang;
    struct cs_hang_rank rank[RANKS_MOST];
    struct cs_hang_thread thread[RANKS_MOST];
    struct cs_hang_object object[RANKS_MOST];
    struct cs_hang_traffic traffic[TRAFFIC_MOST];
    struct cs_hang_tag tag[TRAFFIC_MOST];
    struct cs_hang_epoch epoch[EPOCHS_MOST];
    struct cs_hang_request request[REQUESTS_MOST];
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
                                   .epoch = model->epoch,
                                   .request = model->request,
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

/* The rank enters a call on a window, which has the number of MPI_COMM_WORLD here. */
static void enter_epoch_call(struct model *model, int rank, uint16_t function)
{
    enter(model, rank, function, CS_NO_PEER, CS_NO_TAG);
}

/* A pending receive; waits: the rank's thread waits for it. */
static void post_receive(struct model *model, int rank, int source, int tag, bool waits)
{
    model->request[model->hang.requests++] = (struct cs_hang_request){.rank = rank,
                                                                      .thread = waits ? 0 : CS_HANG_NONE,
                                                                      .object = WORLD,
                                                                      .function = CS_MPI_Irecv,
                                                                      .receives = true,
                                                                      .copies = 1,
                                                                      .peer = source,
                                                                      .tag = tag};
}

/* Epochs of a rank with a peer. Calls come in the order of ranks. */
static struct cs_hang_epoch *add_epochs(struct model *model, int rank, int peer)
{
    struct cs_hang_epoch *epoch = &model->epoch[model->hang.epochs++];
    *epoch = (struct cs_hang_epoch){.rank = rank, .object = WORLD, .peer = peer};
    return epoch;
}

static void open_access(struct model *model, int rank, int target, uint32_t starts)
{
    struct cs_hang_epoch *epoch = add_epochs(model, rank, target);
    epoch->starts = starts;
    epoch->completes = starts - 1;
}

static void open_exposure(struct model *model, int rank, int origin, uint32_t posts)
{
    struct cs_hang_epoch *epoch = add_epochs(model, rank, origin);
    epoch->posts = posts;
    epoch->waits = posts - 1;
}

/* The stuck ranks, as bits. */
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

/* Rank 0 waits in `function` for two receives from `source`; the others receive from it. */
static unsigned find_with_two_receives(struct model *model, uint16_t function, int source, int messages)
{
    begin(model, 3);
    enter(model, 0, function, source, 7);
    model->thread[0].awaited = 2;
    enter(model, 1, CS_MPI_Recv, 0, 7);
    enter(model, 2, CS_MPI_Recv, 0, 7);
    for (int i = 0; i < 2; i++)
        post_receive(model, 0, source, 7, true);
    for (int i = 0; i < messages; i++)
        send_unreceived(model, 1, 0, 7);
    unsigned stuck = find(model);
    end(model);
    return stuck;
}

static void all_receives_of_a_wait_need_a_message_each(void **state)
{
    (void)state;
    struct model model;
    for (int source = CS_PEER_ANY; source < 2; source += 2) {
        assert_int_equal(find_with_two_receives(&model, CS_MPI_Waitall, source, 1), 7);
        assert_int_equal(find_with_two_receives(&model, CS_MPI_Waitall, source, 2), 0);
        assert_int_equal(find_with_two_receives(&model, CS_MPI_Waitany, source, 0), 7);
        assert_int_equal(find_with_two_receives(&model, CS_MPI_Waitany, source, 1), 0);
    }
}

/* Rank 0 receives from `source` after it posted a receive from `earlier`. Rank 1 has sent one message, and rank 2 as
   many as `others`; both receive from rank 0. */
static void receive_after_another(struct model *model, int earlier, int source, int others)
{
    begin(model, 3);
    post_receive(model, 0, earlier, CS_TAG_ANY, false);
    enter(model, 0, CS_MPI_Recv, source, 7);
    enter(model, 1, CS_MPI_Recv, 0, 7);
    enter(model, 2, CS_MPI_Recv, 0, 7);
    send_unreceived(model, 1, 0, 7);
    for (int i = 0; i < others; i++)
        send_unreceived(model, 2, 0, 7);
}

static void a_receive_that_was_posted_before_takes_the_message(void **state)
{
    (void)state;
    struct model model;
    const int sources[][2] = {{CS_PEER_ANY, CS_PEER_ANY}, {CS_PEER_ANY, 1}, {1, 1}};
    for (size_t i = 0; i < 3; i++) {
        receive_after_another(&model, sources[i][0], sources[i][1], 0);
        assert_int_equal(find(&model), 7);
        assert_true(model.hang.need[model.thread[0].need].taken);
        end(&model);
    }
}

/* Each change may leave the message to the call. */
static void a_receive_that_was_posted_before_may_take_another_message(void **state)
{
    (void)state;
    struct model model;
    const int sources[][2] = {{CS_PEER_ANY, CS_PEER_ANY}, {CS_PEER_ANY, 1}, {2, 1}, {2, CS_PEER_ANY}};
    for (size_t i = 0; i < 4; i++) {
        receive_after_another(&model, sources[i][0], sources[i][1], 1);
        assert_int_equal(find(&model), 0);
        end(&model);
    }
    for (int change = 0; change < 6; change++) {
        receive_after_another(&model, CS_PEER_ANY, 1, 0);
        if (change == 0)
            model.thread[2].doing = CS_THREAD_OUTSIDE; /* it may still send */
        model.rank[0].cancels = change == 1;
        if (change == 2)
            model.request[0].tag = 8;
        model.request[0].persistent = change == 3;
        model.rank[2].exact = change != 4;
        if (change == 5)
            model.object[0].size = 4; /* an unknown member */
        assert_int_equal(find(&model), 0);
        end(&model);
    }
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

/* Rank 0 starts its third epoch at rank 1, which posted twice and receives. */
static void start_without_a_post(struct model *model, uint16_t function)
{
    begin(model, 2);
    enter_epoch_call(model, 0, function);
    enter(model, 1, CS_MPI_Recv, 0, 7);
    open_access(model, 0, 1, 3);
    struct cs_hang_epoch *target = add_epochs(model, 1, 0);
    target->posts = target->waits = 2;
}

static void an_epoch_waits_for_the_post_of_its_number(void **state)
{
    (void)state;
    struct model model;
    for (int complete = 0; complete < 2; complete++) {
        uint16_t function = complete ? CS_MPI_Win_complete : CS_MPI_Win_start;
        start_without_a_post(&model, function);
        assert_int_equal(find(&model), 3);
        assert_true(model.hang.need[model.thread[0].need].post);
        end(&model);
        start_without_a_post(&model, function);
        model.epoch[1].posts = 3;
        assert_int_equal(find(&model), 0);
        end(&model);
    }
}

static void epochs_that_are_not_all_known_accuse_nobody(void **state)
{
    (void)state;
    struct model model;
    for (int lacking = 0; lacking < 5; lacking++) {
        start_without_a_post(&model, CS_MPI_Win_start);
        model.epoch[0].unchecked = lacking == 0;
        model.rank[1].exact = lacking != 1;
        model.object[1].adopted = lacking == 2;
        if (lacking == 3)
            model.epoch[1].peer = CS_PEER_OTHERS;
        model.object[1].freed = lacking == 4;
        assert_int_equal(find(&model), 0);
        end(&model);
    }
}

static void a_start_may_be_held_up_by_any_of_its_targets(void **state)
{
    (void)state;
    struct model model;
    for (int computes = 0; computes < 2; computes++) {
        begin(&model, 3);
        enter_epoch_call(&model, 0, CS_MPI_Win_start);
        enter(&model, 1, CS_MPI_Recv, 0, 7);
        if (!computes)
            enter(&model, 2, CS_MPI_Recv, 0, 7);
        open_access(&model, 0, 1, 1);
        open_access(&model, 0, 2, 1);
        assert_int_equal(find(&model), computes ? 0 : 7);
        end(&model);
    }
}

/* Rank 0 is in MPI_Win_complete for rank 1, which has posted, and rank 2, which has not and waits for rank 1. */
static void a_complete_may_still_transfer_to_a_target_that_has_posted(void **state)
{
    (void)state;
    struct model model;
    for (int operated = 0; operated < 2; operated++) {
        begin(&model, 3);
        enter_epoch_call(&model, 0, CS_MPI_Win_complete);
        enter_epoch_call(&model, 1, CS_MPI_Win_wait);
        enter(&model, 2, CS_MPI_Recv, 1, 7);
        open_access(&model, 0, 1, 1);
        open_access(&model, 0, 2, 1);
        open_exposure(&model, 1, 0, 1);
        if (operated)
            model.traffic[model.hang.traffics++] =
                (struct cs_hang_traffic){.rank = 0, .object = WORLD, .one_sided = true, .peer = 1, .messages = 1};
        assert_int_equal(find(&model), operated ? 0 : 7);
        end(&model);
    }
}

static void an_exposure_waits_for_each_of_its_origins(void **state)
{
    (void)state;
    struct model model;
    for (int completing = 0; completing < 2; completing++) {
        begin(&model, 3);
        enter_epoch_call(&model, 0, CS_MPI_Win_wait);
        if (completing)
            enter_epoch_call(&model, 2, CS_MPI_Win_complete);
        else
            enter(&model, 2, CS_MPI_Recv, 0, 7);
        open_exposure(&model, 0, 1, 1);
        open_exposure(&model, 0, 2, 1);
        struct cs_hang_epoch *first = add_epochs(&model, 1, 0);
        first->starts = first->completes = 1;
        open_access(&model, 2, 0, 1);
        assert_int_equal(find(&model), completing ? 0 : 5);
        end(&model);
    }
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
        cmocka_unit_test(all_receives_of_a_wait_need_a_message_each),
        cmocka_unit_test(a_receive_that_was_posted_before_takes_the_message),
        cmocka_unit_test(a_receive_that_was_posted_before_may_take_another_message),
        cmocka_unit_test(without_whole_accounts_nobody_is_accused),
        cmocka_unit_test(who_waits_for_a_deadlock_is_stuck_but_no_part_of_it),
        cmocka_unit_test(two_circles_are_two_deadlocks),
        cmocka_unit_test(who_waits_for_a_rank_that_computes_is_not_stuck),
        cmocka_unit_test(what_a_dead_rank_was_to_send_never_comes),
        cmocka_unit_test(members_in_different_collective_calls_are_a_mismatch),
        cmocka_unit_test(a_barrier_waits_for_members_outside),
        cmocka_unit_test(an_epoch_waits_for_the_post_of_its_number),
        cmocka_unit_test(epochs_that_are_not_all_known_accuse_nobody),
        cmocka_unit_test(a_start_may_be_held_up_by_any_of_its_targets),
        cmocka_unit_test(a_complete_may_still_transfer_to_a_target_that_has_posted),
        cmocka_unit_test(an_exposure_waits_for_each_of_its_origins),
        cmocka_unit_test(ranks_and_objects_are_found_by_number),
        cmocka_unit_test(a_run_without_ranks_has_no_deadlock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
