/* Hardware counters, with a kernel that the test replaces: what is read, and what is unknown. */
#include <linux/perf_event.h>
#include <string.h>
#include <unistd.h>

#include "base/counter_names.h"
#include "record/call/counters.h"
#include "tests/support/unit_test.h"

enum { LACKING = 99 };

/* Counters are descriptors of /dev/null, whose identity is their number. */
static struct {
    uint64_t config[CS_COUNTERS], lacks, foreign, running;
    int leader[CS_COUNTERS], opened, number[CS_COUNTERS];
} fake;

static int open_fake(struct perf_event_attr *event, int leader)
{
    if (event->config == fake.lacks || !event->exclude_kernel || !event->exclude_hv)
        return -1;
    fake.config[fake.opened] = event->config;
    fake.leader[fake.opened++] = leader;
    return dup(STDERR_FILENO);
}

static int id_of_fake(int number, uint64_t *id)
{
    *id = (uint64_t)number;
    return (uint64_t)number == fake.foreign ? -1 : 0;
}

/* The value of each counter is a hundred times its event. */
static ssize_t read_fake(int number, void *values, size_t bytes)
{
    uint64_t *at = values;
    assert_true(bytes >= (3 + 2 * (size_t)fake.opened) * sizeof *at);
    (void)number;
    *at++ = (uint64_t)fake.opened;
    *at++ = 1000;
    *at++ = fake.running;
    for (int i = 0; i < fake.opened; i++) {
        *at++ = 100 * fake.config[i];
        *at++ = (uint64_t)fake.number[i];
    }
    return (char *)at - (char *)values;
}

static struct cs_counters counters;

static int enter(void **state)
{
    (void)state;
    memset(&fake, 0, sizeof fake);
    fake.lacks = LACKING;
    fake.running = 1000;
    cs_counter_kernel = (struct cs_counter_kernel){.open = open_fake, .id = id_of_fake, .read = read_fake};
    cs_counters_clear(&counters);
    return 0;
}

static int leave(void **state)
{
    (void)state;
    fake.foreign = 0;
    cs_counters_close(&counters);
    return 0;
}

static void open_all(const char *names)
{
    cs_counters_start(names);
    cs_counters_open(&counters);
    int at = 0;
    for (int i = 0; i < CS_COUNTERS; i++)
        if (counters.number[i] >= 0)
            fake.number[at++] = counters.number[i];
}

static void one_call_reads_all_counters(void **state)
{
    (void)state;
    uint64_t value[CS_COUNTERS] = {0};
    open_all("cache-misses,r1c2");
    assert_int_equal(cs_counters_read(&counters, value), 0);
    assert_int_equal(value[0], 100 * PERF_COUNT_HW_INSTRUCTIONS);
    assert_int_equal(value[1], 100 * PERF_COUNT_HW_CPU_CYCLES);
    assert_int_equal(value[2], 100 * PERF_COUNT_HW_CACHE_MISSES);
    assert_int_equal(value[3], 100 * 0x1c2);
    assert_int_equal(fake.leader[0], -1);
    assert_int_equal(fake.leader[3], counters.number[0]);
}

static void what_the_machine_lacks_is_unknown_and_the_rest_is_read(void **state)
{
    (void)state;
    uint64_t value[CS_COUNTERS] = {0};
    fake.lacks = PERF_COUNT_HW_INSTRUCTIONS;
    open_all("branch-misses");
    assert_int_equal(cs_counters_read(&counters, value), 1 | 8);
    assert_int_equal(value[2], 100 * PERF_COUNT_HW_BRANCH_MISSES);
    assert_int_equal(fake.leader[0], -1);
}

static void counters_that_had_the_hardware_for_a_part_of_the_time_are_unknown(void **state)
{
    (void)state;
    uint64_t value[CS_COUNTERS] = {0};
    fake.running = 999;
    open_all("");
    assert_int_equal(cs_counters_read(&counters, value), 15);
}

static void a_descriptor_that_the_program_has_now_is_neither_read_nor_closed(void **state)
{
    (void)state;
    uint64_t value[CS_COUNTERS] = {0};
    open_all("");
    int number = counters.number[0];
    fake.foreign = (uint64_t)number;
    assert_int_equal(cs_counters_read(&counters, value), 15);
    cs_counters_close(&counters);
    assert_int_equal(close(number), 0);
}

static void no_counter_is_opened_if_none_is_wanted_or_allowed(void **state)
{
    (void)state;
    uint64_t value[CS_COUNTERS];
    open_all("off");
    assert_int_equal(fake.opened, 0);
    assert_int_equal(cs_counters_read(&counters, value), 15);
}

static void names_are_known_or_refused(void **state)
{
    (void)state;
    struct cs_counter_name found[CS_COUNTER_NAMES_MOST];
    assert_int_equal(cs_counter_names_parse("", found), 0);
    assert_int_equal(cs_counter_names_parse("off", found), 0);
    assert_int_equal(cs_counter_names_parse("task-clock", found), 1);
    assert_int_equal(found[0].type, PERF_TYPE_SOFTWARE);
    static const char *const wrong[] = {"cache-miss", "branches,",      ",branches",   "r",
                                        "rxyz",       "branches,r1,r2", "instructions"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(cs_counter_names_parse(wrong[i], found), -1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(one_call_reads_all_counters),
        TEST(what_the_machine_lacks_is_unknown_and_the_rest_is_read),
        TEST(counters_that_had_the_hardware_for_a_part_of_the_time_are_unknown),
        TEST(a_descriptor_that_the_program_has_now_is_neither_read_nor_closed),
        TEST(no_counter_is_opened_if_none_is_wanted_or_allowed),
        TEST(names_are_known_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
