/* The clocks of nodes, from made-up runs whose true times are known. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "db/run/clocks.h"
#include "tests/support/unit_test.h"

enum { CLOCKS_MOST = 300 };
#define SECOND 1000000000.0

static uint64_t seed;

static double uniform(double least, double most)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return least + (most - least) * (double)(seed >> 11) / 9007199254740992.0;
}

/* The truth about a clock: true time is its own time plus offset, plus drift for each nanosecond. */
struct truth {
    double offset_ns, drift;
};

static struct run {
    struct truth truth[CLOCKS_MOST];
    struct cs_clock clock[CLOCKS_MOST];
    size_t clocks;
    struct cs_clock_bound *bound;
    size_t bounds, room;
} run;

/* Clock 0 is right; the others are off by that much at most. */
static void begin(size_t clocks, double offset_ns, double drift)
{
    run.clocks = clocks;
    run.bounds = 0;
    for (size_t i = 0; i < clocks; i++) {
        run.truth[i] = (struct truth){i ? uniform(-offset_ns, offset_ns) : 0, i ? uniform(-drift, drift) : 0};
        run.clock[i] = (struct cs_clock){.begin_ns = INT64_MAX, .end_ns = INT64_MIN};
    }
}

static int64_t own(uint32_t clock, double true_ns)
{
    const struct truth *truth = &run.truth[clock];
    return (int64_t)((true_ns - truth->offset_ns) / (1 + truth->drift));
}

static void add(uint64_t communicator, uint64_t nth, uint32_t clock, double entered_ns, double left_ns)
{
    assert_true(cs_array_grow(&run.bound, run.bounds, &run.room, sizeof *run.bound));
    struct cs_clock_bound bound = {.communicator = communicator,
                                   .nth = nth,
                                   .clock = clock,
                                   .entered_ns = own(clock, entered_ns),
                                   .left_ns = own(clock, left_ns)};
    run.bound[run.bounds++] = bound;
    struct cs_clock *it = &run.clock[clock];
    it->begin_ns = bound.entered_ns < it->begin_ns ? bound.entered_ns : it->begin_ns;
    it->end_ns = bound.left_ns > it->end_ns ? bound.left_ns : it->end_ns;
}

/* A call of all clocks whose number is in `members` as a bit, with two ranks each, which takes everybody delays. */
static void call(uint64_t communicator, uint64_t nth, double at_ns, double delay_ns, const bool *members)
{
    double entered[CLOCKS_MOST][2], last = 0;
    for (uint32_t i = 0; i < run.clocks; i++)
        for (int rank = 0; rank < 2; rank++) {
            entered[i][rank] = at_ns + uniform(0, delay_ns);
            if ((!members || members[i]) && entered[i][rank] > last)
                last = entered[i][rank];
        }
    for (uint32_t i = 0; i < run.clocks; i++)
        for (int rank = 0; rank < 2 && (!members || members[i]); rank++)
            add(communicator, nth, i, entered[i][rank], last + uniform(0.1, 1) * delay_ns);
}

static void solve(void)
{
    run.bounds = cs_clock_bounds_join(run.bound, run.bounds);
    assert_true(cs_clocks_solve(run.clock, run.clocks, run.bound, run.bounds));
}

/* The error of the solved clock at the begin and the end of its span. */
static double wrong(size_t i)
{
    const struct cs_clock *clock = &run.clock[i];
    const struct truth *truth = &run.truth[i];
    double offset_ns = clock->offset_ns - truth->offset_ns, drift = clock->drift - truth->drift;
    return fmax(fabs(offset_ns + drift * (double)clock->begin_ns), fabs(offset_ns + drift * (double)clock->end_ns));
}

static void assert_true_within_errors(void)
{
    for (size_t i = 0; i < run.clocks; i++) {
        assert_true(run.clock[i].bounded);
        assert_true(run.clock[i].contradiction_ns == 0);
        if (wrong(i) > run.clock[i].error_ns + 1)
            fail_msg("clock %zu: wrong by %.0f ns, error %.0f ns, seed %llu", i, wrong(i), run.clock[i].error_ns,
                     (unsigned long long)seed);
    }
}

