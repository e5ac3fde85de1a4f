/* The conversion of journals: rows, names, details. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "callsign/debug.h"
#include "db/summary/rank_times.h"
#include "db/trace/schema.h"
#include "functions.h"
#include "tests/support/conversion.h"
#include "tests/support/journal_builder.h"
#include "tests/support/scratch.h"
#include "tests/support/unit_test.h"

#define TEXT(value)    #value
#define TEXT_OF(value) TEXT(value)

static void a_journal_becomes_a_trace_and_goes(void **state)
{
    (void)state;
    struct cs_built built = cs_built_sample();
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    assert_int_equal(access(JOURNAL, F_OK), -1);
    assert_int_equal(cs_scratch_files(), 1);
    cs_converted_assert("PRAGMA application_id", "1128352844\n");
    cs_converted_assert("SELECT user_version = " TEXT_OF(CS_TRACE_VERSION) " FROM pragma_user_version", "1\n");
    cs_converted_assert("PRAGMA integrity_check", "ok\n");
    cs_converted_assert(
        "SELECT rank, world_size, program, thread_level, zero_utc_ns, began_ns, init_ns, last_seen_ns, lost, "
        "damaged FROM process",
        "0|2|/opt/app/a.out|MPI_THREAD_MULTIPLE|1700000000000002000|-1000|0|7000|0|0\n");
    cs_converted_assert("SELECT key, value FROM meta", "mpi|Some MPI 1.0\n");
    cs_converted_assert(
        "SELECT object, kind, name, name_origin, parent, function, created_ns, predefined, freed_function, "
        "freed_ns FROM object",
        "1|communicator|MPI_COMM_WORLD|mpi|NULL|NULL|0|1|NULL|NULL\n"
        "2|communicator|lines|program|1|1|1000|0|2|3000\n"
        "3|datatype|NULL|NULL|NULL|3|1400|0|NULL|NULL\n"
        "4|window|NULL|NULL|2|4|1700|0|NULL|NULL\n"
        "5|file|NULL|NULL|NULL|9000|1800|0|NULL|NULL\n"
        "6|datatype|struct(2)|derived|3|13014|1900|0|NULL|NULL\n");
    cs_converted_assert("SELECT object, at_ns, name, origin, kind, error FROM naming",
                        "0|1300|NULL|program|datatype|MPI_ERR_TYPE\n1|0|MPI_COMM_WORLD|mpi|NULL|NULL\n"
                        "2|1100|rows|program|NULL|NULL\n2|1200|lines|program|NULL|NULL\n"
                        "6|1900|struct(2)|derived|NULL|NULL\n");
    cs_converted_assert(
        "SELECT object, json(detail) FROM object WHERE detail IS NOT NULL",
        "4|{\"flavor\":\"allocate\",\"model\":\"unified\"}\n"
        "5|{\"filename\":\"/data/out.dat\",\"amode\":\"create|rdwr\",\"info\":{\"hint\":\"\\\"yes\\\"\"}}\n"
        "6|{\"count\":2,\"blocklengths\":[1,2],\"displacements\":[0,-8],\"displacements_count\":40,"
        "\"types\":[3,3]}\n");
    cs_converted_assert("SELECT object, size, own_rank, remote_size, members, topology, ready_ns FROM communicator",
                        "1|2|0|NULL|0-1|none|NULL\n2|1|0|NULL|0|cart|1300\n");
    cs_converted_assert("SELECT object, combiner, size_bytes, lower_bound_bytes, extent_bytes, commits FROM datatype",
                        "3|contiguous|32|-8|64|2\n");
    cs_converted_assert(
        "SELECT object, communicator, flavor, model, base, size_bytes, displacement_unit_bytes FROM window",
        "4|2|allocate|unified|28672|800|8\n");
    cs_converted_assert("SELECT kind, keyval, name, function, created FROM keyval",
                        "communicator|100|MPI_TAG_UB|NULL|1\ncommunicator|101|NULL|5|1\n");
    cs_converted_assert("SELECT object, k.kind, keyval, language, copy_function, copy_site, delete_function, "
                        "printf('%x', f.offset), extra_state, holders FROM created_keyval k JOIN site s ON s.site = "
                        "k.delete_site JOIN frame f USING (frame)",
                        "7|communicator|101|mpi_f08|MPI_COMM_DUP_FN|NULL|NULL|1050|-4|2\n");
    cs_converted_assert("SELECT at_ns, reason, processor_name, cpu, allowed_cpus FROM placement",
                        "-900|start|NULL|2|0-3\n6000|end|node7|3|0-3\n300|moved|NULL|3|NULL\n300|moved|NULL|3|NULL\n"
                        "500|asked|node7|NULL|NULL\n500|asked|node7|NULL|NULL\n");
    cs_converted_assert(
        "SELECT thread, move, site IS NOT NULL, calls, last_ns FROM placement WHERE reason IN ('moved', 'asked')",
        "0|1|0|NULL|NULL\n1|1|0|NULL|NULL\n0|NULL|1|2|600\n1|NULL|1|2|600\n");
    cs_converted_assert("SELECT * FROM processor", "0|2|1|0|NULL|2-3|NULL\n");
    cs_converted_assert("SELECT thread, cpu, calls, moves, first_ns, last_ns FROM thread_processor",
                        "0|2|1|0|100|200\n0|3|2|1|300|5300\n1|2|1|0|100|200\n1|3|2|1|300|5300\n");
    cs_converted_assert("SELECT rank, rule, text FROM rule", "0|3|parent=rows -> \"row {n}\"\n");
    cs_converted_assert("SELECT at_ns, level FROM pcontrol", "2000|0\n");
    cs_converted_assert(
        "SELECT path, build_id, printf('%x', offset) FROM module JOIN frame USING (module) JOIN site USING (frame) "
        "JOIN object USING (site) WHERE object = 2",
        "/opt/app/a.out|00ff|1010\n");
}

static void a_duplicate_has_its_parents_members_and_topology(void **state)
{
    (void)state;
    struct cs_built built = cs_built_sample();
    size_t log = cs_built_block(&built, CS_BLOCK_LOG, 0, 0, 4096);
    struct cs_fact_object born = {.object = 9,
                                  .parent = 2,
                                  .kind = CALLSIGN_COMMUNICATOR,
                                  .flags = CS_OBJECT_DUPLICATE,
                                  .fortran_handle = INT64_MIN};
    cs_built_fact(&built, log, CS_FACT_OBJECT, 4000, &born, sizeof born, NULL);
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT size, own_rank, members, topology FROM communicator WHERE object = 9", "1|0|0|cart\n");
    cs_built_end(&built);
}

static void similar_objects_have_equal_hashes(void **state)
{
    (void)state;
    static const struct {
        uint32_t object, parent;
        const char *name;
        uint32_t origin, kind;
        uint16_t function;
    } born[] = {
        {11, 1, "a", CALLSIGN_PROGRAM, CALLSIGN_COMMUNICATOR, 1},
        {12, 1, "b", CALLSIGN_PROGRAM, CALLSIGN_COMMUNICATOR, 1},
        {13, 1, "x", CALLSIGN_DERIVED, CALLSIGN_COMMUNICATOR, 1},
        {14, 1, "y", CALLSIGN_DERIVED, CALLSIGN_COMMUNICATOR, 1},
        {15, 1, "", CALLSIGN_PROGRAM, CALLSIGN_COMMUNICATOR, 1},
        {16, 11, "", CALLSIGN_PROGRAM, CALLSIGN_COMMUNICATOR, 1},
        {17, 13, "", CALLSIGN_PROGRAM, CALLSIGN_COMMUNICATOR, 1},
        {18, 0, "", CALLSIGN_PROGRAM, CALLSIGN_COMMUNICATOR, 1},
        {19, 1, "", CALLSIGN_PROGRAM, CALLSIGN_COMMUNICATOR, 2},
        {20, 1, "", CALLSIGN_PROGRAM, CALLSIGN_WINDOW, 1},
        {21, 1, "", CALLSIGN_PROGRAM, CALLSIGN_DATATYPE, 1},
        {22, 1, "", CALLSIGN_PROGRAM, CALLSIGN_COMMUNICATOR, 1},
    };
    struct cs_built built = cs_built_sample();
    size_t log = cs_built_block(&built, CS_BLOCK_LOG, 0, 0, 4096);
    for (size_t i = 0; i < sizeof born / sizeof *born; i++) {
        struct cs_fact_object fact = {.object = born[i].object,
                                      .parent = born[i].parent,
                                      .origin = (uint16_t)born[i].origin,
                                      .kind = (uint16_t)born[i].kind,
                                      .function = born[i].function};
        cs_built_fact(&built, log, CS_FACT_OBJECT, 4000 + i, &fact, sizeof fact, CS_STRINGS(born[i].name));
    }
    struct cs_fact_communicator pair = {.object = 22, .size = 2, .remote_size = -1};
    cs_built_fact(&built, log, CS_FACT_COMMUNICATOR, 4100, &pair, sizeof pair, CS_STRINGS(""));
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    /* A parent with a derived name is known by its call site, and here it has none. */
    cs_converted_assert(
        "SELECT group_concat(object) FROM object WHERE object > 10 AND similar > 1 << 62 GROUP BY similar"
        " ORDER BY min(object)",
        "11\n12\n13,14,15\n16\n17,18\n19\n20\n22\n");
    cs_converted_assert("SELECT count(*) FROM object WHERE kind = 'datatype' AND similar IS NOT NULL", "0\n");
    cs_built_end(&built);
}

