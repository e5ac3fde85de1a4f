/* Processes that ended badly, journals that are damaged, places that cannot be written. */
#include <errno.h>
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

#include "base/file_system.h"
#include "callsign/debug.h"
#include "functions.h"
#include "tests/support/conversion.h"
#include "tests/support/journal_builder.h"
#include "tests/support/scratch.h"
#include "tests/support/unit_test.h"

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
        assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
        cs_converted_assert(
            "SELECT outcome, last_function, last_object, last_peer, last_tag, last_since_ns FROM process",
            cases[i].answer);
    }
}

/* A process in the middle of writing its trace: MPI_Finalize is done. */
static struct cs_built finalizing(void)
{
    struct cs_built built = cs_built_begin();
    cs_built_header(&built)->outcome = CS_OUTCOME_CONVERTING;
    cs_built_header(&built)->finalize_ticks = 7000;
    size_t thread = cs_built_cells(&built, CS_BLOCK_THREAD, 0, 1);
    cs_built_cell(&built, thread,
                  &(struct cs_thread_state){.function = CS_MPI_Finalize,
                                            .doing = CS_THREAD_OUTSIDE,
                                            .peer = CS_NO_PEER,
                                            .tag = CS_NO_TAG,
                                            .bytes = CS_NO_BYTES,
                                            .since_ticks = 7000,
                                            .until_ticks = 8500,
                                            .mpi_ticks = 1700,
                                            .calls = 3,
                                            .threads = 1});
    size_t profile = cs_built_cells(&built, CS_BLOCK_PROFILE, 0, 2);
    cs_built_cell(&built, profile, &(struct cs_profile_cell){.object = 1, .function = 6, .calls = 2, .ticks = 200});
    cs_built_cell(&built, profile, &(struct cs_profile_cell){.function = CS_MPI_Finalize, .calls = 1, .ticks = 1500});
    return built;
}

static void who_is_killed_while_its_trace_is_written_died_in_mpi_finalize(void **state)
{
    (void)state;
    struct cs_built built = finalizing();
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT outcome, last_call, last_communicator FROM processes", "died|MPI_Finalize|NULL\n");
    cs_converted_assert("SELECT last_since_ns, finalize_ns, convert_ns, mpi_ns FROM process", "5000|5000|NULL|2200\n");
    cs_converted_assert("SELECT state FROM thread", "inside\n");
    cs_converted_assert("SELECT function, calls, open, time_ns FROM call_times ORDER BY function",
                        "6|2|0|200\n22006|0|1|2000\n");
}

