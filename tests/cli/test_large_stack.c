/* Work that needs more stack than the limit of the process leaves. */
#include <string.h>
#include <sys/resource.h>

#include "cli/rows/frames.h"
#include "tests/support/unit_test.h"

enum { NEEDED_BYTES = 4 << 20, SMALL_BYTES = 256 << 10 };

static void use(void *argument)
{
    volatile char large[NEEDED_BYTES];
    for (size_t i = 0; i < sizeof large; i += 1024)
        large[i] = (char)i;
    *(char *)argument = (char)(large[1024] + 1);
}

static void work_has_room_where_the_limit_is_small(void **state)
{
    (void)state;
    struct rlimit before, small;
    char done = 0;
    assert_int_equal(getrlimit(RLIMIT_STACK, &before), 0);
    small = before;
    small.rlim_cur = SMALL_BYTES;
    assert_int_equal(setrlimit(RLIMIT_STACK, &small), 0);
    cs_large_stack_call(use, &done);
    assert_int_equal(setrlimit(RLIMIT_STACK, &before), 0);
    assert_int_equal(done, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(work_has_room_where_the_limit_is_small)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
