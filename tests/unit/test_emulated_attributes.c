/* Attributes that callsign keeps itself: order, callbacks that refuse or meddle, freed keyvals, duplicates, names. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/unit_test.h"
#include "wrappers/fallback/emulated_store.h"

#define COMM CALLSIGN_COMMUNICATOR
#define TYPE CALLSIGN_DATATYPE
enum { REFUSAL = 9999 };

static char story[4096]; /* arguments of the callbacks */
static int refused;      /* the value whose deletion is refused */
static void (*meddle)(uint64_t object, int value);

static int on_delete(const struct cs_emulated_keyval *keyval, uint64_t object, struct cs_emulated_value value)
{
    (void)keyval;
    size_t used = strlen(story);
    snprintf(story + used, sizeof story - used, "%s%d", used ? " " : "", value.integer);
    if (meddle)
        meddle(object, value.integer);
    return value.integer == refused ? REFUSAL : 0;
}

/* Copies even values. */
static int on_copy(const struct cs_emulated_keyval *keyval, uint64_t object, struct cs_emulated_value in,
                   struct cs_emulated_value *out, int *flag)
{
    (void)keyval, (void)object;
    size_t used = strlen(story);
    snprintf(story + used, sizeof story - used, "%s%d", used ? " " : "", in.integer);
    *out = in;
    *flag = in.integer % 2 == 0;
    return in.integer == refused ? REFUSAL : 0;
}

static int keys[8];

static int new_keyval(enum callsign_kind kind)
{
    const struct cs_emulated_callbacks callbacks = {.call_copy = on_copy, .call_delete = on_delete};
    int keyval = 0;
    assert_int_equal(cs_emulated_keyval_create(kind, &callbacks, &keyval), CS_EMULATED_DONE);
    return keyval;
}

static int begin(void **state)
{
    (void)state;
    story[0] = '\0';
    refused = -1;
    meddle = NULL;
    for (int i = 0; i < 8; i++)
        keys[i] = new_keyval(COMM);
    return 0;
}

static int set(uint64_t object, int key, int value)
{
    struct cs_emulated_value stored = {.integer = value, .kind = CS_EMULATED_INTEGER};
    struct cs_emulated_result result = cs_emulated_set(COMM, object, keys[key], stored);
    assert_true(result.outcome == CS_EMULATED_DONE || result.outcome == CS_EMULATED_REFUSED);
    return result.code;
}

/* -1: there is none. */
static int get(uint64_t object, int key)
{
    struct cs_emulated_answer answer;
    assert_int_equal(cs_emulated_get(COMM, object, keys[key], &answer), CS_EMULATED_DONE);
    return answer.found ? answer.value.integer : -1;
}

static void told(const char *expected)
{
    assert_string_equal(story, expected);
    story[0] = '\0';
}

static void end(uint64_t object)
{
    meddle = NULL;
    refused = -1;
    assert_int_equal(cs_emulated_clear(COMM, object, false).outcome, CS_EMULATED_DONE);
    cs_emulated_drop(cs_emulated_take(COMM, object));
    for (int i = 0; i < 8; i++)
        cs_emulated_keyval_free(COMM, keys[i]);
    story[0] = '\0';
}

static void the_newest_is_deleted_first_and_an_overwritten_one_is_new(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++)
        set(1, i, 10 + i);
    set(1, 1, 20);
    told("11");
    cs_emulated_clear(COMM, 1, false);
    told("20 13 12 10");
    end(1);
}

static void what_a_callback_refuses_to_delete_is_kept(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++)
        set(1, i, i);
    refused = 1;
    assert_int_equal(set(1, 1, 5), REFUSAL);
    assert_int_equal(get(1, 1), 1);
    assert_int_equal(cs_emulated_delete(COMM, 1, keys[1]).code, REFUSAL);
    assert_int_equal(get(1, 1), 1);
    story[0] = '\0';
    assert_int_equal(cs_emulated_clear(COMM, 1, false).code, REFUSAL);
    told("2 1");
    assert_int_equal(get(1, 0), 0);
    assert_int_equal(get(1, 2), -1);
    assert_int_equal(cs_emulated_clear(COMM, 1, true).outcome, CS_EMULATED_DONE);
    told("1 0");
    end(1);
}

