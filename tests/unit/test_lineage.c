#include <string.h>

#include "base/utf8.h"
#include "functions.h"
#include "journal/datatype_name.h"
#include "tests/support/journal_builder.h"
#include "tests/support/unit_test.h"

static const char *name_of(void *context, uint32_t object)
{
    const char *const *names = context;
    return object < 8 ? names[object] : NULL;
}

static const char *const known[8] = {NULL, "MPI_DOUBLE", "MPI_INT", "column", "vector(4,2,8) of MPI_DOUBLE",
                                     "",   "f",          "g"};
static const struct cs_datatype_name_context names = {name_of, (void *)(uintptr_t)known};

static void assert_name(uint16_t function, uint32_t parent, const struct cs_built_detail *built, const char *expected)
{
    char name[CS_DATATYPE_NAME_BYTES];
    assert_true(cs_datatype_name(function, parent, built->words, built->bytes, &names, name));
    assert_string_equal(name, expected);
}

static struct cs_built_detail vector(void)
{
    struct cs_built_detail built = {0};
    cs_built_integer(&built, CS_DETAIL_COUNT, 4);
    cs_built_integer(&built, CS_DETAIL_BLOCKLENGTH, 2);
    cs_built_integer(&built, CS_DETAIL_STRIDE, 8);
    return built;
}

static void arguments_and_parents_make_the_name(void **state)
{
    (void)state;
    struct cs_built_detail built = vector();
    assert_name(CS_MPI_Type_vector, 1, &built, "vector(4,2,8) of MPI_DOUBLE");
    assert_name(CS_MPI_Type_vector_c, 1, &built, "vector(4,2,8) of MPI_DOUBLE");
    assert_name(CS_MPI_Type_hvector, 1, &built, "hvector(4,2,8) of MPI_DOUBLE");
    assert_name(CS_MPI_Type_contiguous, 4, &built, "contiguous(4) of vector(4,2,8) of MPI_DOUBLE");
    assert_name(CS_MPI_Type_dup, 3, &(struct cs_built_detail){0}, "dup of column");
    struct cs_built_detail resized = {0};
    cs_built_integer(&resized, CS_DETAIL_LB, -8);
    cs_built_integer(&resized, CS_DETAIL_EXTENT, 16);
    assert_name(CS_MPI_Type_create_resized, 3, &resized, "resized(-8,16) of column");
}

static void parents_without_name_are_left_out(void **state)
{
    (void)state;
    struct cs_built_detail built = vector();
    assert_name(CS_MPI_Type_vector, 0, &built, "vector(4,2,8)");
    assert_name(CS_MPI_Type_vector, 5, &built, "vector(4,2,8)");
    assert_name(CS_MPI_Type_vector, 99, &built, "vector(4,2,8)");
}

static void of_lists_the_first_four_are_shown(void **state)
{
    (void)state;
    struct cs_built_detail built = {0};
    cs_built_integers(&built, CS_DETAIL_BLOCKLENGTHS, CS_DETAIL_INTEGERS, 4, (const int64_t[]){1, 2, 3, 4}, 4);
    cs_built_integers(&built, CS_DETAIL_DISPLACEMENTS, CS_DETAIL_INTEGERS, 5, (const int64_t[]){0, 5, 6, 7, 8}, 5);
    assert_name(CS_MPI_Type_indexed, 2, &built, "indexed([1,2,3,4],[0,5,6,7,...]) of MPI_INT");
}

static void a_struct_names_its_types(void **state)
{
    (void)state;
    struct cs_built_detail built = {0};
    cs_built_integer(&built, CS_DETAIL_COUNT, 3);
    cs_built_integers(&built, CS_DETAIL_TYPES, CS_DETAIL_OBJECTS, 3, (const int64_t[]){2, 2, 1}, 3);
    assert_name(CS_MPI_Type_create_struct, 2, &built, "struct(3) of MPI_INT, MPI_DOUBLE");
    built = (struct cs_built_detail){0};
    cs_built_integer(&built, CS_DETAIL_COUNT, 7);
    cs_built_integers(&built, CS_DETAIL_TYPES, CS_DETAIL_OBJECTS, 7, (const int64_t[]){2, 1, -1, 3, 6, 7, 1}, 7);
    assert_name(CS_MPI_Type_struct, 2, &built, "struct(7) of MPI_INT, MPI_DOUBLE, column, f, ...");
}

static void what_is_not_known_is_a_question_mark(void **state)
{
    (void)state;
    struct cs_built_detail built = {0};
    cs_built_text(&built, CS_DETAIL_COUNT, CS_DETAIL_PAIRS, "x", 1);
    assert_name(CS_MPI_Type_vector, 1, &built, "vector(?,?,?) of MPI_DOUBLE");
}

static void what_makes_no_datatype_has_no_name(void **state)
{
    (void)state;
    char name[CS_DATATYPE_NAME_BYTES];
    struct cs_built_detail built = vector();
    assert_false(cs_datatype_name(0, 1, built.words, built.bytes, &names, name));
    assert_false(cs_datatype_name(CS_MPI_Comm_split, 1, built.words, built.bytes, &names, name));
    assert_false(cs_datatype_name(CS_MPI_Type_get_contents, 1, NULL, 0, &names, name));
    assert_false(cs_datatype_name(CS_MPI_Type_vector, 1, NULL, 0, &names, name));
}

static void long_names_are_cut_between_characters(void **state)
{
    (void)state;
    for (size_t length = 230; length < 260; length++) {
        char long_name[600] = "", name[CS_DATATYPE_NAME_BYTES];
        for (size_t i = 0; i < length; i++)
            memcpy(long_name + 2 * i, "\xc3\xa9", 3);
        const char *const many[8] = {NULL, long_name};
        const struct cs_datatype_name_context one = {name_of, (void *)(uintptr_t)many};
        assert_true(cs_datatype_name(CS_MPI_Type_dup, 1, NULL, 0, &one, name));
        assert_true(strlen(name) >= CS_DATATYPE_NAME_BYTES - 5 && strlen(name) < CS_DATATYPE_NAME_BYTES);
        assert_true(cs_utf8_valid(name));
        assert_string_equal(name + strlen(name) - 3, "...");
    }
}

static void assert_file(const char *path, const char *expected)
{
    char name[CS_DATATYPE_NAME_BYTES];
    struct cs_built_detail built = {0};
    cs_built_text(&built, CS_DETAIL_FILENAME, CS_DETAIL_TEXT, path, strlen(path) + 1);
    assert_int_equal(cs_file_name(built.words, built.bytes, name), expected != NULL);
    if (expected)
        assert_string_equal(name, expected);
}

static void a_file_is_named_after_the_end_of_its_path(void **state)
{
    (void)state;
    assert_file("/scratch/run/out.dat", "out.dat");
    assert_file("out.dat", "out.dat");
    assert_file("ufs:/dir/out.dat", "out.dat");
    assert_file("dir/", "dir/");
    assert_file("", NULL);
    char name[CS_DATATYPE_NAME_BYTES];
    assert_false(cs_file_name(NULL, 0, name));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_and_parents_make_the_name),
        cmocka_unit_test(parents_without_name_are_left_out),
        cmocka_unit_test(of_lists_the_first_four_are_shown),
        cmocka_unit_test(a_struct_names_its_types),
        cmocka_unit_test(what_is_not_known_is_a_question_mark),
        cmocka_unit_test(what_makes_no_datatype_has_no_name),
        cmocka_unit_test(long_names_are_cut_between_characters),
        cmocka_unit_test(a_file_is_named_after_the_end_of_its_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
