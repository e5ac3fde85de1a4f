/* The journal's writer: memory first, then a file at the same addresses, and no harm when there is no room. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "journal/writer.h"
#include "tests/support/unit_test.h"

static char folder[] = "/tmp/callsign-journal-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* A journal lives as long as its process; keeping hold of it tells the leak checker so. */
static struct cs_journal *journal_new(void)
{
    static struct cs_journal *all[16];
    static size_t count;
    assert_true(count < sizeof all / sizeof *all);
    assert_int_equal(cs_journal_create(false, &all[count]), CS_OK);
    return all[count++];
}

static struct cs_journal *journal_in(const char *name)
{
    struct cs_journal *journal = journal_new();
    assert_int_equal(cs_journal_save(journal, path_of(name), NULL), CS_OK);
    return journal;
}

static size_t read_all(const char *path, char *data, size_t size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t got = fread(data, 1, size, file);
    fclose(file);
    return got;
}

static void what_was_written_in_memory_is_in_the_file_and_so_is_what_follows(void **state)
{
    (void)state;
    static char data[1 << 20];
    struct cs_journal *journal = journal_new();
    assert_string_equal(cs_journal_path(journal), "");
    cs_journal_note(journal, "before", "memory");
    struct cs_block *block;
    assert_int_equal(cs_journal_add_block(journal, CS_BLOCK_PROFILE, 0, 64, 4096, &block), CS_OK);
    struct cs_profile_cell *cell = (struct cs_profile_cell *)(block + 1);
    cell->site = 42;
    assert_int_equal(cs_journal_save(journal, path_of("moved.journal"), NULL), CS_OK);
    cell->calls = 43; /* through the address from before */
    cs_journal_note(journal, "after", "file");
    size_t size = read_all(path_of("moved.journal"), data, sizeof data);
    const struct cs_journal_header *header = (const void *)data;
    assert_memory_equal(header->magic, CS_JOURNAL_MAGIC, 8);
    assert_int_equal(header->used_bytes, size);
    assert_non_null(memmem(data, size, "before\0memory", 13));
    assert_non_null(memmem(data, size, "after\0file", 10));
    const struct cs_profile_cell *seen = NULL;
    for (uint64_t at = CS_JOURNAL_PAGE; at < size; at += ((const struct cs_block *)(const void *)(data + at))->bytes)
        if (((const struct cs_block *)(const void *)(data + at))->type == CS_BLOCK_PROFILE)
            seen = (const void *)(data + at + sizeof(struct cs_block));
    assert_non_null(seen);
    assert_int_equal(seen->site, 42);
    assert_int_equal(seen->calls, 43);
}

static void a_fact_with_too_many_strings_is_counted_as_lost(void **state)
{
    (void)state;
    static const char *const words[] = {"a", "b", "c", "d", "e"};
    struct cs_journal *journal = journal_new();
    struct cs_fact fact = {0};
    cs_journal_append_texts(journal, CS_FACT_META, &fact, sizeof fact, words, 4);
    assert_int_equal(cs_journal_header(journal)->lost, 0);
    cs_journal_append_texts(journal, CS_FACT_META, &fact, sizeof fact, words, 5);
    assert_int_equal(cs_journal_header(journal)->lost, 1);
}

static void a_block_that_is_mapped_again_has_its_content_and_takes_more(void **state)
{
    (void)state;
    struct cs_journal *journal = journal_in("again");
    struct cs_block *small, *block;
    uint64_t offset;
    assert_int_equal(cs_journal_add_block(journal, CS_BLOCK_PROFILE, 0, 64, 4096, &small), CS_OK);
    assert_int_equal(cs_journal_add_block_at(journal, CS_BLOCK_PROFILE, 0, 64, 12288, &block, &offset), CS_OK);
    block->used = 5;
    cs_journal_unmap(block);
    small->used = 6; /* may be in the same page of the kernel */
    block = cs_journal_map_again(journal, offset, 12288);
    assert_non_null(block);
    assert_int_equal(block->magic, CS_BLOCK_MAGIC);
    assert_int_equal(block->used, 5);
    block->used = 7;
    static char data[1 << 20];
    read_all(path_of("again"), data, sizeof data);
    assert_int_equal(((const struct cs_block *)(const void *)(data + offset))->used, 7);
    assert_int_equal(((const struct cs_block *)(const void *)(data + offset - 4096))->used, 6);
    cs_journal_unmap(block);
    cs_journal_unmap(small);
}

static void an_existing_file_or_link_is_never_touched(void **state)
{
    (void)state;
    struct cs_journal *journal = journal_new();
    FILE *file = fopen(path_of("there"), "w");
    fputs("mine", file);
    fclose(file);
    assert_int_equal(cs_journal_save(journal, path_of("there"), NULL), CS_IO);
    assert_int_equal(errno, EEXIST);
    assert_string_equal(cs_journal_path(journal), "");
    char target[128];
    snprintf(target, sizeof target, "%s", path_of("target"));
    assert_int_equal(symlink(target, path_of("link")), 0);
    assert_int_equal(cs_journal_save(journal, path_of("link"), NULL), CS_IO);
    assert_int_not_equal(access(target, F_OK), 0);
}

