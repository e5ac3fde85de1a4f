/* Files under a temporary name, and whose the files of a run are. */
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file_system.h"
#include "base/proc.h"
#include "base/temporary.h"
#include "db/run/files.h"
#include "db/run/resolved_frames.h"
#include "db/run/traces.h"
#include "journal/run_files.h"
#include "tests/support/conversion.h"
#include "tests/support/journal_builder.h"
#include "tests/support/scratch.h"
#include "tests/support/unit_test.h"

enum { SOMEBODY = 54321 };

/* The number of a process that was and is no more. */
static pid_t gone(void)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    return child;
}

/* Makes rank-00000.db.BOOT-NAMESPACE-PID-0SUFFIX. */
static void leave(struct cs_proc_place place, pid_t pid, const char *suffix)
{
    char name[PATH_MAX];
    snprintf(name, sizeof name, "rank-00000.db.%016" PRIx64 "-%" PRIu64 "-%ld-0%s", place.boot, place.pid_namespace,
             (long)pid, suffix);
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_true(fd >= 0);
    close(fd);
}

static void what_a_killed_process_left_is_removed_and_nothing_else(void **state)
{
    (void)state;
    struct cs_proc_place here = cs_proc_place("/proc"), elsewhere = here, contained = here;
    elsewhere.boot ^= 1;
    contained.pid_namespace ^= 1;
    struct cs_built built = cs_built_sample();
    cs_built_save(&built, JOURNAL, built.bytes);
    cs_built_end(&built);
    leave(here, gone(), ".tmp");
    leave(here, getpid(), ".tmp");
    leave(elsewhere, gone(), ".tmp");
    leave(contained, gone(), ".tmp");
    leave(here, gone(), ".txt");
    assert_int_equal(cs_scratch_files(), 6);
    struct cs_run_files files;
    assert_int_equal(cs_run_files_list(".", &files), CS_OK);
    assert_int_equal(files.count, 1);
    cs_run_files_free(&files);
    assert_int_equal(cs_scratch_files(), 5);
}

static void a_temporary_file_is_found_by_its_name_when_its_process_is_gone(void **state)
{
    (void)state;
    char name[PATH_MAX];
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(cs_temporary_create("./" TRACE, name) < 0);
    int result;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_int_equal(result, 0);
    int mine = cs_temporary_create("./" TRACE, name);
    assert_true(mine >= 0);
    close(mine);
    assert_int_equal(cs_scratch_files(), 2);
    struct cs_run_files files;
    cs_scratch_listen();
    assert_int_equal(cs_run_files_list(".", &files), CS_INVALID);
    cs_scratch_heard();
    assert_int_equal(cs_scratch_files(), 1);
    assert_int_equal(access(name, F_OK), 0);
}

static void assert_owner(const char *path, uid_t user, gid_t group, mode_t mode)
{
    struct stat about;
    assert_int_equal(lstat(path, &about), 0);
    assert_int_equal(about.st_uid, user);
    assert_int_equal(about.st_gid, group);
    assert_int_equal(about.st_mode & 0777, mode);
}

/* Makes the folder callsign.BOOT-NAMESPACE-PID-NUMBER.tmp with a file. */
static void leave_folder(char name[PATH_MAX], struct cs_proc_place place, pid_t pid, int number, mode_t mode)
{
    char file[PATH_MAX + 8];
    snprintf(name, PATH_MAX, "callsign.%016" PRIx64 "-%" PRIu64 "-%ld-%d.tmp", place.boot, place.pid_namespace,
             (long)pid, number);
    assert_int_equal(mkdir(name, 0700), 0);
    snprintf(file, sizeof file, "%s/1.db", name);
    close(open(file, O_WRONLY | O_CREAT, 0600));
    assert_int_equal(chmod(name, mode), 0);
}