static void delete_older(uint64_t object, int value)
{
    if (value > 0) {
        assert_int_equal(get(object, value), value);
        cs_emulated_delete(COMM, object, keys[value - 1]);
        cs_emulated_delete(COMM, object, keys[value]); /* is being deleted: nothing happens */
    }
}

static void a_callback_may_delete_others_and_still_read_its_own(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++)
        set(1, i, i);
    meddle = delete_older;
    cs_emulated_clear(COMM, 1, false);
    told("3 2 1 0");
    end(1);
}

static void set_another(uint64_t object, int value)
{
    if (value == 0)
        set(object, 7, 7);
}

static void set_the_same(uint64_t object, int value)
{
    set(object, 0, value + 1);
}

static void what_a_callback_sets_stays_or_is_deleted_with_the_object(void **state)
{
    (void)state;
    meddle = set_another;
    set(1, 0, 0);
    cs_emulated_delete(COMM, 1, keys[0]);
    assert_int_equal(get(1, 7), 7);
    set(1, 0, 0);
    story[0] = '\0';
    cs_emulated_clear(COMM, 1, false);
    told("0 7 7"); /* the one that was there was replaced, the new one was deleted after all others */
    /* One that never ends: it is left at last. */
    meddle = set_the_same;
    set(1, 0, 0);
    cs_emulated_clear(COMM, 1, false);
    assert_true(strlen(story) < 100);
    story[0] = '\0';
    set(1, 0, 1000);
    assert_int_equal(get(1, 0), 1000);
    end(1);
}

static void a_freed_keyval_serves_as_long_as_something_has_it(void **state)
{
    (void)state;
    set(1, 0, 2);
    assert_int_equal(cs_emulated_keyval_free(COMM, keys[0]), CS_EMULATED_DONE);
    assert_int_equal(cs_emulated_keyval_free(COMM, keys[0]), CS_EMULATED_DONE);
    assert_int_equal(get(1, 0), 2);
    set(2, 0, 4);
    for (int i = 0; i < 100; i++) {
        int fresh = new_keyval(COMM);
        assert_int_not_equal(fresh, keys[0]);
        cs_emulated_keyval_free(COMM, fresh);
    }
    cs_emulated_delete(COMM, 1, keys[0]);
    assert_int_equal(get(2, 0), 4);
    cs_emulated_delete(COMM, 2, keys[0]);
    struct cs_emulated_answer answer;
    assert_int_equal(cs_emulated_get(COMM, 1, keys[0], &answer), CS_EMULATED_NO_KEYVAL);
    assert_int_equal(cs_emulated_keyval_free(COMM, keys[0]), CS_EMULATED_NO_KEYVAL);
    end(1);
}

static void kinds_have_keyvals_of_their_own(void **state)
{
    (void)state;
    struct cs_emulated_value value = {.integer = 1, .kind = CS_EMULATED_INTEGER};
    struct cs_emulated_answer answer;
    int key = new_keyval(TYPE);
    assert_int_equal(cs_emulated_set(COMM, 1, key, value).outcome, CS_EMULATED_NO_KEYVAL);
    assert_int_equal(cs_emulated_set(TYPE, 1, keys[0], value).outcome, CS_EMULATED_NO_KEYVAL);
    assert_int_equal(cs_emulated_set(TYPE, 1, key, value).outcome, CS_EMULATED_DONE);
    assert_int_equal(cs_emulated_get(COMM, 1, key, &answer), CS_EMULATED_NO_KEYVAL);
    assert_false(answer.found);
    cs_emulated_clear(COMM, 1, false);
    told("");
    assert_int_equal(cs_emulated_keyval_free(COMM, key), CS_EMULATED_NO_KEYVAL);
    cs_emulated_clear(TYPE, 1, false);
    told("1");
    assert_int_equal(cs_emulated_keyval_free(TYPE, key), CS_EMULATED_DONE);
    end(1);
}

