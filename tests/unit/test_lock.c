/* The lock of hot paths. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>

#include "base/lock.h"
#include "tests/support/unit_test.h"

enum { THREADS = 4, ROUNDS = 20000 };

static struct cs_lock lock;
static long counted; /* not atomic: the lock protects it */

/* Holders yield now and then, so that others find the lock taken. */
static void *count(void *wrong)
{
    errno = 77;
    for (int i = 0; i < ROUNDS; i++) {
        cs_lock_take(&lock);
        long before = counted;
        if (i % 64 == 0)
            sched_yield();
        counted = before + 1;
        cs_lock_give(&lock);
    }
    if (errno != 77)
        *(_Atomic int *)wrong += 1;
    return NULL;
}

static void one_thread_at_a_time_has_the_lock(void **state)
{
    (void)state;
    _Atomic int wrong = 0;
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, count, &wrong), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    assert_int_equal(counted, THREADS * ROUNDS);
    assert_int_equal(wrong, 0);
    assert_int_equal(lock.state, CS_LOCK_FREE);
}

static void *take_it(void *taken)
{
    cs_lock_take(&lock);
    *(_Atomic int *)taken = 1;
    cs_lock_give(&lock);
    return NULL;
}

static void a_thread_that_sleeps_is_woken(void **state)
{
    (void)state;
    _Atomic int taken = 0;
    pthread_t thread;
    cs_lock_take(&lock);
    assert_int_equal(pthread_create(&thread, NULL, take_it, &taken), 0);
    while (atomic_load(&lock.state) != CS_LOCK_AWAITED)
        sched_yield();
    assert_int_equal(taken, 0);
    cs_lock_give(&lock);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(taken, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_thread_at_a_time_has_the_lock),
        cmocka_unit_test(a_thread_that_sleeps_is_woken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
