/* Modules: whose code an address is, libraries that come later, code of no module. */
#include <dlfcn.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "record/process/recorder.h"
#include "record/recording.h"
#include "record/site/module.h"
#include "tests/support/unit_test.h"

static int begin(void **state)
{
    (void)state;
    return cs_recorder_start(8, "test") ? 0 : -1;
}

static uint64_t used(void)
{
    return cs_journal_header(cs_recorder.journal)->used_bytes;
}

static void the_program_and_the_c_library_are_not_the_mpi(void **state)
{
    (void)state;
    assert_int_equal(cs_module_find_owner((uintptr_t)begin), CS_MODULE_PROGRAM);
    assert_int_equal(cs_module_find_owner((uintptr_t)printf), CS_MODULE_PROGRAM);
    assert_int_equal(cs_module_find_owner(0), CS_MODULE_PROGRAM);
}

static void a_library_that_is_loaded_later_is_found(void **state)
{
    (void)state;
    cs_module_record((uintptr_t)begin);
    void *library = dlopen("libm.so.6", RTLD_NOW);
    assert_non_null(library);
    uint64_t address = (uintptr_t)dlsym(library, "cos");
    cs_module_record(address);
    assert_int_equal(cs_module_find_owner(address), CS_MODULE_PROGRAM);
    dlclose(library);
}

/* Code that is recognized without the dynamic linker must be code that no dlclose unloads. */
static void only_the_program_and_the_c_library_are_sure_to_stay(void **state)
{
    (void)state;
    cs_module_record((uintptr_t)begin);
    assert_true(cs_module_is_permanent((uintptr_t)begin));
#ifndef __SANITIZE_THREAD__ /* stands before the C library */
#ifndef __SANITIZE_ADDRESS__
    assert_true(cs_module_is_permanent((uintptr_t)dlsym(RTLD_DEFAULT, "setvbuf")));
#endif
#endif
    void *library = dlopen("libm.so.6", RTLD_NOW);
    assert_non_null(library);
    uint64_t address = (uintptr_t)dlsym(library, "cos");
    cs_module_record(address);
    assert_false(cs_module_is_permanent(address));
    assert_false(cs_module_is_permanent(1 << 12));
    dlclose(library);
    assert_false(cs_module_is_permanent(address));
}

/* Programs that compile as they run call from thousands of pages: that must not write the list of modules thousands of
 * times. */
static void code_of_no_module_does_not_fill_the_journal(void **state)
{
    (void)state;
    uint64_t before = used();
    for (uint64_t page = 1; page <= 5000; page++)
        cs_module_record(page << 12);
    assert_true(used() - before < (1 << 18));
    assert_int_equal(cs_module_find_owner(5000 << 12), CS_MODULE_PROGRAM);
}

/* Loads a library, finds the owner of its memory, and unloads it. Returns the address of its dynamic section. */
static uint64_t load_and_unload(const char *name)
{
    struct link_map *map = NULL;
    void *library = dlopen(name, RTLD_NOW);
    assert_non_null(library);
    assert_int_equal(dlinfo(library, RTLD_DI_LINKMAP, &map), 0);
    uint64_t address = (uintptr_t)map->l_ld;
    cs_module_count_replaced();
    assert_int_equal(cs_module_find_owner(address), CS_MODULE_PROGRAM);
    assert_true(cs_module_is_maker(address));
    dlclose(library);
    cs_module_count_replaced();
    return address;
}

static _Atomic bool turns_end;

/* The program is always found, whatever changes. */
static void *find_program(void *unused)
{
    while (!atomic_load(&turns_end))
        if (!cs_module_is_permanent((uintptr_t)find_program))
            abort();
    return unused;
}

static void libraries_that_come_and_go_need_no_more_memory(void **state)
{
    (void)state;
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    enum { TURNS = 100 };
#else
    enum { TURNS = 1000 };
#endif
    pthread_t reader;
    assert_int_equal(pthread_create(&reader, NULL, find_program, NULL), 0);
    load_and_unload("libutil.so.1");
    load_and_unload("libanl.so.1");
    uint64_t place = load_and_unload("libutil.so.1"), journal = used(), moved = 0;
    size_t bytes = mallinfo2().uordblks + mallinfo2().hblkhd;
    uint32_t changes = cs_module_count_replaced();
    for (int i = 0; i < TURNS; i++)
        moved += load_and_unload("libutil.so.1") != place;
    if (!moved) {
        assert_int_equal(used(), journal); /* told once */
        assert_int_equal(cs_module_count_replaced(), changes);
    }
    for (int i = 0; i < 10; i++) /* one in place of the other is told each time */
        moved += (load_and_unload("libanl.so.1") != place) + (load_and_unload("libutil.so.1") != place);
    if (!moved)
        assert_int_equal(cs_module_count_replaced(), changes + 20);
    assert_true(used() - journal < (10 + moved) * 1024);
    assert_true(mallinfo2().uordblks + mallinfo2().hblkhd < bytes + (1 << 16));
    atomic_store(&turns_end, true);
    assert_int_equal(pthread_join(reader, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_program_and_the_c_library_are_not_the_mpi),
        cmocka_unit_test(a_library_that_is_loaded_later_is_found),
        cmocka_unit_test(libraries_that_come_and_go_need_no_more_memory),
        cmocka_unit_test(only_the_program_and_the_c_library_are_sure_to_stay),
        cmocka_unit_test(code_of_no_module_does_not_fill_the_journal),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
