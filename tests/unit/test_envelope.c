/* Cells of traffic and tags, and their limits. */
#include <stdio.h>
#include <unistd.h>

#include "journal/writer.h"
#include "record/call/thread_life.h"
#include "record/message/traffic.h"
#include "record/object/object.h"
#include "record/process/cells.h"
#include "record/process/recorder.h"
#include "record/process/thread.h"
#include "record/recording.h"
#include "tests/support/unit_test.h"

static int begin(void **state)
{
    (void)state;
    return cs_recorder_start(8, "test") ? 0 : -1;
}

static struct cs_thread *this_thread(void)
{
    return cs_thread_self ? cs_thread_self : cs_thread_begin();
}

/* Counts a message, as wrappers/envelope does. */
static void send(struct cs_thread *thread, uint32_t object, int32_t peer)
{
    struct cs_traffic_cell *cell = cs_traffic_find(thread, object, peer, CS_SEND);
    if (!cell && cs_traffic_is_full(thread, object, CS_SEND)) {
        peer = CS_PEER_OTHERS;
        cell = cs_traffic_find(thread, object, peer, CS_SEND);
    }
    if (!cell)
        cell = cs_traffic_add(thread, object, peer, CS_SEND, peer);
    cell->messages++;
}

static void each_peer_and_direction_has_its_own_count(void **state)
{
    (void)state;
    struct cs_thread *thread = this_thread();
    struct cs_traffic_cell *sent = cs_traffic_add(thread, 1, 5, CS_SEND, 55);
    struct cs_traffic_cell *received = cs_traffic_add(thread, 1, 5, CS_RECEIVE, 55);
    struct cs_traffic_cell *nobody = cs_traffic_add(thread, 1, CS_PEER_NULL, CS_SEND, -1);
    struct cs_traffic_cell *elsewhere = cs_traffic_add(thread, 2, 5, CS_SEND, 5);
    assert_ptr_equal(cs_traffic_find(thread, 1, 5, CS_SEND), sent);
    assert_ptr_equal(cs_traffic_find(thread, 1, 5, CS_RECEIVE), received);
    assert_ptr_equal(cs_traffic_find(thread, 1, CS_PEER_NULL, CS_SEND), nobody);
    assert_ptr_equal(cs_traffic_find(thread, 2, 5, CS_SEND), elsewhere);
    assert_null(cs_traffic_find(thread, 2, 5, CS_RECEIVE));
    assert_null(cs_traffic_find(thread, 1, 6, CS_SEND));
    assert_int_equal(sent->world, 55);
}

static void beyond_4096_peers_the_rest_shares_a_cell(void **state)
{
    (void)state;
    struct cs_thread *thread = this_thread();
    for (int round = 0; round < 2; round++)
        for (int32_t peer = 0; peer < 5000; peer++)
            send(thread, 10, peer);
    assert_int_equal(cs_traffic_find(thread, 10, 0, CS_SEND)->messages, 2);
    assert_int_equal(cs_traffic_find(thread, 10, 4095, CS_SEND)->messages, 2);
    assert_null(cs_traffic_find(thread, 10, 4096, CS_SEND));
    assert_int_equal(cs_traffic_find(thread, 10, CS_PEER_OTHERS, CS_SEND)->messages, 2 * (5000 - 4096));
    assert_false(cs_traffic_is_full(thread, 10, CS_RECEIVE));
    assert_false(cs_traffic_is_full(thread, 11, CS_SEND));
}

struct found {
    uint32_t object;
    uint64_t cells, messages, ranges;
    int32_t largest;
};

static void count_tag(struct found *found, const struct cs_tag_cell *cell)
{
    if (!cell || cell->object != found->object)
        return;
    found->cells++;
    found->messages += cell->messages;
    if (!cell->range)
        return;
    found->ranges++;
    if (cell->largest > found->largest)
        found->largest = cell->largest;
    assert_true(cell->largest >= cell->tag && cell->largest < 2 * (int64_t)cell->tag);
}

/* This thread's counts on an object. */
static struct found tags_of(uint32_t object)
{
    struct found found = {.object = object};
    const struct cs_cells *cells = &this_thread()->tags;
    for (uint64_t i = 0; cells->index && i <= cells->mask; i++)
        count_tag(&found, cs_cells_in(cells, i, sizeof(struct cs_tag_cell)));
    return found;
}

static void a_full_cell_is_followed_by_another(void **state)
{
    (void)state;
    struct cs_thread *thread = this_thread();
    struct cs_traffic_cell *full = cs_traffic_add(thread, 15, 2, CS_PUT, 7);
    full->messages = INT32_MAX;
    struct cs_traffic_cell *next = cs_traffic_replace(thread, full);
    assert_ptr_not_equal(next, full);
    assert_ptr_equal(cs_traffic_find(thread, 15, 2, CS_PUT), next);
    assert_int_equal(next->messages, 0);
    assert_int_equal(next->world, 7);
    assert_int_equal(full->messages, INT32_MAX);
}