/* Appends a datatype of MPI_Type_contiguous and returns its log block. */
static size_t add_contiguous(struct cs_built *built, uint32_t object, uint32_t parent, int64_t count)
{
    struct {
        struct cs_fact_object head;
        uint64_t detail[2];
    } fact = {.head = {.object = object,
                       .parent = parent,
                       .kind = CALLSIGN_DATATYPE,
                       .function = CS_MPI_Type_contiguous,
                       .fortran_handle = INT64_MIN,
                       .detail_bytes = sizeof fact.detail}};
    struct cs_built_detail detail = {0};
    cs_built_integer(&detail, CS_DETAIL_COUNT, count);
    memcpy(fact.detail, detail.words, sizeof fact.detail);
    size_t log = cs_built_block(built, CS_BLOCK_LOG, 0, 0, 4000);
    cs_built_fact(built, log, CS_FACT_OBJECT, 4000 + object, &fact, sizeof fact, CS_STRINGS(""));
    return log;
}

static void name_of(struct cs_built *built, size_t log, uint32_t object, const char *name, uint32_t origin)
{
    struct cs_fact_name fact = {.object = object, .origin = origin};
    cs_built_fact(built, log, CS_FACT_NAME, 5000 + object, &fact, sizeof fact, CS_STRINGS(name));
}

