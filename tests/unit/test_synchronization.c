/* Calls of synchronizing collectives: which are kept, in how much memory, and what rows they become. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "journal/format.h"
#include "journal/reader.h"
#include "journal/writer.h"
#include "record/call/thread_life.h"
#include "record/object/progress.h"
#include "record/process/recorder.h"
#include "record/process/run_folder.h"
#include "record/process/thread.h"
#include "record/recording.h"
#include "tests/support/conversion.h"
#include "tests/support/scratch.h"
#include "tests/support/unit_test.h"

#define FILE_OF_ALL "all.journal"

static struct cs_thread *this_thread(void)
{
    return cs_thread_self ? cs_thread_self : cs_thread_begin();
}

static void calls(uint32_t object, uint64_t count)
{
    for (uint64_t i = 1; i <= count; i++) {
        cs_synchronization_enter(this_thread(), object);
        cs_synchronization_leave(this_thread(), object, (struct cs_synchronization_span){10 * i, 10 * i + 5});
    }
}

/* The journal's records of one communicator, or of all (0). */
struct kept {
    uint32_t object;
    char facts[256], last[256];
    uint64_t fact_count, cell_count;
};

static void put(char text[256], uint64_t nth)
{
    size_t length = strlen(text);
    snprintf(text + length, 256 - length, "%s%llu", length ? "," : "", (unsigned long long)nth);
}

static enum cs_status see_fact(void *context, const struct cs_fact *fact)
{
    struct kept *kept = context;
    const struct cs_fact_synchronization *it = (const void *)fact;
    if (fact->type != CS_FACT_SYNCHRONIZATION || (kept->object && it->object != kept->object))
        return CS_OK;
    kept->fact_count++;
    assert_true(it->point.left_ticks == it->point.entered_ticks + 5);
    if (kept->object)
        put(kept->facts, it->point.nth);
    return CS_OK;
}

static int by_nth(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static enum cs_status see_cell(void *context, const void *visited)
{
    struct kept *kept = context;
    struct cs_synchronization_cell cell = *(const struct cs_synchronization_cell *)visited;
    kept->cell_count++;
    if (!kept->object || cell.object != kept->object)
        return CS_OK;
    qsort(cell.last, CS_SYNCHRONIZATION_LAST, sizeof *cell.last, by_nth);
    for (int i = 0; i < CS_SYNCHRONIZATION_LAST; i++)
        if (cell.last[i].nth) {
            assert_int_equal(cell.last[i].entered_ticks, 10 * cell.last[i].nth);
            put(kept->last, cell.last[i].nth);
        }
    return CS_OK;
}

static struct kept kept_of(uint32_t object)
{
    struct kept kept = {.object = object};
    struct cs_journal_reader *reader;
    assert_int_equal(cs_journal_read_open(cs_journal_path(cs_recorder.journal), &reader), CS_OK);
    assert_int_equal(cs_journal_read_facts(reader, see_fact, &kept), CS_OK);
    assert_int_equal(cs_journal_read_cells(reader, CS_BLOCK_SYNCHRONIZATION, see_cell, &kept), CS_OK);
    cs_journal_read_close(reader);
    return kept;
}

static void assert_kept(uint32_t object, const char *facts, const char *last)
{
    struct kept kept = kept_of(object);
    assert_string_equal(kept.facts, facts);
    assert_string_equal(kept.last, last);
}

/* ---- recording ---- */

static void powers_of_two_and_the_last_calls_are_kept(void **state)
{
    (void)state;
    calls(1, 1);
    assert_kept(1, "1", "");
    cs_progress_drop(1, true);
    calls(2, 6);
    assert_kept(2, "1,2,4", "5,6");
    calls(3, 41);
    assert_kept(3, "1,2,4,8,16,32", "26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41");
}

static void communicators_in_turn_are_counted_for_themselves(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        cs_synchronization_enter(this_thread(), 10);
        cs_synchronization_leave(this_thread(), 10, (struct cs_synchronization_span){10, 15});
        cs_synchronization_enter(this_thread(), 11);
        cs_synchronization_leave(this_thread(), 11, (struct cs_synchronization_span){10, 15});
    }
    assert_kept(10, "1,2", "");
    assert_kept(11, "1,2", "");
}

static void call_without_data_does_not_count(void **state)
{
    (void)state;
    calls(20, 1);
    for (int i = 0; i < 5; i++) {
        cs_synchronization_enter(this_thread(), 20);
        cs_synchronization_pass(this_thread(), 20);
    }
    calls(20, 1);
    assert_kept(20, "1,2", "");
}

static void nothing_is_kept_after_a_call_that_did_not_return(void **state)
{
    (void)state;
    calls(30, 2);
    cs_synchronization_enter(this_thread(), 30); /* fails, or is left by longjmp */
    calls(30, 40);
    assert_kept(30, "1,2", "");
}

static void dead_communicator_leaves_nothing_to_the_next_of_its_place(void **state)
{
    (void)state;
    enum { CHAINS = 1024 }; /* of record/object/progress.c */
    calls(40, 6);
    cs_progress_drop(40, true);
    calls(40 + CHAINS, 2);
    assert_kept(40, "1,2,4", "5,6");
    assert_kept(40 + CHAINS, "1,2", "");
}

