/* Cells of the profile and of attributes, and what threads leave behind. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "journal/reader.h"
#include "journal/writer.h"
#include "record/call/profile.h"
#include "record/call/thread_life.h"
#include "record/object/attribute_values.h"
#include "record/object/object.h"
#include "record/process/recorder.h"
#include "record/process/thread.h"
#include "record/recording.h"
#include "tests/support/unit_test.h"

static bool memory_is_out;

void *__real_calloc(size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes)
{
    return memory_is_out ? NULL : __real_calloc(count, bytes);
}

/* The cell of a key, found as a reader would: by looking at all blocks of the thread. */
static struct cs_profile_cell *cell_of(const struct cs_thread *thread, struct cs_profile_key key)
{
    for (uint64_t i = 0; thread->profile.index && i <= thread->profile.mask; i++) {
        struct cs_profile_cell *cell = cs_cells_in(&thread->profile, i, sizeof *cell);
        if (cell && cell->site == key.site && cell->object == cs_profile_object(key))
            return cell;
    }
    return NULL;
}

static struct cs_thread *this_thread(void)
{
    return cs_thread_self ? cs_thread_self : cs_thread_begin();
}

static int begin(void **state)
{
    (void)state;
    return cs_recorder_start(8, "test") ? 0 : -1;
}

static const struct callsign_record *born(uint64_t handle)
{
    return cs_object_add(&(struct cs_birth){.handle = handle, .kind = CALLSIGN_COMMUNICATOR, .function = 1});
}

struct counted {
    uint16_t function;
    uint64_t calls;
};

static enum cs_status count_cell(void *context, const void *visited)
{
    struct counted *counted = context;
    const struct cs_profile_cell *cell = visited;
    if (cell->function == counted->function)
        counted->calls += cell->calls;
    return CS_OK;
}

static void size_classes_are_powers_of_two(void **state)
{
    (void)state;
    assert_int_equal(cs_size_class(0), 0);
    assert_int_equal(cs_size_class(1), 1);
    assert_int_equal(cs_size_class(2), 2);
    assert_int_equal(cs_size_class(3), 2);
    assert_int_equal(cs_size_class(1024), 11);
    assert_int_equal(cs_size_class(UINT64_MAX), 64);
    for (uint8_t class = 0; class <= 64; class ++)
        assert_int_equal(cs_size_class(cs_size_of_class(class)), class);
}

static uint32_t place;

static void a_cell_sums_its_calls(void **state)
{
    (void)state;
    struct cs_thread *thread = this_thread();
    struct cs_profile_key key = cs_profile_key(0x1000, 3, 17, 5);
    cs_profile_add_call(thread, key, 100, 16, 0, &place);
    cs_profile_add_call(thread, key, 40, 31, 2, &place);
    cs_profile_add_time(thread, key, 7, 0, 8);
    const struct cs_profile_cell *cell = cell_of(thread, key);
    assert_non_null(cell);
    assert_int_equal(cell->function, 17);
    assert_int_equal(cell->size_class, 5);
    assert_int_equal(cell->calls, 2);
    assert_int_equal(cell->ticks, 147);
    assert_int_equal(cell->min_ticks, 40);
    assert_int_equal(cell->max_ticks, 100);
    assert_int_equal(cell->sent_bytes, 47);
    assert_int_equal(cell->received_bytes, 10);
}

static void sums_of_bytes_stop_at_the_largest_number(void **state)
{
    (void)state;
    struct cs_thread *thread = this_thread();
    struct cs_profile_key key = cs_profile_key(0x1001, 3, 17, 64);
    for (int i = 0; i < 5; i++)
        cs_profile_add_call(thread, key, 1, (uint64_t)1 << 62, UINT64_MAX / 2, &place);
    const struct cs_profile_cell *cell = cell_of(thread, key);
    assert_int_equal(cell->calls, 5);
    assert_int_equal(cell->sent_bytes, UINT64_MAX);
    assert_int_equal(cell->received_bytes, UINT64_MAX);
}