static void renaming_replaces_nothing(void **state)
{
    (void)state;
    struct cs_journal *journal = journal_in("first");
    struct cs_journal *other = journal_in("second");
    assert_int_equal(cs_journal_rename(journal, path_of("second")), CS_IO);
    assert_int_equal(errno, EEXIST);
    assert_int_equal(cs_journal_rename(journal, path_of("third")), CS_OK);
    assert_string_equal(cs_journal_path(journal), path_of("third"));
    cs_journal_note(other, "still", "works");
}

static void what_is_removed_is_gone_here_and_elsewhere(void **state)
{
    (void)state;
    struct cs_journal *journal = journal_new();
    cs_journal_remove(journal);
    char elsewhere[128];
    snprintf(elsewhere, sizeof elsewhere, "%s", path_of("elsewhere"));
    assert_int_equal(cs_journal_save(journal, path_of("here"), elsewhere), CS_OK);
    assert_int_equal(access(path_of("here"), F_OK), 0);
    cs_journal_remove(journal);
    assert_int_not_equal(access(elsewhere, F_OK), 0);
    struct stat link;
    assert_int_not_equal(lstat(path_of("here"), &link), 0);
    cs_journal_note(journal, "still", "works");
}

/* Number of bytes logged about a block that cannot be added. */
static off_t said_of_a_block(struct cs_journal *journal, const char *name)
{
    int standard_error = dup(STDERR_FILENO);
    int said = open(path_of(name), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    assert_int_equal(dup2(said, STDERR_FILENO), STDERR_FILENO);
    struct cs_block *block;
    enum cs_status status = cs_journal_add_block(journal, CS_BLOCK_PROFILE, 0, 64, 1 << 20, &block);
    dup2(standard_error, STDERR_FILENO);
    close(standard_error);
    assert_int_equal(status, CS_IO);
    off_t end = lseek(said, 0, SEEK_END);
    close(said);
    return end;
}

/* Calls that began before go on, and may want another block. */
static void what_is_removed_or_closed_gets_no_block_and_says_nothing(void **state)
{
    (void)state;
    struct cs_journal *withdrawn = journal_in("withdrawn");
    cs_journal_remove(withdrawn);
    assert_int_equal(said_of_a_block(withdrawn, "said1"), 0);
    struct cs_journal *complete = journal_in("complete");
    cs_journal_close(complete);
    unlink(path_of("complete"));
    assert_int_equal(said_of_a_block(complete, "said2"), 0);
    struct cs_journal *lost = journal_in("lost");
    unlink(path_of("lost"));
    assert_int_not_equal(said_of_a_block(lost, "said3"), 0);
}

static void no_descriptor_stays_open(void **state)
{
    (void)state;
    int before = dup(0);
    close(before);
    struct cs_journal *journal = journal_in("descriptors");
    struct cs_block *block;
    assert_int_equal(cs_journal_add_block(journal, CS_BLOCK_PROFILE, 0, 64, 1 << 20, &block), CS_OK);
    int after = dup(0);
    close(after);
    assert_int_equal(after, before);
}

/* The program may have put another file in our place: growing that one would damage it. */
static void a_file_that_took_our_path_is_left_alone(void **state)
{
    (void)state;
    struct cs_journal *journal = journal_in("stolen");
    assert_int_equal(unlink(path_of("stolen")), 0);
    FILE *file = fopen(path_of("stolen"), "w");
    fputs("precious", file);
    fclose(file);
    struct cs_block *block;
    assert_int_not_equal(cs_journal_add_block(journal, CS_BLOCK_PROFILE, 0, 64, 1 << 20, &block), CS_OK);
    struct stat about;
    assert_int_equal(stat(path_of("stolen"), &about), 0);
    assert_int_equal(about.st_size, 8);
}

/* In a child, because limits stay: posix_fallocate beyond RLIMIT_FSIZE would kill it with SIGXFSZ. */
static void a_file_size_limit_ends_recording_and_not_the_program(void **state)
{
    (void)state;
    struct cs_journal *journal = journal_in("limited");
    pid_t child = fork();
    if (child == 0) {
        signal(SIGXFSZ, SIG_DFL);
        struct rlimit limit = {1 << 18, 1 << 18};
        setrlimit(RLIMIT_FSIZE, &limit);
        struct cs_block *block;
        enum cs_status status = cs_journal_add_block(journal, CS_BLOCK_PROFILE, 0, 64, 1 << 20, &block);
        for (int i = 0; i < 10000; i++)
            cs_journal_note(journal, "key", "a value that fills the log until there is no more room");
        _exit(status == CS_NO_SPACE && cs_journal_header(journal)->lost > 0 ? 0 : 1);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how));
    assert_int_equal(WEXITSTATUS(how), 0);
}

