#include <stdlib.h>
#include <string.h>

#include "db/convert/detail_json.h"
#include "journal/detail.h"
#include "tests/support/journal_builder.h"
#include "tests/support/unit_test.h"

static void assert_json(const struct cs_built_detail *built, size_t bytes, enum cs_status status, const char *expected)
{
    /* A copy of just that size, at an odd address: reading past its end or as a whole word is noticed by sanitizers. */
    char *copy = malloc(bytes + 1), *text = NULL;
    assert_non_null(copy);
    memcpy(copy + 1, built->words, bytes);
    assert_int_equal(cs_detail_json(copy + 1, bytes, NULL, 0, &text), status);
    assert_string_equal(text, expected);
    free(text);
    free(copy);
}

static void every_form_becomes_json(void **state)
{
    (void)state;
    struct cs_built_detail built = {0};
    cs_built_integer(&built, CS_DETAIL_COLOR, -3);
    cs_built_integers(&built, CS_DETAIL_DIMS, CS_DETAIL_INTEGERS, 2, (const int64_t[]){2, 3}, 2);
    cs_built_integers(&built, CS_DETAIL_PERIODS, CS_DETAIL_INTEGERS, 3, (const int64_t[]){0, 1, -1}, 3);
    cs_built_integer(&built, CS_DETAIL_REORDER, 7);
    cs_built_text(&built, CS_DETAIL_FILENAME, CS_DETAIL_TEXT, "out.dat", sizeof "out.dat");
    cs_built_text(&built, CS_DETAIL_INFO, CS_DETAIL_PAIRS, "no_locks\0true\0empty\0", 21);
    cs_built_integers(&built, CS_DETAIL_TYPES, CS_DETAIL_OBJECTS, 1, (const int64_t[]){7}, 1);
    cs_built_text(&built, CS_DETAIL_DISTRIBS, CS_DETAIL_TEXTS, "\2\0\0\0\0\0\0\0block\0none", 19);
    cs_built_integers(&built, CS_DETAIL_DARGS, CS_DETAIL_INTEGERS, 1, (const int64_t[]){CS_DETAIL_DEFAULT}, 1);
    assert_json(&built, built.bytes, CS_OK,
                "{\"color\":-3,\"dims\":[2,3],\"periods\":[false,true,true],\"reorder\":true,\"filename\":\"out.dat\","
                "\"info\":{\"no_locks\":\"true\",\"empty\":\"\"},\"types\":[7],\"distribs\":[\"block\",\"none\"],"
                "\"dargs\":[null]}");
}

static void no_detail_is_an_empty_object(void **state)
{
    (void)state;
    struct cs_built_detail built = {0};
    assert_json(&built, 0, CS_OK, "{}");
}

static void a_list_that_was_longer_tells_how_long(void **state)
{
    (void)state;
    struct cs_built_detail built = {0};
    cs_built_integers(&built, CS_DETAIL_SIZES, CS_DETAIL_INTEGERS, 100, (const int64_t[]){4, 5}, 2);
    cs_built_text(&built, CS_DETAIL_COMMANDS, CS_DETAIL_TEXTS, "\11\0\0\0\0\0\0\0ls", 11);
    assert_json(&built, built.bytes, CS_OK,
                "{\"sizes\":[4,5],\"sizes_count\":100,\"commands\":[\"ls\"],\"commands_count\":9}");
}

static void strings_are_escaped(void **state)
{
    (void)state;
    struct cs_built_detail built = {0};
    static const char text[] = "a\"b\\c\n\x01\x7f/\xc3\xa9";
    cs_built_text(&built, CS_DETAIL_FILENAME, CS_DETAIL_TEXT, text, sizeof text);
    cs_built_text(&built, CS_DETAIL_INFO, CS_DETAIL_PAIRS, "k\"\0v\t", 6);
    assert_json(&built, built.bytes, CS_OK,
                "{\"filename\":\"a\\\"b\\\\c\\u000a\\u0001\x7f/\xc3\xa9\",\"info\":{\"k\\\"\":\"v\\u0009\"}}");
}

static void text_that_is_no_utf8_is_taken_for_latin1_alone(void **state)
{
    (void)state;
    struct cs_built_detail built = {0};
    cs_built_text(&built, CS_DETAIL_FILENAME, CS_DETAIL_TEXT, "caf\xe9", sizeof "caf\xe9");
    cs_built_text(&built, CS_DETAIL_COMMAND, CS_DETAIL_TEXT, "caf\xc3\xa9", sizeof "caf\xc3\xa9");
    assert_json(&built, built.bytes, CS_OK, "{\"filename\":\"caf\xc3\xa9\",\"command\":\"caf\xc3\xa9\"}");
}

