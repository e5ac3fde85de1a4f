/* Regions of the program, and the MPI time at instants of the run. */
#include <stdio.h>

#include "journal/writer.h"
#include "record/call/course.h"
#include "record/call/profile.h"
#include "record/call/region.h"
#include "record/call/thread_life.h"
#include "record/process/recorder.h"
#include "record/recording.h"
#include "tests/support/unit_test.h"

static struct cs_thread *thread;
static uint64_t first;

static int begin(void **state)
{
    (void)state;
    if (!cs_recorder_start(8, "test"))
        return -1;
    thread = cs_thread_self ? cs_thread_self : cs_thread_begin();
    first = cs_journal_header(cs_recorder.journal)->first.ticks;
    return thread ? 0 : -1;
}

/* The region of calls that are made now. */
static unsigned region_now(void)
{
    return (unsigned)(cs_profile_key(0, 0, 0, 0).what >> CS_PROFILE_REGION_SHIFT);
}

static void calls_are_in_the_innermost_open_region(void **state)
{
    (void)state;
    assert_int_equal(region_now(), 0);
    cs_region_begin(thread, "a", first + 10);
    unsigned a = region_now();
    cs_region_begin(thread, "b", first + 20);
    unsigned b = region_now();
    cs_region_begin(thread, "a", first + 30);
    unsigned inner = region_now();
    assert_true(a && b && inner && a != b && inner != a && inner != b);
    cs_region_end(thread, "a", first + 40);
    assert_int_equal(region_now(), b);
    cs_region_begin(thread, "a", first + 45);
    assert_int_equal(region_now(), inner);
    cs_region_end(thread, "unknown", first + 47);
    assert_int_equal(region_now(), inner);
    cs_region_end(thread, "b", first + 50); /* and the one inside */
    assert_int_equal(region_now(), a);
    cs_region_end(thread, "a", first + 60);
    assert_int_equal(region_now(), 0);
    cs_region_end(thread, "a", first + 70);
    assert_int_equal(region_now(), 0);
    cs_region_begin(thread, "a", first + 80);
    assert_int_equal(region_now(), a);
    cs_region_end(thread, "a", first + 90);
}

static void the_key_of_a_call_keeps_its_other_parts(void **state)
{
    (void)state;
    cs_region_begin(thread, "a", first + 100);
    struct cs_profile_key key = cs_profile_key(7, 0xfffffffe, 0xfffd, 63);
    cs_region_end(thread, "a", first + 110);
    assert_int_equal(cs_profile_object(key), 0xfffffffe);
    assert_int_equal(cs_profile_function(key), 0xfffd);
    assert_int_equal(cs_profile_size_class(key), 63);
}

static void regions_deeper_than_the_room_end_in_their_order(void **state)
{
    (void)state;
    enum { DEEP = 100 };
    unsigned at[DEEP];
    for (int i = 0; i < DEEP; i++) {
        at[i] = region_now();
        cs_region_begin(thread, "deep", first + 200);
    }
    for (int i = DEEP; i-- > 0;) {
        cs_region_end(thread, "deep", first + 210);
        assert_int_equal(region_now(), at[i]);
    }
}

static void too_many_regions_count_as_the_one_around_them(void **state)
{
    (void)state;
    char name[CS_REGION_NAME_BYTES];
    cs_region_begin(thread, "a", first + 300);
    unsigned a = region_now(), most = 0;
    for (int i = 0; i < 400; i++) {
        snprintf(name, sizeof name, "region %d", i);
        cs_region_begin(thread, name, first + 310);
        most = region_now() > most ? region_now() : most;
        if (i == 399) {
            assert_int_equal(region_now(), a);
            cs_region_begin(thread, "inside", first + 311); /* of a region without number */
            assert_int_equal(region_now(), a);
            cs_region_end(thread, "inside", first + 312);
        }
        cs_region_end(thread, name, first + 320);
        assert_int_equal(region_now(), a);
    }
    assert_int_equal(most, 255);
    cs_region_end(thread, "a", first + 330);
}

/* MPI time of calls that last 3 of 10 units until this many units have passed. */
static uint64_t spent_until(uint64_t unit, uint64_t ticks)
{
    uint64_t rest = ticks % (10 * unit);
    return ticks / (10 * unit) * 3 * unit + (rest < 3 * unit ? rest : 3 * unit);
}

/* Calls from 0 to 3, from 10 to 13, ... units after the journal began. */
static void the_course_of_a_thread_is_exact_at_its_instants_however_long_it_runs(void **state)
{
    (void)state;
    struct cs_thread_state *it = thread->state;
    const uint64_t unit = CS_COURSE_FIRST / 7;
    uint64_t calls = 0;
    it->mpi_ticks = 0;
    for (uint64_t wanted = 1; wanted <= 1000000; wanted *= 10) {
        for (; calls < wanted; calls++) {
            uint64_t start = first + calls * 10 * unit, stop = start + 3 * unit;
            if (stop >= thread->course_next)
                cs_course_pass(thread, start, stop);
            it->mpi_ticks += stop - start;
        }
        uint64_t now = (calls - 1) * 10 * unit + 3 * unit;
        assert_int_equal(it->course_filled, now / it->course_interval);
        assert_true(it->course_filled <= CS_COURSE_THREAD);
        assert_true(now < CS_COURSE_THREAD * CS_COURSE_FIRST || it->course_filled >= CS_COURSE_THREAD / 2);
        for (uint64_t i = 0; i < it->course_filled; i++)
            assert_int_equal(it->course[i], spent_until(unit, (i + 1) * it->course_interval));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_are_in_the_innermost_open_region),
        cmocka_unit_test(the_key_of_a_call_keeps_its_other_parts),
        cmocka_unit_test(regions_deeper_than_the_room_end_in_their_order),
        cmocka_unit_test(the_course_of_a_thread_is_exact_at_its_instants_however_long_it_runs),
        cmocka_unit_test(too_many_regions_count_as_the_one_around_them), /* last: no number is left */
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