/* Tries until there is a block, for some seconds at most. */
static bool block_comes_back(struct cs_journal *journal)
{
    struct cs_block *block;
    for (int i = 0; i < 500; i++) {
        if (cs_journal_add_block(journal, CS_BLOCK_PROFILE, 0, 64, 1 << 20, &block) == CS_OK)
            return true;
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    return false;
}

static bool pauses_without_descriptors(struct cs_journal *journal)
{
    struct rlimit before, limit;
    getrlimit(RLIMIT_NOFILE, &before);
    limit = before;
    limit.rlim_cur = 3;
    setrlimit(RLIMIT_NOFILE, &limit);
    struct cs_block *block;
    bool refused = cs_journal_add_block(journal, CS_BLOCK_PROFILE, 0, 64, 1 << 20, &block) == CS_IO;
    for (uint64_t lost = cs_journal_header(journal)->lost; cs_journal_header(journal)->lost < lost + 1000;)
        cs_journal_note(journal, "key", "a value that fills the log until there is no more room");
    setrlimit(RLIMIT_NOFILE, &before);
    uint64_t lost = cs_journal_header(journal)->lost;
    bool goes_on = block_comes_back(journal);
    for (int i = 0; i < 1000; i++)
        cs_journal_note(journal, "key", "a value of later");
    return refused && goes_on && cs_journal_header(journal)->lost == lost;
}

static void without_descriptors_recording_pauses_and_what_is_lost_is_counted(void **state)
{
    (void)state;
    struct cs_journal *journal = journal_in("no-descriptors");
    pid_t child = fork();
    if (child == 0)
        _exit(pauses_without_descriptors(journal) && pauses_without_descriptors(journal) ? 0 : 1);
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how));
    assert_int_equal(WEXITSTATUS(how), 0);
}

/* KiB of memory that this process has now. */
static long resident(void)
{
    long kib = 0;
    char line[128];
    FILE *file = fopen("/proc/self/status", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) && sscanf(line, "VmRSS: %ld", &kib) != 1)
        continue;
    fclose(file);
    assert_true(kib > 0);
    return kib;
}

static void memory_does_not_grow_with_what_is_written(void **state)
{
    (void)state;
    enum { WRITTEN = 24 << 20, ALLOWED = 4 << 20 };
    static char text[1000];
    memset(text, 'x', sizeof text - 1);
    struct cs_journal *journal = journal_in("large");
    cs_journal_note(journal, "first", text);
    long before = resident();
    for (size_t i = 0; i < WRITTEN / sizeof text; i++)
        cs_journal_note(journal, "again", text);
    assert_true((resident() - before) * 1024 < ALLOWED);
    assert_true(cs_journal_header(journal)->used_bytes > WRITTEN);
    assert_int_equal(cs_journal_header(journal)->lost, 0);
}

static void clocks_agree_over_a_span(void **state)
{
    (void)state;
    struct cs_journal *journal = journal_in("clock");
    struct cs_journal_header *header = cs_journal_header(journal);
    struct timespec pause = {0, 20 * 1000 * 1000};
    nanosleep(&pause, NULL);
    cs_journal_read_clocks(journal);
    double ns = cs_clock_ns_per_tick(header->ticks_per_second, &header->first, &header->last);
    double by_ticks = ns * (double)(header->last.ticks - header->first.ticks);
    double by_kernel = (double)(header->last.monotonic_ns - header->first.monotonic_ns);
    assert_true(by_kernel >= 20e6);
    assert_true(by_ticks > 0.999 * by_kernel && by_ticks < 1.001 * by_kernel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_in_memory_is_in_the_file_and_so_is_what_follows),
        cmocka_unit_test(a_fact_with_too_many_strings_is_counted_as_lost),
        cmocka_unit_test(a_block_that_is_mapped_again_has_its_content_and_takes_more),
        cmocka_unit_test(an_existing_file_or_link_is_never_touched),
        cmocka_unit_test(renaming_replaces_nothing),
        cmocka_unit_test(what_is_removed_is_gone_here_and_elsewhere),
        cmocka_unit_test(what_is_removed_or_closed_gets_no_block_and_says_nothing),
        cmocka_unit_test(no_descriptor_stays_open),
        cmocka_unit_test(a_file_that_took_our_path_is_left_alone),
        cmocka_unit_test(a_file_size_limit_ends_recording_and_not_the_program),
        cmocka_unit_test(without_descriptors_recording_pauses_and_what_is_lost_is_counted),
        cmocka_unit_test(memory_does_not_grow_with_what_is_written),
        cmocka_unit_test(clocks_agree_over_a_span),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
