/* Tables and texts for terminals. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/text/phrase.h"
#include "cli/text/table.h"
#include "cli/text/text.h"
#include "tests/support/unit_test.h"

static void check_visible(const char *text, size_t length, const char *expected)
{
    char *visible = cs_text_visible(text, length);
    assert_non_null(visible);
    assert_string_equal(visible, expected);
    free(visible);
}

static void control_characters_become_visible(void **state)
{
    (void)state;
    check_visible("a\x1b[31mb", 7, "a\\x1b[31mb");
    check_visible("1\n2\t3\r", 6, "1\\n2\\t3\\r");
    check_visible("\0\x7f", 2, "\\x00\\x7f");
    check_visible("\xc2\x9b", 2, "\\u{9b}"); /* C1: an escape sequence in one character */
}

static void invisible_characters_become_visible(void **state)
{
    (void)state;
    check_visible("\xe2\x80\xae", 3, "\\u{202e}");      /* right-to-left override */
    check_visible("\xe2\x80\x8b", 3, "\\u{200b}");      /* zero width space */
    check_visible("\xf3\xa0\x81\x81", 4, "\\u{e0041}"); /* tag */
}

static void bytes_that_are_not_utf8_are_hexadecimal(void **state)
{
    (void)state;
    check_visible("\xff", 1, "\\xff");
    check_visible("\xc3", 1, "\\xc3");                   /* cut off */
    check_visible("\xc0\x80", 2, "\\xc0\\x80");          /* overlong */
    check_visible("\xed\xa0\x80", 3, "\\xed\\xa0\\x80"); /* surrogate */
    check_visible("\xf5\x80\x80\x80", 4, "\\xf5\\x80\\x80\\x80");
    check_visible("\xc3\xa4\xe6\xbc\xa2", 5, "\xc3\xa4\xe6\xbc\xa2"); /* and this is */
}

static void width_counts_columns_not_bytes(void **state)
{
    (void)state;
    assert_int_equal(cs_text_width(""), 0);
    assert_int_equal(cs_text_width("abc"), 3);
    assert_int_equal(cs_text_width("\xc3\xa4"), 1);
    assert_int_equal(cs_text_width("\xe6\xbc\xa2"), 2); /* a wide character */
}

static void check_short(const char *text, size_t width, const char *expected)
{
    char copy[64];
    strcpy(copy, text);
    cs_text_shorten(copy, width, "…");
    assert_string_equal(copy, expected);
    assert_true(cs_text_width(copy) <= width);
}

static void long_texts_lose_their_middle(void **state)
{
    (void)state;
    check_short("abcdefgh", 8, "abcdefgh");
    check_short("abcdefgh", 5, "ab…gh");
    check_short("abcdefgh", 4, "a…gh");
    check_short("abcdefgh", 1, "a");
    check_short("漢漢漢漢", 7, "漢…漢");
    check_short("漢漢漢漢", 4, "…漢");
}

static void check_short_place(const char *text, size_t width, const char *expected)
{
    char copy[64];
    strcpy(copy, text);
    cs_text_shorten_place(copy, width, "…");
    assert_string_equal(copy, expected);
    assert_true(cs_text_width(copy) <= width);
}

static void long_call_sites_keep_file_and_line(void **state)
{
    (void)state;
    check_short_place("exchange heat.c:40", 18, "exchange heat.c:40");
    check_short_place("exchange heat.c:40", 17, "exchan… heat.c:40");
    check_short_place("exchange heat.c:40", 12, "e… heat.c:40");
    check_short_place("exchange heat.c:40", 11, "heat.c:40");
    check_short_place("exchange heat.c:40", 9, "heat.c:40");
    check_short_place("exchange heat.c:40", 8, "exc…c:40");
    check_short_place("漢漢漢 heat.c:40", 14, "漢… heat.c:40");
    check_short_place("hpcc+0x1c14e", 8, "hpc…c14e");
}

static void check_duration(double ns, const char *expected)
{
    char text[64];
    assert_string_equal(cs_text_duration(text, sizeof text, ns), expected);
}

static void durations_have_the_unit_that_fits(void **state)
{
    (void)state;
    check_duration(0, "0 ns");
    check_duration(999, "999 ns");
    check_duration(1234, "1.23 us");
    check_duration(999.9e3, "1.00 ms");
    check_duration(12.34e9, "12.3 s");
    check_duration(59.94e9, "59.9 s");
    check_duration(59.96e9, "1 min 00 s");
    check_duration(3599.4e9, "59 min 59 s");
    check_duration(3599.6e9, "1 h 00 min");
    check_duration(90000e9, "25 h 00 min");
    check_duration(-1500, "-1.50 us");
}