static void derived_names_give_way_to_all_but_the_mpis(void **state)
{
    (void)state;
    struct cs_built built = cs_built_begin();
    size_t log = add_contiguous(&built, 1, 0, 2);
    name_of(&built, log, 1, "Dup MPI_INT", CALLSIGN_MPI);
    name_of(&built, add_contiguous(&built, 2, 1, 3), 2, "pair", CALLSIGN_PROGRAM);
    name_of(&built, add_contiguous(&built, 3, 2, 4), 3, "by rule", CALLSIGN_RULE);
    add_contiguous(&built, 4, 3, 5);
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert(
        "SELECT object, name, name_origin FROM object",
        "1|contiguous(2)|derived\n2|pair|program\n3|by rule|rule\n4|contiguous(5) of by rule|derived\n");
    cs_converted_assert(
        "SELECT object, at_ns, name, origin FROM naming ORDER BY object, at_ns",
        "1|2001|contiguous(2)|derived\n1|3001|Dup MPI_INT|mpi\n2|3002|pair|program\n3|3003|by rule|rule\n"
        "4|2004|contiguous(5) of by rule|derived\n");
}

static void parents_are_called_as_they_were_when_the_child_was_born(void **state)
{
    (void)state;
    struct cs_built built = cs_built_begin();
    add_contiguous(&built, 1, 0, 2);
    add_contiguous(&built, 2, 1, 3);
    size_t log = add_contiguous(&built, 3, 0, 9);
    name_of(&built, log, 1, "late", CALLSIGN_PROGRAM);
    add_contiguous(&built, 4, 1, 5);
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT name FROM object",
                        "late\ncontiguous(3) of contiguous(2)\ncontiguous(9)\ncontiguous(5) of late\n");
}

static void a_name_from_birth_goes_before_the_derived_one(void **state)
{
    (void)state;
    struct cs_built built = cs_built_begin();
    struct {
        struct cs_fact_object head;
        uint64_t detail[2];
    } fact = {.head = {.object = 1,
                       .kind = CALLSIGN_DATATYPE,
                       .function = CS_MPI_Type_contiguous,
                       .rule = 7,
                       .origin = CALLSIGN_RULE,
                       .detail_bytes = sizeof fact.detail}};
    struct cs_built_detail detail = {0};
    cs_built_integer(&detail, CS_DETAIL_COUNT, 2);
    memcpy(fact.detail, detail.words, sizeof fact.detail);
    size_t log = cs_built_block(&built, CS_BLOCK_LOG, 0, 0, 4000);
    cs_built_fact(&built, log, CS_FACT_OBJECT, 4000, &fact, sizeof fact, CS_STRINGS("row type"));
    fact.head.object = 2;
    fact.head.rule = 0;
    fact.head.origin = CALLSIGN_DERIVED;
    cs_built_fact(&built, log, CS_FACT_OBJECT, 4000, &fact, sizeof fact,
                  CS_STRINGS("contiguous(2) told by the program"));
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT object, name, origin, rule FROM naming",
                        "1|row type|rule|7\n2|contiguous(2) told by the program|derived|NULL\n");
    cs_converted_assert("SELECT name, name_origin FROM object",
                        "row type|rule\ncontiguous(2) told by the program|derived\n");
}

