/* The live table: ids, reuse of handles, names, frees that fail, growth, and what a debugger can read. */
#include <pthread.h>
#include <string.h>

#include "base/guard.h"
#include "record/object/object.h"
#include "record/recording.h"
#include "tests/support/unit_test.h"

static const struct callsign_record *make(uint64_t handle)
{
    struct cs_birth birth = {.handle = handle, .kind = CALLSIGN_COMMUNICATOR, .function = 7, .size = 4};
    const struct callsign_record *object = cs_object_add(&birth);
    assert_non_null(object);
    return object;
}

static struct callsign_record *make_of(enum callsign_kind kind, uint64_t handle, uint32_t parent)
{
    struct cs_birth birth = {.handle = handle, .kind = (uint16_t)kind, .function = 7, .parent = parent, .shared = true};
    return (struct callsign_record *)(uintptr_t)cs_object_add(&birth);
}

static void end(uint64_t handle)
{
    bool referred = true;
    struct callsign_record *object = cs_object_unlink(CALLSIGN_COMMUNICATOR, handle, &referred);
    assert_non_null(object);
    assert_false(referred);
    cs_object_record_death(object, 7, 0, 0, NULL);
}

static const char *name_of(const struct callsign_record *object)
{
    return object->name ? (const char *)(uintptr_t)object->name : "";
}

static int begin(void **state)
{
    (void)state;
    return cs_recorder_start(8, "test") ? 0 : -1;
}

static void an_unknown_handle_is_no_object(void **state)
{
    (void)state;
    bool referred = true;
    assert_null(cs_object_find(CALLSIGN_COMMUNICATOR, 0xdead));
    assert_null(cs_object_unlink(CALLSIGN_COMMUNICATOR, 0xdead, &referred));
    assert_false(referred);
}

static void kinds_do_not_mix(void **state)
{
    (void)state;
    make(0x10);
    assert_null(cs_object_find(CALLSIGN_DATATYPE, 0x10));
    end(0x10);
}

static void a_reused_handle_gets_a_new_id(void **state)
{
    (void)state;
    uint32_t first = make(0x20)->id;
    end(0x20);
    assert_null(cs_object_find(CALLSIGN_COMMUNICATOR, 0x20));
    uint32_t second = make(0x20)->id;
    assert_true(second > first);
    assert_int_equal(cs_object_find(CALLSIGN_COMMUNICATOR, 0x20)->id, second);
    end(0x20);
}

static void a_birth_on_a_live_handle_ends_the_former_object(void **state)
{
    (void)state;
    const struct callsign_record *former = make(0x30);
    const struct callsign_record *now = make(0x30);
    assert_int_equal(former->state, CALLSIGN_FREED);
    assert_int_equal(now->previous, former->id);
    assert_ptr_equal(cs_object_find(CALLSIGN_COMMUNICATOR, 0x30), now);
    end(0x30);
}

static void an_object_that_is_only_met_does_not_replace_a_known_one(void **state)
{
    (void)state;
    const struct callsign_record *known = make(0x38);
    struct cs_birth met = {.handle = 0x38, .kind = CALLSIGN_COMMUNICATOR, .flags = CS_OBJECT_ADOPTED};
    assert_null(cs_object_add(&met));
    assert_ptr_equal(cs_object_find(CALLSIGN_COMMUNICATOR, 0x38), known);
    end(0x38);
}

static void a_free_that_fails_leaves_the_object_as_it_was(void **state)
{
    (void)state;
    const struct callsign_record *object = make(0x40);
    cs_object_name(object, "stays", CALLSIGN_PROGRAM, 0);
    bool referred;
    struct callsign_record *unlinked = cs_object_unlink(CALLSIGN_COMMUNICATOR, 0x40, &referred);
    assert_ptr_equal(unlinked, object);
    assert_null(cs_object_find(CALLSIGN_COMMUNICATOR, 0x40));
    cs_object_relink(unlinked);
    assert_ptr_equal(cs_object_find(CALLSIGN_COMMUNICATOR, 0x40), object);
    assert_string_equal(name_of(object), "stays");
    end(0x40);
}

