/* Naming in the program under record: whose code makes an object, what is remembered of a place, what the journal is
   told. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/settings.h"
#include "callsign/debug.h"
#include "journal/writer.h"
#include "record/call/thread_life.h"
#include "record/object/naming.h"
#include "record/process/recorder.h"
#include "record/process/thread.h"
#include "record/recording.h"
#include "record/site/stack.h"
#include "tests/support/scratch.h"
#include "tests/support/unit_test.h"

static const char rules[] = "kind=file -> \"of a file\"\n"
                            "library=test_naming parent=rows -> \"{parent} in test {n}\"\n"
                            "library=libm.so* caller=cos -> \"{caller} of {library}\"\n"
                            "library=libm.so* at=s_cos.c:12 -> \"never: the rule before matches\"\n"
                            "library=test_naming function=MPI_Comm_split caller=mine -> \"mine {color}\"\n"
                            "library=test_naming function=MPI_Comm_split at=here.c:7 -> \"at seven\"\n"
                            "nonsense\n"
                            "library=test_naming -> \"of the test\"\n";

/* The stack that the unwinder of these tests returns. */
static uint64_t seen[8];
static int seen_count;

static int unwinder(void **frame, int size, enum cs_unwind how, void *stack)
{
    (void)how, (void)stack;
    int count = 0;
    for (; count < seen_count && count < size; count++)
        frame[count] = (void *)(uintptr_t)seen[count];
    return count;
}

/* The answer of these tests' resolver, and its last query. */
static struct cs_source known;
static unsigned asked;
static char asked_module[4096];
static int64_t asked_offset;

static bool resolver(const char *module, const char *build_id, int64_t offset, struct cs_source *source)
{
    assert_non_null(build_id);
    asked++;
    snprintf(asked_module, sizeof asked_module, "%s", module);
    asked_offset = offset;
    *source = known;
    return known.function[0] != '\0';
}

static int begin(void **state)
{
    cs_scratch_enter(state);
    FILE *file = fopen("names", "w");
    if (!file || fputs(rules, file) < 0 || fclose(file) != 0)
        return -1;
    setenv("CALLSIGN_NAMES", "names", 1);
    cs_stack_set_unwinder(unwinder, NULL);
    cs_naming_set_resolver(resolver);
    cs_scratch_listen();
    bool started = cs_recorder_start(8, "test");
    const char *said = cs_scratch_heard();
    const char *expected = "callsign: names:7:1: here must be a condition (word=pattern), or -> and a name\n";
    return started && strcmp(said, expected) == 0 ? 0 : -1;
}

static int end(void **state)
{
    return cs_scratch_leave(state);
}

static uint64_t take(const uint64_t *frames, int count)
{
    memcpy(seen, frames, (size_t)count * sizeof *frames);
    seen_count = count;
    return cs_stack_take(cs_thread_self ? cs_thread_self : cs_thread_begin(), frames[0], NULL);
}

#define TAKE(...)                                                                                                      \
    take((const uint64_t[]){__VA_ARGS__}, (int)(sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t)))

static uint64_t in_test, in_libc, in_libm;

static void find_addresses(void)
{
    void *library = dlopen("libm.so.6", RTLD_NOW), *c_library = dlopen("libc.so.6", RTLD_NOW);
    in_test = (uintptr_t)find_addresses + 1;
    in_libc = (uintptr_t)dlsym(c_library, "qsort") + 16;
    in_libm = (uintptr_t)dlsym(library, "cos") + 8;
}

static struct cs_newborn newborn(uint64_t site)
{
    find_addresses();
    return (struct cs_newborn){.kind = CALLSIGN_COMMUNICATOR,
                               .function = "MPI_Comm_split",
                               .site = site,
                               .parent = "MPI_COMM_WORLD",
                               .color = 2,
                               .key = 0,
                               .rank = 3,
                               .first = 0,
                               .nth = 5};
}

static char name[128];

static void kinds_without_a_rule_are_not_wanted(void **state)
{
    (void)state;
    assert_true(cs_naming_applies_to(CALLSIGN_COMMUNICATOR));
    assert_true(cs_naming_applies_to(CALLSIGN_FILE));
    assert_false(cs_naming_applies_to(CALLSIGN_GROUP));
    assert_false(cs_naming_applies_to(1000));
    struct cs_newborn group = newborn(0);
    group.kind = CALLSIGN_GROUP;
    strcpy(name, "untouched");
    assert_int_equal(cs_naming_write_name(&group, name, sizeof name), 0);
    assert_string_equal(name, "untouched");
}

