/* Call sites: the same in all processes, whatever lay where and when. */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "callsign/debug.h"
#include "tests/support/conversion.h"
#include "tests/support/journal_builder.h"
#include "tests/support/scratch.h"
#include "tests/support/unit_test.h"

/* A profile cell per address. */
static void add_calls_from(struct cs_built *built, const uint64_t *addresses, size_t count)
{
    size_t block = cs_built_cells(built, CS_BLOCK_PROFILE, 0, count);
    for (size_t i = 0; i < count; i++)
        cs_built_cell(built, block, &(struct cs_profile_cell){.site = addresses[i], .function = 1, .calls = 1});
}

static void add_module(struct cs_built *built, size_t log, uint64_t ticks, uint64_t base, const char *path,
                       const char *build_id)
{
    cs_built_fact(built, log, CS_FACT_MODULE, ticks,
                  &(struct cs_fact_module){.base = base, .begin = base, .end = base + 0x1000},
                  sizeof(struct cs_fact_module), CS_STRINGS(path, build_id));
}

static void sites_are_equal_in_all_processes_wherever_the_module_lies(void **state)
{
    (void)state;
    char *site[2];
    for (unsigned i = 0; i < 2; i++) {
        struct cs_built built = cs_built_begin();
        uint64_t base = i ? 0x7f0000000000 : 0x550000000000;
        add_module(&built, cs_built_block(&built, CS_BLOCK_LOG, 0, 0, 1000), 1, base,
                   i ? "/node2/lib.so" : "/node1/lib.so", "ab");
        add_calls_from(&built, &(uint64_t){base + 0x123}, 1);
        assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
        site[i] = cs_converted_ask("SELECT site, frame FROM profile JOIN site USING (site)");
        cs_converted_assert("SELECT location FROM profile JOIN sites USING (site)", "lib.so+0x123\n");
        cs_converted_assert("SELECT site > 0 AND frame > 0 FROM profile JOIN site USING (site)", "1\n");
    }
    assert_string_equal(site[0], site[1]);
    sqlite3_free(site[0]);
    sqlite3_free(site[1]);
}

static void an_address_means_the_module_that_was_there_at_the_time(void **state)
{
    (void)state;
    struct cs_built built = cs_built_begin();
    size_t log = cs_built_block(&built, CS_BLOCK_LOG, 0, 0, 3000);
    add_module(&built, log, 1000, 0x10000, "/a/first.so", "01");
    add_module(&built, log, 1500, 0x10000, "/a/first.so", "01"); /* told again: no change */
    for (uint32_t i = 0; i < 2; i++) {
        uint64_t ticks = i ? 6000 : 3000;
        cs_built_fact(
            &built, log, CS_FACT_OBJECT, ticks,
            &(struct cs_fact_object){.object = i + 1, .kind = CALLSIGN_DATATYPE, .function = 1, .site = 0x10040},
            sizeof(struct cs_fact_object), NULL);
    }
    add_module(&built, log, 5000, 0x10000, "/a/second.so", "02");
    add_module(&built, log, 1000, 0x30000, "/usr/lib/openmpi/mca_btl_tcp.so", "03");
    add_module(&built, log, 5000, 0x30000, "/a/third.so", "04");
    add_calls_from(&built, (const uint64_t[]){0x10040, 0x30040, 0x99999999}, 3);
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT location FROM object JOIN sites USING (site) ORDER BY object",
                        "first.so+0x40\nsecond.so+0x40\n");
    cs_converted_assert("SELECT location FROM profile JOIN sites USING (site) ORDER BY location",
                        "0x99999999\nfirst.so+0x40\nthird.so+0x40\n");
}

/* A stack, and a datatype that was made there. */
static void add_stack(struct cs_built *built, size_t log, uint64_t ticks, uint32_t number, const uint64_t *addresses,
                      uint32_t count)
{
    struct {
        struct cs_fact_stack head;
        uint64_t address[CS_STACK_DEPTH + 1];
    } fact = {.head.stack = number, .head.count = count};
    memcpy(fact.address, addresses, count * sizeof *addresses);
    cs_built_fact(built, log, CS_FACT_STACK, ticks, &fact.head.fact, sizeof fact.head + count * sizeof *addresses,
                  NULL);
}