static void a_temporary_folder_is_removed_when_its_process_is_gone(void **state)
{
    (void)state;
    struct cs_proc_place here = cs_proc_place("/proc"), elsewhere = here;
    elsewhere.boot ^= 1;
    char left[PATH_MAX], kept[4][PATH_MAX] = {"callsign.mine"}, path[PATH_MAX];
    assert_int_equal(mkdir(kept[0], 0700), 0);
    leave_folder(left, here, gone(), 1, 0700);
    leave_folder(kept[1], here, getpid(), 2, 0700);
    leave_folder(kept[2], elsewhere, gone(), 3, 0700);
    leave_folder(kept[3], here, gone(), 4, 0770); /* others may have changed what is in it */
    assert_int_equal(cs_scratch_files(), 5);
    assert_int_equal(setenv("TMPDIR", ".", 1), 0);
    assert_true(cs_temporary_folder(path));
    assert_int_equal(cs_scratch_files(), 5);
    assert_owner(path, geteuid(), getegid(), 0700);
    assert_int_not_equal(access(left, F_OK), 0);
    cs_temporary_folder_remove(path);
    for (int i = 0; i < 4; i++)
        cs_temporary_folder_remove(kept[i]);
    assert_int_equal(cs_scratch_files(), 0);
    unsetenv("TMPDIR");
}

static void a_journal_that_is_renamed_after_it_was_listed_is_read(void **state)
{
    (void)state;
    static const char of_process[] = "process-node-4711.journal";
    struct cs_built built = cs_built_sample();
    cs_built_save(&built, of_process, built.bytes);
    cs_built_end(&built);
    struct cs_run_files files;
    struct cs_run_traces traces;
    assert_int_equal(cs_run_files_list(".", &files), CS_OK);
    assert_int_equal(rename(of_process, JOURNAL), 0);
    assert_int_equal(cs_run_traces_collect(&files, NULL, &traces), CS_OK);
    assert_int_equal(traces.count, 1);
    assert_int_equal(traces.info.left_out, 0);
    assert_true(files.file[0].ranked);
    assert_string_equal(files.file[0].path, "./" JOURNAL);
    cs_run_files_free(&files);
    cs_run_traces_free(&traces);
}

static void a_trace_has_the_mode_of_its_journal(void **state)
{
    (void)state;
    static const mode_t modes[] = {0600, 0640, 0644, 0664};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        struct cs_built built = cs_built_sample();
        cs_built_save(&built, JOURNAL, built.bytes);
        cs_built_end(&built);
        assert_int_equal(chmod(JOURNAL, modes[i]), 0);
        assert_int_equal(cs_convert(JOURNAL, TRACE, &cs_remove_journal), CS_OK);
        assert_owner(TRACE, geteuid(), getegid(), modes[i]);
    }
}

static void a_trace_aside_is_readable_by_nobody_else(void **state)
{
    (void)state;
    const struct cs_convert_options aside = {.keep_journal = true, .aside = true};
    struct cs_built built = cs_built_sample();
    assert_int_equal(cs_convert_image(&built, &aside), CS_OK);
    assert_owner(TRACE, geteuid(), getegid(), 0600);
}

/* A journal of somebody, in a folder of his. */
static void give_away(mode_t mode)
{
    struct cs_built built = cs_built_sample();
    cs_built_save(&built, JOURNAL, built.bytes);
    cs_built_end(&built);
    assert_int_equal(chown(JOURNAL, SOMEBODY, SOMEBODY + 1), 0);
    assert_int_equal(chmod(JOURNAL, mode), 0);
    assert_int_equal(chown(".", SOMEBODY, SOMEBODY + 1), 0);
}

static void roots_trace_of_anothers_journal_is_the_others(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    give_away(0600);
    assert_int_equal(cs_convert(JOURNAL, TRACE, &cs_remove_journal), CS_OK);
    assert_owner(TRACE, SOMEBODY, SOMEBODY + 1, 0600);
    assert_int_equal(cs_scratch_files(), 1);
    int mine = open("mine", O_CREAT | O_WRONLY, 0600); /* we are ourselves again */
    close(mine);
    assert_owner("mine", 0, getegid(), 0600);
}