static void the_library_is_that_of_the_innermost_frame_that_is_not_the_c_librarys(void **state)
{
    (void)state;
    find_addresses();
    uint64_t site = TAKE(in_libc, in_test, in_libm);
    assert_true(site & CS_SITE_STACK);
    assert_int_equal(cs_stack_maker(site), in_test);
    struct cs_newborn object = newborn(site);
    assert_int_equal(cs_naming_write_name(&object, name, sizeof name), 8);
    assert_string_equal(name, "of the test");
    snprintf(known.function, sizeof known.function, "cos");
    site = TAKE(in_libc, in_libm, in_test);
    assert_int_equal(cs_stack_maker(site), in_libm);
    object = newborn(site);
    assert_int_equal(cs_naming_write_name(&object, name, sizeof name), 3);
    assert_ptr_equal(strstr(name, "cos of libm.so"), name);
    known.function[0] = '\0';
}

static void a_return_address_alone_is_enough(void **state)
{
    (void)state;
    find_addresses();
    struct cs_newborn object = newborn(in_test);
    assert_int_equal(cs_naming_write_name(&object, name, sizeof name), 8);
    object = newborn(in_libc);
    assert_int_equal(cs_naming_write_name(&object, name, sizeof name), 0);
    object = newborn(0);
    assert_int_equal(cs_naming_write_name(&object, name, sizeof name), 0);
}

static void the_parent_is_looked_at_each_time(void **state)
{
    (void)state;
    find_addresses();
    struct cs_newborn object = newborn(in_test + 1);
    for (int i = 0; i < 3; i++) {
        object.parent = i == 1 ? NULL : "rows";
        assert_int_equal(cs_naming_write_name(&object, name, sizeof name), i == 1 ? 8 : 2);
        assert_string_equal(name, i == 1 ? "of the test" : "rows in test 5");
    }
}

static void the_source_of_a_place_is_looked_up_once(void **state)
{
    (void)state;
    find_addresses();
    snprintf(known.function, sizeof known.function, "mine");
    uint64_t site = TAKE(in_test + 2, in_libm);
    struct cs_newborn object = newborn(site);
    asked = 0;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(cs_naming_write_name(&object, name, sizeof name), 5);
        assert_string_equal(name, "mine 2");
    }
    assert_int_equal(asked, 1);
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    assert_int_equal(length, strlen(asked_module));
    assert_memory_equal(asked_module, self, (size_t)length);
    Dl_info about;
    assert_true(dladdr((void *)(uintptr_t)in_test, &about));
    assert_int_equal(asked_offset, in_test + 2 - (uint64_t)(uintptr_t)about.dli_fbase);
    known = (struct cs_source){.function = "other", .file = "here.c", .line = 7};
    object.site = TAKE(in_test + 3, in_libm);
    assert_int_equal(cs_naming_write_name(&object, name, sizeof name), 6);
    assert_int_equal(asked, 2);
    known.line = 8;
    object.site = TAKE(in_test + 4, in_libm);
    assert_int_equal(cs_naming_write_name(&object, name, sizeof name), 8);
    object.function = "MPI_Comm_dup"; /* the same place, but no rule asks for its source */
    object.site = TAKE(in_test + 5, in_libm);
    asked = 0;
    assert_int_equal(cs_naming_write_name(&object, name, sizeof name), 8);
    assert_int_equal(asked, 0);
}

static void without_a_resolver_rules_on_the_source_match_nothing(void **state)
{
    (void)state;
    find_addresses();
    snprintf(known.function, sizeof known.function, "mine");
    cs_naming_set_resolver(NULL);
    struct cs_newborn object = newborn(in_test + 6);
    assert_int_equal(cs_naming_write_name(&object, name, sizeof name), 8);
    cs_naming_set_resolver(resolver);
}

static void names_fit_the_room(void **state)
{
    (void)state;
    find_addresses();
    struct cs_newborn object = newborn(in_test);
    char small[5] = "####";
    assert_int_equal(cs_naming_write_name(&object, small, sizeof small), 8);
    assert_string_equal(small, "of t");
}

static void the_journal_is_told_every_rule(void **state)
{
    (void)state;
    char path[4200], here[4096];
    static char log[1 << 20];
    snprintf(path, sizeof path, "%s/saved", getcwd(here, sizeof here));
    assert_int_equal(cs_journal_save(cs_recorder.journal, path, NULL), CS_OK);
    FILE *file = fopen(path, "r");
    size_t bytes = fread(log, 1, sizeof log, file);
    fclose(file);
    static const char *const texts[] = {"kind=file -> \"of a file\"", "library=test_naming -> \"of the test\""};
    for (size_t i = 0; i < 2; i++)
        assert_non_null(memmem(log, bytes, texts[i], strlen(texts[i]) + 1));
    assert_null(memmem(log, bytes, "nonsense", 8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_without_a_rule_are_not_wanted),
        cmocka_unit_test(the_library_is_that_of_the_innermost_frame_that_is_not_the_c_librarys),
        cmocka_unit_test(a_return_address_alone_is_enough),
        cmocka_unit_test(the_parent_is_looked_at_each_time),
        cmocka_unit_test(the_source_of_a_place_is_looked_up_once),
        cmocka_unit_test(without_a_resolver_rules_on_the_source_match_nothing),
        cmocka_unit_test(names_fit_the_room),
        cmocka_unit_test(the_journal_is_told_every_rule),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
