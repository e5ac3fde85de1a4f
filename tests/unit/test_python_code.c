/* Lines of Python: tables of lines and layouts of each version, with valid and with random content. */
#include <stdlib.h>
#include <string.h>

#include "record/site/python_code.h"
#include "record/site/python_layout.h"
#include "tests/support/unit_test.h"

/* def f(a):             A line of this function has its number in the table below.
       x = 1

       g(a,
         b)
       for i in a:
           y = i
       return [j
               for j in a]                                                                                            */
static const uint8_t table_9[] = {0, 1, 4, 2, 4, 1, 2, 0xff, 4, 2, 8, 1, 6, 1, 6, 1, 2, 0xff};
static const uint8_t table_10[] = {4, 1, 4, 2, 2, 1, 4, 0xff, 8, 2, 6, 1, 6, 1, 2, 1, 6, 0xff};
static const uint8_t table_11[] = {
    0x80, 0x00, 0xd8, 0x08, 0x09, 0x80, 0x41, 0xe5, 0x04, 0x05, 0x80, 0x61, 0xdd, 0x06, 0x07, 0xf1, 0x03,
    0x01, 0x05, 0x09, 0xf4, 0x00, 0x01, 0x05, 0x09, 0xf0, 0x00, 0x01, 0x05, 0x09, 0xe0, 0x0d, 0x0e, 0xf0,
    0x00, 0x01, 0x05, 0x0e, 0xf0, 0x00, 0x01, 0x05, 0x0e, 0x88, 0x01, 0xd8, 0x0c, 0x0d, 0x88, 0x01, 0x88,
    0x01, 0xf0, 0x02, 0x01, 0x0c, 0x18, 0xf0, 0x00, 0x01, 0x0c, 0x18, 0xd8, 0x15, 0x16, 0xf0, 0x03, 0x01,
    0x0c, 0x18, 0xf1, 0x00, 0x01, 0x0c, 0x18, 0xf4, 0x00, 0x01, 0x0c, 0x18, 0xf0, 0x00, 0x01, 0x05, 0x18};

struct range {
    int64_t begin;
    int32_t line;
};

/* What CPython itself says about the offsets from each begin on. */
static const struct range ranges_9[] = {{0, 2},  {4, 4},  {8, 5},  {10, 4}, {14, 6},
                                        {22, 7}, {28, 8}, {34, 9}, {36, 8}, {42, 0}};
static const struct range ranges_11[] = {{0, 1},  {2, 2},  {6, 4},  {20, 5}, {32, 4}, {48, 6},
                                         {56, 7}, {62, 8}, {66, 9}, {68, 8}, {86, 0}};

static void assert_lines(unsigned minor, const uint8_t *table, size_t bytes, const struct range *range)
{
    for (; range->line; range++)
        for (int64_t offset = range->begin; offset < range[1].begin; offset += 2)
            assert_int_equal(cs_python_line_find(minor, table, bytes, 1, offset), range->line);
    assert_int_equal(cs_python_line_find(minor, table, bytes, 1, -2), 1);
}

static void lines_are_those_that_python_itself_finds(void **state)
{
    (void)state;
    assert_lines(9, table_9, sizeof table_9, ranges_9);
    assert_lines(10, table_10, sizeof table_10, ranges_9);
    assert_lines(11, table_11, sizeof table_11, ranges_11);
    assert_lines(14, table_11, sizeof table_11, ranges_11);
}

static void instructions_without_line_have_that_of_the_line_before(void **state)
{
    (void)state;
    const uint8_t none_10[] = {4, 3, 4, 0x80, 4, 1}, none_11[] = {0xe8, 0x06, 0xf8, 0xe8, 0x02};
    const int32_t lines[] = {8, 8, 9};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(cs_python_line_find(10, none_10, sizeof none_10, 5, 4 * i), lines[i]);
        assert_int_equal(cs_python_line_find(11, none_11, sizeof none_11, 5, 2 * i), lines[i]);
    }
}

static void random_tables_give_some_line(void **state)
{
    (void)state;
    unsigned seed = 4711;
    print_message("seed %u\n", seed);
    for (int i = 0; i < 20000; i++) {
        size_t bytes = (size_t)rand_r(&seed) % 40;
        uint8_t *table = malloc(bytes + 1); /* so that a sanitizer sees each read behind the end */
        assert_non_null(table);
        uint8_t *exact = bytes ? realloc(table, bytes) : table;
        for (size_t at = 0; at < bytes; at++)
            exact[at] = (uint8_t)rand_r(&seed);
        for (unsigned minor = 9; minor <= 15; minor++)
            assert_true(cs_python_line_find(minor, exact, bytes, rand_r(&seed) % 1000, rand_r(&seed) % 300 - 2) >= 0);
        free(exact);
    }
}

