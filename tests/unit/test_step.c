/* Steps: one call after another, in the table of a thread. */
#include <stdlib.h>

#include "record/call/step.h"
#include "tests/support/unit_test.h"

enum { STEPS = 1 << CS_STEPS_LOG2 };

static struct cs_profile_cell cell;
static struct cs_stretch_cell stretch;

static struct cs_profile_key key_of(uint64_t site)
{
    return (struct cs_profile_key){site, (uint64_t)7 << 32};
}

/* The last call of the thread came from here. */
static void come_from(struct cs_thread *thread, uint64_t site, struct cs_step *step)
{
    thread->last_site = site;
    thread->last_function = 7;
    thread->step = step;
}

/* A step to `site` after the last call. */
static struct cs_step *add(struct cs_thread *thread, uint64_t site)
{
    struct cs_step *step = cs_step_find(thread, key_of(site), cs_step_from(thread));
    assert_int_equal(step->site, 0);
    step->site = site;
    step->what = key_of(site).what;
    step->from = cs_step_from(thread);
    step->cell = &cell;
    step->stretch = &stretch;
    return step;
}

static int begin(void **state)
{
    struct cs_thread *thread = calloc(1, sizeof *thread);
    if (thread)
        cs_steps_forget(thread);
    *state = thread;
    return thread ? 0 : -1;
}

static int end(void **state)
{
    free(*state);
    return 0;
}

static void a_step_is_found_only_after_the_call_that_it_follows(void **state)
{
    struct cs_thread *thread = *state;
    come_from(thread, 10, &thread->no_step);
    struct cs_step *step = add(thread, 20);
    assert_ptr_equal(cs_step_next(thread, key_of(20)), step);
    assert_null(cs_step_next(thread, key_of(21)));
    come_from(thread, 11, &thread->no_step);
    assert_null(cs_step_next(thread, key_of(20)));
    thread->last_site = 10;
    thread->last_function = 8;
    assert_null(cs_step_next(thread, key_of(20)));
}

static void a_step_leads_to_the_one_that_followed_it_last(void **state)
{
    struct cs_thread *thread = *state;
    come_from(thread, 1, &thread->no_step);
    struct cs_step *first = add(thread, 10);
    come_from(thread, 10, first);
    struct cs_step *second = add(thread, 20), *third = add(thread, 30);
    assert_ptr_equal(cs_step_next(thread, key_of(20)), second);
    assert_ptr_equal(first->next, second);
    assert_ptr_equal(cs_step_next(thread, key_of(30)), third);
    assert_ptr_equal(first->next, third);
    assert_ptr_equal(cs_step_next(thread, key_of(20)), second);
}

/* An unknown call before it leads nowhere, whatever came after it. */
static void a_call_without_a_step_leads_nowhere(void **state)
{
    struct cs_thread *thread = *state;
    come_from(thread, 1, &thread->no_step);
    struct cs_step *step = add(thread, 10);
    assert_ptr_equal(cs_step_next(thread, key_of(10)), step);
    assert_ptr_equal(thread->no_step.next, &thread->no_step);
    come_from(thread, 2, &thread->no_step);
    assert_null(cs_step_next(thread, key_of(10)));
}

static void steps_whose_slots_collide_are_all_found(void **state)
{
    struct cs_thread *thread = *state;
    struct cs_step *step[STEPS * 3 / 4];
    come_from(thread, 1, &thread->no_step);
    for (uint64_t i = 0; i < sizeof step / sizeof *step; i++)
        step[i] = add(thread, 100 + i);
    for (uint64_t i = 0; i < sizeof step / sizeof *step; i++)
        assert_ptr_equal(cs_step_next(thread, key_of(100 + i)), step[i]);
}

static void a_forgotten_step_leads_nowhere(void **state)
{
    struct cs_thread *thread = *state;
    come_from(thread, 1, &thread->no_step);
    struct cs_step *first = add(thread, 10);
    come_from(thread, 10, first);
    struct cs_step *second = add(thread, 20);
    assert_ptr_equal(cs_step_next(thread, key_of(20)), second);
    cs_steps_forget(thread);
    assert_null(cs_step_next(thread, key_of(20)));
    come_from(thread, 10, first); /* a call that a signal interrupted while it ended */
    assert_null(cs_step_next(thread, key_of(20)));
    assert_ptr_equal(first->next, &thread->no_step);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_step_is_found_only_after_the_call_that_it_follows, begin, end),
        cmocka_unit_test_setup_teardown(a_step_leads_to_the_one_that_followed_it_last, begin, end),
        cmocka_unit_test_setup_teardown(a_call_without_a_step_leads_nowhere, begin, end),
        cmocka_unit_test_setup_teardown(steps_whose_slots_collide_are_all_found, begin, end),
        cmocka_unit_test_setup_teardown(a_forgotten_step_leads_nowhere, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