static void check_bytes(double bytes, const char *expected)
{
    char text[64];
    assert_string_equal(cs_text_bytes(text, sizeof text, bytes), expected);
}

static void bytes_have_binary_units(void **state)
{
    (void)state;
    check_bytes(0, "0 B");
    check_bytes(1023, "1023 B");
    check_bytes(1024, "1.00 KiB");
    check_bytes(1536.0 * 1024, "1.50 MiB");
    check_bytes(1023.9 * 1024, "1.00 MiB");
    check_bytes(9.3e18, "8.07 EiB");
}

/* A table of four columns, of which n yields first, then size; to be freed. */
static char *print_four(size_t width)
{
    static const char *const titles[] = {"communicator", "size", "function", "n"};
    static const char *const row[] = {"MPI_COMM_WORLD.split1[0].dup", "1024", "MPI_Allreduce", "123456"};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    struct cs_table *table = cs_table_new(4);
    assert_non_null(stream);
    assert_non_null(table);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(cs_table_title(table, i, titles[i]), CS_OK);
    cs_table_yield(table, 1, (struct cs_table_yield){.turn = 2});
    cs_table_yield(table, 2, (struct cs_table_yield){.cells = CS_CELLS_OF_FUNCTIONS});
    cs_table_yield(table, 3, (struct cs_table_yield){.turn = 1});
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(cs_table_cell(table, i % 2 ? CS_CELL_NUMBER : CS_CELL_TEXT, row[i], strlen(row[i])), CS_OK);
    cs_table_print(table, stream, &(struct cs_terminal){.width = width});
    fprintf(stream, "%d%d%d%d", cs_table_left_out(table, 0), cs_table_left_out(table, 1), cs_table_left_out(table, 2),
            cs_table_left_out(table, 3));
    cs_table_free(table);
    fclose(stream);
    return text;
}

static void check_four(size_t width, const char *expected)
{
    char *text = print_four(width);
    size_t length = strlen(text);
    assert_true(length >= strlen(expected));
    assert_string_equal(text + length - strlen(expected), expected); /* without the heading */
    free(text);
}

static void functions_then_columns_then_names_give_way(void **state)
{
    (void)state;
    check_four(0, "MPI_COMM_WORLD.split1[0].dup  1024  MPI_Allreduce  123456\n0000");
    check_four(57, "MPI_COMM_WORLD.split1[0].dup  1024  MPI_Allreduce  123456\n0000");
    check_four(56, "MPI_COMM_WORLD.split1[0].dup  1024  Allreduce  123456\n0000");
    check_four(53, "MPI_COMM_WORLD.split1[0].dup  1024  Allreduce  123456\n0000");
    check_four(52, "MPI_COMM_WORLD.split1[0].dup  1024  Allreduce\n0001");
    check_four(44, "MPI_COMM_WORLD.split1[0].dup  Allreduce\n0101");
    check_four(38, "MPI_COMM_WOR..split1[0].dup  Allreduce\n0101");
    check_four(12, "communicator  MPI_COMM_WORLD.split1[0].dup\nsize          1024\nfunction      MPI_Allreduce\n"
                   "n             123456\n0000");
}

/* The row of a table that is one column too narrow for the call site; the title is as short. */
static void check_call_site(const char *site, const char *expected)
{
    char *text = NULL;
    size_t size = 0, width = cs_text_width(site) - 1;
    FILE *stream = open_memstream(&text, &size);
    struct cs_table *table = cs_table_new(1);
    assert_non_null(stream);
    assert_non_null(table);
    cs_table_yield(table, 0, (struct cs_table_yield){.cells = CS_CELLS_OF_CALL_SITES});
    assert_int_equal(cs_table_title(table, 0, "where"), CS_OK);
    assert_int_equal(cs_table_cell(table, CS_CELL_TEXT, site, strlen(site)), CS_OK);
    cs_table_print(table, stream, &(struct cs_terminal){.width = width});
    cs_table_free(table);
    fclose(stream);
    const char *row = strrchr(text, '-');
    assert_non_null(row);
    assert_string_equal(row + 2, expected);
    free(text);
}

