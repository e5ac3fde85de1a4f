/* Lines of addresses: in files as other compilers and linkers write them. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/symbols/resolver.h"
#include "base/symbols/signature.h"
#include "record/site/module.h"
#include "tests/support/scratch.h"
#include "tests/support/unit_test.h"

static __attribute__((noinline)) uint64_t here(void)
{
    return (uint64_t)(uintptr_t)__builtin_return_address(0);
}

static inline __attribute__((always_inline)) uint64_t inlined(void)
{
    return here() + 0 * (uint64_t)(uintptr_t)&inlined;
}
static const int inlined_line = __LINE__ - 2;

static __attribute__((noinline)) uint64_t container(void)
{
    volatile uint64_t address = inlined();
    return address;
}

static __attribute__((noinline)) uint64_t jumps(void)
{
    return here();
}
static const int jumps_line = __LINE__ - 2;

static __attribute__((noinline)) uint64_t other(void)
{
    return (uint64_t)(uintptr_t)__builtin_return_address(0) + 1;
}

static __attribute__((noinline)) uint64_t jumps_twice(volatile int *which)
{
    if (*which)
        return here();
    return other();
}
static const int jumps_twice_line = __LINE__ - 5;

static enum cs_lost_lines lost;
static unsigned losses;

static void note_lost(const char *path, enum cs_lost_lines why)
{
    assert_non_null(strstr(path, "copy"));
    lost = why;
    losses++;
}

/* Resolves a return address in a copy of this program that objcopy made. Returns false if nothing is known. */
static bool resolve_in_copy(const char *option, uint64_t address, struct cs_source *source)
{
    static struct cs_module_about about;
    char command[2 * sizeof about.path];
    assert_true(cs_module_describe(address, &about));
    snprintf(command, sizeof command, CS_TEST_OBJCOPY " %s '%s' copy 2>&1", option, about.path);
    if (system(command) != 0)
        skip(); /* an objcopy without zstd */
    struct cs_resolver *resolver = cs_resolver_new(CS_RESOLVER_IN_COMMAND);
    assert_non_null(resolver);
    cs_resolver_on_lost_lines(resolver, note_lost);
    losses = 0;
    const struct cs_resolve_frame frame = {"./copy", about.build_id, (int64_t)(address - about.base), 0};
    bool found = cs_resolver_find(resolver, &frame, source);
    cs_resolver_free(resolver);
    return found;
}

static void expect_lines(const char *option)
{
    struct cs_source source;
    uint64_t address = here();
    const int line = __LINE__ - 1;
    assert_true(resolve_in_copy(option, address, &source));
    assert_string_equal(source.function, "expect_lines");
    assert_string_equal(source.file, "test_resolver.c");
    assert_int_equal(source.line, line);
    assert_true(resolve_in_copy(option, container(), &source));
    assert_string_equal(source.function, "inlined (inlined into container)");
    assert_int_equal(source.line, inlined_line);
    assert_int_equal(losses, 0);
}

/* Sanitizers may keep compilers from making jumps. */
static bool has_jumped(uint64_t from, uint64_t function)
{
    return from - function > 64;
}

static void a_function_that_left_by_a_tail_call_is_shown_where_it_did(void **state)
{
    (void)state;
    struct cs_source source;
    volatile int which = 1;
    uint64_t function = (uint64_t)(uintptr_t)jumps, several = (uint64_t)(uintptr_t)jumps_twice;
    if (!has_jumped(jumps(), function) || !has_jumped(jumps_twice(&which), several))
        skip();
    assert_true(resolve_in_copy("", function + CS_TAIL_CALL_OFFSET, &source));
    assert_string_equal(source.function, "jumps");
    assert_int_equal(source.line, jumps_line);
    assert_true(resolve_in_copy("", several + CS_TAIL_CALL_OFFSET, &source));
    assert_string_equal(source.function, "jumps_twice" CS_TAIL_CALL);
    assert_in_range(source.line, jumps_twice_line - 1, jumps_twice_line + 1);
    assert_true(resolve_in_copy("", function + 1, &source)); /* a pointer to the function, as those of attributes */
    assert_string_equal(source.function, "jumps");
    assert_in_range(source.line, jumps_line - 2, jumps_line);
}