/* ---- layouts ---- */

enum { FIELDS = CS_PYTHON_OFFSETS_BYTES / 8 };

/* struct _Py_DebugOffsets of a version: every field has its own number. */
static void fill(uint64_t *fields, uint64_t version)
{
    for (uint64_t i = 0; i < FIELDS; i++)
        fields[i] = i;
    memcpy(fields, "xdebugpy", 8);
    fields[1] = version;
}

static void later_versions_tell_their_layout(void **state)
{
    (void)state;
    uint64_t fields[FIELDS + 1];
    struct cs_python_layout layout;
    fill(fields, 0x030d00f0);
    assert_true(cs_python_layout_find(3, 13, fields, &layout));
    assert_int_equal(layout.thread_frame, 3 + 3 + 13 + 4);
    assert_int_equal(layout.frame_code, 3 + 3 + 13 + 9 + 2);
    assert_int_equal(layout.code_lines, 3 + 3 + 13 + 9 + 6 + 4);
    assert_int_equal(layout.text_ascii, 71 - 1);
    assert_int_equal(layout.frame_tlbc, 0);
    fill(fields, 0x030e02f0);
    assert_true(cs_python_layout_find(3, 14, fields, &layout));
    assert_int_equal(layout.thread_frame, 3 + 3 + 16 + 4);
    assert_int_equal(layout.frame_tlbc, 3 + 3 + 16 + 9 + 7);
    assert_int_equal(layout.code_tlbc, 3 + 3 + 16 + 9 + 8 + 10);
    assert_int_equal(layout.text_ascii, 71 - 1 + 3 + 2 + 1 + 4);
    assert_int_equal(layout.text_interned, 8); /* fill made it a free-threaded build */
    fields[2] = 0;
    assert_true(cs_python_layout_find(3, 14, fields, &layout));
    assert_int_equal(layout.text_interned, 2);
    fill(fields, 0x030f02f0);
    assert_true(cs_python_layout_find(3, 15, fields, &layout));
    assert_int_equal(layout.thread_frame, 3 + 3 + 16 + 4);
    assert_int_equal(layout.frame_code, 3 + 3 + 16 + 16 + 1 + 2);
    assert_int_equal(layout.code_tlbc, 3 + 3 + 16 + 16 + 1 + 8 + 10);
    assert_int_equal(layout.text_ascii, 71 - 1 + 3 + 2 + 1 + 4 + 8 + 2 + 2);
}

static void a_layout_is_of_its_version_or_refused(void **state)
{
    (void)state;
    uint64_t fields[FIELDS + 1];
    struct cs_python_layout layout;
    for (unsigned minor = 9; minor <= 12; minor++) {
        assert_true(cs_python_layout_find(3, minor, NULL, &layout));
        assert_int_equal(layout.minor, minor);
    }
    assert_false(cs_python_layout_find(2, 9, NULL, &layout));
    assert_false(cs_python_layout_find(3, 8, NULL, &layout));
    assert_false(cs_python_layout_find(3, 13, NULL, &layout));
    fill(fields, 0x030e00f0);
    assert_false(cs_python_layout_find(3, 13, fields, &layout));
    fill(fields, 0x030d00f0);
    fields[3 + 3 + 13 + 4] = 1 << 20;
    assert_false(cs_python_layout_find(3, 13, fields, &layout));
    fill(fields, 0x030d00f0);
    fields[0]++;
    assert_false(cs_python_layout_find(3, 13, fields, &layout));
    fill(fields, 0x031000f0);
    assert_false(cs_python_layout_find(3, 16, fields, &layout));
}

static void wrong_addresses_are_refused(void **state)
{
    (void)state;
    struct cs_python_layout layout;
    struct cs_python_place place;
    uint64_t word = 0, frame[16] = {0};
    const struct cs_python_types types = {1, 2, 3};
    assert_false(cs_python_read(8, &word, sizeof word));
    for (unsigned minor = 9; minor <= 12; minor++) {
        assert_true(cs_python_layout_find(3, minor, NULL, &layout));
        assert_false(cs_python_place_find(&layout, &types, 8, &place));
        for (uint64_t code = 0; code < 4; code++) {
            frame[layout.frame_code / 8] = code ? (uint64_t)(uintptr_t)&frame[code] : 0x1000;
            assert_false(cs_python_place_find(&layout, &types, (uint64_t)(uintptr_t)frame, &place));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_those_that_python_itself_finds),
        cmocka_unit_test(instructions_without_line_have_that_of_the_line_before),
        cmocka_unit_test(random_tables_give_some_line),
        cmocka_unit_test(later_versions_tell_their_layout),
        cmocka_unit_test(a_layout_is_of_its_version_or_refused),
        cmocka_unit_test(wrong_addresses_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