static void call_sites_lose_library_and_outer_namespaces_first(void **state)
{
    (void)state;
    check_call_site("LAMMPS_NS::CommBrick::reverse_comm+0x2bb in liblammps.so.0", "CommBrick::reverse_comm+0x2bb\n");
    check_call_site("LAMMPS_NS::CommBrick::reverse_comm comm_brick.cpp:412",
                    "CommBrick::reverse_comm comm_brick.cpp:412\n");
    check_call_site("a::b<c::d>::e<f::g, h>(i::j) in libx.so", "b<c::d>::e<f::g, h>(i::j)\n");
    check_call_site("a::send_all+0x20 in libx.so.1", "a::send_all+0x20\n");
    check_call_site("norm (inlined into main) heat.c:47", "norm heat.c:47\n");
    check_call_site("a::b::c (inlined into f(g(int))) d.cpp:1", "b::c d.cpp:1\n");
    check_call_site("solve_for_pressure solver.c:123", "solve_for_press.. solver.c:123\n");
    check_call_site("exchange_halo all in one.py:17", "exchange_halo all.. one.py:17\n"); /* no library */
}

static void text_of_any_length_is_cut_to_what_is_read(void **state)
{
    (void)state;
    char long_text[100001];
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    char *part = cs_text_visible_part(long_text, strlen(long_text), 1000);
    assert_int_equal(strlen(part), 1003);
    free(part);
    part =
        cs_text_visible_part("\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2", 12, 10); /* no character is broken */
    assert_string_equal(part, "\xe6\xbc\xa2...\xe6\xbc\xa2");
    free(part);
}

static void check_wrapped(const char *text, size_t width, const char *expected)
{
    char *wrapped = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&wrapped, &size);
    assert_non_null(stream);
    cs_text_wrap(stream, text, width, 0, 2);
    fclose(stream);
    assert_string_equal(wrapped, expected);
    free(wrapped);
}

static void lines_break_between_words(void **state)
{
    (void)state;
    check_wrapped("one two three", 0, "one two three\n");
    check_wrapped("one two three", 13, "one two three\n");
    check_wrapped("one two three", 12, "one two\n  three\n");
    check_wrapped("a-long-word two", 5, "a-long-word\n  two\n");
    check_wrapped("all of 49.6 %, not", 12, "all of\n  49.6 %,\n  not\n");
    check_wrapped("it ran 5.37 s, all ended", 11, "it ran\n  5.37 s,\n  all ended\n");
    check_wrapped("ranks 0 to 5 sent 3.00 KiB", 22, "ranks 0 to 5 sent\n  3.00 KiB\n");
    check_wrapped("ranks 0 to 5 sent all", 14, "ranks 0 to 5\n  sent all\n");
    check_wrapped("the letters s and h", 13, "the letters s\n  and h\n");
    check_wrapped("ran 2 min 05 s", 10, "ran 2 min\n  05 s\n");
}

/* The table with these cells, two columns, printed for a terminal; to be freed. */
static char *print(const struct cs_terminal *terminal, const char *const *cell, size_t count)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    struct cs_table *table = cs_table_new(2);
    assert_non_null(stream);
    assert_non_null(table);
    assert_int_equal(cs_table_title(table, 0, "name"), CS_OK);
    assert_int_equal(cs_table_title(table, 1, "n"), CS_OK);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(cs_table_cell(table, i % 2 ? CS_CELL_NUMBER : CS_CELL_TEXT, cell[i], strlen(cell[i])), CS_OK);
    cs_table_print(table, stream, terminal);
    cs_table_free(table);
    fclose(stream);
    return text;
}

static const char *const cells[] = {"rows", "7", "a-rather-long-name", "1234"};

static void table_is_as_wide_as_its_content(void **state)
{
    (void)state;
    char *text = print(&(struct cs_terminal){0}, cells, 4);
    assert_string_equal(text, "name                   n\n"
                              "------------------  ----\n"
                              "rows                   7\n"
                              "a-rather-long-name  1234\n");
    free(text);
}

static void text_gives_way_where_the_terminal_is_narrow_and_numbers_do_not(void **state)
{
    (void)state;
    char *text = print(&(struct cs_terminal){.width = 16, .utf8 = true}, cells, 4);
    assert_string_equal(text, "name           n\n"
                              "──────────  ────\n"
                              "rows           7\n"
                              "a-ra…-name  1234\n");
    free(text);
}

static void table_that_cannot_fit_becomes_records(void **state)
{
    (void)state;
    char *text = print(&(struct cs_terminal){.width = 9}, cells, 4);
    assert_string_equal(text, "name  rows\nn     7\n\nname  a-rather-long-name\nn     1234\n");
    free(text);
}

static void heading_is_bold_only_where_that_is_possible(void **state)
{
    (void)state;
    char *text = print(&(struct cs_terminal){.bold = true}, cells, 2);
    assert_string_equal(text, "\033[1mname  n\n\033[0m----  -\nrows  7\n");
    free(text);
}

