/* Requests: shared handles, persistent ones, growth and removal. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "record/message/request.h"
#include "record/recording.h"
#include "tests/support/unit_test.h"

static void put(uint64_t handle, uint32_t communicator, uint32_t flags)
{
    bool locked = cs_guard_enter(&cs_requests.lock);
    assert_true(cs_request_has_room(&cs_requests) || cs_request_make_room(&cs_requests));
    struct cs_request *request = cs_request_put(&cs_requests, handle, cs_profile_key(0x1234, communicator, 1, 0));
    assert_non_null(request);
    request->flags |= flags;
    cs_guard_leave(&cs_requests.lock, locked);
}

static int begin(void **state)
{
    (void)state;
    return cs_recorder_start(8, "test") ? 0 : -1;
}

static void an_unknown_request_is_not_found_and_dropping_it_does_nothing(void **state)
{
    (void)state;
    struct cs_request request;
    assert_false(cs_request_get(&cs_requests, 1, &request));
    cs_request_drop(&cs_requests, 1);
    put(2, 1, 0);
    assert_false(cs_request_get(&cs_requests, 1, &request));
    cs_request_drop(&cs_requests, 2);
}

static void a_handle_given_out_twice_stays_until_both_complete(void **state)
{
    (void)state;
    struct cs_request request;
    put(10, 1, 0);
    put(10, 2, 0);
    assert_true(cs_request_get(&cs_requests, 10, &request));
    assert_int_equal(cs_profile_object(request.started), 2);
    cs_request_drop(&cs_requests, 10);
    assert_true(cs_request_get(&cs_requests, 10, &request));
    cs_request_drop(&cs_requests, 10);
    assert_false(cs_request_get(&cs_requests, 10, &request));
}

static void a_persistent_request_takes_the_cell_of_its_start(void **state)
{
    (void)state;
    struct cs_request request;
    put(20, 3, CS_REQUEST_PERSISTENT | CS_REQUEST_RECEIVES);
    struct cs_profile_key started = cs_profile_key(0x99, 3, 5, 2);
    cs_request_activate(&cs_requests, 20, started, 1);
    assert_true(cs_request_get(&cs_requests, 20, &request));
    assert_true(request.flags & CS_REQUEST_ACTIVE);
    assert_int_equal(request.started.site, 0x99);
    cs_request_end(&cs_requests, 20);
    assert_true(cs_request_get(&cs_requests, 20, &request));
    assert_false(request.flags & CS_REQUEST_ACTIVE);
    cs_request_drop(&cs_requests, 20);
}

/* As a thread does that is alone. */
static void what_is_found_ends_in_place(void **state)
{
    (void)state;
    assert_null(cs_request_find(&cs_requests, 40));
    put(40, 1, CS_REQUEST_ACTIVE);
    put(40, 1, CS_REQUEST_ACTIVE);
    put(41, 2, CS_REQUEST_PERSISTENT | CS_REQUEST_ACTIVE | CS_REQUEST_COUNTED);
    cs_request_end_found(&cs_requests, cs_request_find(&cs_requests, 40));
    assert_int_equal(cs_request_find(&cs_requests, 40)->references, 1);
    cs_request_end_found(&cs_requests, cs_request_find(&cs_requests, 40));
    assert_null(cs_request_find(&cs_requests, 40));
    struct cs_request *persistent = cs_request_find(&cs_requests, 41);
    cs_request_end_found(&cs_requests, persistent);
    assert_ptr_equal(cs_request_find(&cs_requests, 41), persistent);
    assert_int_equal(persistent->flags, CS_REQUEST_PERSISTENT);
    cs_request_drop(&cs_requests, 41);
}

static void one_handle_from_two_call_sites_is_mixed_until_all_have_ended(void **state)
{
    (void)state;
    put(50, 1, CS_REQUEST_ACTIVE);
    put(50, 2, CS_REQUEST_ACTIVE);
    assert_true(cs_request_find(&cs_requests, 50)->flags & CS_REQUEST_MIXED);
    cs_request_end(&cs_requests, 50);
    put(50, 2, CS_REQUEST_ACTIVE);
    assert_true(cs_request_find(&cs_requests, 50)->flags & CS_REQUEST_MIXED);
    cs_request_end(&cs_requests, 50);
    cs_request_end(&cs_requests, 50);
    put(50, 2, CS_REQUEST_ACTIVE);
    assert_false(cs_request_find(&cs_requests, 50)->flags & CS_REQUEST_MIXED);
    cs_request_end(&cs_requests, 50);
}

static void what_is_on_a_communicator_is_found_whether_active_or_not(void **state)
{
    (void)state;
    assert_false(cs_request_is_on(&cs_requests, 77));
    put(60, 77, CS_REQUEST_PERSISTENT);
    assert_true(cs_request_is_on(&cs_requests, 77));
    assert_false(cs_request_is_on(&cs_messages, 77));
    assert_false(cs_request_is_on(&cs_requests, 78));
    cs_request_drop(&cs_requests, 60);
    assert_false(cs_request_is_on(&cs_requests, 77));
}

