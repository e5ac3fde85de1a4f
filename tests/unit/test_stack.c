/* Call stacks: one number for each distinct one, told once; limits; threads with little room. */
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "record/call/thread_life.h"
#include "record/process/recorder.h"
#include "record/process/thread.h"
#include "record/recording.h"
#include "record/site/stack.h"
#include "tests/support/unit_test.h"

enum { DEEP = 100, OWN = 3 };

/* The stack that the unwinder of these tests returns: some frames of callsign, then these. */
static uint64_t seen[DEEP];
static int seen_count;

static int unwinder(void **frame, int size, enum cs_unwind how, void *stack)
{
    (void)how, (void)stack;
    int count = 0;
    for (; count < OWN; count++)
        frame[count] = (void *)(uintptr_t)(0x1000u + (unsigned)count);
    for (int i = 0; i < seen_count && count < size; i++)
        frame[count++] = (void *)(uintptr_t)seen[i];
    return count;
}

static int nothing(void **frame, int size, enum cs_unwind how, void *stack)
{
    (void)frame;
    (void)size;
    (void)how, (void)stack;
    return 0;
}

static int begin(void **state)
{
    (void)state;
    cs_stack_set_unwinder(unwinder, NULL);
    return cs_recorder_start(8, "test") ? 0 : -1;
}

static uint64_t take(const uint64_t *frames, int count)
{
    memcpy(seen, frames, (size_t)count * sizeof *frames);
    seen_count = count;
    return cs_stack_take(cs_thread_self ? cs_thread_self : cs_thread_begin(), frames[0], NULL);
}

#define TAKE(...)                                                                                                      \
    take((const uint64_t[]){__VA_ARGS__}, (int)(sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t)))

static void equal_stacks_have_one_number(void **state)
{
    (void)state;
    uint64_t first = TAKE(0x401000, 0x402000, 0x403000);
    assert_true(first & CS_SITE_STACK);
    assert_int_equal(TAKE(0x401000, 0x402000, 0x403000), first);
    assert_int_equal(cs_stack_pc(first), 0x401000);
}

static void any_difference_makes_another(void **state)
{
    (void)state;
    uint64_t site[] = {TAKE(0x1, 0x2, 0x3), TAKE(0x1, 0x3, 0x2), TAKE(0x1, 0x2, 0x4),     TAKE(0x1, 0x2),
                       TAKE(0x5, 0x2, 0x3), TAKE(0x1, 0x2, 0x2), TAKE(0x1, 0x2, 0x2, 0x2)};
    for (size_t i = 0; i < sizeof site / sizeof *site; i++)
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(site[i], site[j]);
}

static void what_cannot_be_walked_is_a_stack_without_callers(void **state)
{
    (void)state;
    uint64_t partial = TAKE(0x401000);
    assert_true(partial & CS_SITE_STACK);
    assert_int_equal(cs_stack_pc(partial), 0x401000);
    assert_int_equal(cs_stack_pc(0x401000), 0x401000);
    cs_stack_set_unwinder(nothing, NULL);
    assert_int_equal(TAKE(0x401000, 0x402000), partial);
    cs_stack_set_unwinder(NULL, NULL);
    assert_int_equal(TAKE(0x401000, 0x402000), 0x401000);
    cs_stack_set_unwinder(unwinder, NULL);
    /* the wrapper's return address is not among the frames */
    assert_int_equal(cs_stack_pc(cs_stack_take(cs_thread_self, 0x77, NULL)), 0x77);
    assert_int_equal(cs_stack_take(cs_thread_self, 0, NULL), 0);
}

static void deep_stacks_end_after_64_frames(void **state)
{
    (void)state;
    uint64_t frames[DEEP];
    for (uint64_t i = 0; i < DEEP; i++)
        frames[i] = 0x500000 + i;
    assert_true(take(frames, DEEP) & CS_SITE_STACK);
    assert_true(take(frames, CS_STACK_DEPTH) & CS_SITE_STACK);
}

static void *in_small_thread(void *argument)
{
    *(uint64_t *)argument = TAKE(0x601000, 0x602000);
    return NULL;
}

static void a_thread_without_room_is_not_walked(void **state)
{
    (void)state;
    uint64_t site = 0;
    pthread_t thread;
    pthread_attr_t about;
    pthread_attr_init(&about);
    assert_int_equal(pthread_attr_setstacksize(&about, (size_t)sysconf(_SC_THREAD_STACK_MIN)), 0);
    assert_int_equal(pthread_create(&thread, &about, in_small_thread, &site), 0);
    pthread_join(thread, NULL);
    uint64_t partial = site;
    assert_int_equal(cs_stack_pc(partial), 0x601000);
    pthread_attr_setstacksize(&about, 1 << 20);
    assert_int_equal(pthread_create(&thread, &about, in_small_thread, &site), 0);
    pthread_join(thread, NULL);
    assert_int_equal(cs_stack_pc(site), 0x601000);
    assert_int_not_equal(site, partial);
    pthread_attr_destroy(&about);
}

static void threads_share_numbers(void **state)
{
    (void)state;
    uint64_t mine = TAKE(0x701000, 0x702000), theirs = 0;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, in_small_thread, &theirs), 0);
    pthread_join(thread, NULL);
    assert_int_not_equal(mine, theirs);
    assert_int_equal(theirs, TAKE(0x601000, 0x602000));
}

/* Last: what is new has its innermost frame alone afterwards. */
static void memory_and_journal_are_bounded(void **state)
{
    (void)state;
    uint64_t known = TAKE(0x401000, 0x402000, 0x403000), sites = 0, last = 0;
    for (uint64_t i = 0; i < 100000; i++) {
        uint64_t site = TAKE(0x800000, i + 1);
        sites += site != last;
        last = site;
    }
    assert_true(sites > 60000 && sites <= 65537);
    assert_true(last & CS_SITE_STACK);
    assert_int_equal(TAKE(0x800000, 0x999999999), last);
    assert_int_not_equal(TAKE(0x900000, 0x999999999), last);
    assert_int_equal(TAKE(0x401000, 0x402000, 0x403000), known);
    assert_int_equal(cs_journal_header(cs_recorder.journal)->lost, 0);
    assert_true(cs_journal_header(cs_recorder.journal)->used_bytes < 16 << 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_stacks_have_one_number),
        cmocka_unit_test(any_difference_makes_another),
        cmocka_unit_test(what_cannot_be_walked_is_a_stack_without_callers),
        cmocka_unit_test(deep_stacks_end_after_64_frames),
        cmocka_unit_test(a_thread_without_room_is_not_walked),
        cmocka_unit_test(threads_share_numbers),
        cmocka_unit_test(memory_and_journal_are_bounded),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