static void ten_thousand_cells_keep_their_own_counts(void **state)
{
    (void)state;
    struct cs_thread *thread = this_thread();
    enum { MANY = 10000 };
    for (int round = 1; round <= 3; round++)
        for (uint32_t i = 1; i <= MANY; i++)
            cs_profile_add_call(thread, cs_profile_key(0x100000 + i, i, 9, 0), 1, i, 0, &place);
    for (uint32_t i = 1; i <= MANY; i += 97) {
        const struct cs_profile_cell *cell = cell_of(thread, cs_profile_key(0x100000 + i, i, 9, 0));
        assert_non_null(cell);
        assert_int_equal(cell->calls, 3);
        assert_int_equal(cell->sent_bytes, 3 * i);
    }
    assert_int_equal(cs_journal_header(cs_recorder.journal)->lost, 0);
}

static void *calls_without_memory(void *nothing)
{
    struct cs_thread *thread = cs_thread_begin();
    const struct cs_attribute get = {.object = 1, .keyval = 5, .operation = CS_ATTRIBUTE_GET, .ticks = 10};
    /* A new thread's cells have no index yet. */
    if (thread->profile.index || thread->attributes.index)
        return "the cells of another thread";
    memory_is_out = true;
    cs_profile_add_call(thread, cs_profile_key(0x3000, 1, 3, 0), 1, 0, 0, &place);
    cs_profile_add_abandoned(thread, cs_profile_key(0x3000, 1, 3, 0));
    cs_attribute_count(thread, &get);
    memory_is_out = false;
    return nothing;
}

static void calls_without_memory_are_lost_and_said_to_be(void **state)
{
    (void)state;
    pthread_t id;
    void *wrong = NULL;
    uint64_t *lost = &cs_journal_header(cs_recorder.journal)->lost, before = *lost;
    assert_int_equal(pthread_create(&id, NULL, calls_without_memory, NULL), 0);
    pthread_join(id, &wrong);
    assert_null(wrong);
    assert_int_equal(*lost, before + 3);
    *lost = before;
}

static void a_call_that_was_left_has_no_time(void **state)
{
    (void)state;
    struct cs_thread *thread = this_thread();
    struct cs_profile_key key = cs_profile_key(0x2000, 3, 18, 0);
    cs_profile_add_abandoned(thread, key);
    const struct cs_profile_cell *cell = cell_of(thread, key);
    assert_int_equal(cell->calls, 1);
    assert_int_equal(cell->ticks, 0);
    assert_true(cell->min_ticks > cell->max_ticks);
}

static void attribute_answers_are_counted_by_question_and_answer(void **state)
{
    (void)state;
    struct cs_thread *thread = this_thread();
    struct cs_attribute get = {.object = 1, .keyval = 5, .operation = CS_ATTRIBUTE_GET, .ticks = 10};
    cs_attribute_count(thread, &get);
    get.ticks = 20;
    cs_attribute_count(thread, &get);
    get.found = true;
    get.value_kind = CS_VALUE_INTEGER;
    get.value = 32767;
    cs_attribute_count(thread, &get);
    int cells = 0;
    for (uint64_t i = 0; i <= thread->attributes.mask; i++) {
        const struct cs_attribute_cell *cell = cs_cells_in(&thread->attributes, i, sizeof *cell);
        if (!cell)
            continue;
        cells++;
        assert_int_equal(cell->calls, cell->found ? 1 : 2);
        assert_int_equal(cell->first_ticks, cell->found ? 20 : 10);
        assert_int_equal(cell->last_ticks, 20);
    }
    assert_int_equal(cells, 2);
}

static void comparisons_are_counted_by_pair_and_answer(void **state)
{
    (void)state;
    struct cs_thread *thread = this_thread();
    struct cs_comparison both = {.first = 1, .second = 2, .kind = CALLSIGN_GROUP, .answer = CS_COMPARED_SIMILAR};
    for (both.ticks = 1; both.ticks <= 3; both.ticks++)
        cs_comparison_count(thread, &both);
    both.second = 1;
    both.answer = CS_COMPARED_IDENT;
    cs_comparison_count(thread, &both);
    uint64_t cells = 0;
    for (uint64_t i = 0; i <= thread->comparisons.mask; i++) {
        const struct cs_comparison_cell *cell = cs_cells_in(&thread->comparisons, i, sizeof *cell);
        if (!cell)
            continue;
        cells++;
        assert_int_equal(cell->calls, cell->answer == CS_COMPARED_IDENT ? 1 : 3);
        assert_int_equal(cell->first_ticks, cell->answer == CS_COMPARED_IDENT ? 4 : 1);
        assert_int_equal(cell->last_ticks, cell->answer == CS_COMPARED_IDENT ? 4 : 3);
    }
    assert_int_equal(cells, 2);
}