static void a_detail_that_makes_no_sense_is_left_out_and_remembered(void **state)
{
    (void)state;
    struct cs_built built = cs_built_begin();
    struct {
        struct cs_fact_object head;
        uint64_t detail[4];
    } fact = {.head = {.object = 1, .kind = CALLSIGN_COMMUNICATOR, .detail_bytes = sizeof fact.detail}};
    struct cs_built_detail detail = {0};
    cs_built_integer(&detail, CS_DETAIL_COLOR, 2);
    cs_built_text(&detail, CS_DETAIL_FILENAME, CS_DETAIL_TEXT, "endless!", 8);
    memcpy(fact.detail, detail.words, sizeof fact.detail);
    size_t log = cs_built_block(&built, CS_BLOCK_LOG, 0, 0, 4000);
    cs_built_fact(&built, log, CS_FACT_OBJECT, 4000, &fact, sizeof fact, CS_STRINGS(""));
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT detail, damaged FROM object JOIN process USING (rank)", "{\"color\":2}|1\n");
}

static void cells_of_two_threads_are_added_up(void **state)
{
    (void)state;
    struct cs_built built = cs_built_sample();
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT communicator, function, size_class, calls, time_ns, min_ns, max_ns, sent_bytes, "
                        "received_bytes FROM profile",
                        "0|7|0|0|100|NULL|NULL|0|0\n1|6|4|4|200|10|91|32|16\n2|2|0|1|25|25|25|0|0\n");
    cs_converted_assert("SELECT object, kind, keyval, operation, found, value_kind, value, error, calls, first_ns, "
                        "last_ns FROM attribute",
                        "1|communicator|100|delete|0|error|48|MPI_ERR_KEYVAL|4|4000|5000\n"
                        "1|NULL|100|get|1|integer|32767|NULL|10|4000|5001\n");
    cs_converted_assert("SELECT at_ns, parent, function, number, family, site IS NOT NULL FROM exclusion",
                        "2000|1|1|2|77|1\n");
    cs_converted_assert("SELECT object, function, requests, site IS NOT NULL FROM pending_request", "2|6|3|1\n");
    cs_converted_assert("SELECT kind, first, second, answer, calls, first_ns, last_ns FROM comparison",
                        "communicator|1|2|MPI_CONGRUENT|8|4000|5001\n");
    cs_converted_assert("SELECT object, direction, peer, source, dest, messages, bytes, time_ns FROM traffic",
                        "1|receive|-4|NULL|0|10|80|0\n1|receive|1|1|0|5|32|40\n1|send|-2|0|NULL|2|0|0\n"
                        "1|send|1|0|1|6|48|60\n4|put|1|0|1|2|16|10\n");
    cs_converted_assert("SELECT communicator, direction, tag, last_tag, largest_tag, messages FROM tag",
                        "1|receive|7|7|7|5\n1|send|7|7|7|6\n1|send|1024|2047|1900|2\n");
    cs_converted_assert("SELECT threads, calls, mpi_ns FROM process", "6|6|1100\n");
}

static void every_thread_tells_what_it_did_last(void **state)
{
    (void)state;
    struct cs_built built = cs_built_sample();
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert(
        "SELECT thread, tid, threads, state, function, object, peer, tag, bytes, since_ns, until_ns, calls,"
        " mpi_ns, lived_ns FROM thread",
        "0|100|1|outside|6|1|1|NULL|NULL|5000|5300|3|300|6500\n"
        "1|101|5|inside|2|1|1|NULL|24|6500|5300|3|800|6540\n");
    cs_converted_assert("SELECT count(DISTINCT site), count(site) FROM thread JOIN site USING (site)", "1|2\n");
    cs_converted_assert("SELECT last_function, last_bytes, last_site = site FROM process JOIN thread USING (rank)"
                        " WHERE thread = 1",
                        "2|24|1\n");
}

/* Nothing but the end of a call tells that the process was there at 9500. */
static void the_end_of_the_last_call_is_a_sign_of_life(void **state)
{
    (void)state;
    struct cs_built built = cs_built_sample();
    size_t block = cs_built_cells(&built, CS_BLOCK_THREAD, 2, 1);
    cs_built_cell(&built, block,
                  &(struct cs_thread_state){.thread = 2, .function = 6, .since_ticks = 9100, .until_ticks = 9500});
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT last_seen_ns FROM process", "7500\n");
    cs_converted_assert("SELECT mpi_ns FROM thread WHERE state = 'inside'", "1300\n"); /* until then */
}