static void add_type(struct cs_built *built, size_t log, uint32_t object, uint64_t site)
{
    cs_built_fact(
        built, log, CS_FACT_OBJECT, 3000,
        &(struct cs_fact_object){
            .object = object, .kind = CALLSIGN_DATATYPE, .function = 1, .fortran_handle = INT64_MIN, .site = site},
        sizeof(struct cs_fact_object), NULL);
}

static void add_python_frame(struct cs_built *built, size_t log, uint32_t number, int32_t line, const char *file,
                             const char *function)
{
    cs_built_fact(built, log, CS_FACT_PYTHON_FRAME, 1000,
                  &(struct cs_fact_python_frame){.number = number, .line = line}, sizeof(struct cs_fact_python_frame),
                  CS_STRINGS(file, function));
}

static void stacks_have_frames_of_python(void **state)
{
    (void)state;
    struct cs_built built = cs_built_begin();
    size_t log = cs_built_block(&built, CS_BLOCK_LOG, 0, 0, 4000);
    add_module(&built, log, 1000, 0x10000, "/a/extension.so", "01");
    add_python_frame(&built, log, 1, 214, "/a/solve.py", "Solver.exchange");
    add_python_frame(&built, log, 2, 7, "/b/solve.py", "<module>");
    add_stack(&built, log, 2500, 1, (const uint64_t[]){0x10010, CS_SITE_STACK | 1, CS_SITE_STACK | 2}, 3);
    add_stack(&built, log, 2500, 2, (const uint64_t[]){CS_SITE_STACK | 1, CS_SITE_STACK | 99, CS_SITE_STACK | 2}, 3);
    add_stack(&built, log, 2500, 3, (const uint64_t[]){CS_SITE_STACK | 99}, 1);
    add_type(&built, log, 1, CS_SITE_STACK | 1);
    add_type(&built, log, 2, CS_SITE_STACK | 2);
    add_type(&built, log, 3, CS_SITE_STACK | 3);
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT object, depth, location FROM object JOIN stacks USING (site) ORDER BY 1, 2",
                        "1|0|extension.so+0x10\n1|1|Solver.exchange a/solve.py:214\n1|2|<module> b/solve.py:7\n"
                        "2|0|Solver.exchange a/solve.py:214\n2|1|<module> b/solve.py:7\n");
    cs_converted_assert(
        "SELECT m.path, f.function, f.file, f.line FROM frame f JOIN module m USING (module) ORDER BY 1",
        "/a/extension.so|NULL|NULL|NULL\n/a/solve.py|Solver.exchange|a/solve.py|214\n"
        "/b/solve.py|<module>|b/solve.py|7\n");
}

static void files_of_python_are_named_with_the_folders_that_tell_them_apart(void **state)
{
    (void)state;
    static const char *const files[] = {"/x/a/io/solve.py",       "/x/b/io/solve.py", "/x/run.py",   "/x/run.py",
                                        "/x/package/__init__.py", "solve.py",         "/y/plain.py", "plain.py"};
    struct cs_built built = cs_built_begin();
    size_t log = cs_built_block(&built, CS_BLOCK_LOG, 0, 0, 4000);
    uint64_t stack[sizeof files / sizeof *files];
    for (uint32_t i = 0; i < sizeof files / sizeof *files; i++) {
        add_python_frame(&built, log, i + 1, (int32_t)i + 1, files[i], "f");
        stack[i] = CS_SITE_STACK | (i + 1);
    }
    add_stack(&built, log, 2500, 1, stack, sizeof files / sizeof *files);
    add_type(&built, log, 1, CS_SITE_STACK | 1);
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT file FROM frame ORDER BY line",
                        "a/io/solve.py\nb/io/solve.py\nrun.py\nrun.py\npackage/__init__.py\nsolve.py\n"
                        "y/plain.py\nplain.py\n");
}

