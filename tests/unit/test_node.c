/* The journals of a node become one trace: exactly one process converts them, and none is lost. */
#include <dirent.h>
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
#include "db/convert/node.h"
#include "journal/node_folder.h"
#include "journal/run_files.h"
#include "tests/support/journal_builder.h"
#include "tests/support/scratch.h"
#include "tests/support/unit_test.h"

#define FOLDER "node-here.journals"

static const struct cs_convert_node_options unsynced = {.unsynced = true};

static void save(int rank, enum cs_outcome outcome, uint64_t monotonic_ns)
{
    char path[PATH_MAX];
    struct cs_built built = cs_built_sample();
    struct cs_journal_header *header = cs_built_header(&built);
    header->rank = rank;
    header->outcome = outcome;
    header->closed = outcome == CS_OUTCOME_FINALIZED;
    header->first.monotonic_ns += monotonic_ns;
    header->first.realtime_ns += monotonic_ns;
    header->last.monotonic_ns += monotonic_ns;
    header->last.realtime_ns += monotonic_ns;
    assert_true(cs_run_name_of_rank(FOLDER, rank, CS_RUN_JOURNAL_SUFFIX, path));
    cs_built_save(&built, path, built.bytes);
    cs_built_end(&built);
}

static void make_folder(void)
{
    assert_int_equal(mkdir(FOLDER, 0777), 0);
}

static void remove_folder(void)
{
    char path[PATH_MAX];
    for (int rank = 0; rank < 10; rank++)
        if (cs_run_name_of_rank(FOLDER, rank, CS_RUN_JOURNAL_SUFFIX, path))
            unlink(path);
    rmdir(FOLDER);
}