static void time_on_a_window_is_its_communicators_too(void **state)
{
    (void)state;
    struct cs_built built = cs_built_begin();
    size_t log = cs_built_block(&built, CS_BLOCK_LOG, 0, 0, 4000);
    for (uint32_t object = 9; object >= 8; object--)
        cs_built_fact(&built, log, CS_FACT_OBJECT, 4000,
                      &(struct cs_fact_object){.object = object, .parent = 1, .kind = CALLSIGN_WINDOW},
                      sizeof(struct cs_fact_object), CS_STRINGS(""));
    size_t profile = cs_built_cells(&built, CS_BLOCK_PROFILE, 0, 4);
    static const uint32_t objects[] = {9, 1, 8, 8};
    for (size_t i = 0; i < 4; i++)
        cs_built_cell(&built, profile,
                      &(struct cs_profile_cell){.object = objects[i], .function = 6, .calls = 1, .ticks = 10 + i});
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT communicator, object, calls, time_ns FROM profile", "1|0|1|11\n1|8|2|25\n1|9|1|10\n");
}

static void calls_that_were_left_have_no_shortest(void **state)
{
    (void)state;
    struct cs_built built = cs_built_begin();
    size_t profile = cs_built_cells(&built, CS_BLOCK_PROFILE, 0, 1);
    cs_built_cell(&built, profile,
                  &(struct cs_profile_cell){.object = 1, .function = 6, .calls = 2, .min_ticks = UINT64_MAX});
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT calls, time_ns, min_ns, max_ns FROM profile", "2|0|NULL|NULL\n");
}

static void converting_again_gives_the_same_trace(void **state)
{
    (void)state;
    struct cs_built built = cs_built_sample();
    assert_int_equal(cs_convert_image(&built, &cs_resolved_journal), CS_OK);
    assert_int_equal(access(JOURNAL, F_OK), 0);
    static const char everything[] = "SELECT * FROM object; ";
    char *first = cs_converted_ask(everything);
    char *first_profile =
        cs_converted_ask("SELECT profile.*, pid, outcome, last_seen_ns, mpi_ns FROM profile JOIN process USING (rank)");
    assert_int_equal(cs_convert(JOURNAL, TRACE, &cs_resolved_journal), CS_OK);
    cs_converted_assert(everything, first);
    cs_converted_assert("SELECT profile.*, pid, outcome, last_seen_ns, mpi_ns FROM profile JOIN process USING (rank)",
                        first_profile);
    assert_int_equal(cs_scratch_files(), 2);
    sqlite3_free(first);
    sqlite3_free(first_profile);
}