static void invalid_frames_of_python_are_skipped(void **state)
{
    (void)state;
    struct cs_built built = cs_built_begin();
    size_t log = cs_built_block(&built, CS_BLOCK_LOG, 0, 0, 4000);
    add_python_frame(&built, log, 0, 1, "/a/none.py", "none");
    add_python_frame(&built, log, UINT32_MAX, 1, "/a/far.py", "far");
    add_python_frame(&built, log, 1, -1, "/a/negative.py", "negative");
    add_python_frame(&built, log, 1, 0, "/a/first.py", "first");
    add_python_frame(&built, log, 1, 1, "/a/again.py", "again");
    add_stack(&built, log, 2500, 1, (const uint64_t[]){CS_SITE_STACK | UINT32_MAX, CS_SITE_STACK | 1}, 2);
    add_type(&built, log, 1, CS_SITE_STACK | 1);
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT depth, location FROM object JOIN stacks USING (site)", "0|first first.py:0\n");
}

static void stacks_share_their_outer_frames(void **state)
{
    (void)state;
    struct cs_built built = cs_built_begin();
    size_t log = cs_built_block(&built, CS_BLOCK_LOG, 0, 0, 4000);
    add_module(&built, log, 1000, 0x10000, "/a/program", "01");
    add_module(&built, log, 1000, 0x20000, "/a/library.so", "02");
    add_stack(&built, log, 2500, 1, (const uint64_t[]){0x20010, 0x10020, 0x10030}, 3);
    add_stack(&built, log, 2600, 2, (const uint64_t[]){0x20040, 0x10020, 0x10030}, 3);
    add_type(&built, log, 1, CS_SITE_STACK | 1);
    add_type(&built, log, 2, CS_SITE_STACK | 2);
    add_type(&built, log, 3, CS_SITE_STACK | 1);
    add_calls_from(&built, (const uint64_t[]){0x20010, CS_SITE_STACK | 2}, 2);
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert(
        "SELECT object, depth, location FROM object JOIN stacks USING (site) ORDER BY 1, 2",
        "1|0|library.so+0x10\n1|1|program+0x20\n1|2|program+0x30\n2|0|library.so+0x40\n2|1|program+0x20\n"
        "2|2|program+0x30\n3|0|library.so+0x10\n3|1|program+0x20\n3|2|program+0x30\n");
    cs_converted_assert("SELECT count(*) FROM site", "5\n"); /* two inner ones, two outer ones, one without caller */
    cs_converted_assert("SELECT count(*), count(caller) FROM profile JOIN site USING (site)", "2|1\n");
    cs_converted_assert("SELECT DISTINCT library FROM objects", "library.so\n");
}

static void a_stack_without_its_outer_frames_begins_with_a_frame_that_says_so(void **state)
{
    (void)state;
    struct cs_built built = cs_built_begin();
    size_t log = cs_built_block(&built, CS_BLOCK_LOG, 0, 0, 4000);
    add_module(&built, log, 1000, 0x10000, "/a/program", "01");
    add_stack(&built, log, 2500, 1, (const uint64_t[]){0x10010, 0x10020, CS_SITE_PARTIAL}, 3);
    add_stack(&built, log, 2500, 2, (const uint64_t[]){0x10010, 0x10020}, 2);
    add_stack(&built, log, 2500, 3, (const uint64_t[]){0x10010, CS_SITE_PARTIAL, 0x10020}, 3); /* nobody writes this */
    add_type(&built, log, 1, CS_SITE_STACK | 1);
    add_type(&built, log, 2, CS_SITE_STACK | 2);
    add_type(&built, log, 3, CS_SITE_STACK | 3);
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT object, depth, location FROM object JOIN stacks USING (site) ORDER BY 1, 2",
                        "1|0|program+0x10\n1|1|program+0x20\n1|2|<partial>\n2|0|program+0x10\n2|1|program+0x20\n"
                        "3|0|program+0x10\n3|1|program+0x20\n");
    cs_converted_assert("SELECT object, path FROM object JOIN site_paths USING (site) WHERE object = 1",
                        "1|<partial>;program+0x20;program+0x10;\n");
}

