/* Layouts have the bytes that a list of them has, and two of them share the bytes that two lists share. */
#include "record/object/type_layout.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/unit_test.h"

enum { PLACES = 3000, MIDDLE = 1200 };

/* A layout, and how often it uses each byte. */
struct both {
    struct cs_layout layout;
    unsigned char used[PLACES];
};

static unsigned draw(unsigned below)
{
    return (unsigned)rand() % below;
}

/* Elements of `from` at random places: contiguous ones, vectors, indexed blocks, some backwards. */
static bool derive(struct both *made, const struct both *from)
{
    static const int64_t steps[] = {-24, -8, 4, 8, 12, 16, 32, 40, 64};
    memset(made, 0, sizeof *made);
    bool fits = true;
    for (unsigned blocks = 1 + draw(3), at = 0; blocks-- && fits; at += 8 * (1 + draw(12))) {
        int64_t length = draw(4), step = steps[draw(9)], times = draw(5);
        for (int i = 0; i < from->layout.runs && length && times && fits; i++) {
            struct cs_run run = from->layout.run[i];
            run.begin += at;
            fits = cs_run_repeat(&run, from->layout.extent, length) && cs_run_repeat(&run, step, times) &&
                   cs_layout_add(&made->layout, &run);
        }
        for (int64_t k = 0; k < times; k++)
            for (int64_t j = 0; j < length; j++)
                for (int64_t p = 0; p < PLACES; p++) {
                    int64_t place = p + (int64_t)at + k * step + j * from->layout.extent;
                    if (!from->used[p])
                        continue;
                    if (place < 0 || place >= PLACES)
                        return false;
                    made->used[place] = 1;
                }
    }
    made->layout.extent = 4 * (int64_t)draw(20);
    return fits;
}

static bool draw_layout(struct both *made)
{
    struct both from;
    memset(&from, 0, sizeof from);
    int64_t bytes = 1 + draw(8);
    cs_layout_add(&from.layout, &(struct cs_run){.bytes = bytes});
    from.layout.extent = bytes;
    memset(from.used + MIDDLE, 1, (size_t)bytes);
    for (unsigned depth = 1 + draw(3); depth--; from = *made)
        if (!derive(made, &from))
            return false;
    return true;
}

/* Bytes between two places, by the layout: asked with a probe of one byte. */
static bool has(const struct cs_layout *layout, int64_t place)
{
    struct cs_layout probe = {.extent = 1};
    int steps = 1000000;
    cs_layout_add(&probe, &(struct cs_run){.bytes = 1});
    return cs_layout_overlap(layout, 1000000, &probe, (uint64_t)(1000000 + place), &steps) > 0;
}

static void random_layouts_share_the_bytes_that_lists_share(void **state)
{
    (void)state;
    static struct both a, b;
    int compared = 0, meeting = 0;
    srand(1);
    for (int round = 0; round < 1500; round++) {
        if (!draw_layout(&a) || !draw_layout(&b))
            continue;
        int shift = (int)draw(400) - 200, shared = 0, steps = 1000000;
        for (int p = 0; p < PLACES; p++)
            shared += a.used[p] && p - shift >= 0 && p - shift < PLACES && b.used[p - shift];
        int64_t found = cs_layout_overlap(&a.layout, 1 << 20, &b.layout, (uint64_t)((1 << 20) + shift), &steps);
        assert_int_equal(found > 0, shared > 0);
        assert_true(found >= shared); /* more, if a layout has bytes twice */
        compared++;
        meeting += shared > 0;
    }
    assert_true(compared > 700 && meeting > 150 && compared - meeting > 150);
}

static void a_layout_has_its_bytes_and_no_others(void **state)
{
    (void)state;
    static struct both a;
    srand(2);
    for (int round = 0; round < 50; round++)
        for (int p = 0, drawn = draw_layout(&a); drawn && p < PLACES; p++)
            assert_int_equal(has(&a.layout, p - MIDDLE), a.used[p]);
}

static void listed_pieces_have_the_bytes_of_the_layout(void **state)
{
    (void)state;
    static struct both a;
    static struct cs_piece piece[PLACES];
    int listed_all = 0;
    srand(3);
    for (int round = 0; round < 200; round++) {
        static unsigned char used[PLACES];
        if (!draw_layout(&a))
            continue;
        int listed = cs_layout_list(&a.layout, piece, PLACES);
        memset(used, 0, sizeof used);
        for (int i = 0; i < listed; i++)
            memset(used + MIDDLE + piece[i].begin, 1, (size_t)piece[i].bytes);
        assert_memory_equal(used, a.used, PLACES);
        if (listed > 1) /* what does not fit is not listed in part */
            assert_int_equal(cs_layout_list(&a.layout, piece, listed - 1), 0);
        listed_all += listed;
    }
    assert_true(listed_all > 500);
}

static struct cs_layout column(int64_t rows, int64_t row_bytes)
{
    struct cs_run run = {.bytes = 8};
    struct cs_layout made = {.extent = row_bytes * (rows - 1) + 8};
    cs_run_repeat(&run, row_bytes, rows);
    cs_layout_add(&made, &run);
    return made;
}

static void columns_of_any_length_take_few_steps(void **state)
{
    (void)state;
    struct cs_layout a = column(1000000, 4096), b = column(999998, 4096);
    int steps = 10;
    assert_int_equal(cs_layout_overlap(&a, 1 << 20, &b, (1 << 20) + 8, &steps), 0);
    assert_int_equal(cs_layout_overlap(&a, 1 << 20, &b, (1 << 20) + 4096 + 4, &steps), 999998 * 4);
    assert_true(steps > 0);
}

static void different_distances_are_bounded(void **state)
{
    (void)state;
    struct cs_layout a = column(1000000, 4096), b = column(1000000, 4104);
    int steps = CS_LAYOUT_STEPS_MOST;
    assert_int_equal(cs_layout_overlap(&a, 1 << 20, &b, (1 << 20) + 16, &steps), -1);
}

static void transposed_columns_are_one_piece(void **state)
{
    (void)state;
    struct cs_run run = {.bytes = 8};
    assert_true(cs_run_repeat(&run, 800, 50));
    assert_true(cs_run_repeat(&run, 8, 100));
    assert_int_equal(run.levels, 0);
    assert_int_equal(run.bytes, 40000);
}

static void numbers_that_are_too_large_are_refused(void **state)
{
    (void)state;
    struct cs_run run = {.bytes = 8};
    assert_false(cs_run_repeat(&run, INT64_MAX / 2, 3));
    assert_false(cs_run_repeat(&run, 16, INT64_MAX));
    assert_false(cs_run_repeat(&run, 16, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_layouts_share_the_bytes_that_lists_share),
        cmocka_unit_test(a_layout_has_its_bytes_and_no_others),
        cmocka_unit_test(listed_pieces_have_the_bytes_of_the_layout),
        cmocka_unit_test(columns_of_any_length_take_few_steps),
        cmocka_unit_test(different_distances_are_bounded),
        cmocka_unit_test(transposed_columns_are_one_piece),
        cmocka_unit_test(numbers_that_are_too_large_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