static void assert_nobody_leaves_before_all_entered(void)
{
    double worst = 0;
    for (size_t i = 0; i < run.bounds; i++)
        for (size_t j = 0; j < run.bounds; j++) {
            const struct cs_clock_bound *a = &run.bound[i], *b = &run.bound[j];
            if (!cs_clock_same_call(a, b) || a->clock == b->clock)
                continue;
            const struct cs_clock *of_a = &run.clock[a->clock], *of_b = &run.clock[b->clock];
            double left = (double)a->left_ns * (1 + of_a->drift) + of_a->offset_ns;
            double entered = (double)b->entered_ns * (1 + of_b->drift) + of_b->offset_ns;
            worst = fmax(worst, entered - left);
        }
    if (worst > 4 * CS_CLOCK_SLACK_NS)
        fail_msg("somebody leaves %.0f ns before another one enters", worst);
}

static void many_calls(double span_ns, double delay_ns, int count)
{
    for (int n = 1; n <= count; n++)
        if ((n & (n - 1)) == 0 || n > count - 16)
            call(7, (uint64_t)n, span_ns * n / count, delay_ns, NULL);
}

static void truth_is_within_the_error_of_any_run(void **state)
{
    (void)state;
    for (int i = 0; i < 300; i++) {
        begin(2 + (size_t)uniform(0, 7), uniform(0, 3 * SECOND), uniform(0, 100e-6));
        many_calls(uniform(0.01, 100) * SECOND, uniform(1e3, 1e6), 1 + (int)uniform(0, 300));
        solve();
        assert_true_within_errors();
        assert_nobody_leaves_before_all_entered();
    }
}

static void error_after_many_calls_is_about_the_time_that_one_takes(void **state)
{
    (void)state;
    begin(3, 2 * SECOND, 50e-6);
    many_calls(10 * SECOND, 50e3, 100);
    solve();
    assert_true_within_errors();
    for (size_t i = 1; i < 3; i++)
        assert_true(run.clock[i].error_ns < 200e3);
}

static void truth_is_within_the_error_over_several_steps(void **state)
{
    (void)state;
    for (int i = 0; i < 50; i++) {
        begin(12, 2 * SECOND, 50e-6);
        for (uint32_t pair = 0; pair + 1 < run.clocks; pair++) {
            bool members[CLOCKS_MOST] = {false};
            members[pair] = members[pair + 1] = true;
            for (uint64_t n = 1; n <= 64; n *= 2)
                call(100 + pair, n, (double)n * SECOND / 8, 20e3, members);
        }
        solve();
        assert_true_within_errors();
        assert_nobody_leaves_before_all_entered();
        assert_true(run.clock[1].error_ns < run.clock[11].error_ns);
    }
}

static void utc_that_keeps_all_bounds_stands(void **state)
{
    (void)state;
    begin(5, 0, 0);
    many_calls(10 * SECOND, 50e3, 100);
    solve();
    assert_true_within_errors();
    for (size_t i = 0; i < run.clocks; i++)
        assert_true(run.clock[i].offset_ns == 0 && run.clock[i].drift == 0);
}

static void clock_without_bounds_keeps_its_utc(void **state)
{
    (void)state;
    bool members[CLOCKS_MOST] = {true, true, false, false, false};
    bool others[CLOCKS_MOST] = {false, false, true, true, false};
    begin(5, SECOND, 0);
    call(1, 1, SECOND, 1e3, members);
    call(2, 1, SECOND, 1e3, others);
    add(3, 1, 4, 0, SECOND);
    solve();
    assert_true(run.clock[1].bounded && wrong(1) <= run.clock[1].error_ns);
    assert_false(run.clock[2].bounded || run.clock[3].bounded || run.clock[4].bounded);
    assert_true(run.clock[2].offset_ns == 0 && run.clock[4].offset_ns == 0);
    /* They are bound to each other all the same. */
    assert_true(fabs(run.clock[3].offset_ns + run.truth[2].offset_ns - run.truth[3].offset_ns) < 1e4);
}

static void bound_from_one_side_binds_nothing(void **state)
{
    (void)state;
    begin(2, SECOND, 0);
    many_calls(SECOND, 1e3, 4);
    for (size_t i = 0; i < run.bounds; i++)
        if (run.bound[i].clock)
            run.bound[i].entered_ns = INT64_MIN;
    solve();
    assert_false(run.clock[1].bounded);
    assert_true(run.clock[1].offset_ns == 0);
}