static void unknown_keys_have_numbers_and_unknown_forms_are_skipped(void **state)
{
    (void)state;
    struct cs_built_detail built = {0};
    cs_built_integer(&built, 60000, 1);
    cs_built_integer(&built, 0, 2);
    cs_built_text(&built, CS_DETAIL_COLOR, 99, "whatever", 8);
    cs_built_integer(&built, CS_DETAIL_KEY, 3);
    assert_json(&built, built.bytes, CS_OK, "{\"key_60000\":1,\"key_0\":2,\"key\":3}");
}

static void what_is_cut_off_is_left_out(void **state)
{
    (void)state;
    struct cs_built_detail built = {0};
    cs_built_integer(&built, CS_DETAIL_COLOR, 1);
    cs_built_integer(&built, CS_DETAIL_KEY, 2);
    for (size_t bytes = 17; bytes < 32; bytes++)
        assert_json(&built, bytes, CS_CORRUPT, "{\"color\":1}");
}

static void lies_about_lengths_are_not_believed(void **state)
{
    (void)state;
    struct cs_built_detail built = {0};
    cs_built_integers(&built, CS_DETAIL_DIMS, CS_DETAIL_INTEGERS, INT64_MAX, (const int64_t[]){1}, 1);
    cs_built_integers(&built, CS_DETAIL_SIZES, CS_DETAIL_INTEGERS, -5, (const int64_t[]){1}, 1);
    cs_built_text(&built, CS_DETAIL_COLOR, CS_DETAIL_INTEGER, "", 0);
    cs_built_text(&built, CS_DETAIL_TYPES, CS_DETAIL_OBJECTS, "", 0);
    cs_built_text(&built, CS_DETAIL_COMMANDS, CS_DETAIL_TEXTS, "", 0);
    cs_built_text(&built, CS_DETAIL_FILENAME, CS_DETAIL_TEXT, "endless!", 8);
    cs_built_text(&built, CS_DETAIL_INFO, CS_DETAIL_PAIRS, "key\0end", 8);
    memcpy((char *)built.words + built.bytes - 4, "less", 4);
    assert_json(&built, built.bytes, CS_CORRUPT,
                "{\"dims\":[1],\"dims_count\":9223372036854775807,\"sizes\":[],\"info\":{\"key\":\"\"}}");
}

static void an_item_longer_than_its_detail_ends_it(void **state)
{
    (void)state;
    struct cs_built_detail built = {0};
    cs_built_integer(&built, CS_DETAIL_COLOR, 1);
    struct cs_detail *head = (struct cs_detail *)built.words;
    static const uint32_t lies[] = {16, 12, 1, UINT32_MAX, UINT32_MAX - 7};
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        head->bytes = lies[i];
        assert_json(&built, built.bytes, CS_CORRUPT, "{}");
    }
}

static void items_are_found_by_key(void **state)
{
    (void)state;
    struct cs_built_detail built = {0};
    struct cs_detail_item item;
    int64_t number = 0;
    cs_built_integer(&built, CS_DETAIL_COLOR, 5);
    cs_built_text(&built, CS_DETAIL_FILENAME, CS_DETAIL_TEXT, "x", 2);
    cs_built_integer(&built, CS_DETAIL_KEY, -6);
    assert_true(cs_detail_find(built.words, built.bytes, CS_DETAIL_KEY, &item));
    assert_true(cs_detail_number(&item, &number));
    assert_int_equal(number, -6);
    assert_true(cs_detail_find(built.words, built.bytes, CS_DETAIL_FILENAME, &item));
    assert_false(cs_detail_number(&item, &number));
    assert_string_equal(cs_detail_string(&item), "x");
    assert_false(cs_detail_find(built.words, built.bytes, CS_DETAIL_TAG, &item));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_becomes_json),
        cmocka_unit_test(no_detail_is_an_empty_object),
        cmocka_unit_test(a_list_that_was_longer_tells_how_long),
        cmocka_unit_test(strings_are_escaped),
        cmocka_unit_test(text_that_is_no_utf8_is_taken_for_latin1_alone),
        cmocka_unit_test(unknown_keys_have_numbers_and_unknown_forms_are_skipped),
        cmocka_unit_test(what_is_cut_off_is_left_out),
        cmocka_unit_test(lies_about_lengths_are_not_believed),
        cmocka_unit_test(an_item_longer_than_its_detail_ends_it),
        cmocka_unit_test(items_are_found_by_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
