/* The number of live communicators in all cases, and the time of the warning. */
#include <string.h>
#include <unistd.h>

#include "record/object/leak_warning.h"
#include "record/object/object.h"
#include "record/recording.h"
#include "tests/support/unit_test.h"

static char said[4096];
static uint64_t last_handle = 0x1000;

/* Makes objects with stderr caught. */
static void make(int number, const struct cs_birth *like)
{
    int ends[2], stderr_kept = dup(STDERR_FILENO);
    assert_int_equal(pipe(ends), 0);
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    for (int i = 0; i < number; i++) {
        struct cs_birth birth = *like;
        birth.handle = ++last_handle;
        cs_object_add(&birth);
    }
    dup2(stderr_kept, STDERR_FILENO);
    close(stderr_kept);
    ssize_t length = read(ends[0], said, sizeof said - 1);
    said[length > 0 ? length : 0] = '\0';
    close(ends[0]);
}

static const struct cs_birth communicator = {.kind = CALLSIGN_COMMUNICATOR, .function = 7, .size = 4};

static int begin(void **state)
{
    (void)state;
    return cs_recorder_start(8, "test") ? 0 : -1;
}

static int free_all(void **state)
{
    (void)state;
    for (; last_handle > 0x1000; last_handle--)
        for (uint32_t kind = CALLSIGN_COMMUNICATOR; kind <= CALLSIGN_DATATYPE; kind++) {
            struct callsign_record *object = cs_object_unlink(kind, last_handle, &(bool){false});
            if (object)
                cs_object_record_death(object, 7, 0, 0, NULL);
        }
    cs_leak_warning_limit = 5;
    return 0;
}

static void the_one_beyond_the_limit_is_told_once(void **state)
{
    (void)state;
    make(5, &communicator);
    assert_string_equal(said, "");
    make(9, &communicator);
    assert_int_equal(strncmp(said, "callsign: this process has 6 communicators", 42), 0);
    assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);
}

static void a_member_that_is_not_the_first_leaves_it_to_others(void **state)
{
    (void)state;
    struct cs_birth second = communicator;
    second.rank = 1;
    make(9, &second);
    assert_string_equal(said, "");
    make(1, &communicator);
    assert_non_null(strstr(said, " 10 communicators"));
}

static void other_kinds_and_those_of_the_mpi_do_not_count(void **state)
{
    (void)state;
    struct cs_birth other = communicator;
    other.flags = CS_OBJECT_INTERNAL;
    make(9, &other);
    other.flags = 0;
    other.kind = CALLSIGN_DATATYPE;
    make(9, &other);
    make(5, &communicator);
    assert_string_equal(said, "");
}

static void a_free_that_failed_takes_nothing_away(void **state)
{
    (void)state;
    make(5, &communicator);
    for (int i = 0; i < 3; i++)
        cs_object_relink(cs_object_unlink(CALLSIGN_COMMUNICATOR, last_handle, &(bool){false}));
    make(1, &communicator);
    assert_non_null(strstr(said, " 6 communicators"));
}

static void a_handle_that_was_freed_unseen_does_not_count_twice(void **state)
{
    (void)state;
    make(5, &communicator);
    for (int i = 0; i < 3; i++) {
        last_handle--;
        make(1, &communicator);
        assert_string_equal(said, "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_one_beyond_the_limit_is_told_once, free_all),
        cmocka_unit_test_setup(a_member_that_is_not_the_first_leaves_it_to_others, free_all),
        cmocka_unit_test_setup(other_kinds_and_those_of_the_mpi_do_not_count, free_all),
        cmocka_unit_test_setup(a_free_that_failed_takes_nothing_away, free_all),
        cmocka_unit_test_setup(a_handle_that_was_freed_unseen_does_not_count_twice, free_all),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