static void a_process_that_writes_its_own_trace_is_finalized_and_says_how_long_that_took(void **state)
{
    (void)state;
    struct cs_built built = finalizing();
    struct cs_journal_header *header = cs_built_header(&built);
    header->pid = (uint32_t)getpid();
    header->process_start = cs_scratch_start_of(getpid());
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    assert_int_equal(cs_scratch_files(), 1);
    cs_converted_assert("SELECT outcome, last_function, convert_ns > 0, damaged, mpi_ns FROM process",
                        "finalized|NULL|1|0|1700\n");
    cs_converted_assert("SELECT function, calls, open, time_ns FROM call_times ORDER BY function",
                        "6|2|0|200\n22006|1|0|1500\n");
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
    cs_built_header(&built)->process_start = cs_scratch_start_of(writer);
    cs_scratch_listen();
    enum cs_status status = cs_convert_image(&built, &cs_remove_journal);
    const char *said = cs_scratch_heard();
    assert_int_equal(status, CS_BUSY);
    assert_non_null(strstr(said, "still being written"));
    assert_int_equal(cs_scratch_files(), 1);
    const struct cs_convert_options live = {.alive_ok = true};
    assert_int_equal(cs_convert(JOURNAL, TRACE, &live), CS_OK);
    assert_int_equal(access(JOURNAL, F_OK), 0);
    cs_converted_assert("SELECT outcome, last_function FROM process", "running|2\n");
    kill(writer, SIGKILL);
    waitpid(writer, NULL, 0);
    assert_int_equal(cs_convert(JOURNAL, TRACE, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT outcome FROM process", "died\n");
}

static void a_writer_on_another_node_keeps_its_journal(void **state)
{
    (void)state;
    struct cs_built built = cs_built_begin();
    size_t log = cs_built_block(&built, CS_BLOCK_LOG, 0, 0, 100);
    cs_built_fact(&built, log, CS_FACT_META, 1, &(struct cs_fact_meta){{0}}, sizeof(struct cs_fact_meta),
                  CS_STRINGS("node", "elsewhere"));
    cs_built_header(&built)->boot ^= 1;
    cs_scratch_listen();
    enum cs_status status = cs_convert_image(&built, &cs_remove_journal);
    assert_non_null(strstr(cs_scratch_heard(), "is on another machine or in another container"));
    assert_int_equal(status, CS_BUSY);
    const struct timespec long_ago[2] = {{1000000, 0}, {1000000, 0}};
    assert_int_equal(utimensat(AT_FDCWD, JOURNAL, long_ago, 0), 0);
    const struct cs_convert_options patient = {.alive_ok = true, .keep_journal = true, .patient = true};
    assert_int_equal(cs_convert(JOURNAL, TRACE, &patient), CS_OK);
    cs_converted_assert("SELECT outcome, CAST(value AS INT) > 600 FROM process, meta WHERE key = 'journal.still_s'",
                        "running|1\n");
    assert_int_equal(cs_convert(JOURNAL, TRACE, &cs_remove_journal), CS_OK);
    assert_int_equal(access(JOURNAL, F_OK), 0);
    cs_converted_assert("SELECT outcome, node FROM process", "died|elsewhere\n");
    cs_converted_assert("SELECT count(*) FROM meta WHERE key = 'journal.still_s'", "0\n");
}

static unsigned synced_files, synced_folders;
static bool journal_was_there = true;
static int sync_error;

/* In place of that of the C library. */
int fsync(int fd)
{
    struct stat about;
    if (fstat(fd, &about) != 0)
        return -1;
    synced_files += S_ISREG(about.st_mode);
    synced_folders += S_ISDIR(about.st_mode);
    journal_was_there = journal_was_there && access(JOURNAL, F_OK) == 0;
    errno = sync_error;
    return sync_error ? -1 : 0;
}

static enum cs_status convert_sample(const struct cs_convert_options *options)
{
    struct cs_built built = cs_built_sample();
    synced_files = synced_folders = 0;
    journal_was_there = true;
    return cs_convert_image(&built, options);
}

static void the_trace_is_on_the_disk_before_its_journal_goes(void **state)
{
    (void)state;
    const struct cs_convert_options durable = {.unsynced = false};
    int here = open(".", O_RDONLY | O_DIRECTORY);
    unsigned expected = cs_file_system_of(here) != CS_FILE_SYSTEM_MEMORY;
    close(here);
    assert_int_equal(convert_sample(&durable), CS_OK);
    assert_int_equal(synced_files, expected);
    assert_true(synced_folders <= expected); /* ext4 and XFS keep the order of both names */
    assert_true(journal_was_there);
    assert_int_not_equal(access(JOURNAL, F_OK), 0);
    assert_int_equal(convert_sample(&cs_remove_journal), CS_OK);
    assert_int_equal(synced_files + synced_folders, 0);
    assert_int_equal(convert_sample(&(struct cs_convert_options){.keep_journal = true}), CS_OK);
    assert_int_equal(synced_files + synced_folders, 0);
    unlink(TRACE);
    sync_error = EIO;
    cs_scratch_listen();
    enum cs_status status = convert_sample(&durable);
    const char *said = cs_scratch_heard();
    sync_error = 0;
    if (!expected)
        return;
    assert_int_equal(status, CS_IO);
    assert_non_null(strstr(said, "cannot write the trace"));
    assert_int_equal(access(JOURNAL, F_OK), 0);
    assert_int_not_equal(access(TRACE, F_OK), 0);
}

static void a_journal_cut_anywhere_becomes_a_trace_that_says_so(void **state)
{
    (void)state;
    struct cs_built built = cs_built_sample();
    for (size_t bytes = sizeof(struct cs_journal_header); bytes < built.bytes; bytes += 1571) {
        cs_built_save(&built, JOURNAL, bytes);
        assert_int_equal(cs_convert(JOURNAL, TRACE, &cs_remove_journal), CS_OK);
        cs_converted_assert("SELECT damaged FROM process", "1\n");
        cs_converted_assert("PRAGMA quick_check", "ok\n");
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
        enum cs_status status = cs_convert(JOURNAL, TRACE, &cs_resolved_journal);
        cs_scratch_heard();
        assert_int_not_equal(status, CS_SQL);
        if (status == CS_OK) {
            cs_converted_assert("PRAGMA quick_check", "ok\n");
            cs_converted_assert("SELECT count(*) FROM process", "1\n");
            sqlite3_free(cs_converted_ask("SELECT sum(calls), sum(time_ns), sum(sent_bytes) + sum(received_bytes),"
                                          " sum(min_ns), sum(max_ns) FROM profile"));
            sqlite3_free(cs_converted_ask("SELECT sum(messages), sum(bytes), sum(time_ns) FROM traffic"));
            sqlite3_free(cs_converted_ask("SELECT sum(messages) FROM tag"));
            cs_converted_assert("SELECT count(*) FROM process WHERE NOT last_seen_ns - began_ns BETWEEN 0 AND 1e18",
                                "0\n");
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
        enum cs_status status = cs_convert(JOURNAL, TRACE, &cs_remove_journal);
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
    assert_int_equal(cs_convert(JOURNAL, "no/such/folder/" TRACE, &cs_remove_journal), CS_IO);
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
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    char text[16] = "";
    file = fopen("precious", "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    fclose(file);
    assert_string_equal(text, "keep me");
    cs_converted_assert("SELECT count(*) FROM process", "1\n");
}

static void a_process_without_mpi_init_counts_from_its_beginning(void **state)
{
    (void)state;
    struct cs_built built = cs_built_sample();
    struct cs_journal_header *header = cs_built_header(&built);
    header->init_ticks = 0;
    header->rank = header->size = -1;
    header->pid = 0x7ffffffe;
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT rank, world_size, zero_utc_ns, init_ns, last_seen_ns FROM process",
                        "-2147483646|NULL|1700000000000001000|NULL|8000\n");
}

static void an_instant_that_cannot_be_is_damage_and_no_instant(void **state)
{
    (void)state;
    struct cs_built built = cs_built_sample();
    size_t log = cs_built_block(&built, CS_BLOCK_LOG, 0, 0, 1000);
    /* 31 years after the journal began, and 300 */
    for (uint64_t i = 1; i <= 10; i += 9)
        cs_built_fact(&built, log, CS_FACT_PCONTROL, i * 1000000000000000000u,
                      &(struct cs_fact_pcontrol){.level = (int32_t)i}, sizeof(struct cs_fact_pcontrol), NULL);
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT level, at_ns FROM pcontrol", "0|2000\n1|7000\n10|7000\n");
    cs_converted_assert("SELECT began_ns, last_seen_ns, damaged FROM process", "-1000|7000|1\n");
}

static void numbers_that_cannot_be_are_left_out_and_can_be_added_up(void **state)
{
    (void)state;
    static const struct cs_profile_cell cells[] = {
        {.object = 8, .function = 6, .calls = UINT64_MAX},
        {.object = 8, .function = 6, .calls = 1, .ticks = (uint64_t)1 << 62},
        {.object = 9, .function = 6, .calls = 1, .sent_bytes = (uint64_t)1 << 59},
        {.object = 9, .function = 6, .calls = 1, .sent_bytes = (uint64_t)1 << 59},
    };
    struct cs_built built = cs_built_sample();
    size_t count = sizeof cells / sizeof *cells;
    size_t block = cs_built_cells(&built, CS_BLOCK_PROFILE, 2, sizeof cells / sizeof *cells);
    for (size_t i = 0; i < count; i++)
        cs_built_cell(&built, block, &cells[i]);
    size_t thread = cs_built_cells(&built, CS_BLOCK_THREAD, 2, 1);
    cs_built_cell(&built, thread, &(struct cs_thread_state){.thread = 2, .calls = UINT64_MAX, .mpi_ticks = UINT64_MAX});
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT communicator, calls, time_ns, sent_bytes FROM profile WHERE communicator > 2",
                        "9|2|0|1152921504606846944\n");
    cs_converted_assert("SELECT sum(calls), sum(time_ns), sum(received_bytes) FROM profile", "7|325|16\n");
    cs_converted_assert("SELECT calls, mpi_ns, damaged FROM process", "6|1100|1\n");
}

/* Sends to MPI_PROC_NULL, of a large datatype. */
static void calls_with_more_bytes_than_sql_can_add_up_stay(void **state)
{
    (void)state;
    static const struct cs_profile_cell cells[] = {
        {.object = 8, .function = 6, .calls = 3, .sent_bytes = UINT64_MAX, .received_bytes = 5},
        {.object = 9, .function = 6, .calls = 4, .sent_bytes = 7, .received_bytes = (uint64_t)1 << 61},
    };
    static const struct cs_traffic_cell traffic[] = {
        {.object = 8,
         .peer = CS_PEER_NULL,
         .direction = CS_SEND,
         .world = -1,
         .messages = 3,
         .bytes = (uint64_t)3 << 62},
        {.object = 9, .peer = CS_PEER_NULL, .direction = CS_SEND, .world = -1, .messages = 4, .bytes = 7},
    };
    struct cs_built built = cs_built_begin();
    size_t profile = cs_built_cells(&built, CS_BLOCK_PROFILE, 0, 2);
    size_t peers = cs_built_cells(&built, CS_BLOCK_TRAFFIC, 0, 2);
    for (size_t i = 0; i < 2; i++) {
        cs_built_cell(&built, profile, &cells[i]);
        cs_built_cell(&built, peers, &traffic[i]);
    }
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT communicator, calls, sent_bytes, received_bytes FROM profile ORDER BY 1",
                        "8|3|1152921504606846976|5\n9|4|0|1152921504606846971\n");
    cs_converted_assert("SELECT object, messages, bytes FROM traffic ORDER BY 1", "8|3|1152921504606846976\n9|4|0\n");
    cs_converted_assert("SELECT damaged FROM process", "0\n");
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
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT count(*) FROM process WHERE zero_utc_ns IS NULL", "1\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, cs_scratch_enter, cs_scratch_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_outcome_tells_how_the_process_ended),
        TEST(who_is_killed_while_its_trace_is_written_died_in_mpi_finalize),
        TEST(a_process_that_writes_its_own_trace_is_finalized_and_says_how_long_that_took),
        TEST(the_journal_of_a_running_process_is_left_alone),
        TEST(a_writer_on_another_node_keeps_its_journal),
        TEST(the_trace_is_on_the_disk_before_its_journal_goes),
        TEST(a_journal_cut_anywhere_becomes_a_trace_that_says_so),
        TEST(a_journal_with_noise_becomes_a_sound_trace_or_none),
        TEST(a_file_size_limit_is_an_error_and_kills_nobody),
        TEST(a_place_that_cannot_be_written_is_one_line_and_keeps_the_journal),
        TEST(a_link_in_the_way_is_replaced_and_not_followed),
        TEST(a_process_without_mpi_init_counts_from_its_beginning),
        TEST(an_instant_that_cannot_be_is_damage_and_no_instant),
        TEST(numbers_that_cannot_be_are_left_out_and_can_be_added_up),
        TEST(calls_with_more_bytes_than_sql_can_add_up_stay),
        TEST(nonsense_in_the_clock_is_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