static void an_object_handed_out_twice_takes_two_frees(void **state)
{
    (void)state;
    const struct callsign_record *object = make(0x50);
    bool referred = false;
    cs_object_refer(CALLSIGN_COMMUNICATOR, 0x50);
    assert_ptr_equal(cs_object_unlink(CALLSIGN_COMMUNICATOR, 0x50, &referred), object);
    assert_true(referred);
    assert_ptr_equal(cs_object_find(CALLSIGN_COMMUNICATOR, 0x50), object);
    end(0x50);
    assert_null(cs_object_find(CALLSIGN_COMMUNICATOR, 0x50));
}

static void a_shared_object_that_is_born_again_is_referred_to(void **state)
{
    (void)state;
    const struct callsign_record *group = make_of(CALLSIGN_GROUP, 0x51, 0);
    uint32_t id = group->id;
    assert_ptr_equal(make_of(CALLSIGN_GROUP, 0x51, 0), group);
    assert_int_equal(group->id, id);
    assert_int_equal(group->references, 2);
    /* A free that fails gives the reference back. */
    bool referred = false;
    assert_non_null(cs_object_unlink(CALLSIGN_GROUP, 0x51, &referred));
    assert_true(referred);
    cs_object_refer(CALLSIGN_GROUP, 0x51);
    assert_int_equal(group->references, 2);
    cs_object_unlink(CALLSIGN_GROUP, 0x51, &referred);
    cs_object_record_death(cs_object_unlink(CALLSIGN_GROUP, 0x51, &referred), 7, 0, 0, NULL);
    assert_int_not_equal(make_of(CALLSIGN_GROUP, 0x51, 0)->id, id);
}

static void what_ends_with_a_session_is_not_found_and_not_freed(void **state)
{
    (void)state;
    bool referred;
    struct callsign_record *session = make_of(CALLSIGN_SESSION, 0x52, 0);
    struct callsign_record *group = make_of(CALLSIGN_GROUP, 0x53, session->id);
    struct callsign_record *comm = make_of(CALLSIGN_COMMUNICATOR, 0x54, group->id);
    const struct callsign_record *other = make_of(CALLSIGN_INFO, 0x55, 0);
    make_of(CALLSIGN_GROUP, 0x53, session->id);
    cs_object_unlink(CALLSIGN_GROUP, 0x53, &referred); /* one of two references */
    make_of(CALLSIGN_GROUP, 0x53, session->id);
    cs_object_end_descendants(session->id);
    assert_ptr_equal(cs_object_find(CALLSIGN_SESSION, 0x52), session);
    assert_null(cs_object_find(CALLSIGN_GROUP, 0x53));
    assert_null(cs_object_find(CALLSIGN_COMMUNICATOR, 0x54));
    assert_ptr_equal(cs_object_find(CALLSIGN_INFO, 0x55), other);
    assert_int_equal(comm->freed_pc, 0);
    assert_int_equal(make_of(CALLSIGN_COMMUNICATOR, 0x54, 0)->previous, 0);
}

static void a_predefined_object_is_never_freed(void **state)
{
    (void)state;
    struct cs_birth birth = {.handle = 0x60, .kind = CALLSIGN_COMMUNICATOR, .flags = CS_OBJECT_PREDEFINED};
    assert_non_null(cs_object_add(&birth));
    bool referred;
    assert_null(cs_object_unlink(CALLSIGN_COMMUNICATOR, 0x60, &referred));
    assert_non_null(cs_object_find(CALLSIGN_COMMUNICATOR, 0x60));
}

static void the_last_name_counts_and_none_is_a_name_too(void **state)
{
    (void)state;
    const struct callsign_record *object = make(0x70);
    cs_object_name(object, "first", CALLSIGN_MPI, 0);
    cs_object_name(object, "second, and a good deal longer than the first one was", CALLSIGN_PROGRAM, 0x123);
    assert_string_equal(name_of(object), "second, and a good deal longer than the first one was");
    assert_int_equal(object->origin, CALLSIGN_PROGRAM);
    assert_int_equal(object->named_pc, 0x123);
    assert_int_equal(object->named, 2);
    cs_object_name(object, "", CALLSIGN_PROGRAM, 0);
    assert_string_equal(name_of(object), "");
    end(0x70);
}

static void renaming_for_ever_needs_no_more_memory(void **state)
{
    (void)state;
    const struct callsign_record *object = make(0x80);
    for (int i = 0; i < 100; i++)
        cs_object_name(object, i % 2 ? "one name" : "another name", CALLSIGN_PROGRAM, 0);
    uint64_t used = callsign_debug.string_bytes_used[0];
    for (int i = 0; i < 10000; i++)
        cs_object_name(object, i % 2 ? "one name" : "another name", CALLSIGN_PROGRAM, 0);
    assert_int_equal(callsign_debug.string_bytes_used[0], used);
    end(0x80);
}