static void root_writes_nowhere_that_the_owner_could_not(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    give_away(0600);
    assert_int_equal(mkdir("roots", 0755), 0);
    cs_scratch_listen();
    assert_int_equal(cs_convert(JOURNAL, "roots/" TRACE, &cs_remove_journal), CS_IO);
    assert_non_null(strstr(cs_scratch_heard(), "roots/" TRACE));
    assert_int_equal(access("roots/" TRACE, F_OK), -1);
    assert_int_equal(rmdir("roots"), 0);
}

static void nobody_else_puts_a_trace_in_the_place_of_a_journal(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    give_away(0644);
    assert_int_equal(chmod(".", 0777), 0);
    cs_scratch_listen();
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (setgid(SOMEBODY + 2) != 0 || setuid(SOMEBODY + 2) != 0)
            _exit(99);
        enum cs_status status = cs_convert(JOURNAL, TRACE, &cs_remove_journal);
        const struct cs_convert_options aside = {.keep_journal = true, .aside = true};
        _exit(status == CS_DENIED ? (int)cs_convert(JOURNAL, "copy.db", &aside) : 98);
    }
    int result;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_non_null(strstr(cs_scratch_heard(), "belongs to another user"));
    assert_int_equal(result, 0);
    assert_owner("copy.db", SOMEBODY + 2, SOMEBODY + 2, 0600);
    assert_owner(JOURNAL, SOMEBODY, SOMEBODY + 1, 0644);
    assert_int_equal(access(TRACE, F_OK), -1);
}

static bool know_all(void *context, const struct cs_resolve_frame *frame, struct cs_source *found)
{
    (void)context;
    (void)frame;
    strcpy(found->function, "known");
    return true;
}

/* A trace of somebody, in a folder where everybody may write. */
static const struct cs_resolving knows_all = {.look = know_all};

static void give_trace_away(mode_t mode)
{
    struct cs_built built = cs_built_sample();
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    assert_int_equal(chown(TRACE, SOMEBODY, SOMEBODY + 1), 0);
    assert_int_equal(chmod(TRACE, mode), 0);
    assert_int_equal(chown(".", SOMEBODY, SOMEBODY + 1), 0);
    assert_int_equal(chmod(".", 0777), 0);
}

static void a_trace_with_its_places_is_still_its_owners(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    static const mode_t modes[] = {0600, 0640, 0666};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        give_trace_away(modes[i]);
        assert_int_equal(cs_resolved_frames_write(TRACE, &knows_all), CS_OK);
        assert_owner(TRACE, SOMEBODY, SOMEBODY + 1, modes[i]);
        cs_converted_assert("SELECT count(*) > 0 FROM frame WHERE function = 'known'", "1\n");
        assert_int_equal(cs_scratch_files(), 1);
    }
}

static void nobody_else_puts_places_into_a_trace(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    give_trace_away(0666);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (setgid(SOMEBODY + 2) != 0 || setuid(SOMEBODY + 2) != 0)
            _exit(99);
        _exit(cs_resolved_frames_write(TRACE, &knows_all) == CS_IO ? 0 : 98);
    }
    int result;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_int_equal(result, 0);
    assert_owner(TRACE, SOMEBODY, SOMEBODY + 1, 0666);
    cs_converted_assert("SELECT count(*) FROM frame WHERE function = 'known'", "0\n");
    assert_int_equal(cs_scratch_files(), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, cs_scratch_enter, cs_scratch_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_a_killed_process_left_is_removed_and_nothing_else),
        TEST(a_journal_that_is_renamed_after_it_was_listed_is_read),
        TEST(a_temporary_file_is_found_by_its_name_when_its_process_is_gone),
        TEST(a_temporary_folder_is_removed_when_its_process_is_gone),
        TEST(a_trace_has_the_mode_of_its_journal),
        TEST(a_trace_aside_is_readable_by_nobody_else),
        TEST(roots_trace_of_anothers_journal_is_the_others),
        TEST(root_writes_nowhere_that_the_owner_could_not),
        TEST(nobody_else_puts_a_trace_in_the_place_of_a_journal),
        TEST(a_trace_with_its_places_is_still_its_owners),
        TEST(nobody_else_puts_places_into_a_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