static void duplicates_get_what_the_callbacks_copy_in_the_order_of_setting(void **state)
{
    (void)state;
    struct cs_emulated_copies *copies;
    for (int i = 5; i >= 1; i--)
        set(1, i, i);
    set(1, 4, 4);
    story[0] = '\0';
    assert_int_equal(cs_emulated_copy(COMM, 1, &copies).outcome, CS_EMULATED_DONE);
    told("5 3 2 1 4");
    assert_true(cs_emulated_attach(2, copies));
    assert_int_equal(get(2, 4), 4);
    assert_int_equal(get(2, 3), -1);
    cs_emulated_clear(COMM, 2, false);
    told("4 2");
    refused = 2;
    assert_int_equal(cs_emulated_copy(COMM, 1, &copies).code, REFUSAL);
    assert_null(copies);
    told("5 3 2");
    assert_int_equal(cs_emulated_copy(COMM, 77, &copies).outcome, CS_EMULATED_DONE);
    assert_null(copies);
    end(1);
}

static void names_are_of_objects_until_their_end(void **state)
{
    (void)state;
    char name[8];
    assert_false(cs_emulated_name_get(COMM, 1, name, sizeof name));
    cs_emulated_name_set(COMM, 1, " rows of it ", 5);
    assert_true(cs_emulated_name_get(COMM, 1, name, sizeof name));
    assert_string_equal(name, " rows");
    assert_false(cs_emulated_name_get(TYPE, 1, name, sizeof name));
    struct cs_emulated_object *taken = cs_emulated_take(COMM, 1);
    assert_false(cs_emulated_name_get(COMM, 1, name, sizeof name));
    cs_emulated_put_back(taken);
    assert_true(cs_emulated_name_get(COMM, 1, name, sizeof name));
    cs_emulated_drop(cs_emulated_take(COMM, 1));
    assert_false(cs_emulated_name_get(COMM, 1, name, sizeof name));
    assert_null(cs_emulated_take(COMM, 1));
    cs_emulated_name_set(COMM, 1, "", 0);
    assert_true(cs_emulated_name_get(COMM, 1, name, sizeof name));
    assert_string_equal(name, "");
    end(1);
}

static void what_a_window_is_stays_in_its_place_until_the_end(void **state)
{
    (void)state;
    char memory[8], other;
    const struct cs_emulated_window first = {memory, sizeof memory, 2, 3, 4}, second = {&other, 1, 1, 1, 1};
    assert_null(cs_emulated_window_kept(7));
    assert_true(cs_emulated_window_keep(7, &first));
    const struct cs_emulated_window *kept = cs_emulated_window_kept(7);
    assert_ptr_equal(kept->base, memory);
    assert_int_equal(kept->size_bytes, sizeof memory);
    assert_int_equal(kept->displacement_unit_bytes * 100 + kept->flavor * 10 + kept->model, 234);
    assert_null(cs_emulated_window_kept(8));
    struct cs_emulated_object *taken = cs_emulated_take(CALLSIGN_WINDOW, 7);
    assert_null(cs_emulated_window_kept(7));
    cs_emulated_put_back(taken); /* the free failed */
    assert_ptr_equal(cs_emulated_window_kept(7), kept);
    assert_true(cs_emulated_window_keep(7, &second)); /* a handle whose end was not seen */
    assert_ptr_equal(cs_emulated_window_kept(7)->base, &other);
    cs_emulated_drop(cs_emulated_take(CALLSIGN_WINDOW, 7));
    assert_false(cs_emulated_has(CALLSIGN_WINDOW, 7));
}

