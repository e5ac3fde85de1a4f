/* The objects that have values under each key. */
#include "record/call/thread_life.h"
#include "record/object/attribute_values.h"
#include "record/process/thread.h"
#include "record/recording.h"
#include "tests/support/unit_test.h"

static int begin(void **state)
{
    (void)state;
    return cs_recorder_start(8, "test") && cs_thread_begin() ? 0 : -1;
}

static const struct callsign_record *make(enum callsign_kind kind, uint64_t handle)
{
    struct cs_birth birth = {.handle = handle, .kind = (uint16_t)kind, .function = 7};
    return cs_object_add(&birth);
}

static void end(enum callsign_kind kind, uint64_t handle)
{
    cs_thread_self->depth = 1;
    struct cs_free freed = cs_free_begin(cs_thread_self, kind, handle);
    cs_free_complete(cs_thread_self, freed.object, 7, 0, 0, NULL);
    cs_thread_self->depth = 0;
}

static void set(const struct callsign_record *object, int keyval)
{
    cs_presence_set(cs_thread_self, object, keyval, 0);
}

static size_t count(const struct callsign_record *object)
{
    struct cs_presence held;
    size_t held_by_it = 0;
    while (cs_presence_get(object, held_by_it, &held))
        held_by_it++;
    return held_by_it;
}

static void what_is_set_is_held_until_it_is_deleted(void **state)
{
    (void)state;
    const struct callsign_record *comm = make(CALLSIGN_COMMUNICATOR, 0x10);
    make(CALLSIGN_KEYVAL, 1);
    make(CALLSIGN_KEYVAL, 2);
    assert_false(cs_has_values(comm));
    set(comm, 1);
    set(comm, 1);
    set(comm, 2);
    assert_true(cs_has_values(comm));
    assert_int_equal(count(comm), 2);
    cs_presence_delete(comm, 2);
    assert_int_equal(count(comm), 1);
    cs_presence_delete(comm, 2);
    assert_int_equal(count(comm), 1);
    set(comm, 2); /* again, which the thread remembers as the last */
    assert_int_equal(count(comm), 2);
    cs_presence_drop(comm);
    end(CALLSIGN_COMMUNICATOR, 0x10);
    assert_int_equal(count(comm), 0);
}

static void keys_that_are_not_known_are_left_out(void **state)
{
    (void)state;
    const struct callsign_record *comm = make(CALLSIGN_COMMUNICATOR, 0x20);
    set(comm, 77);
    assert_false(cs_has_values(comm));
    assert_int_equal(count(comm), 0);
}

static void a_freed_key_is_held_by_nobody_although_its_number_is_used_again(void **state)
{
    (void)state;
    const struct callsign_record *first = make(CALLSIGN_COMMUNICATOR, 0x30), *second = make(CALLSIGN_DATATYPE, 0x30);
    const struct callsign_record *key = make(CALLSIGN_KEYVAL, 5);
    set(first, 5);
    set(second, 5);
    struct cs_presence held;
    assert_true(cs_presence_get(first, 0, &held));
    assert_true(cs_presence_has_keyval(&held));
    uint32_t id = key->id;
    end(CALLSIGN_KEYVAL, 5);
    assert_false(cs_presence_has_keyval(&held));
    assert_int_equal(cs_presence_drop_keyval(id), 2);
    assert_int_equal(cs_presence_drop_keyval(id), 0);
    assert_int_equal(count(first) + count(second), 0);
    key = make(CALLSIGN_KEYVAL, 5);
    assert_false(cs_presence_has_keyval(&held));
    set(second, 5);
    assert_int_equal(cs_presence_drop_keyval(key->id), 1);
}

static void a_duplicate_holds_the_same_until_it_says_otherwise(void **state)
{
    (void)state;
    const struct callsign_record *original = make(CALLSIGN_COMMUNICATOR, 0x40);
    const struct callsign_record *duplicate = make(CALLSIGN_COMMUNICATOR, 0x41);
    make(CALLSIGN_KEYVAL, 8);
    make(CALLSIGN_KEYVAL, 9);
    set(original, 8);
    cs_presence_set(cs_thread_self, original, 9, 8);
    cs_presence_copy(original, duplicate);
    assert_int_equal(count(duplicate), 2);
    struct cs_presence held;
    assert_true(cs_presence_get(duplicate, 1, &held));
    assert_int_equal(held.keyval, 9);
    assert_int_equal(held.integer_bytes, 8);
    cs_presence_remove(duplicate, &held);
    assert_int_equal(count(duplicate), 1);
    assert_int_equal(count(original), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_set_is_held_until_it_is_deleted),
        cmocka_unit_test(keys_that_are_not_known_are_left_out),
        cmocka_unit_test(a_freed_key_is_held_by_nobody_although_its_number_is_used_again),
        cmocka_unit_test(a_duplicate_holds_the_same_until_it_says_otherwise),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