/* Object numbers come in the order of births, which threads mix. */
static void pages_of_a_small_trace_are_full(void **state)
{
    (void)state;
    enum { OBJECTS = 300, STEP = 7 };
    struct cs_built built = cs_built_begin();
    size_t log = cs_built_block(&built, CS_BLOCK_LOG, 0, 0, OBJECTS * 200);
    for (uint32_t i = 0; i < OBJECTS; i++) {
        struct cs_fact_object fact = {
            .object = 1 + i * STEP % OBJECTS, .kind = CALLSIGN_DATATYPE, .handle = i, .function = 1};
        cs_built_fact(&built, log, CS_FACT_OBJECT, 4000 + i, &fact, sizeof fact, CS_STRINGS("a row of the matrix"));
    }
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT count(*) FROM object", "300\n");
    char *pages = cs_converted_ask("SELECT page_count FROM pragma_page_count");
    sqlite3 *trace;
    assert_int_equal(sqlite3_open(TRACE, &trace), SQLITE_OK);
    assert_int_equal(sqlite3_exec(trace, "VACUUM", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(trace), SQLITE_OK);
    cs_converted_assert("SELECT page_count FROM pragma_page_count", pages);
    sqlite3_free(pages);
}

static void names_that_are_not_utf8_are_taken_for_latin1(void **state)
{
    (void)state;
    struct cs_built built = cs_built_begin();
    size_t log = cs_built_block(&built, CS_BLOCK_LOG, 0, 0, 1000);
    static const char *const names[] = {"caf\xe9", "caf\xc3\xa9", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc0\xaf", ""};
    for (uint32_t i = 0; i < 6; i++)
        cs_built_fact(&built, log, CS_FACT_NAME, 1, &(struct cs_fact_name){.object = i + 1, .origin = CALLSIGN_PROGRAM},
                      sizeof(struct cs_fact_name), CS_STRINGS(names[i]));
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT name FROM naming WHERE object <= 2", "caf\xc3\xa9\ncaf\xc3\xa9\n");
    cs_converted_assert("SELECT hex(name) FROM naming WHERE object > 2",
                        "C3ADC2A0C280\nC3B4C290C280C280\nC380C2AF\n\n");
}

static void facts_about_unknown_objects_are_kept(void **state)
{
    (void)state;
    struct cs_built built = cs_built_begin();
    size_t log = cs_built_block(&built, CS_BLOCK_LOG, 0, 0, 1000);
    cs_built_fact(&built, log, CS_FACT_NAME, 3000, &(struct cs_fact_name){.object = 9}, sizeof(struct cs_fact_name),
                  CS_STRINGS("lost"));
    cs_built_fact(&built, log, CS_FACT_FREED, 4000, &(struct cs_fact_freed){.object = 9}, sizeof(struct cs_fact_freed),
                  NULL);
    cs_built_fact(&built, log, CS_FACT_COMMIT, 4000, &(struct cs_fact_commit){.object = 9},
                  sizeof(struct cs_fact_commit), NULL);
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT object, kind, name, created_ns, freed_ns, adopted FROM object",
                        "9|unknown|lost|NULL|2000|1\n");
    cs_converted_assert("SELECT count(*) FROM leaks", "0\n");
}

/* A run of 1,000,000 ticks after MPI_Init at tick 2000. Instants are at 1000 + n * 65536. */
static struct cs_built built_run_with_regions(void)
{
    enum { INTERVAL = 1 << 16, INSTANTS = 15 };
    struct cs_built built = cs_built_sample();
    cs_built_header(&built)->finalize_ticks = 1002000;
    size_t block = cs_built_cells(&built, CS_BLOCK_REGION, 0, 5);
    struct cs_region_cell step = {.number = 1, .name = "step", .entries = 30, .ticks = 900000, .mpi_ticks = 90000};
    step.min_ticks = 1;
    step.max_ticks = 70000;
    step.first_ticks = 3000;
    step.last_ticks = 1001000;
    step.interval = INTERVAL;
    step.filled = INSTANTS - 1; /* the last instant came after its last end */
    for (uint64_t i = 0; i < step.filled; i++) {
        step.entries_at[i] = 2 * i;
        step.ticks_at[i] = 2000 * i * (i + 1);
        step.mpi_at[i] = 100 * i;
    }
    struct cs_region_cell solve = step, left = step, inside = step, bad = step;
    snprintf(left.name, sizeof left.name, "never ended");
    left.number = 2;
    left.parent = 1;
    left.entries = 0;
    snprintf(inside.name, sizeof inside.name, "inside");
    inside.number = 3;
    inside.parent = 2;
    snprintf(solve.name, sizeof solve.name, "solve");
    solve.number = 4;
    solve.mixed = 1;
    snprintf(bad.name, sizeof bad.name, "line\nfeed");
    bad.number = 5;
    cs_built_cell(&built, block, &step);
    cs_built_cell(&built, block, &left);
    cs_built_cell(&built, block, &inside);
    cs_built_cell(&built, block, &solve);
    cs_built_cell(&built, block, &bad);
    size_t profile = cs_built_cells(&built, CS_BLOCK_PROFILE, 0, 6);
    for (uint8_t region = 0; region < 6; region++)
        cs_built_cell(&built, profile,
                      &(struct cs_profile_cell){.object = 1,
                                                .function = 9,
                                                .region = region,
                                                .calls = 1ull << region,
                                                .ticks = 10,
                                                .min_ticks = 10,
                                                .max_ticks = 10});
    struct cs_thread_state thread = {.thread = 7, .function = 9, .calls = 9, .mpi_ticks = 500000, .threads = 1};
    thread.course_interval = INTERVAL;
    thread.course_filled = INSTANTS;
    for (uint64_t i = 0; i < INSTANTS; i++)
        thread.course[i] = 1000 * i * i;
    cs_built_cell(&built, cs_built_cells(&built, CS_BLOCK_THREAD, 7, 1), &thread);
    return built;
}

static void regions_that_were_ended_have_rows_and_calls(void **state)
{
    (void)state;
    struct cs_built built = built_run_with_regions();
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert(
        "SELECT path, name, entries, time_ns, mpi_ns, least_ns, most_ns, first_ns, last_ns FROM region ORDER BY path",
        "solve|solve|30|900000|NULL|1|70000|1000|999000\nstep|step|30|900000|90000|1|70000|1000|999000\n"
        "step/inside|inside|30|900000|90000|1|70000|1000|999000\n");
    cs_converted_assert(
        "SELECT i.parent = o.region, o.parent FROM region i, region o WHERE i.name = 'inside' AND o.name = 'step'",
        "1|0\n");
    /* Those of a region that was not ended are in the one around it; all are in the profile. */
    cs_converted_assert(
        "SELECT name, calls, p.time_ns FROM region_profile p JOIN region USING (rank, region) ORDER BY name",
        "inside|8|10\nsolve|16|10\nstep|6|20\n");
    cs_converted_assert("SELECT calls, time_ns FROM profile WHERE function = 9", "63|60\n");
    cs_converted_assert("SELECT damaged FROM process", "1\n"); /* the name with a line feed */
    cs_built_end(&built);
}

/* Whole intervals after MPI_Init: instants 1 to 15, divided at 1, 3, 6, 9, 12, 15. A thread of the sample is inside a
   call from tick 8500 on. */
static void fifths_of_the_run_have_what_was_spent_between_instants(void **state)
{
    (void)state;
    struct cs_built built = built_run_with_regions();
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT fifth, begin_ns, end_ns, mpi_ns, threads FROM fifth",
                        "1|64536|195608|135072|3\n2|195608|392216|217608|3\n3|392216|588824|235608|3\n"
                        "4|588824|785432|253608|3\n5|785432|982040|271608|3\n");
    cs_converted_assert(
        "SELECT early_entries, early_time_ns, early_mpi_ns, late_entries, late_time_ns, late_mpi_ns FROM region "
        "WHERE name = 'step'",
        "4|12000|200|8|636000|88900\n");
    cs_converted_assert("SELECT early_entries, early_mpi_ns, late_mpi_ns FROM region WHERE name = 'solve'",
                        "4|NULL|NULL\n");
    cs_built_end(&built);
}