static void making_and_freeing_for_ever_needs_no_more_memory(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 20000; i++) {
        make(0x1000 + 16 * (i % 7));
        end(0x1000 + 16 * (i % 7));
    }
    uint64_t records = callsign_debug.records;
    for (uint64_t i = 0; i < 100000; i++) {
        make(0x1000 + 16 * (i % 7));
        end(0x1000 + 16 * (i % 7));
    }
    assert_int_equal(callsign_debug.records, records);
    const struct callsign_index *index = (const void *)(uintptr_t)callsign_debug.index;
    assert_true(index->slots <= 1024);
}

static void a_hundred_thousand_live_objects_are_all_found(void **state)
{
    (void)state;
    enum { MANY = 100000 };
    for (uint64_t i = 1; i <= MANY; i++)
        make(i << 20);
    for (uint64_t i = 1; i <= MANY; i++)
        assert_int_equal(cs_object_find(CALLSIGN_COMMUNICATOR, i << 20)->handle, i << 20);
    for (uint64_t i = 1; i <= MANY; i += 2)
        end(i << 20);
    for (uint64_t i = 1; i <= MANY; i++)
        assert_int_equal(cs_object_find(CALLSIGN_COMMUNICATOR, i << 20) != NULL, i % 2 == 0);
    for (uint64_t i = 2; i <= MANY; i += 2)
        end(i << 20);
}

/* The address of a record according to include/callsign/debug.h. */
static const struct callsign_record *by_the_layout(uint64_t n)
{
    const struct callsign_debug *table = &callsign_debug;
    uint64_t first = 1u << table->first_record_log2, k = 0;
    while (n >= first * (((uint64_t)1 << (k + 1)) - 1))
        k++;
    uint64_t place = n - first * (((uint64_t)1 << k) - 1);
    return (const struct callsign_record *)(uintptr_t)table->record_segment[k] + place;
}

static void a_debugger_finds_the_same_by_the_documented_layout(void **state)
{
    (void)state;
    const struct callsign_record *object = make(0x90);
    cs_object_name(object, "rows", CALLSIGN_PROGRAM, 0);
    const struct callsign_debug *table = &callsign_debug;
    assert_memory_equal(table->magic, CALLSIGN_DEBUG_MAGIC, 16);
    assert_int_equal(table->self, (uintptr_t)table);
    assert_int_equal(table->epoch % 2, 0);
    int found = 0;
    for (uint64_t n = 0; n < table->records; n++) {
        const struct callsign_record *record = by_the_layout(n);
        found += record->state == CALLSIGN_LIVE && record->handle == 0x90 && strcmp(name_of(record), "rows") == 0;
    }
    assert_int_equal(found, 1);
    end(0x90);
}

/* A look-up in the index according to include/callsign/debug.h only. */
static const struct callsign_record *by_the_index(uint32_t kind, uint64_t handle)
{
    const struct callsign_index *index = (const void *)(uintptr_t)callsign_debug.index;
    uint64_t hash = callsign_hash(kind, handle);
    for (uint64_t slot = hash & (index->slots - 1); index->entry[slot]; slot = (slot + 1) & (index->slots - 1)) {
        if (index->entry[slot] == UINT64_MAX || index->entry[slot] >> 32 != hash >> 32)
            continue;
        const struct callsign_record *record = by_the_layout((uint32_t)index->entry[slot] - 1);
        if (record->kind == kind && record->handle == handle)
            return record;
    }
    return NULL;
}

static void a_debugger_finds_live_handles_by_the_documented_index(void **state)
{
    (void)state;
    enum { MANY = 40000 }; /* the last ones lie in parts of the table that are larger than a huge page */
    for (uint64_t i = 1; i <= MANY; i++)
        make(i << 4);
    for (uint64_t i = 1; i <= MANY; i += 2)
        end(i << 4);
    for (uint64_t i = 1; i <= MANY; i++)
        assert_ptr_equal(by_the_index(CALLSIGN_COMMUNICATOR, i << 4), cs_object_find(CALLSIGN_COMMUNICATOR, i << 4));
    assert_null(by_the_index(CALLSIGN_DATATYPE, 2 << 4));
    assert_non_null(by_the_index(CALLSIGN_COMMUNICATOR, 2 << 4));
    for (uint64_t i = 2; i <= MANY; i += 2)
        end(i << 4);
}