static void calls_that_do_not_count_alike_are_found(void **state)
{
    (void)state;
    begin(3, SECOND, 10e-6);
    many_calls(10 * SECOND, 50e3, 100);
    /* On another communicator, one clock counts one call less. */
    for (uint64_t n = 1; n <= 8; n *= 2)
        for (uint32_t i = 0; i < run.clocks; i++) {
            double at = (double)(i == 2 ? n + 1 : n) * SECOND;
            add(9, n, i, at, at + 1e3);
        }
    solve();
    assert_true(run.clock[1].contradiction_ns == 0 || wrong(1) < 1e6);
    assert_true(fabs(run.clock[2].contradiction_ns - SECOND) < 1e6);
    assert_true(wrong(2) < 1e6); /* what tells more was believed, and not the middle of both */
}

static void clock_that_does_not_run_evenly_is_wrong_by_that_much(void **state)
{
    (void)state;
    begin(2, SECOND, 0);
    for (int n = 1; n <= 64; n++) {
        double at = n * SECOND, bent = 2e6 * sin(n / 64.0 * 3.14159265);
        add(5, (uint64_t)n, 0, at, at + 10e3);
        add(5, (uint64_t)n, 1, at + bent, at + 10e3 + bent);
    }
    solve();
    assert_true(run.clock[1].contradiction_ns > 0.5e6 && run.clock[1].contradiction_ns < 1.5e6);
    assert_true(run.clock[1].error_ns >= run.clock[1].contradiction_ns && run.clock[1].error_ns < 2e6);
}

static void sixty_four_nodes_are_solved(void **state)
{
    (void)state;
    begin(64, 2 * SECOND, 50e-6);
    many_calls(3600 * SECOND, 50e3, 1000000);
    for (uint64_t row = 0; row < 8; row++) {
        bool members[CLOCKS_MOST] = {false};
        for (uint64_t i = 0; i < 8; i++)
            members[8 * row + i] = true;
        for (uint64_t n = 1; n <= 1024; n *= 2)
            call(20 + row, n, (double)n * 3 * SECOND, 10e3, members);
    }
    uint64_t before = cs_clock_monotonic_ns();
    solve();
    double took_ns = (double)(cs_clock_monotonic_ns() - before);
    print_message("64 nodes, %zu bounds: %.0f ms\n", run.bounds, took_ns / 1e6);
    assert_true_within_errors();
    assert_nobody_leaves_before_all_entered();
    for (size_t i = 1; i < 64; i++)
        assert_true(run.clock[i].error_ns < 300e3);
}

static void three_hundred_nodes_are_solved(void **state)
{
    (void)state;
    begin(CLOCKS_MOST, 2 * SECOND, 50e-6);
    many_calls(3600 * SECOND, 50e3, 1000000);
    uint64_t before = cs_clock_monotonic_ns();
    solve();
    double took_ns = (double)(cs_clock_monotonic_ns() - before);
    print_message("%d nodes, %zu bounds: %.0f ms\n", CLOCKS_MOST, run.bounds, took_ns / 1e6);
    assert_true_within_errors();
}

static void no_bounds_and_no_clocks_are_no_trouble(void **state)
{
    (void)state;
    begin(1, 0, 0);
    solve();
    assert_true(run.clock[0].bounded);
    begin(0, 0, 0);
    solve();
}

int main(void)
{
    const char *wanted = getenv("CS_TEST_SEED");
    seed = wanted ? strtoull(wanted, NULL, 10) : 20261122;
    printf("CS_TEST_SEED=%llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(truth_is_within_the_error_of_any_run),
        cmocka_unit_test(error_after_many_calls_is_about_the_time_that_one_takes),
        cmocka_unit_test(truth_is_within_the_error_over_several_steps),
        cmocka_unit_test(utc_that_keeps_all_bounds_stands),
        cmocka_unit_test(clock_without_bounds_keeps_its_utc),
        cmocka_unit_test(bound_from_one_side_binds_nothing),
        cmocka_unit_test(calls_that_do_not_count_alike_are_found),
        cmocka_unit_test(clock_that_does_not_run_evenly_is_wrong_by_that_much),
        cmocka_unit_test(sixty_four_nodes_are_solved),
        cmocka_unit_test(three_hundred_nodes_are_solved),
        cmocka_unit_test(no_bounds_and_no_clocks_are_no_trouble),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(run.bound);
    return failed;
}