static void a_handle_that_was_handed_out_again_is_freed_again(void **state)
{
    (void)state;
    assert_false(cs_emulated_unrefer(TYPE, 5));
    assert_true(cs_emulated_refer(TYPE, 5));
    assert_true(cs_emulated_refer(TYPE, 5));
    assert_true(cs_emulated_unrefer(TYPE, 5));
    assert_true(cs_emulated_unrefer(TYPE, 5));
    assert_false(cs_emulated_unrefer(TYPE, 5));
    end(1);
}

/* Threads on objects of their own, under keyvals that all share, and on one object. */
static void *churn(void *argument)
{
    uint64_t own = (uint64_t)(uintptr_t)argument;
    struct cs_emulated_value value = {.integer = 2, .kind = CS_EMULATED_INTEGER};
    for (int i = 0; i < 2000; i++) {
        struct cs_emulated_copies *copies;
        struct cs_emulated_answer answer;
        cs_emulated_set(COMM, own, keys[i % 8], value);
        cs_emulated_set(COMM, 1, keys[i % 8], value);
        cs_emulated_get(COMM, 1, keys[(i + 1) % 8], &answer);
        cs_emulated_delete(COMM, 1, keys[(i + 3) % 8]);
        if (cs_emulated_copy(COMM, own, &copies).outcome == CS_EMULATED_DONE)
            cs_emulated_attach(own + 100, copies);
        cs_emulated_name_set(COMM, 1, "shared", 6);
        cs_emulated_clear(COMM, own + 100, false);
        cs_emulated_drop(cs_emulated_take(COMM, own + 100));
    }
    cs_emulated_clear(COMM, own, false);
    return NULL;
}

static int quiet_delete(const struct cs_emulated_keyval *keyval, uint64_t object, struct cs_emulated_value value)
{
    (void)keyval, (void)object, (void)value;
    return 0;
}

static int quiet_copy(const struct cs_emulated_keyval *keyval, uint64_t object, struct cs_emulated_value in,
                      struct cs_emulated_value *out, int *flag)
{
    (void)keyval, (void)object;
    *out = in;
    *flag = 1;
    return 0;
}

static void threads_share_objects_and_keyvals(void **state)
{
    (void)state;
    const struct cs_emulated_callbacks callbacks = {.call_copy = quiet_copy, .call_delete = quiet_delete};
    pthread_t threads[4];
    for (int i = 0; i < 8; i++) {
        cs_emulated_keyval_free(COMM, keys[i]);
        assert_int_equal(cs_emulated_keyval_create(COMM, &callbacks, &keys[i]), CS_EMULATED_DONE);
    }
    for (uintptr_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, churn, (void *)(10 + i)), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    end(1);
    struct cs_emulated_answer answer;
    for (int i = 0; i < 8; i++) /* no reference is left */
        assert_int_equal(cs_emulated_get(COMM, 1, keys[i], &answer), CS_EMULATED_NO_KEYVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_newest_is_deleted_first_and_an_overwritten_one_is_new, begin),
        cmocka_unit_test_setup(what_a_callback_refuses_to_delete_is_kept, begin),
        cmocka_unit_test_setup(a_callback_may_delete_others_and_still_read_its_own, begin),
        cmocka_unit_test_setup(what_a_callback_sets_stays_or_is_deleted_with_the_object, begin),
        cmocka_unit_test_setup(a_freed_keyval_serves_as_long_as_something_has_it, begin),
        cmocka_unit_test_setup(kinds_have_keyvals_of_their_own, begin),
        cmocka_unit_test_setup(duplicates_get_what_the_callbacks_copy_in_the_order_of_setting, begin),
        cmocka_unit_test_setup(names_are_of_objects_until_their_end, begin),
        cmocka_unit_test_setup(what_a_window_is_stays_in_its_place_until_the_end, begin),
        cmocka_unit_test_setup(a_handle_that_was_handed_out_again_is_freed_again, begin),
        cmocka_unit_test_setup(threads_share_objects_and_keyvals, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
