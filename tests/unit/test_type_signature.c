/* Signatures: equal sequences of basic types have equal signatures, however they were put together. */
#include "record/object/type_signature.h"
#include "tests/support/unit_test.h"

static struct cs_sequence basic(enum cs_basic kind, uint64_t bytes)
{
    return (struct cs_sequence){cs_type_basic(kind, bytes), bytes};
}

static struct cs_sequence integer(void)
{
    return basic(CS_BASIC_INTEGER, 4);
}

static struct cs_sequence real(void)
{
    return basic(CS_BASIC_REAL, 8);
}

static void assert_same(struct cs_sequence a, struct cs_sequence b)
{
    assert_int_equal(a.signature, b.signature);
    assert_int_equal(a.bytes, b.bytes);
}

static uint64_t data(struct cs_sequence type, int64_t count)
{
    return cs_data_signature(type.signature, (int64_t)type.bytes, count);
}

static void copies_are_concatenations(void **state)
{
    (void)state;
    struct cs_sequence pair = cs_sequence_join(real(), integer()), all = CS_SEQUENCE_EMPTY;
    for (uint64_t n = 1; n <= 100; n++) {
        all = cs_sequence_join(all, pair);
        assert_same(all, cs_sequence_repeat(pair, n));
        assert_int_equal(data(pair, (int64_t)n), data(all, 1));
    }
    assert_same(cs_sequence_repeat(cs_sequence_repeat(pair, 6), 7), cs_sequence_repeat(pair, 42));
}

static void concatenation_is_associative(void **state)
{
    (void)state;
    struct cs_sequence a = cs_sequence_repeat(real(), 3), b = cs_sequence_repeat(integer(), 5), c = real();
    assert_same(cs_sequence_join(cs_sequence_join(a, b), c), cs_sequence_join(a, cs_sequence_join(b, c)));
    assert_same(cs_sequence_join(cs_sequence_join(b, a), c), cs_sequence_join(b, cs_sequence_repeat(real(), 4)));
}

static void order_type_and_number_matter(void **state)
{
    (void)state;
    struct cs_sequence ab = cs_sequence_join(real(), integer()), ba = cs_sequence_join(integer(), real());
    assert_int_not_equal(ab.signature, ba.signature);
    assert_int_not_equal(data(ab, 2), data(ba, 2));
    assert_int_not_equal(data(ab, 2), data(ab, 3));
    assert_int_not_equal(data(real(), 2), data(integer(), 4));
    assert_int_not_equal(data(real(), 2), data(real(), 3));
}

static void data_of_one_basic_type_is_known_by_its_size(void **state)
{
    (void)state;
    struct cs_sequence row = cs_sequence_repeat(integer(), 6);
    assert_int_equal(row.signature, integer().signature);
    assert_int_equal(data(row, 4), data(integer(), 24));
}

static void what_is_unknown_stays_unknown(void **state)
{
    (void)state;
    struct cs_sequence unknown = {CS_TYPE_UNKNOWN, 4}, bytes = {CS_TYPE_BYTES, 4};
    assert_int_equal(data(unknown, 3), CS_DATA_UNKNOWN);
    assert_int_equal(data(bytes, 3), CS_DATA_BYTES);
    assert_int_equal(data(cs_sequence_join(integer(), unknown), 1), CS_DATA_UNKNOWN);
    assert_int_equal(data(cs_sequence_join(unknown, bytes), 1), CS_DATA_UNKNOWN);
    assert_int_equal(data(cs_sequence_repeat(cs_sequence_join(bytes, real()), 3), 2), CS_DATA_BYTES);
    assert_int_equal(data(integer(), -1), CS_DATA_UNKNOWN);
    assert_int_equal(cs_data_signature(integer().signature, -1, 1) == CS_DATA_EMPTY, 0);
}

static void no_data_is_equal_for_all_types(void **state)
{
    (void)state;
    assert_int_equal(data(integer(), 0), CS_DATA_EMPTY);
    assert_int_equal(data(CS_SEQUENCE_EMPTY, 7), CS_DATA_EMPTY);
    assert_int_equal(data(cs_sequence_repeat(real(), 0), 7), CS_DATA_EMPTY);
    assert_same(cs_sequence_join(CS_SEQUENCE_EMPTY, real()), real());
}

static void sums_over_pairs_do_not_depend_on_order(void **state)
{
    (void)state;
    uint64_t sent = 0, received = 0, swapped = 0;
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++) {
            sent += cs_data_of_pair(data(integer(), i * j), i, j);
            received += cs_data_of_pair(data(integer(), i * (8 - j)), i, 8 - j);
            swapped += cs_data_of_pair(data(integer(), j + i * j), j, i);
        }
    assert_int_equal(sent % CS_SUM_KNOWN, received % CS_SUM_KNOWN);
    assert_int_not_equal(sent % CS_SUM_KNOWN, swapped % CS_SUM_KNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_are_concatenations),
        cmocka_unit_test(concatenation_is_associative),
        cmocka_unit_test(order_type_and_number_matter),
        cmocka_unit_test(data_of_one_basic_type_is_known_by_its_size),
        cmocka_unit_test(what_is_unknown_stays_unknown),
        cmocka_unit_test(no_data_is_equal_for_all_types),
        cmocka_unit_test(sums_over_pairs_do_not_depend_on_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