static void messages_are_not_requests(void **state)
{
    (void)state;
    struct cs_request request;
    put(30, 1, 0);
    assert_false(cs_request_get(&cs_messages, 30, &request));
    cs_request_drop(&cs_requests, 30);
}

/* Compared with a plain array: the open addressing must lose nothing when it closes gaps. */
static void random_traffic_matches_a_plain_array(void **state)
{
    (void)state;
    enum { HANDLES = 700, STEPS = 200000, SEED = 20 };
    static unsigned expected[HANDLES];
    print_message("seed %d\n", SEED);
    srand(SEED);
    for (int step = 0; step < STEPS; step++) {
        unsigned i = (unsigned)rand() % HANDLES;
        if (rand() % 2) {
            put(0x1000 + 8 * i, i, 0);
            expected[i]++;
        } else {
            cs_request_drop(&cs_requests, 0x1000 + 8 * i);
            expected[i] -= expected[i] > 0;
        }
        struct cs_request request;
        unsigned j = (unsigned)rand() % HANDLES;
        bool known = cs_request_get(&cs_requests, 0x1000 + 8 * j, &request);
        assert_int_equal(known, expected[j] > 0);
        if (known) {
            assert_int_equal(request.references, expected[j]);
            assert_int_equal(cs_profile_object(request.started), j);
        }
    }
}

static atomic_bool ends;

/* At first alone in the table, and then no longer: it must not notice. */
static void *begin_and_end(void *argument)
{
    uint64_t handle = *(const uint64_t *)argument;
    struct cs_request request;
    size_t wrong = 0;
    for (uint64_t i = 0; !atomic_load_explicit(&ends, memory_order_relaxed); i++) {
        put(handle + i % 64, 1, 0);
        wrong += !cs_request_get(&cs_requests, handle + i % 64, &request) || request.references != 1;
        cs_request_drop(&cs_requests, handle + i % 64);
    }
    return (void *)wrong;
}

static void threads_may_come_while_one_is_at_work_without_a_lock(void **state)
{
    (void)state;
    enum { OTHERS = 2 };
    static uint64_t handles[OTHERS + 1] = {0x100000, 0x200000, 0x300000};
    pthread_t threads[OTHERS + 1];
    uint64_t count = cs_requests.count;
    void *wrong;
    assert_false(cs_is_shared());
    pthread_create(&threads[0], NULL, begin_and_end, &handles[0]);
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    cs_guards_share();
    for (int i = 1; i <= OTHERS; i++)
        pthread_create(&threads[i], NULL, begin_and_end, &handles[i]);
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    atomic_store(&ends, true);
    for (int i = 0; i <= OTHERS; i++) {
        pthread_join(threads[i], &wrong);
        assert_null(wrong);
    }
    assert_int_equal(cs_requests.count, count);
    assert_int_equal(cs_guards_entered, 0);
}

/* Whoever entered without the lock leaves without it, and is waited for. */
static void *share(void *shared)
{
    cs_guards_share();
    atomic_store((atomic_bool *)shared, true);
    return NULL;
}

static void who_is_alone_in_a_table_is_waited_for(void **state)
{
    (void)state;
    static atomic_bool shared;
    pthread_t thread;
    bool locked = cs_guard_enter(&cs_messages.lock);
    assert_false(locked);
    pthread_create(&thread, NULL, share, &shared);
    while (!cs_is_shared())
        sched_yield();
    assert_false(atomic_load(&shared));
    assert_true(cs_guard_enter(&cs_requests.lock));
    cs_guard_leave(&cs_requests.lock, true);
    assert_false(cs_guard_enter_alone());
    cs_guard_leave(&cs_messages.lock, locked);
    pthread_join(thread, NULL);
    assert_true(atomic_load(&shared));
    assert_true(cs_guard_enter(&cs_messages.lock));
    cs_guard_leave(&cs_messages.lock, true);
    atomic_store(&cs_guards_state, CS_GUARDS_ALONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unknown_request_is_not_found_and_dropping_it_does_nothing),
        cmocka_unit_test(a_handle_given_out_twice_stays_until_both_complete),
        cmocka_unit_test(a_persistent_request_takes_the_cell_of_its_start),
        cmocka_unit_test(what_is_found_ends_in_place),
        cmocka_unit_test(one_handle_from_two_call_sites_is_mixed_until_all_have_ended),
        cmocka_unit_test(what_is_on_a_communicator_is_found_whether_active_or_not),
        cmocka_unit_test(messages_are_not_requests),
        cmocka_unit_test(random_traffic_matches_a_plain_array),
        cmocka_unit_test(who_is_alone_in_a_table_is_waited_for),
        cmocka_unit_test(threads_may_come_while_one_is_at_work_without_a_lock),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