static void cells_cannot_break_lines(void **state)
{
    (void)state;
    static const char *const evil[] = {"a\nb\x1b[2J", "1"};
    char *text = print(&(struct cs_terminal){0}, evil, 2);
    assert_string_equal(text, "name         n\n-----------  -\na\\nb\\x1b[2J  1\n");
    free(text);
}

static void phrase_has_counts_and_units(void **state)
{
    (void)state;
    struct cs_phrase line = {0};
    assert_string_equal(cs_phrase_text(&line), "");
    cs_phrase_add_count(&line, 1, "message", "messages");
    cs_phrase_add(&line, ", ");
    cs_phrase_add_count(&line, 12, "message", "messages");
    cs_phrase_add(&line, " of ");
    cs_phrase_add_bytes(&line, 1536);
    cs_phrase_add(&line, " in ");
    cs_phrase_add_seconds(&line, 12.34);
    cs_phrase_add(&line, ": ");
    cs_phrase_add_percent(&line, 12.5);
    assert_string_equal(cs_phrase_text(&line), "1 message, 12 messages of 1.50 KiB in 12.3 s: 12.5 %");
    cs_phrase_clear(&line);
    cs_phrase_add_instant(&line, -0.0151);
    cs_phrase_add(&line, " to ");
    cs_phrase_add_instant(&line, -1e-9);
    assert_string_equal(cs_phrase_text(&line), "-0.015 s to 0.000 s");
    cs_phrase_clear(&line);
    cs_phrase_add_pattern(&line, "row 12 of 3x");
    cs_phrase_add_part(&line, "\xc3\xa4\xc3\xb6u", 2);
    assert_string_equal(cs_phrase_text(&line), "row # of #x\xc3\xa4\xc3\xb6");
    assert_false(line.failed);
    cs_phrase_free(&line);
}

static void phrase_has_ranks_as_ranges(void **state)
{
    (void)state;
    struct cs_phrase line = {0};
    cs_phrase_add_numbers(&line, (int64_t[]){7, 2, 1, 0, 9, 7, INT64_MAX, INT64_MIN}, 8);
    assert_string_equal(cs_phrase_text(&line), "-9223372036854775808,0-2,7,9,9223372036854775807");
    cs_phrase_clear(&line);
    cs_phrase_add_ranks(&line, "3", 0);
    cs_phrase_add(&line, "; ");
    cs_phrase_add_ranks(&line, "0,2", 0);
    cs_phrase_add(&line, "; ");
    cs_phrase_add_ranges(&line, "0-3,17-20,100-200", 12);
    assert_string_equal(cs_phrase_text(&line), "rank 3; ranks 0,2; 0-3,...");
    cs_phrase_free(&line);
}

static void list_counts_what_it_leaves_out(void **state)
{
    (void)state;
    struct cs_phrase line = {0};
    struct cs_list list = {.phrase = &line, .limit = 2};
    for (const char *item = "abcde"; *item; item++)
        if (cs_list_next(&list))
            cs_phrase_add(&line, "%c", *item);
    cs_list_end(&list);
    assert_string_equal(cs_phrase_text(&line), "a, b and 3 more");
    cs_phrase_free(&line);
}

int main(void)
{
    cs_terminal_of(stdout); /* character widths need a locale */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(control_characters_become_visible),
        cmocka_unit_test(invisible_characters_become_visible),
        cmocka_unit_test(bytes_that_are_not_utf8_are_hexadecimal),
        cmocka_unit_test(width_counts_columns_not_bytes),
        cmocka_unit_test(long_texts_lose_their_middle),
        cmocka_unit_test(long_call_sites_keep_file_and_line),
        cmocka_unit_test(durations_have_the_unit_that_fits),
        cmocka_unit_test(bytes_have_binary_units),
        cmocka_unit_test(table_is_as_wide_as_its_content),
        cmocka_unit_test(text_gives_way_where_the_terminal_is_narrow_and_numbers_do_not),
        cmocka_unit_test(table_that_cannot_fit_becomes_records),
        cmocka_unit_test(heading_is_bold_only_where_that_is_possible),
        cmocka_unit_test(cells_cannot_break_lines),
        cmocka_unit_test(functions_then_columns_then_names_give_way),
        cmocka_unit_test(call_sites_lose_library_and_outer_namespaces_first),
        cmocka_unit_test(text_of_any_length_is_cut_to_what_is_read),
        cmocka_unit_test(lines_break_between_words),
        cmocka_unit_test(phrase_has_counts_and_units),
        cmocka_unit_test(phrase_has_ranks_as_ranges),
        cmocka_unit_test(list_counts_what_it_leaves_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