static void a_function_that_left_by_a_tail_call_is_the_innermost_frame(void **state)
{
    (void)state;
    struct cs_built built = cs_built_begin();
    size_t log = cs_built_block(&built, CS_BLOCK_LOG, 0, 0, 4000);
    add_module(&built, log, 1000, 0x10000, "/a/program", "01");
    add_stack(&built, log, 2500, 1, (const uint64_t[]){0x10010, 0x10020}, 2);
    add_stack(&built, log, 2500, 2, (const uint64_t[]){0x10030, 0x10010}, 2); /* it called another function then */
    add_type(&built, log, 1, CS_SITE_STACK | 1);
    add_type(&built, log, 2, CS_SITE_STACK | 2);
    struct cs_fact_tail_call call = {.return_address = 0x10010, .function = 0x10500};
    cs_built_fact(&built, log, CS_FACT_TAIL_CALL, 2600, &call, sizeof call, NULL);
    cs_built_fact(&built, log, CS_FACT_TAIL_CALL, 2700, &call, sizeof call, NULL);
    add_calls_from(&built, (const uint64_t[]){0x10010, 0x10030}, 2);
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT object, depth, location FROM object JOIN stacks USING (site) ORDER BY 1, 2",
                        "1|0|program+0x502\n1|1|program+0x10\n1|2|program+0x20\n2|0|program+0x30\n2|1|program+0x10\n");
    cs_converted_assert("SELECT location FROM profile JOIN sites USING (site) ORDER BY 1",
                        "program+0x30\nprogram+0x502\n");
}

static void a_stack_that_makes_no_sense_is_no_place(void **state)
{
    (void)state;
    struct cs_built built = cs_built_begin();
    size_t log = cs_built_block(&built, CS_BLOCK_LOG, 0, 0, 4000);
    uint64_t addresses[CS_STACK_DEPTH + 1] = {0x1};
    add_stack(&built, log, 2500, 0, addresses, 1);                  /* no number */
    add_stack(&built, log, 2500, UINT32_MAX, addresses, 1);         /* no honest number */
    add_stack(&built, log, 2500, 1, addresses, 0);                  /* no frame */
    add_stack(&built, log, 2500, 2, addresses, CS_STACK_DEPTH + 1); /* too deep */
    cs_built_fact(&built, log, CS_FACT_STACK, 2500, &(struct cs_fact_stack){.stack = 3, .count = 8},
                  sizeof(struct cs_fact_stack), NULL); /* longer than its fact */
    for (uint32_t i = 0; i < 5; i++)
        add_type(&built, log, i + 1, CS_SITE_STACK | i);
    add_type(&built, log, 6, CS_SITE_STACK | UINT32_MAX);
    add_type(&built, log, 7, UINT64_MAX);
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT count(*), count(site) FROM object", "7|0\n");
    cs_converted_assert("SELECT damaged FROM process", "1\n");
}

/* The first call site without a module makes the conversion read the threads while it reads the facts. */
static void a_site_in_generated_code_leaves_the_facts_after_it_whole(void **state)
{
    (void)state;
    enum { OBJECTS = 100, THREADS = 40 };
    struct cs_built built = cs_built_begin();
    size_t log = cs_built_block(&built, CS_BLOCK_LOG, 0, 0, OBJECTS * 256);
    for (uint32_t i = 0; i < OBJECTS; i++)
        add_type(&built, log, i + 1, 0x7000 + i);
    for (uint32_t i = 0; i < THREADS; i++) {
        size_t block = cs_built_cells(&built, CS_BLOCK_THREAD, i, 1);
        cs_built_cell(&built, block, &(struct cs_thread_state){.since_ticks = 3000, .until_ticks = 4000 + i});
    }
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT count(*), count(DISTINCT site), damaged FROM object, process", "100|100|0\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, cs_scratch_enter, cs_scratch_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(sites_are_equal_in_all_processes_wherever_the_module_lies),
        TEST(stacks_have_frames_of_python),
        TEST(files_of_python_are_named_with_the_folders_that_tell_them_apart),
        TEST(invalid_frames_of_python_are_skipped),
        TEST(stacks_share_their_outer_frames),
        TEST(a_stack_without_its_outer_frames_begins_with_a_frame_that_says_so),
        TEST(a_function_that_left_by_a_tail_call_is_the_innermost_frame),
        TEST(a_stack_that_makes_no_sense_is_no_place),
        TEST(an_address_means_the_module_that_was_there_at_the_time),
        TEST(a_site_in_generated_code_leaves_the_facts_after_it_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