static void tag_count(struct cs_thread *thread, uint64_t site, uint32_t object, enum cs_direction direction,
                      int32_t tag, uint64_t messages)
{
    struct cs_tag_cell *cell = cs_tag_find_or_add(thread, site, object, direction, tag);
    assert_non_null(cell);
    cs_tag_add(cell, messages, 0, 0);
}

static void a_tag_is_counted_by_call_site(void **state)
{
    (void)state;
    struct cs_thread *thread = this_thread();
    tag_count(thread, 0x1000, 20, CS_SEND, 7, 1);
    tag_count(thread, 0x1000, 20, CS_SEND, 7, 1);
    tag_count(thread, 0x1008, 20, CS_SEND, 7, 1);
    tag_count(thread, 0x1000, 20, CS_RECEIVE, 7, 1);
    struct found found = tags_of(20);
    assert_int_equal(found.cells, 3);
    assert_int_equal(found.messages, 4);
}

static void beyond_512_tags_those_of_like_size_share_a_cell(void **state)
{
    (void)state;
    struct cs_thread *thread = this_thread();
    for (int round = 0; round < 2; round++)
        for (int32_t tag = 0; tag < 10000; tag++)
            tag_count(thread, 0x2000, 30, CS_SEND, tag, 1);
    struct found found = tags_of(30);
    assert_int_equal(found.messages, 20000);
    assert_int_equal(found.ranges, 5); /* from 512, 1024, 2048, 4096, 8192 */
    assert_int_equal(found.cells, 512 + 5);
    assert_int_equal(found.largest, 9999);
    tag_count(thread, 0x2000, 30, CS_SEND, INT32_MAX, 1);
    assert_int_equal(tags_of(30).largest, INT32_MAX);
}

static void what_was_counted_can_be_taken_back(void **state)
{
    (void)state;
    struct cs_thread *thread = this_thread();
    tag_count(thread, 0x3000, 40, CS_SEND, 1, 1);
    tag_count(thread, 0x3000, 40, CS_SEND, 1, UINT64_MAX);
    assert_int_equal(tags_of(40).messages, 0);
}

static void dead_communicators_do_not_keep_their_cells(void **state)
{
    (void)state;
    struct cs_thread *thread = this_thread();
    char file[64];
    snprintf(file, sizeof file, "/tmp/callsign-envelope-%d.journal", (int)getpid());
    assert_int_equal(cs_journal_save(cs_recorder.journal, file, NULL), CS_OK);
    for (uint64_t i = 0; i < 20000; i++) {
        const struct callsign_record *comm =
            cs_object_add(&(struct cs_birth){.handle = 0x100000 + i, .kind = CALLSIGN_COMMUNICATOR, .function = 1});
        uint32_t id = comm->id;
        bool referred;
        send(thread, id, 3);
        tag_count(thread, 0x4000, id, CS_SEND, 1, 1);
        cs_object_record_death(cs_object_unlink(CALLSIGN_COMMUNICATOR, 0x100000 + i, &referred), 2, 0, 0, NULL);
    }
    unlink(file);
    assert_true(thread->traffic.count < 10000);
    assert_true(thread->tags.count < 10000);
    assert_true(thread->traffic_kept.used < 10000);
    assert_int_equal(cs_journal_header(cs_recorder.journal)->lost, 0);
}

static void a_tally_counts_each_key(void **state)
{
    (void)state;
    struct cs_tally tally = {0};
    for (uint64_t key = 1; key <= 1000; key++)
        for (uint64_t i = 0; i < key % 7; i++)
            cs_tally_count(&tally, key << 32);
    for (uint64_t key = 1; key <= 1000; key++)
        assert_int_equal(cs_tally_get(&tally, key << 32), key % 7);
    cs_tally_clear(&tally);
    assert_int_equal(cs_tally_get(&tally, (uint64_t)1 << 32), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_peer_and_direction_has_its_own_count),
        cmocka_unit_test(beyond_4096_peers_the_rest_shares_a_cell),
        cmocka_unit_test(a_full_cell_is_followed_by_another),
        cmocka_unit_test(a_tag_is_counted_by_call_site),
        cmocka_unit_test(beyond_512_tags_those_of_like_size_share_a_cell),
        cmocka_unit_test(what_was_counted_can_be_taken_back),
        cmocka_unit_test(dead_communicators_do_not_keep_their_cells),
        cmocka_unit_test(a_tally_counts_each_key),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