static void assert_answer(const char *trace, const char *sql, const char *expected)
{
    sqlite3 *db;
    sqlite3_stmt *row;
    char answer[512] = "";
    assert_int_equal(sqlite3_open_v2(trace, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
    while (sqlite3_step(row) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(row); i++)
            snprintf(answer + strlen(answer), sizeof answer - strlen(answer), "%s%s", *answer ? " " : "",
                     (const char *)sqlite3_column_text(row, i));
    sqlite3_finalize(row);
    sqlite3_close(db);
    assert_string_equal(answer, expected);
}

static enum cs_status convert(size_t expected)
{
    struct cs_converted_node converted;
    enum cs_status status = cs_convert_node(FOLDER, &unsynced, &converted);
    if (status == CS_OK)
        assert_int_equal(converted.count, expected);
    cs_converted_node_free(&converted);
    return status;
}

static void trace_has_all_ranks_on_one_clock(void **state)
{
    (void)state;
    make_folder();
    save(2, CS_OUTCOME_FINALIZED, 500);
    save(0, CS_OUTCOME_FINALIZED, 0);
    save(1, CS_OUTCOME_RUNNING, 1000); /* killed */
    assert_int_equal(convert(3), CS_OK);
    assert_int_not_equal(access(FOLDER, F_OK), 0);
    assert_answer("node-here.db", "SELECT rank, outcome, init_ns, clock_offset_ns FROM process",
                  "0 finalized 0 0 1 died 1000 1000 2 finalized 500 500");
    assert_answer("node-here.db", "SELECT count(DISTINCT zero_monotonic_ns), min(damaged), max(damaged) FROM process",
                  "1 0 0");
    assert_answer("node-here.db", "SELECT count(DISTINCT n) FROM (SELECT count(*) AS n FROM profile GROUP BY rank)",
                  "1");
    assert_answer("node-here.db", "PRAGMA quick_check", "ok");
    unlink("node-here.db");
}

static pid_t start_waiting(void)
{
    pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        alarm(60);
        pause();
        _exit(0);
    }
    return process;
}

static void nothing_happens_while_a_process_of_the_node_writes(void **state)
{
    (void)state;
    char path[PATH_MAX];
    pid_t writer = start_waiting();
    make_folder();
    save(0, CS_OUTCOME_FINALIZED, 0);
    struct cs_built built = cs_built_sample();
    cs_built_header(&built)->rank = 1;
    cs_built_header(&built)->pid = (uint32_t)writer;
    cs_built_header(&built)->process_start = cs_scratch_start_of(writer);
    cs_run_name_of_rank(FOLDER, 1, CS_RUN_JOURNAL_SUFFIX, path);
    cs_built_save(&built, path, built.bytes);
    assert_int_equal(convert(0), CS_BUSY);
    /* It reached the end of MPI_Finalize, but its journal is not complete. */
    cs_built_header(&built)->outcome = CS_OUTCOME_FINALIZED;
    cs_built_save(&built, path, built.bytes);
    assert_int_equal(convert(0), CS_BUSY);
    cs_built_header(&built)->closed = 1;
    cs_built_save(&built, path, built.bytes);
    cs_built_end(&built);
    assert_int_equal(convert(2), CS_OK);
    kill(writer, SIGKILL);
    waitpid(writer, NULL, 0);
    unlink("node-here.db");
    /* A process that creates its journal just now. */
    make_folder();
    save(0, CS_OUTCOME_FINALIZED, 0);
    FILE *begins = fopen(FOLDER "/process-here-1.journal", "w");
    assert_non_null(begins);
    fclose(begins);
    cs_scratch_listen();
    assert_int_equal(convert(0), CS_BUSY);
    assert_string_equal(cs_scratch_heard(), "");
    unlink(FOLDER "/process-here-1.journal");
    remove_folder();
}

static void later_journals_become_a_second_trace(void **state)
{
    (void)state;
    make_folder();
    save(0, CS_OUTCOME_FINALIZED, 0);
    assert_int_equal(convert(1), CS_OK);
    make_folder();
    save(0, CS_OUTCOME_FINALIZED, 0); /* converted, but a crash came before its removal */
    save(1, CS_OUTCOME_FINALIZED, 0);
    assert_int_equal(convert(1), CS_OK);
    assert_answer("node-here.db", "SELECT rank FROM process", "0");
    assert_answer("node-here.2.db", "SELECT rank FROM process", "1");
    assert_int_equal(access(FOLDER "/rank-00000.journal", F_OK), 0);
    remove_folder();
    unlink("node-here.db");
    unlink("node-here.2.db");
}

static void journals_of_another_machine_or_damaged_ones_become_traces_of_their_own(void **state)
{
    (void)state;
    char path[PATH_MAX];
    make_folder();
    save(0, CS_OUTCOME_FINALIZED, 0);
    cs_run_name_of_rank(FOLDER, 1, CS_RUN_JOURNAL_SUFFIX, path);
    struct cs_built built = cs_built_sample();
    cs_built_header(&built)->rank = 1;
    cs_built_header(&built)->boot++;
    cs_built_header(&built)->outcome = CS_OUTCOME_FINALIZED;
    cs_built_header(&built)->closed = 1;
    cs_built_save(&built, path, built.bytes);
    cs_built_end(&built);
    FILE *noise = fopen(FOLDER "/rank-00002.journal", "w");
    assert_non_null(noise);
    fputs("noise", noise);
    fclose(noise);
    cs_scratch_listen();
    assert_int_equal(convert(1), CS_OK);
    assert_int_equal(convert(1), CS_OK);
    assert_int_equal(convert(0), CS_OK);
    assert_non_null(strstr(cs_scratch_heard(), "is not a callsign journal"));
    assert_answer("node-here.db", "SELECT rank FROM process", "0");
    assert_answer("node-here.2.db", "SELECT rank FROM process", "1");
    assert_int_equal(access(FOLDER "/rank-00002.journal", F_OK), 0);
    remove_folder();
    unlink("node-here.db");
    unlink("node-here.2.db");
}

static void a_failure_leaves_all_journals(void **state)
{
    (void)state;
    make_folder();
    save(0, CS_OUTCOME_FINALIZED, 0);
    save(1, CS_OUTCOME_FINALIZED, 0);
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 20000;
    cs_scratch_listen();
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    enum cs_status status = convert(0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_non_null(strstr(cs_scratch_heard(), "cannot write the trace"));
    assert_int_equal(status, CS_NO_SPACE);
    assert_int_equal(access("node-here.db", F_OK), -1);
    assert_int_equal(convert(2), CS_OK);
    unlink("node-here.db");
}

static void too_much_is_left_to_the_command(void **state)
{
    (void)state;
    struct cs_converted_node converted;
    char path[PATH_MAX];
    make_folder();
    struct cs_built built = cs_built_sample();
    cs_built_header(&built)->outcome = CS_OUTCOME_FINALIZED;
    cs_built_header(&built)->closed = 1;
    cs_built_header(&built)->items = 1001;
    cs_run_name_of_rank(FOLDER, 0, CS_RUN_JOURNAL_SUFFIX, path);
    cs_built_save(&built, path, built.bytes);
    cs_built_end(&built);
    const struct cs_convert_node_options few = {.unsynced = true, .most_items = 1000};
    assert_int_equal(cs_convert_node(FOLDER, &few, &converted), CS_BUSY);
    assert_int_equal(convert(1), CS_OK);
    unlink("node-here.db");
}

/* Each process closes its journal and calls what MPI_Finalize calls, all at about the same time. */
static void last_process_converts_however_they_end(void **state)
{
    (void)state;
    enum { ROUNDS = 60, PROCESSES = 4 };
    for (int round = 0; round < ROUNDS; round++) {
        int gate[2];
        pid_t process[PROCESSES];
        assert_int_equal(pipe(gate), 0);
        make_folder();
        for (int rank = 0; rank < PROCESSES; rank++) {
            process[rank] = fork();
            assert_true(process[rank] >= 0);
            if (process[rank])
                continue;
            char path[PATH_MAX], byte;
            alarm(60);
            struct cs_built built = cs_built_sample();
            struct cs_journal_header *header = cs_built_header(&built);
            header->rank = rank;
            header->pid = (uint32_t)getpid();
            header->process_start = cs_scratch_start_of(getpid());
            cs_run_name_of_rank(FOLDER, rank, CS_RUN_JOURNAL_SUFFIX, path);
            cs_built_save(&built, path, built.bytes);
            close(gate[1]);
            if (read(gate[0], &byte, 1) != 1)
                _exit(1);
            header->outcome = CS_OUTCOME_FINALIZED;
            header->closed = 1;
            int fd = open(path, O_WRONLY);
            bool written = pwrite(fd, built.image, sizeof *header, 0) == (ssize_t)sizeof *header;
            close(fd);
            cs_convert_node_at_end(FOLDER, &unsynced);
            _exit(!written);
        }
        char path[PATH_MAX];
        for (int rank = 0; rank < PROCESSES; rank++) /* all journals are there before the first ends */
            for (int i = 0; i < 10000; i++) {
                cs_run_name_of_rank(FOLDER, rank, CS_RUN_JOURNAL_SUFFIX, path);
                struct stat about;
                if (stat(path, &about) == 0 && about.st_size > 0)
                    break;
                usleep(1000);
            }
        assert_int_equal(write(gate[1], "going", PROCESSES), PROCESSES);
        for (int rank = 0; rank < PROCESSES; rank++) {
            int ended;
            assert_int_equal(waitpid(process[rank], &ended, 0), process[rank]);
            assert_int_equal(ended, 0);
        }
        close(gate[0]);
        close(gate[1]);
        assert_answer("node-here.db", "SELECT group_concat(rank), count(DISTINCT outcome), min(outcome) FROM process",
                      "0,1,2,3 1 finalized");
        assert_int_not_equal(access(FOLDER, F_OK), 0);
        unlink("node-here.db");
        assert_int_equal(cs_scratch_files(), 0);
    }
}

static void folder_on_storage_of_the_node_is_a_link(void **state)
{
    (void)state;
    char path[PATH_MAX], trace[PATH_MAX], target[PATH_MAX], name[CS_NODE_NAME_BYTES];
    assert_int_equal(mkdir("run", 0777), 0);
    assert_int_equal(mkdir("local", 0777), 0);
    assert_true(cs_node_folder_make("run", "local", 77, path));
    assert_true(cs_node_folder_make("run", "local", 77, path)); /* by another rank */
    assert_true(cs_node_folder_is_ours(path));
    assert_false(cs_node_folder_is_missing(path));
    ssize_t length = readlink(path, target, sizeof target - 1);
    assert_true(length > 0);
    target[length] = '\0';
    cs_node_name(name);
    assert_true(cs_node_name_is_folder(strrchr(path, '/') + 1));
    assert_true(cs_node_name_of_trace(path, 2, trace));
    assert_non_null(strstr(trace, name));
    assert_non_null(strstr(trace, ".2.db"));
    assert_true(cs_node_name_is_trace(strrchr(trace, '/') + 1));
    /* On another node. */
    assert_int_equal(rmdir(target), 0);
    cs_scratch_listen();
    assert_true(cs_node_folder_is_missing(path));
    assert_non_null(strstr(cs_scratch_heard(), target));
    cs_node_folder_remove(path);
    assert_int_equal(access(path, F_OK), -1);
    /* Links that callsign did not make are not followed. */
    assert_int_equal(symlink("/etc", path), 0);
    assert_false(cs_node_folder_is_ours(path));
    unlink(path);
    assert_int_equal(rmdir("run"), 0);
    assert_int_equal(rmdir("local"), 0);
}

static void journals_avoid_shared_file_systems_only(void **state)
{
    (void)state;
    static const unsigned long shared[] = {0x0bd00bd0, 0x47504653, 0x6969, 0x19830326};
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        assert_int_equal(cs_file_system_by_magic(shared[i]), CS_FILE_SYSTEM_SHARED);
    assert_int_equal(cs_file_system_by_magic(0xef53), CS_FILE_SYSTEM_DISK);
    assert_int_equal(cs_file_system_by_magic(0x01021994), CS_FILE_SYSTEM_MEMORY);
    assert_int_equal(cs_file_system_by_magic(0x794c7630), CS_FILE_SYSTEM_OTHER); /* overlayfs */
    assert_null(cs_node_storage(CS_FILE_SYSTEM_DISK));
    assert_null(cs_node_storage(CS_FILE_SYSTEM_MEMORY));
    assert_null(cs_node_storage(CS_FILE_SYSTEM_OTHER));
    char here[PATH_MAX];
    assert_non_null(getcwd(here, sizeof here));
    bool local = cs_file_system_is_local(cs_file_system_at(here));
    setenv("TMPDIR", here, 1);
    const char *storage = cs_node_storage(CS_FILE_SYSTEM_SHARED);
    if (local)
        assert_string_equal(storage, here);
    setenv("TMPDIR", "relative", 1);
    storage = cs_node_storage(CS_FILE_SYSTEM_SHARED);
    assert_true(!storage || storage[0] == '/');
    unsetenv("TMPDIR");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, cs_scratch_enter, cs_scratch_leave)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(trace_has_all_ranks_on_one_clock),
        TEST(nothing_happens_while_a_process_of_the_node_writes),
        TEST(later_journals_become_a_second_trace),
        TEST(journals_of_another_machine_or_damaged_ones_become_traces_of_their_own),
        TEST(a_failure_leaves_all_journals),
        TEST(too_much_is_left_to_the_command),
        TEST(last_process_converts_however_they_end),
        TEST(folder_on_storage_of_the_node_is_a_link),
        TEST(journals_avoid_shared_file_systems_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