/* The run is from tick 2000 to 1202000, in fifths of 240000. The cell of the first instants grows by 100 for each
   100000 ticks until tick 601000, and by 20000 after it; the next one is of a process that was killed while it thinned
   out. */
static void code_between_calls_is_divided_into_fifths(void **state)
{
    (void)state;
    struct cs_built built = cs_built_begin();
    cs_built_header(&built)->finalize_ticks = cs_built_header(&built)->last.ticks = 1202000;
    size_t block = cs_built_cells(&built, CS_BLOCK_STRETCH, 0, 3);
    struct cs_stretch_cell cell = {.function = 9, .from_function = 9, .site = 0x1000, .from_site = 0x1000};
    cell.stretches = 10;
    cell.ticks = 20600;
    cell.course_interval = 100000;
    cell.course_filled = 6;
    for (uint64_t i = 0; i < 6; i++)
        cell.course[i] = 100 * (i + 1);
    cs_built_cell(&built, block, &cell);
    cell.from_function = 8;
    cell.course_filled = 0;
    cs_built_cell(&built, block, &cell);
    cell.from_function = 7;
    cell.course_filled = CS_COURSE_STRETCH + 1;
    cs_built_cell(&built, block, &cell);
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT from_function, fifth_1_ns, fifth_2_ns, fifth_3_ns, fifth_4_ns, fifth_5_ns FROM stretch "
                        "ORDER BY from_function DESC",
                        "9|241|240|20119|0|0\n8|NULL|NULL|NULL|NULL|NULL\n7|NULL|NULL|NULL|NULL|NULL\n");
    cs_built_end(&built);
}

