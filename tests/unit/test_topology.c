/* The kernel's facts about processors and control groups, from folders that look like /sys and /proc. */
#include <ftw.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "record/call/placement.h"
#include "record/call/usage.h"
#include "tests/support/scratch.h"
#include "tests/support/unit_test.h"

#define CPU "sys/devices/system/cpu/cpu9"

static void make_folder(const char *path)
{
    char part[256];
    for (size_t i = 1; i <= strlen(path); i++)
        if (path[i] == '/' || !path[i]) {
            snprintf(part, sizeof part, "%.*s", (int)i, path);
            mkdir(part, 0700);
        }
}

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[256];
    make_folder(folder);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *at)
{
    (void)status, (void)kind, (void)at;
    return remove(path);
}

static int leave(void **state)
{
    nftw("sys", remove_one, 8, FTW_DEPTH | FTW_PHYS);
    nftw("proc", remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return cs_scratch_leave(state);
}

static void a_processor_has_a_core_a_package_and_a_node(void **state)
{
    (void)state;
    struct cs_topology topology;
    write_file(CPU "/topology", "core_id", "4\n");
    write_file(CPU "/topology", "physical_package_id", "1\n");
    write_file(CPU "/topology", "thread_siblings_list", "9,25\n");
    write_file(CPU "/topology", "core_siblings_list", "8-15,24-31\n");
    make_folder(CPU "/node3");
    cs_topology_read("sys", 9, &topology);
    assert_int_equal(topology.core, 4);
    assert_int_equal(topology.package, 1);
    assert_int_equal(topology.numa_node, 3);
    assert_string_equal(topology.core_cpus, "9,25");
    assert_string_equal(topology.package_cpus, "8-15,24-31");
}

static void what_a_container_does_not_show_is_not_known(void **state)
{
    (void)state;
    struct cs_topology topology;
    char quota[32] = "x";
    cs_topology_read("sys", 9, &topology);
    assert_int_equal(topology.core, -1);
    assert_int_equal(topology.package, -1);
    assert_int_equal(topology.numa_node, -1);
    assert_string_equal(topology.core_cpus, "");
    assert_string_equal(topology.package_cpus, "");
    cs_topology_read_quota("sys", "proc", quota, sizeof quota);
    assert_string_equal(quota, "");
}

static void the_least_quota_of_a_group_and_those_above_counts(void **state)
{
    (void)state;
    char quota[32];
    write_file("proc/self", "cgroup", "0::/job/step\n");
    write_file("sys/fs/cgroup/job/step", "cpu.max", "max 100000\n");
    cs_topology_read_quota("sys", "proc", quota, sizeof quota);
    assert_string_equal(quota, "");
    write_file("sys/fs/cgroup/job", "cpu.max", "150000 100000\n");
    cs_topology_read_quota("sys", "proc", quota, sizeof quota);
    assert_string_equal(quota, "1.5");
    write_file("sys/fs/cgroup/job/step", "cpu.max", "400000 100000\n");
    cs_topology_read_quota("sys", "proc", quota, sizeof quota);
    assert_string_equal(quota, "1.5");
}

static void groups_of_version_1_have_the_quota_in_two_files(void **state)
{
    (void)state;
    char quota[32];
    write_file("proc/self", "cgroup", "5:cpuset:/\n4:cpu,cpuacct:/job\n0::/\n");
    write_file("sys/fs/cgroup/cpu,cpuacct/job", "cpu.cfs_quota_us", "200000\n");
    write_file("sys/fs/cgroup/cpu,cpuacct/job", "cpu.cfs_period_us", "100000\n");
    cs_topology_read_quota("sys", "proc", quota, sizeof quota);
    assert_string_equal(quota, "2");
    write_file("sys/fs/cgroup/cpu,cpuacct/job", "cpu.cfs_quota_us", "-1\n");
    cs_topology_read_quota("sys", "proc", quota, sizeof quota);
    assert_string_equal(quota, "");
}

/* Texts of Linux 6.18. */
static void both_versions_of_groups_tell_how_long_a_quota_stopped_them(void **state)
{
    (void)state;
    uint64_t ns = 7;
    assert_true(cs_usage_find_throttled("usage_usec 512073\nuser_usec 500100\nsystem_usec 11973\nnice_usec 0\n"
                                        "core_sched.force_idle_usec 0\nnr_periods 21\nnr_throttled 20\n"
                                        "throttled_usec 1338021\nnr_bursts 0\nburst_usec 0\n",
                                        &ns));
    assert_int_equal(ns, 1338021000);
    assert_true(
        cs_usage_find_throttled("nr_periods 11\nnr_throttled 10\nthrottled_time 729030871\nnr_bursts 0\n", &ns));
    assert_int_equal(ns, 729030871);
    assert_false(cs_usage_find_throttled("usage_usec 512073\nuser_usec 500100\nsystem_usec 11973\n", &ns));
    assert_int_equal(ns, 729030871);
}

static void busy_threads_are_before_the_slash_in_loadavg(void **state)
{
    (void)state;
    uint64_t threads = 0;
    assert_true(cs_usage_find_running("28.11 26.56 22.00 17/441 30677\n", &threads));
    assert_int_equal(threads, 17);
    assert_true(cs_usage_find_running("4/9", &threads));
    assert_int_equal(threads, 4);
    static const char *const others[] = {"", "28.11 26.56 22.00\n", "1 /441", "/441", "99999999999999999999/441"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(cs_usage_find_running(others[i], &threads));
}

/* The category LC_NUMERIC of a locale as localedef writes it: the decimal point is a comma. */
static const unsigned char with_comma[] = {
    0x14, 0x11, 0x03, 0x20, 6,    0,   0,   0,   0x20, 0,   0,   0,   0x22, 0,   0,   0,   0x23, 0,   0, 0,
    0x24, 0,    0,    0,    0x28, 0,   0,   0,   0x2c, 0,   0,   0,   0x2c, 0,   0,   0,   0x2c, 0,   0, 0,
    0,    0,    0,    0,    'A',  'N', 'S', 'I', '_',  'X', '3', '.', '4',  '-', '1', '9', '6',  '8', 0};

static void a_program_that_writes_fractions_with_a_comma_changes_nothing(void **state)
{
    char quota[32], wrong[8];
    make_folder("sys/comma");
    FILE *file = fopen("sys/comma/LC_NUMERIC", "w");
    assert_non_null(file);
    assert_int_equal(fwrite(with_comma, sizeof with_comma, 1, file), 1);
    fclose(file);
    setenv("LOCPATH", "sys", 1);
    assert_non_null(setlocale(LC_NUMERIC, "comma"));
    snprintf(wrong, sizeof wrong, "%.1f", 1.5);
    assert_string_equal(wrong, "1,5");
    the_least_quota_of_a_group_and_those_above_counts(state);
    write_file("sys/fs/cgroup/job", "cpu.max", "100000 300000\n");
    cs_topology_read_quota("sys", "proc", quota, sizeof quota);
    assert_string_equal(quota, "0.333333");
    setlocale(LC_NUMERIC, "C");
    unsetenv("LOCPATH");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, cs_scratch_enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_processor_has_a_core_a_package_and_a_node),
        TEST(what_a_container_does_not_show_is_not_known),
        TEST(the_least_quota_of_a_group_and_those_above_counts),
        TEST(groups_of_version_1_have_the_quota_in_two_files),
        TEST(both_versions_of_groups_tell_how_long_a_quota_stopped_them),
        TEST(busy_threads_are_before_the_slash_in_loadavg),
        TEST(a_program_that_writes_fractions_with_a_comma_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