/* Four threads make, name, find and free their own handles: no lookup may ever see another's. */
static void *churn(void *argument)
{
    uint64_t base = (uint64_t)(uintptr_t)argument << 32;
    for (uint64_t i = 0; i < 5000; i++) {
        uint64_t handle = base + 64 * (i % 11);
        const struct callsign_record *object = make(handle);
        cs_object_name(object, "busy", CALLSIGN_PROGRAM, 0);
        if (cs_object_find(CALLSIGN_COMMUNICATOR, handle) != object)
            return argument;
        end(handle);
    }
    return NULL;
}

static void threads_do_not_see_each_others_objects(void **state)
{
    (void)state;
    pthread_t threads[4];
    cs_guards_share();
    for (uintptr_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, churn, (void *)(i + 1)), 0);
    for (int i = 0; i < 4; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
}

/* The detail as a debugger finds it. */
static const struct callsign_detail *detail_of(const struct callsign_record *object)
{
    uint64_t unit = object->detail - 1, units = 1u << (callsign_debug.first_string_log2 - 4);
    unsigned segment = 63u - (unsigned)__builtin_clzll(unit / units + 1);
    uint64_t at = 16 * (unit - units * ((1u << segment) - 1));
    assert_true(callsign_debug.string_segment[segment] && at < callsign_debug.string_bytes_used[segment]);
    return (const struct callsign_detail *)(uintptr_t)(callsign_debug.string_segment[segment] + at);
}

static void a_debugger_finds_how_datatypes_were_made(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 3000; i++) {
        uint32_t count = 1 + (uint32_t)i % 200;
        uint64_t detail[200];
        struct cs_birth birth = {.handle = 0x7000000 + i,
                                 .kind = CALLSIGN_DATATYPE,
                                 .function = 7,
                                 .detail = detail,
                                 .detail_bytes = (uint16_t)(count * 8)};
        for (uint32_t k = 0; k < count; k++)
            detail[k] = i << 32 | k;
        assert_non_null(cs_object_add(&birth));
    }
    for (uint64_t i = 0; i < 3000; i++) {
        const struct callsign_record *object = cs_object_find(CALLSIGN_DATATYPE, 0x7000000 + i);
        const struct callsign_detail *detail = detail_of(object);
        assert_int_equal(object->function, 7);
        assert_int_equal(detail->bytes, 8 * (1 + i % 200));
        for (uint64_t k = 0; k < detail->bytes / 8; k++)
            assert_int_equal(detail->items[k], i << 32 | k);
    }
}

static void a_communicator_keeps_no_details(void **state)
{
    (void)state;
    assert_int_equal(make(0x7f00)->detail, 0);
    assert_int_equal(make(0x7f01)->fortran_handle, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unknown_handle_is_no_object),
        cmocka_unit_test(kinds_do_not_mix),
        cmocka_unit_test(a_reused_handle_gets_a_new_id),
        cmocka_unit_test(a_birth_on_a_live_handle_ends_the_former_object),
        cmocka_unit_test(an_object_that_is_only_met_does_not_replace_a_known_one),
        cmocka_unit_test(a_free_that_fails_leaves_the_object_as_it_was),
        cmocka_unit_test(an_object_handed_out_twice_takes_two_frees),
        cmocka_unit_test(a_shared_object_that_is_born_again_is_referred_to),
        cmocka_unit_test(what_ends_with_a_session_is_not_found_and_not_freed),
        cmocka_unit_test(a_predefined_object_is_never_freed),
        cmocka_unit_test(the_last_name_counts_and_none_is_a_name_too),
        cmocka_unit_test(renaming_for_ever_needs_no_more_memory),
        cmocka_unit_test(making_and_freeing_for_ever_needs_no_more_memory),
        cmocka_unit_test(a_hundred_thousand_live_objects_are_all_found),
        cmocka_unit_test(a_debugger_finds_the_same_by_the_documented_layout),
        cmocka_unit_test(a_debugger_finds_live_handles_by_the_documented_index),
        cmocka_unit_test(a_debugger_finds_how_datatypes_were_made),
        cmocka_unit_test(a_communicator_keeps_no_details),
        cmocka_unit_test(threads_do_not_see_each_others_objects),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