/* As commands do, what several views read is computed once. */
static void every_view_answers_on_a_converted_trace(void **state)
{
    (void)state;
    sqlite3 *db;
    struct cs_built built = cs_built_sample();
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    assert_int_equal(sqlite3_open_v2(TRACE, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(cs_schema_add_views(db, true), SQLITE_OK);
    assert_int_equal(cs_rank_times_fill_apart(db, false), SQLITE_OK);
    assert_int_equal(cs_schema_share_materialized(db, CS_MATERIALIZED_ALL), SQLITE_OK);
    for (size_t i = 0; i < cs_views_count; i++) {
        char *sql = sqlite3_mprintf("SELECT count(*) FROM (SELECT * FROM \"%w\")", cs_views[i].name), *error = NULL;
        if (sqlite3_exec(db, sql, NULL, NULL, &error) != SQLITE_OK)
            fail_msg("%s: %s", sql, error);
        sqlite3_free(sql);
    }
    assert_true(cs_views_count >= 10);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* A trace has the tables alone, and as they are compared with when it is opened. */
static void definitions_of_a_converted_trace_are_those_of_the_tables(void **state)
{
    (void)state;
    struct cs_built built = cs_built_sample();
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    sqlite3_str *expected = sqlite3_str_new(NULL);
    for (size_t i = 0; i < cs_tables_count; i++)
        sqlite3_str_appendf(expected, "%s|%s\n", cs_tables[i].name, cs_tables[i].bare);
    char *text = sqlite3_str_finish(expected);
    cs_converted_assert("SELECT name, sql FROM main.sqlite_schema ORDER BY rowid", text);
    sqlite3_free(text);
}

static char *views_of(sqlite3 *db)
{
    static const char sql[] = "SELECT group_concat(definition, char(10)) FROM (SELECT type || ' ' || name || ' ' ||"
                              " tbl_name || ' ' || rootpage || ' ' || sql AS definition FROM sqlite_schema"
                              " WHERE type = 'view' ORDER BY name)";
    sqlite3_stmt *query;
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &query, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(query), SQLITE_ROW);
    char *text = sqlite3_mprintf("%s", sqlite3_column_text(query, 0));
    sqlite3_finalize(query);
    sqlite3_close(db);
    return text;
}

static char *tables_of(sqlite3 *db)
{
    sqlite3_stmt *query;
    static const char sql[] =
        "SELECT group_concat(type || name || tbl_name || ifnull(sql, ''), char(10)), group_concat(user_version) || "
        "application_id || integrity_check FROM (SELECT * FROM sqlite_schema ORDER BY rowid), pragma_user_version, "
        "pragma_application_id, pragma_integrity_check";
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &query, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(query), SQLITE_ROW);
    char *text = sqlite3_mprintf("%s %s", sqlite3_column_text(query, 0), sqlite3_column_text(query, 1));
    sqlite3_finalize(query);
    return text;
}

/* The file of a small trace is copied, and that of a large one is made by SQLite. */
static void an_empty_trace_is_what_sqlite_would_make_of_the_tables(void **state)
{
    (void)state;
    sqlite3 *ours, *other;
    struct cs_trace_writer *rows;
    assert_int_equal(cs_trace_create(TRACE, 0, NULL, cs_empty_trace.page_bytes, &rows), CS_OK);
    assert_int_equal(cs_trace_commit(rows), CS_OK);
    assert_int_equal(cs_trace_close(rows, true, false), CS_OK);
    assert_int_equal(sqlite3_open(TRACE, &ours), SQLITE_OK);
    assert_true(cs_schema_is_of_rank(ours));
    assert_int_equal(sqlite3_open(":memory:", &other), SQLITE_OK);
    assert_int_equal(cs_schema_add_tables(other, true), SQLITE_OK);
    char *tables = tables_of(ours), *expected = tables_of(other);
    assert_string_equal(tables, expected);
    sqlite3_free(tables);
    sqlite3_free(expected);
    sqlite3_close(ours);
    sqlite3_close(other);
}

/* They are written as rows and not by CREATE VIEW. */
static void views_are_what_sqlite_would_make_of_them(void **state)
{
    (void)state;
    sqlite3 *ours, *other;
    assert_int_equal(sqlite3_open(":memory:", &ours), SQLITE_OK);
    assert_int_equal(cs_schema_add_views(ours, false), SQLITE_OK);
    assert_int_equal(sqlite3_open(":memory:", &other), SQLITE_OK);
    for (size_t i = 0; i < cs_views_count; i++)
        assert_int_equal(sqlite3_exec(other, cs_views[i].sql, NULL, NULL, NULL), SQLITE_OK);
    char *views = views_of(ours), *expected = views_of(other);
    assert_string_equal(views, expected);
    sqlite3_free(views);
    sqlite3_free(expected);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, cs_scratch_enter, cs_scratch_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_journal_becomes_a_trace_and_goes),
        TEST(similar_objects_have_equal_hashes),
        TEST(a_duplicate_has_its_parents_members_and_topology),
        TEST(derived_names_give_way_to_all_but_the_mpis),
        TEST(parents_are_called_as_they_were_when_the_child_was_born),
        TEST(a_name_from_birth_goes_before_the_derived_one),
        TEST(a_detail_that_makes_no_sense_is_left_out_and_remembered),
        TEST(cells_of_two_threads_are_added_up),
        TEST(every_thread_tells_what_it_did_last),
        TEST(the_end_of_the_last_call_is_a_sign_of_life),
        TEST(time_on_a_window_is_its_communicators_too),
        TEST(calls_that_were_left_have_no_shortest),
        TEST(converting_again_gives_the_same_trace),
        TEST(pages_of_a_small_trace_are_full),
        TEST(names_that_are_not_utf8_are_taken_for_latin1),
        TEST(facts_about_unknown_objects_are_kept),
        TEST(regions_that_were_ended_have_rows_and_calls),
        TEST(fifths_of_the_run_have_what_was_spent_between_instants),
        TEST(code_between_calls_is_divided_into_fifths),
        TEST(every_view_answers_on_a_converted_trace),
        TEST(definitions_of_a_converted_trace_are_those_of_the_tables),
        TEST(an_empty_trace_is_what_sqlite_would_make_of_the_tables),
        TEST(views_are_what_sqlite_would_make_of_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