static void comparisons_of_ever_new_objects_end_in_one_cell(void **state)
{
    (void)state;
    struct cs_thread *thread = this_thread();
    struct cs_comparison both = {.first = 9, .kind = CALLSIGN_COMMUNICATOR, .answer = CS_COMPARED_UNEQUAL};
    for (both.second = 10; both.second < 20010; both.second++)
        cs_comparison_count(thread, &both);
    uint64_t any = 0, calls = 0;
    for (uint64_t i = 0; i <= thread->comparisons.mask; i++) {
        const struct cs_comparison_cell *cell = cs_cells_in(&thread->comparisons, i, sizeof *cell);
        if (!cell || cell->answer != CS_COMPARED_UNEQUAL)
            continue;
        calls += cell->calls;
        any += cell->first ? 0 : cell->calls;
    }
    assert_int_equal(calls, 20000);
    assert_true(any > 10000);
    assert_true(thread->comparisons.count < 5000);
}

static void endless_different_values_end_in_one_cell(void **state)
{
    (void)state;
    struct cs_thread *thread = this_thread();
    struct cs_attribute set = {.object = 2, .keyval = 6, .operation = CS_ATTRIBUTE_SET, .found = true};
    set.value_kind = CS_VALUE_ADDRESS;
    for (set.value = 1; set.value <= 20000; set.value++)
        cs_attribute_count(thread, &set);
    uint64_t many = 0, calls = 0;
    for (uint64_t i = 0; i <= thread->attributes.mask; i++) {
        const struct cs_attribute_cell *cell = cs_cells_in(&thread->attributes, i, sizeof *cell);
        if (!cell || cell->object != 2)
            continue;
        calls += cell->calls;
        many += cell->value_kind == CS_VALUE_MANY ? cell->calls : 0;
    }
    assert_int_equal(calls, 20000);
    assert_true(many > 10000);
    assert_true(thread->attributes.count < 5000);
}

/* Codes that callbacks return; the classes of the MPI keep their cells. */
static void endless_different_codes_end_in_one_cell_and_classes_do_not(void **state)
{
    (void)state;
    struct cs_thread *thread = this_thread();
    struct cs_attribute failed = {.object = 3, .keyval = 7, .operation = CS_ATTRIBUTE_DELETE};
    failed.value_kind = CS_VALUE_ERROR;
    for (int code = 1000; code < 21000; code++) {
        failed.value = (uint64_t)(int64_t)(code % 2 ? code : -code);
        cs_attribute_count(thread, &failed);
    }
    for (int i = 0; i < 5; i++) {
        failed.value = (uint64_t)(i % 2 ? 48 : 13);
        assert_int_equal(cs_attribute_count(thread, &failed), i < 2);
    }
    uint64_t others = 0, calls = 0, classes = 0;
    for (uint64_t i = 0; i <= thread->attributes.mask; i++) {
        const struct cs_attribute_cell *cell = cs_cells_in(&thread->attributes, i, sizeof *cell);
        if (!cell || cell->object != 3)
            continue;
        assert_int_equal(cell->value_kind, CS_VALUE_ERROR);
        calls += cell->calls;
        others += cell->value ? 0 : cell->calls;
        classes += cell->value == 48 || cell->value == 13 ? cell->calls : 0;
    }
    assert_int_equal(calls, 20005);
    assert_int_equal(classes, 5);
    assert_true(others > 10000);
    assert_true(thread->attributes.count < 5000);
}

