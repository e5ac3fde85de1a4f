#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above before it */
#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "callsign/debug.h"
#include "db/seal.h"
#include "functions.h"
#include "tests/support/detail_builder.h"
#include "tests/support/journal_builder.h"
#include "tests/support/scratch.h"

#define JOURNAL "rank-00000.journal"
#define TRACE   "rank-00000.db"

static const struct cs_seal_options remove_journal = {0};
static const struct cs_seal_options keep_journal = {.keep_journal = true};

static enum cs_status seal_image(struct cs_built *built, const struct cs_seal_options *options)
{
    cs_built_save(built, JOURNAL, built->bytes);
    cs_built_end(built);
    return cs_seal(JOURNAL, TRACE, options);
}

/* All rows of a query: columns separated by '|', each row ended by '\n'. To be freed. */
static char *ask(const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *query;
    assert_int_equal(sqlite3_open_v2(TRACE, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA trusted_schema = OFF", NULL, NULL, NULL), SQLITE_OK);
    if (sqlite3_prepare_v2(db, sql, -1, &query, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    sqlite3_str *text = sqlite3_str_new(NULL);
    int result;
    while ((result = sqlite3_step(query)) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(query); i++) {
            const unsigned char *value = sqlite3_column_text(query, i);
            sqlite3_str_appendf(text, "%s%s", i ? "|" : "", value ? (const char *)value : "NULL");
        }
        sqlite3_str_appendchar(text, 1, '\n');
    }
    assert_int_equal(result, SQLITE_DONE);
    sqlite3_finalize(query);
    sqlite3_close(db);
    char *answer = sqlite3_str_finish(text);
    return answer ? answer : sqlite3_mprintf("");
}

static void assert_answer(const char *sql, const char *expected)
{
    char *answer = ask(sql);
    assert_string_equal(answer, expected);
    sqlite3_free(answer);
}

static void a_journal_becomes_a_trace_and_goes(void **state)
{
    (void)state;
    struct cs_built built = cs_built_sample();
    assert_int_equal(seal_image(&built, &remove_journal), CS_OK);
    assert_int_equal(access(JOURNAL, F_OK), -1);
    assert_int_equal(cs_scratch_files(), 1);
    assert_answer("PRAGMA application_id", "1128352844\n");
    assert_answer("PRAGMA user_version", "2\n");
    assert_answer("PRAGMA integrity_check", "ok\n");
    assert_answer("SELECT rank, world_size, program, thread_level, zero_utc_ns, began_ns, init_ns, seen_ns, lost, "
                  "damaged FROM process",
                  "0|2|/opt/app/a.out|MPI_THREAD_MULTIPLE|1700000000000002000|-1000|0|7000|0|0\n");
    assert_answer("SELECT key, value FROM meta", "mpi|Some MPI 1.0\n");
    assert_answer("SELECT object, kind, name, name_origin, parent, function, born_ns, predefined, freed_function, "
                  "freed_ns FROM object",
                  "1|communicator|MPI_COMM_WORLD|mpi|NULL|NULL|0|1|NULL|NULL\n"
                  "2|communicator|lines|program|1|1|1000|0|2|3000\n"
                  "3|datatype|NULL|NULL|NULL|3|1400|0|NULL|NULL\n"
                  "4|window|NULL|NULL|2|4|1700|0|NULL|NULL\n"
                  "5|file|NULL|NULL|NULL|9000|1800|0|NULL|NULL\n"
                  "6|datatype|struct(2)|derived|3|13014|1900|0|NULL|NULL\n");
    assert_answer("SELECT object, at_ns, name, origin FROM naming",
                  "1|0|MPI_COMM_WORLD|mpi\n2|1100|rows|program\n2|1200|lines|program\n"
                  "6|1900|struct(2)|derived\n");
    assert_answer("SELECT object, json(detail) FROM object WHERE detail IS NOT NULL",
                  "4|{\"flavor\":\"allocate\",\"model\":\"unified\"}\n"
                  "5|{\"filename\":\"/data/out.dat\",\"amode\":\"create|rdwr\",\"info\":{\"hint\":\"\\\"yes\\\"\"}}\n"
                  "6|{\"count\":2,\"blocklengths\":[1,2],\"displacements\":[0,-8],\"displacements_count\":40,"
                  "\"types\":[3,3]}\n");
    assert_answer("SELECT object, size, own_rank, remote_size, members, topology, ready_ns FROM communicator",
                  "1|2|0|NULL|0-1|none|NULL\n2|1|0|NULL|0|cart|1300\n");
    assert_answer("SELECT object, combiner, size_bytes, lower_bound_bytes, extent_bytes, commits FROM datatype",
                  "3|contiguous|32|-8|64|2\n");
    assert_answer("SELECT object, communicator, flavor, model, base, size_bytes, displacement_unit_bytes FROM window",
                  "4|2|allocate|unified|28672|800|8\n");
    assert_answer("SELECT kind, keyval, name, function, made FROM keyval",
                  "communicator|100|MPI_TAG_UB|NULL|1\ncommunicator|101|NULL|5|1\n");
    assert_answer("SELECT at_ns, reason, processor_name, cpu, allowed_cpus FROM placement",
                  "-900|start|NULL|2|0-3\n6000|end|node7|3|0-3\n");
    assert_answer("SELECT rank, rule, text FROM rule", "0|3|parent=rows -> \"row {n}\"\n");
    assert_answer("SELECT at_ns, level FROM pcontrol", "2000|0\n");
    assert_answer("SELECT module, build_id, printf('%x', offset) FROM frame JOIN site USING (frame) JOIN object USING "
                  "(site) WHERE object = 2",
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
    assert_int_equal(seal_image(&built, &remove_journal), CS_OK);
    assert_answer("SELECT size, own_rank, members, topology FROM communicator WHERE object = 9", "1|0|0|cart\n");
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
    assert_int_equal(seal_image(&built, &remove_journal), CS_OK);
    assert_answer("SELECT object, name, name_origin FROM object",
                  "1|contiguous(2)|derived\n2|pair|program\n3|by rule|rule\n4|contiguous(5) of by rule|derived\n");
    assert_answer("SELECT object, at_ns, name, origin FROM naming ORDER BY object, at_ns",
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
    assert_int_equal(seal_image(&built, &remove_journal), CS_OK);
    assert_answer("SELECT name FROM object",
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
    assert_int_equal(seal_image(&built, &remove_journal), CS_OK);
    assert_answer("SELECT object, name, origin, rule FROM naming",
                  "1|row type|rule|7\n2|contiguous(2) told by the program|derived|NULL\n");
    assert_answer("SELECT name, name_origin FROM object", "row type|rule\ncontiguous(2) told by the program|derived\n");
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
    assert_int_equal(seal_image(&built, &remove_journal), CS_OK);
    assert_answer("SELECT detail, damaged FROM object JOIN process USING (rank)", "{\"color\":2}|1\n");
}

static void cells_of_two_threads_are_added_up(void **state)
{
    (void)state;
    struct cs_built built = cs_built_sample();
    assert_int_equal(seal_image(&built, &remove_journal), CS_OK);
    assert_answer("SELECT communicator, function, size_class, calls, time_ns, min_ns, max_ns, sent_bytes, "
                  "received_bytes FROM profile",
                  "0|7|0|0|100|NULL|NULL|0|0\n1|6|4|4|200|10|91|32|16\n2|2|0|1|25|25|25|0|0\n");
    assert_answer("SELECT object, keyval, operation, found, value_kind, value, calls, first_ns, last_ns FROM attribute",
                  "1|100|get|1|integer|32767|10|4000|5001\n");
    assert_answer("SELECT threads, calls, mpi_ns FROM process", "2|6|600\n");
}

static void sealing_again_gives_the_same_trace(void **state)
{
    (void)state;
    struct cs_built built = cs_built_sample();
    assert_int_equal(seal_image(&built, &keep_journal), CS_OK);
    assert_int_equal(access(JOURNAL, F_OK), 0);
    static const char everything[] = "SELECT * FROM object; ";
    char *first = ask(everything);
    char *first_profile = ask("SELECT * FROM profile JOIN process USING (rank)");
    assert_int_equal(cs_seal(JOURNAL, TRACE, &keep_journal), CS_OK);
    assert_answer(everything, first);
    assert_answer("SELECT * FROM profile JOIN process USING (rank)", first_profile);
    assert_int_equal(cs_scratch_files(), 2);
    sqlite3_free(first);
    sqlite3_free(first_profile);
}

static void the_outcome_tells_how_the_process_ended(void **state)
{
    (void)state;
    static const struct {
        enum cs_outcome outcome;
        const char *answer;
    } cases[] = {
        {CS_OUTCOME_RUNNING, "died|2|1|1|NULL|6500\n"}, /* there is no such process */
        {CS_OUTCOME_ABORTED, "aborted|2|1|1|NULL|6500\n"},
        {CS_OUTCOME_EXITED, "exited|2|1|1|NULL|6500\n"},
        {CS_OUTCOME_FINALIZED, "finalized|NULL|NULL|NULL|NULL|NULL\n"},
        {(enum cs_outcome)99, "died|2|1|1|NULL|6500\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cs_built built = cs_built_sample();
        cs_built_header(&built)->outcome = cases[i].outcome;
        assert_int_equal(seal_image(&built, &remove_journal), CS_OK);
        assert_answer("SELECT outcome, last_function, last_object, last_peer, last_tag, last_since_ns FROM process",
                      cases[i].answer);
    }
}

static uint64_t start_of(pid_t pid)
{
    char path[64], text[1024] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    fclose(file);
    char *at = strrchr(text, ')');
    assert_non_null(at);
    for (int field = 2; field < 22; field++)
        at = strchr(at + 1, ' ');
    return strtoull(at, NULL, 10);
}

static void the_journal_of_a_running_process_is_left_alone(void **state)
{
    (void)state;
    pid_t writer = fork();
    assert_true(writer >= 0);
    if (writer == 0) {
        alarm(60);
        pause();
        _exit(0);
    }
    struct cs_built built = cs_built_sample();
    cs_built_header(&built)->pid = (uint32_t)writer;
    cs_built_header(&built)->process_start = start_of(writer);
    cs_scratch_listen();
    enum cs_status status = seal_image(&built, &remove_journal);
    const char *said = cs_scratch_heard();
    assert_int_equal(status, CS_BUSY);
    assert_non_null(strstr(said, "still being written"));
    assert_int_equal(cs_scratch_files(), 1);
    const struct cs_seal_options live = {.alive_ok = true};
    assert_int_equal(cs_seal(JOURNAL, TRACE, &live), CS_OK);
    assert_int_equal(access(JOURNAL, F_OK), 0);
    assert_answer("SELECT outcome, last_function FROM process", "running|2\n");
    kill(writer, SIGKILL);
    waitpid(writer, NULL, 0);
    assert_int_equal(cs_seal(JOURNAL, TRACE, &remove_journal), CS_OK);
    assert_answer("SELECT outcome FROM process", "died\n");
}

static void a_writer_on_another_node_keeps_its_journal(void **state)
{
    (void)state;
    struct cs_built built = cs_built_begin();
    size_t log = cs_built_block(&built, CS_BLOCK_LOG, 0, 0, 100);
    cs_built_fact(&built, log, CS_FACT_META, 1, &(struct cs_fact_meta){{0}}, sizeof(struct cs_fact_meta),
                  CS_STRINGS("node", "elsewhere"));
    cs_scratch_listen();
    enum cs_status status = seal_image(&built, &remove_journal);
    assert_non_null(strstr(cs_scratch_heard(), "another machine"));
    assert_int_equal(status, CS_BUSY);
    const struct timespec long_ago[2] = {{1000000, 0}, {1000000, 0}};
    assert_int_equal(utimensat(AT_FDCWD, JOURNAL, long_ago, 0), 0);
    assert_int_equal(cs_seal(JOURNAL, TRACE, &remove_journal), CS_OK);
    assert_int_equal(access(JOURNAL, F_OK), 0);
    assert_answer("SELECT outcome, node FROM process", "died|elsewhere\n");
}

static void a_journal_cut_anywhere_becomes_a_trace_that_says_so(void **state)
{
    (void)state;
    struct cs_built built = cs_built_sample();
    for (size_t bytes = sizeof(struct cs_journal_header); bytes < built.bytes; bytes += 512) {
        cs_built_save(&built, JOURNAL, bytes);
        assert_int_equal(cs_seal(JOURNAL, TRACE, &remove_journal), CS_OK);
        assert_answer("SELECT damaged FROM process", "1\n");
        assert_answer("PRAGMA quick_check", "ok\n");
    }
    cs_built_end(&built);
}

/* Reproducible noise. */
static uint32_t noise(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void a_journal_with_noise_becomes_a_sound_trace_or_none(void **state)
{
    (void)state;
    struct cs_built built = cs_built_sample();
    char *clean = malloc(built.bytes);
    assert_non_null(clean);
    memcpy(clean, built.image, built.bytes);
    uint32_t seed = 1;
    for (int round = 0; round < 100; round++) {
        memcpy(built.image, clean, built.bytes);
        for (int i = 0; i < 1 + round / 10; i++) {
            /* Most of the file is zero: aim at what is not. */
            size_t at;
            do
                at = noise(&seed) % built.bytes;
            while (!clean[at]);
            built.image[at] = (char)noise(&seed);
        }
        cs_built_save(&built, JOURNAL, built.bytes);
        cs_scratch_listen();
        enum cs_status status = cs_seal(JOURNAL, TRACE, &keep_journal);
        cs_scratch_heard();
        assert_int_not_equal(status, CS_SQL);
        if (status == CS_OK) {
            assert_answer("PRAGMA quick_check", "ok\n");
            assert_answer("SELECT count(*) FROM process", "1\n");
        }
        assert_int_equal(cs_scratch_files(), access(TRACE, F_OK) == 0 ? 2 : 1);
        unlink(TRACE);
    }
    free(clean);
    cs_built_end(&built);
}

static void a_file_size_limit_is_an_error_and_kills_nobody(void **state)
{
    (void)state;
    struct cs_built built = cs_built_sample();
    cs_built_save(&built, JOURNAL, built.bytes);
    cs_built_end(&built);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct rlimit limit = {20000, 20000};
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
            _exit(99);
        int null = open("/dev/null", O_WRONLY);
        dup2(null, STDERR_FILENO);
        enum cs_status status = cs_seal(JOURNAL, TRACE, &remove_journal);
        sigset_t pending;
        sigpending(&pending);
        _exit(sigismember(&pending, SIGXFSZ) ? 98 : (int)status);
    }
    int result;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFEXITED(result));
    assert_int_equal(WEXITSTATUS(result), CS_NO_SPACE);
    assert_int_equal(cs_scratch_files(), 1); /* the journal, and no half trace */
}

static void a_place_that_cannot_be_written_is_one_line_and_keeps_the_journal(void **state)
{
    (void)state;
    struct cs_built built = cs_built_sample();
    cs_built_save(&built, JOURNAL, built.bytes);
    cs_built_end(&built);
    cs_scratch_listen();
    assert_int_equal(cs_seal(JOURNAL, "no/such/folder/" TRACE, &remove_journal), CS_IO);
    const char *said = cs_scratch_heard();
    assert_non_null(strstr(said, "no/such/folder/" TRACE));
    assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);
    assert_int_equal(cs_scratch_files(), 1);
}

static void a_link_in_the_way_is_replaced_and_not_followed(void **state)
{
    (void)state;
    FILE *file = fopen("precious", "w");
    assert_non_null(file);
    fputs("keep me", file);
    fclose(file);
    assert_int_equal(symlink("precious", TRACE), 0);
    struct cs_built built = cs_built_sample();
    assert_int_equal(seal_image(&built, &remove_journal), CS_OK);
    char text[16] = "";
    file = fopen("precious", "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    fclose(file);
    assert_string_equal(text, "keep me");
    assert_answer("SELECT count(*) FROM process", "1\n");
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
    assert_int_equal(seal_image(&built, &remove_journal), CS_OK);
    assert_answer("SELECT name FROM naming WHERE object <= 2", "caf\xc3\xa9\ncaf\xc3\xa9\n");
    assert_answer("SELECT hex(name) FROM naming WHERE object > 2", "C3ADC2A0C280\nC3B4C290C280C280\nC380C2AF\n\n");
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
    assert_int_equal(seal_image(&built, &remove_journal), CS_OK);
    assert_answer("SELECT object, kind, name, born_ns, freed_ns, adopted FROM object", "9|unknown|lost|NULL|2000|1\n");
    assert_answer("SELECT count(*) FROM leaks", "0\n");
}

/* A profile cell per address. */
static void add_calls_from(struct cs_built *built, const uint64_t *addresses, size_t count)
{
    size_t block = cs_built_block(built, CS_BLOCK_PROFILE, 0, sizeof(struct cs_profile_cell), count * 64);
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
        assert_int_equal(seal_image(&built, &remove_journal), CS_OK);
        site[i] = ask("SELECT site, frame FROM profile JOIN site USING (site)");
        assert_answer("SELECT place FROM profile JOIN sites USING (site)", "lib.so+0x123\n");
        assert_answer("SELECT site > 0 AND frame > 0 FROM profile JOIN site USING (site)", "1\n");
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
    add_calls_from(&built, (const uint64_t[]){0x10040, 0x99999999}, 2);
    assert_int_equal(seal_image(&built, &remove_journal), CS_OK);
    assert_answer("SELECT place FROM object JOIN sites USING (site) ORDER BY object",
                  "first.so+0x40\nsecond.so+0x40\n");
    assert_answer("SELECT place FROM profile JOIN sites USING (site) ORDER BY place", "0x99999999\nsecond.so+0x40\n");
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
    assert_int_equal(seal_image(&built, &remove_journal), CS_OK);
    assert_answer("SELECT object, depth, place FROM object JOIN stacks USING (site) ORDER BY 1, 2",
                  "1|0|library.so+0x10\n1|1|program+0x20\n1|2|program+0x30\n2|0|library.so+0x40\n2|1|program+0x20\n"
                  "2|2|program+0x30\n3|0|library.so+0x10\n3|1|program+0x20\n3|2|program+0x30\n");
    assert_answer("SELECT count(*) FROM site", "5\n"); /* two inner ones, two outer ones, one without caller */
    assert_answer("SELECT count(*), count(caller) FROM profile JOIN site USING (site)", "2|1\n");
    assert_answer("SELECT DISTINCT library FROM objects", "library.so\n");
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
    assert_int_equal(seal_image(&built, &remove_journal), CS_OK);
    assert_answer("SELECT count(*), count(site) FROM object", "7|0\n");
    assert_answer("SELECT damaged FROM process", "1\n");
}

static void a_process_without_mpi_init_counts_from_its_beginning(void **state)
{
    (void)state;
    struct cs_built built = cs_built_sample();
    struct cs_journal_header *header = cs_built_header(&built);
    header->init_ticks = 0;
    header->rank = header->size = -1;
    header->pid = 0x7ffffffe;
    assert_int_equal(seal_image(&built, &remove_journal), CS_OK);
    assert_answer("SELECT rank, world_size, zero_utc_ns, init_ns, seen_ns FROM process",
                  "-2147483646|NULL|1700000000000001000|NULL|8000\n");
}

static void nonsense_in_the_clock_is_damage(void **state)
{
    (void)state;
    struct cs_built built = cs_built_sample();
    struct cs_journal_header *header = cs_built_header(&built);
    header->ticks_per_second = 0;
    header->last.ticks = header->init_ticks = UINT64_MAX;
    header->last.monotonic_ns = UINT64_MAX;
    header->first.realtime_ns = UINT64_MAX;
    assert_int_equal(seal_image(&built, &remove_journal), CS_OK);
    assert_answer("SELECT count(*) FROM process WHERE zero_utc_ns IS NULL", "1\n");
}

static void every_view_answers_on_a_sealed_trace(void **state)
{
    (void)state;
    struct cs_built built = cs_built_sample();
    assert_int_equal(seal_image(&built, &remove_journal), CS_OK);
    char *views = ask("SELECT name FROM sqlite_schema WHERE type = 'view'");
    size_t count = 0;
    for (char *view = strtok(views, "\n"); view; view = strtok(NULL, "\n"), count++) {
        char *sql = sqlite3_mprintf("SELECT count(*) >= 0 FROM (SELECT * FROM \"%w\")", view);
        assert_answer(sql, "1\n");
        sqlite3_free(sql);
    }
    assert_true(count >= 10);
    sqlite3_free(views);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, cs_scratch_enter, cs_scratch_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_journal_becomes_a_trace_and_goes),
        TEST(a_duplicate_has_its_parents_members_and_topology),
        TEST(derived_names_give_way_to_all_but_the_mpis),
        TEST(parents_are_called_as_they_were_when_the_child_was_born),
        TEST(a_name_from_birth_goes_before_the_derived_one),
        TEST(a_detail_that_makes_no_sense_is_left_out_and_remembered),
        TEST(cells_of_two_threads_are_added_up),
        TEST(sealing_again_gives_the_same_trace),
        TEST(the_outcome_tells_how_the_process_ended),
        TEST(the_journal_of_a_running_process_is_left_alone),
        TEST(a_writer_on_another_node_keeps_its_journal),
        TEST(a_journal_cut_anywhere_becomes_a_trace_that_says_so),
        TEST(a_journal_with_noise_becomes_a_sound_trace_or_none),
        TEST(a_file_size_limit_is_an_error_and_kills_nobody),
        TEST(a_place_that_cannot_be_written_is_one_line_and_keeps_the_journal),
        TEST(a_link_in_the_way_is_replaced_and_not_followed),
        TEST(names_that_are_not_utf8_are_taken_for_latin1),
        TEST(facts_about_unknown_objects_are_kept),
        TEST(sites_are_equal_in_all_processes_wherever_the_module_lies),
        TEST(stacks_share_their_outer_frames),
        TEST(a_stack_that_makes_no_sense_is_no_place),
        TEST(an_address_means_the_module_that_was_there_at_the_time),
        TEST(a_process_without_mpi_init_counts_from_its_beginning),
        TEST(nonsense_in_the_clock_is_damage),
        TEST(every_view_answers_on_a_sealed_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
