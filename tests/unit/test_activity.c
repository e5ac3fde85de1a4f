/* What a process does between two looks: from folders that look like /proc, and in one case from the kernel. */
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/activity.h"
#include "tests/support/scratch.h"
#include "tests/support/unit_test.h"

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *at)
{
    (void)status, (void)kind, (void)at;
    return remove(path);
}

static int leave(void **state)
{
    nftw("proc", remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return cs_scratch_leave(state);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* Sums of a process since it began. */
struct sums {
    char state;
    double core_seconds, delay_seconds;
    int faults;
};

/* Looks at process 9, after these sums. */
static struct cs_look look(double seconds, struct sums sums)
{
    char text[256];
    mkdir("proc", 0700), mkdir("proc/9", 0700), mkdir("proc/9/task", 0700);
    mkdir("proc/9/task/9", 0700), mkdir("proc/9/task/10", 0700);
    snprintf(text, sizeof text, "9 (a) S) %c 1 9 9 0 -1 4194304 100 0 %d 0 %d 2 0 0 20 0 2 0 5000 4096 20", sums.state,
             sums.faults, (int)(sums.core_seconds * (double)sysconf(_SC_CLK_TCK)));
    write_file("proc/9/stat", text);
    snprintf(text, sizeof text, "0 %.0f 8\n", 0.75e9 * sums.delay_seconds);
    write_file("proc/9/task/9/schedstat", text);
    snprintf(text, sizeof text, "0 %.0f 8\n", 0.25e9 * sums.delay_seconds);
    write_file("proc/9/task/10/schedstat", text);
    struct cs_look look = cs_look_at("proc", 9, true);
    assert_true(look.known && look.knows_delay);
    look.at_ns = (int64_t)(1e9 * seconds);
    return look;
}

/* The activity in the second before this look. */
static const char *word(char state, double core_seconds, double delay_seconds, int faults)
{
    struct cs_look before = look(5, (struct sums){state, 3, 2, 1000});
    struct cs_look after = look(6, (struct sums){state, 3 + core_seconds, 2 + delay_seconds, 1000 + faults});
    const char *word = cs_activity_word(cs_activity_between(&before, &after));
    return word ? word : "unknown";
}

static void a_process_that_is_on_a_core_computes(void **state)
{
    (void)state;
    assert_string_equal(word('R', 1, 0, 0), "computing");
    assert_string_equal(word('R', 0.55, 0.45, 0), "computing");
    assert_string_equal(word('R', 0.5, 0.1, 500), "computing");
}

static void a_runnable_process_without_a_core_lacks_it(void **state)
{
    (void)state;
    assert_string_equal(word('R', 0, 1, 0), "without a core");
    assert_string_equal(word('R', 0.3, 0.65, 0), "without a core");
}

static void page_faults_that_read_the_disk_tell_from_other_waits(void **state)
{
    (void)state;
    assert_string_equal(word('D', 0.02, 0.01, 300), "reading its memory from the disk");
    assert_string_equal(word('D', 0.02, 0.01, 0), "in the kernel");
    assert_string_equal(word('D', 0.02, 0.01, 50), "in the kernel"); /* as when a file is mapped and read */
    assert_string_equal(word('S', 0, 0, 50), "sleeping");
}

static void several_states_are_not_one(void **state)
{
    (void)state;
    assert_string_equal(word('S', 0.3, 0.1, 0), "unknown");
    struct cs_look before = look(5, (struct sums){'S', 3, 2, 0}), after = look(6, (struct sums){'D', 3, 2, 0});
    assert_int_equal(cs_activity_between(&before, &after), CS_ACTIVITY_UNKNOWN);
    after = look(6, (struct sums){'R', 3, 2, 0}); /* it woke just now */
    before.stat.state = 'R';
    assert_int_equal(cs_activity_between(&before, &after), CS_ACTIVITY_UNKNOWN);
    after = look(6, (struct sums){'T', 4, 2, 0});
    assert_true(cs_look_is_stopped(&after));
    assert_int_equal(cs_activity_between(&before, &after), CS_ACTIVITY_UNKNOWN);
}

static void one_look_tells_the_state_of_that_moment(void **state)
{
    (void)state;
    struct cs_look missing = cs_look_at("proc", 10, true), sleeps = look(5, (struct sums){'S', 3, 2, 0});
    assert_false(missing.known);
    assert_int_equal(cs_activity_at(&missing), CS_ACTIVITY_UNKNOWN);
    assert_int_equal(cs_activity_between(&missing, &sleeps), CS_ACTIVITY_UNKNOWN);
    assert_int_equal(cs_activity_at(&sleeps), CS_ACTIVITY_SLEEPS);
    assert_false(cs_look_at("proc", 9, false).knows_delay);
}

/* A parent waits uninterruptibly until its vfork child ends. */
static void a_real_uninterruptible_wait_is_in_the_kernel(void **state)
{
    (void)state;
    pid_t parent = fork();
    assert_true(parent >= 0);
    if (parent == 0) {
        setpgid(0, 0);
        if (vfork() == 0)
            for (;;)
                pause();
        _exit(1);
    }
    struct cs_look before = cs_look_at("/proc", parent, true);
    for (int i = 0; i < 1000 && before.stat.state != 'D'; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        before = cs_look_at("/proc", parent, true);
    }
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    struct cs_look after = cs_look_at("/proc", parent, true);
    kill(-parent, SIGKILL);
    waitpid(parent, NULL, 0);
    assert_string_equal(cs_activity_word(cs_activity_between(&before, &after)), "in the kernel");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, cs_scratch_enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_process_that_is_on_a_core_computes),
        TEST(a_runnable_process_without_a_core_lacks_it),
        TEST(page_faults_that_read_the_disk_tell_from_other_waits),
        TEST(several_states_are_not_one),
        TEST(one_look_tells_the_state_of_that_moment),
        TEST(a_real_uninterruptible_wait_is_in_the_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
