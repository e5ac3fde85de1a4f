/* Ranges that overlap, compared with a search of all. */
#include <string.h>

#include "base/interval_tree.h"
#include "tests/support/unit_test.h"

enum { RANGES = 300, PLACES = 1000, STEPS = 4000, NODES = 10000, DEPTH_MOST = 60 };

static uint64_t seed = 20261130;

static uint64_t draw(uint64_t below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (seed >> 33) % below;
}

struct look {
    const struct cs_interval *range;
    uint64_t begin, end;
    bool *seen;
    uint64_t last; /* begin of the one seen last */
    int left;      /* to be seen before the search ends */
};

static bool see(struct cs_interval *it, void *context)
{
    struct look *look = context;
    assert_true(it->begin < look->end && it->end > look->begin);
    assert_true(it->begin >= look->last);
    assert_false(look->seen[it - look->range]);
    look->seen[it - look->range] = true;
    look->last = it->begin;
    return --look->left == 0;
}

static void all_that_overlap_are_found_in_order(void **state)
{
    (void)state;
    static struct cs_interval range[RANGES], *tree;
    static bool inside[RANGES];
    for (int step = 0; step < STEPS; step++) {
        int i = (int)draw(RANGES);
        if (inside[i]) {
            cs_intervals_remove(&tree, &range[i]);
        } else {
            range[i].begin = draw(PLACES);
            range[i].end = range[i].begin + draw(step % 3 ? 10 : PLACES); /* some are empty */
            cs_intervals_add(&tree, &range[i]);
        }
        inside[i] = !inside[i];
        bool seen[RANGES] = {false};
        uint64_t begin = draw(PLACES), end = begin + draw(20);
        struct look look = {range, begin, end, seen, 0, -1};
        assert_null(cs_intervals_find(tree, begin, end, see, &look));
        for (int other = 0; other < RANGES; other++)
            assert_int_equal(seen[other], inside[other] && range[other].begin < end && range[other].end > begin);
    }
}

static void search_ends_where_the_visitor_says(void **state)
{
    (void)state;
    static struct cs_interval range[RANGES], *tree;
    for (uint64_t i = 0; i < RANGES; i++) {
        range[i].begin = i;
        range[i].end = RANGES;
        cs_intervals_add(&tree, &range[i]);
    }
    bool seen[RANGES] = {false};
    struct look look = {range, 200, 201, seen, 0, 7};
    assert_ptr_equal(cs_intervals_find(tree, 200, 201, see, &look), &range[6]);
    assert_int_equal(look.left, 0);
    assert_null(cs_intervals_find(NULL, 0, UINT64_MAX, see, &look));
}

static int depth(const struct cs_interval *tree)
{
    int left = tree ? depth(tree->left) : 0, right = tree ? depth(tree->right) : 0;
    return tree ? 1 + (left > right ? left : right) : 0;
}

/* Programs use buffers one behind the other: the nodes come in the order of the ranges, and of their own places. */
static void tree_is_flat_whatever_the_order(void **state)
{
    (void)state;
    static struct cs_interval range[NODES];
    for (int order = 0; order < 3; order++) {
        struct cs_interval *tree = NULL;
        for (uint64_t i = 0; i < NODES; i++) {
            struct cs_interval *it = &range[i];
            it->begin = order == 0 ? i : order == 1 ? NODES - i : 5;
            it->end = it->begin + 1;
            cs_intervals_add(&tree, it);
        }
        assert_true(depth(tree) <= DEPTH_MOST);
        for (uint64_t i = 0; i < NODES; i++)
            cs_intervals_remove(&tree, &range[i]);
        assert_null(tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_that_overlap_are_found_in_order),
        cmocka_unit_test(search_ends_where_the_visitor_says),
        cmocka_unit_test(tree_is_flat_whatever_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