static void a_million_communicators_take_little_memory(void **state)
{
    (void)state;
    enum { MADE = 1000000, FIRST = 100000, USED_MORE = 5000 };
    size_t before = mallinfo2().uordblks;
    for (uint32_t i = 0; i < MADE; i++) {
        calls(FIRST + i, 1);
        cs_progress_drop(FIRST + i, true);
    }
    assert_true(kept_of(0).fact_count < 10000);
    for (uint32_t i = 0; i < USED_MORE; i++) {
        calls(FIRST + MADE + i, 20);
        cs_progress_drop(FIRST + MADE + i, true);
    }
    struct kept all = kept_of(0);
    assert_true(mallinfo2().uordblks - before < 256 << 10);
    assert_true(all.fact_count < 10000 + USED_MORE);
    assert_true(all.cell_count < 2100);
    assert_int_equal(cs_journal_header(cs_recorder.journal)->lost, 0);
    /* One that lives and is used is told all the same. */
    calls(99, 40);
    assert_kept(99, "16,32", "25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40");
}

/* ---- rows ---- */

static void points_are_rows(void **state)
{
    (void)state;
    struct cs_built built = cs_built_sample();
    size_t log = cs_built_block(&built, CS_BLOCK_LOG, 0, 0, 4096);
    for (uint64_t nth = 1; nth <= 4; nth *= 2) {
        struct cs_fact_synchronization fact = {.object = 1, .point = {nth, 2000 + nth, 3000 + nth}};
        cs_built_fact(&built, log, CS_FACT_SYNCHRONIZATION, 3000, &fact, sizeof fact, NULL);
    }
    size_t cells = cs_built_cells(&built, CS_BLOCK_SYNCHRONIZATION, 0, 2);
    cs_built_cell(&built, cells,
                  &(struct cs_synchronization_cell){.object = 1,
                                                    .last = {{4, 2004, 3004}, {5, 0, 3500}, {0, 1, 1}, {6, 3600, 0}}});
    cs_built_cell(&built, cells, &(struct cs_synchronization_cell){.last = {{1, 2, 3}}}); /* not yet valid */
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT nth, entered_ns, left_ns FROM synchronization WHERE communicator = 2",
                        "1|1300|1350\n5|2000|2050\n6|NULL|2080\n");
    cs_converted_assert(
        "SELECT rank, communicator, nth, entered_ns, left_ns FROM synchronization WHERE communicator = 1",
        "0|1|1|1|1001\n0|1|2|2|1002\n0|1|4|4|1004\n0|1|5|NULL|1500\n0|1|6|1600|NULL\n");
    cs_converted_assert("SELECT damaged, zero_monotonic_ns IS NOT NULL, clock_error_ns FROM process", "0|1|NULL\n");
}

static void fact_that_makes_no_sense_is_left_out(void **state)
{
    (void)state;
    struct cs_built built = cs_built_sample();
    size_t log = cs_built_block(&built, CS_BLOCK_LOG, 0, 0, 4096);
    struct cs_fact_synchronization fact = {.object = 1, .point = {0, 2000, 3000}};
    cs_built_fact(&built, log, CS_FACT_SYNCHRONIZATION, 3000, &fact, sizeof fact, NULL);
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT damaged, (SELECT count(*) FROM synchronization WHERE communicator = 1) FROM process",
                        "1|0\n");
}

/* ---- what needs none ---- */

static void launcher_says_whether_all_are_on_one_node(void **state)
{
    (void)state;
    char *openmpi[] = {"OMPI_COMM_WORLD_SIZE=4", "OMPI_COMM_WORLD_LOCAL_SIZE=4", NULL};
    char *openmpi_of_two[] = {"OMPI_COMM_WORLD_SIZE=4", "OMPI_COMM_WORLD_LOCAL_SIZE=2", NULL};
    char *hydra[] = {"PMI_SIZE=4", "MPI_LOCALNRANKS=4", NULL};
    char *hydra_of_two[] = {"PMI_SIZE=4", "MPI_LOCALNRANKS=2", NULL};
    char *nothing[] = {NULL};
    assert_true(cs_launch_is_on_node(openmpi, 4) && cs_launch_is_on_node(hydra, 4));
    assert_false(cs_launch_is_on_node(openmpi_of_two, 4) || cs_launch_is_on_node(hydra_of_two, 4));
    assert_false(cs_launch_is_on_node(openmpi, 8) || cs_launch_is_on_node(nothing, 4));
}

static int begin(void **state)
{
    if (cs_scratch_enter(state) != 0 || !cs_recorder_start(8, "test"))
        return -1;
    return cs_journal_save(cs_recorder.journal, FILE_OF_ALL, NULL) == CS_OK ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest recording[] = {
        cmocka_unit_test(powers_of_two_and_the_last_calls_are_kept),
        cmocka_unit_test(communicators_in_turn_are_counted_for_themselves),
        cmocka_unit_test(call_without_data_does_not_count),
        cmocka_unit_test(nothing_is_kept_after_a_call_that_did_not_return),
        cmocka_unit_test(dead_communicator_leaves_nothing_to_the_next_of_its_place),
        cmocka_unit_test(a_million_communicators_take_little_memory),
        cmocka_unit_test(launcher_says_whether_all_are_on_one_node),
    };
    const struct CMUnitTest rows[] = {
        cmocka_unit_test_setup_teardown(points_are_rows, cs_scratch_enter, cs_scratch_leave),
        cmocka_unit_test_setup_teardown(fact_that_makes_no_sense_is_left_out, cs_scratch_enter, cs_scratch_leave),
    };
    int failed = cmocka_run_group_tests(recording, begin, cs_scratch_leave);
    return failed + cmocka_run_group_tests(rows, NULL, NULL);
}