static void lines_are_found(void **state)
{
    (void)state;
    expect_lines("--compress-debug-sections=zlib");
}

/* clang writes no .debug_aranges. */
static void lines_are_found_without_a_table_of_addresses(void **state)
{
    (void)state;
    expect_lines("--remove-section=.debug_aranges");
}

static void write_source(const char *path, const char *function)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "int %s(void)\n{\n    return 1;\n}\n", function);
    fclose(file);
}

static void expect_file(void *library, const char *function, const char *file)
{
    static struct cs_module_about about;
    struct cs_source source;
    uint64_t address = (uint64_t)(uintptr_t)dlsym(library, function);
    assert_true(cs_module_describe(address, &about));
    struct cs_resolver *resolver = cs_resolver_new(CS_RESOLVER_IN_COMMAND);
    const struct cs_resolve_frame frame = {about.path, about.build_id, (int64_t)(address + 1 - about.base), 0};
    assert_true(cs_resolver_find(resolver, &frame, &source));
    assert_string_equal(source.function, function);
    assert_string_equal(source.file, file);
    cs_resolver_free(resolver);
}

static void files_of_one_name_have_the_folders_that_tell_them_apart(void **state)
{
    (void)state;
    assert_int_equal(system("mkdir -p a/io b/io"), 0);
    write_source("a/io/util.c", "in_a");
    write_source("b/io/util.c", "in_b");
    write_source("b/io/alone.c", "alone");
    assert_int_equal(system(CS_TEST_CC " -g -shared -fPIC a/io/util.c b/io/util.c b/io/alone.c -o lib.so"), 0);
    assert_int_equal(system("rm -r a b"), 0);
    void *library = dlopen("./lib.so", RTLD_NOW);
    assert_non_null(library);
    expect_file(library, "in_a", "a/io/util.c");
    expect_file(library, "in_b", "b/io/util.c");
    expect_file(library, "alone", "alone.c");
    dlclose(library);
}

static void lines_that_cannot_be_decompressed_are_told(void **state)
{
    (void)state;
    struct cs_source source;
    assert_true(resolve_in_copy("--compress-debug-sections=zstd", here(), &source));
    assert_true(strstr(source.function, "lines_that_cannot"));
    if (source.line == 0) /* elfutils older than 0.189 */
        assert_true(losses == 1 && lost == CS_LOST_COMPRESSED);
    else
        assert_int_equal(losses, 0);
}

static void a_program_without_lines_is_no_loss(void **state)
{
    (void)state;
    struct cs_source source;
    assert_true(resolve_in_copy("--strip-debug", here(), &source));
    assert_string_equal(source.function, "a_program_without_lines_is_no_loss");
    assert_string_equal(source.file, "");
    assert_int_equal(losses, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_function_that_left_by_a_tail_call_is_shown_where_it_did, cs_scratch_enter,
                                        cs_scratch_leave),
        cmocka_unit_test_setup_teardown(lines_are_found, cs_scratch_enter, cs_scratch_leave),
        cmocka_unit_test_setup_teardown(lines_are_found_without_a_table_of_addresses, cs_scratch_enter,
                                        cs_scratch_leave),
        cmocka_unit_test_setup_teardown(files_of_one_name_have_the_folders_that_tell_them_apart, cs_scratch_enter,
                                        cs_scratch_leave),
        cmocka_unit_test_setup_teardown(lines_that_cannot_be_decompressed_are_told, cs_scratch_enter, cs_scratch_leave),
        cmocka_unit_test_setup_teardown(a_program_without_lines_is_no_loss, cs_scratch_enter, cs_scratch_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