/* The calls in all blocks of the profile, as a reader of the file sees them. */
static uint64_t calls_in_file(const char *path, uint16_t function)
{
    struct cs_journal_reader *reader;
    struct counted counted = {.function = function};
    assert_int_equal(cs_journal_read_open(path, &reader), CS_OK);
    assert_int_equal(cs_journal_read_cells(reader, CS_BLOCK_PROFILE, count_cell, &counted), CS_OK);
    cs_journal_read_close(reader);
    return counted.calls;
}

static void cells_of_the_dead_need_no_memory(void **state)
{
    (void)state;
    enum { MADE = 100000, FUNCTION = 4711 };
    char path[] = "/tmp/callsign-profile-XXXXXX";
    struct cs_thread *thread = this_thread();
    struct cs_profile_key world = cs_profile_key(0x7000, 0, FUNCTION, 0);
    assert_non_null(mkdtemp(path));
    char file[64];
    snprintf(file, sizeof file, "%s/journal", path);
    assert_int_equal(cs_journal_save(cs_recorder.journal, file, NULL), CS_OK);
    const struct callsign_record *kept = born(1);
    for (uint64_t i = 0; i < MADE; i++) {
        const struct callsign_record *object = born(2 + i);
        cs_profile_add_call(thread, cs_profile_key(0x6000, object->id, FUNCTION, 0), 1, 0, 0, &place);
        cs_profile_add_call(thread, cs_profile_key(0x6000, kept->id, FUNCTION, 0), 1, 0, 0, &place);
        cs_profile_add_call(thread, world, 1, 0, 0, &place);
        assert_true(thread->profile.mask < 64 << 10);
        cs_object_record_death(cs_object_unlink(CALLSIGN_COMMUNICATOR, 2 + i, &(bool){false}), 7, 0, 0, NULL);
    }
    assert_true(thread->profile.blocks < 64);
    assert_int_equal(calls_in_file(file, FUNCTION), 3 * MADE);
    assert_int_equal(cs_journal_header(cs_recorder.journal)->lost, 0);
    unlink(file);
    rmdir(path);
}

static void *one_call(void *argument)
{
    struct cs_thread *thread = cs_thread_begin();
    cs_profile_add_call(thread, cs_profile_key(0x5000, 1, 3, 0), 1, 0, 0, &place);
    *(struct cs_thread **)argument = thread;
    return NULL;
}

static void a_thread_that_ended_leaves_its_cells_to_the_next(void **state)
{
    (void)state;
    struct cs_thread *first = NULL, *next = NULL;
    pthread_t id;
    assert_int_equal(pthread_create(&id, NULL, one_call, &first), 0);
    pthread_join(id, NULL);
    uint64_t used = cs_journal_header(cs_recorder.journal)->used_bytes;
    for (int i = 0; i < 500; i++) {
        assert_int_equal(pthread_create(&id, NULL, one_call, &next), 0);
        pthread_join(id, NULL);
        assert_ptr_equal(next, first);
    }
    assert_int_equal(cs_journal_header(cs_recorder.journal)->used_bytes, used);
    assert_int_equal(cell_of(first, cs_profile_key(0x5000, 1, 3, 0))->calls, 501);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(size_classes_are_powers_of_two),
        cmocka_unit_test(a_cell_sums_its_calls),
        cmocka_unit_test(sums_of_bytes_stop_at_the_largest_number),
        cmocka_unit_test(a_call_that_was_left_has_no_time),
        cmocka_unit_test(calls_without_memory_are_lost_and_said_to_be),
        cmocka_unit_test(ten_thousand_cells_keep_their_own_counts),
        cmocka_unit_test(attribute_answers_are_counted_by_question_and_answer),
        cmocka_unit_test(endless_different_values_end_in_one_cell),
        cmocka_unit_test(endless_different_codes_end_in_one_cell_and_classes_do_not),
        cmocka_unit_test(comparisons_are_counted_by_pair_and_answer),
        cmocka_unit_test(comparisons_of_ever_new_objects_end_in_one_cell),
        cmocka_unit_test(a_thread_that_ended_leaves_its_cells_to_the_next),
        cmocka_unit_test(cells_of_the_dead_need_no_memory), /* last: the journal of all is gone then */
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
