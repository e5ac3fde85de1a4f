#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "journal/liveness.h"
#include "journal/reader.h"
#include "journal/run_files.h"
#include "journal_facts.h"
#include "tests/support/journal_builder.h"
#include "tests/support/scratch.h"
#include "tests/support/unit_test.h"

#define JOURNAL "j.journal"

struct seen {
    size_t facts, cells, bytes;
    uint64_t calls;
};

static enum cs_status see_fact(void *context, const struct cs_fact *fact)
{
    struct seen *seen = context;
    seen->facts++;
    seen->bytes += fact->bytes;
    /* touch every byte, for the sanitizers */
    for (size_t i = 0; i < fact->bytes; i++)
        seen->calls += ((const unsigned char *)fact)[i] == 0xa5;
    cs_fact_text(fact, 0);
    cs_fact_text(fact, 7);
    return CS_OK;
}

static enum cs_status see_profile(void *context, const void *visited)
{
    struct seen *seen = context;
    const struct cs_profile_cell *cell = visited;
    seen->cells++;
    seen->calls += cell->calls;
    return CS_OK;
}

/* Opens and reads everything, however damaged. */
static enum cs_status read_all(struct seen *seen, bool *damaged)
{
    *seen = (struct seen){0};
    struct cs_journal_reader *reader;
    enum cs_status status = cs_journal_read_open(JOURNAL, &reader);
    if (status != CS_OK)
        return status;
    assert_int_equal(cs_journal_read_facts(reader, see_fact, seen), CS_OK);
    assert_int_equal(cs_journal_read_cells(reader, CS_BLOCK_PROFILE, see_profile, seen), CS_OK);
    *damaged = cs_journal_read_damaged(reader);
    cs_journal_read_close(reader);
    return CS_OK;
}

static enum cs_status open_image(const struct cs_built *built, struct cs_journal_reader **reader)
{
    cs_built_save(built, JOURNAL, built->bytes);
    return cs_journal_read_open(JOURNAL, reader);
}

static void a_whole_journal_is_read_without_damage(void **state)
{
    (void)state;
    struct cs_built built = cs_built_sample();
    cs_built_save(&built, JOURNAL, built.bytes);
    struct seen seen;
    bool damaged;
    assert_int_equal(read_all(&seen, &damaged), CS_OK);
    assert_false(damaged);
    assert_int_equal(seen.facts, 13 + 22 + 2 + 1);
    assert_int_equal(seen.cells, 4); /* of 6, of which 2 are not valid yet */
    assert_int_equal(seen.calls, 4);
    cs_built_end(&built);
}

static void a_journal_cut_anywhere_gives_what_is_there(void **state)
{
    (void)state;
    struct cs_built built = cs_built_sample();
    size_t facts_before = 0;
    for (size_t bytes = 0; bytes < built.bytes; bytes += 64) {
        cs_built_save(&built, JOURNAL, bytes);
        struct seen seen;
        bool damaged = true;
        cs_scratch_listen();
        enum cs_status status = read_all(&seen, &damaged);
        cs_scratch_heard();
        assert_int_equal(status, bytes < 8                                  ? CS_NOT_OURS
                                 : bytes < sizeof(struct cs_journal_header) ? CS_CORRUPT
                                                                            : CS_OK);
        assert_true(damaged);
        assert_true(seen.facts >= facts_before);
        facts_before = seen.facts;
    }
    assert_int_equal(facts_before, 13 + 22 + 2 + 1);
    cs_built_end(&built);
}

/* Every 8-byte word of the file replaced by a hostile one, one at a time. */
static void no_single_wrong_word_harms_the_reader(void **state)
{
    (void)state;
    static const uint64_t hostile[] = {
        0, 1, 0xffffffffffffffff, 0x8000000000000000, 0x7fffffff00000008, 0x0000000100000040};
    struct cs_built built = cs_built_sample();
    for (size_t at = 8; at + 8 <= built.bytes; at += 8) {
        uint64_t before;
        memcpy(&before, built.image + at, 8);
        if (at >= sizeof(struct cs_journal_header) && before == 0)
            continue; /* padding */
        for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
            memcpy(built.image + at, &hostile[i], 8);
            cs_built_save(&built, JOURNAL, built.bytes);
            struct seen seen;
            bool damaged;
            cs_scratch_listen();
            read_all(&seen, &damaged);
            cs_scratch_heard();
        }
        memcpy(built.image + at, &before, 8);
    }
    cs_built_end(&built);
}

static void a_count_beyond_its_block_is_damage_and_cut(void **state)
{
    (void)state;
    struct cs_built built = cs_built_begin();
    const size_t room = (CS_JOURNAL_PAGE - sizeof(struct cs_block)) / sizeof(struct cs_profile_cell);
    size_t block = cs_built_cells(&built, CS_BLOCK_PROFILE, 0, room);
    for (size_t i = 0; i < room; i++)
        cs_built_cell(&built, block, &(struct cs_profile_cell){.function = 1});
    cs_built_at(&built, block)->used = UINT64_MAX / 64 + 2; /* times 64 overflows to 64 */
    cs_built_save(&built, JOURNAL, built.bytes);
    struct seen seen;
    bool damaged;
    assert_int_equal(read_all(&seen, &damaged), CS_OK);
    assert_true(damaged);
    assert_int_equal(seen.cells, room);
    cs_built_end(&built);
}

static void a_fact_larger_than_the_buffer_is_read_whole(void **state)
{
    (void)state;
    struct cs_built built = cs_built_begin();
    size_t log = cs_built_block(&built, CS_BLOCK_LOG, 0, 0, 300000);
    char *large = malloc(200001);
    assert_non_null(large);
    memset(large, 'x', 200000);
    large[200000] = 0;
    for (int i = 0; i < 3; i++)
        cs_built_fact(&built, log, CS_FACT_META, 1, &(struct cs_fact_meta){{0}}, sizeof(struct cs_fact_meta),
                      i == 1 ? CS_STRINGS("arguments", large) : CS_STRINGS("a", "b"));
    cs_built_save(&built, JOURNAL, built.bytes);
    struct seen seen;
    bool damaged;
    assert_int_equal(read_all(&seen, &damaged), CS_OK);
    assert_false(damaged);
    assert_int_equal(seen.facts, 3);
    assert_true(seen.bytes > 200000);
    free(large);
    cs_built_end(&built);
}

static void unknown_blocks_and_facts_are_skipped(void **state)
{
    (void)state;
    struct cs_built built = cs_built_begin();
    cs_built_block(&built, (enum cs_block_type)77, 0, 8, 100);
    size_t log = cs_built_block(&built, CS_BLOCK_LOG, 0, 0, 100);
    cs_built_fact(&built, log, (enum cs_fact_type)999, 1, &(struct cs_fact_meta){{0}}, sizeof(struct cs_fact_meta),
                  NULL);
    cs_built_save(&built, JOURNAL, built.bytes);
    struct seen seen;
    bool damaged;
    assert_int_equal(read_all(&seen, &damaged), CS_OK);
    assert_false(damaged);
    assert_int_equal(seen.facts, 1);
    cs_built_end(&built);
}

static void foreign_headers_are_refused_with_a_line_that_names_the_file(void **state)
{
    (void)state;
    static const struct {
        uint32_t version, byte_order, header_bytes;
        enum cs_status status;
        const char *said;
    } cases[] = {
        {CS_JOURNAL_VERSION + 1, CS_JOURNAL_BYTE_ORDER, 216, CS_INVALID, "was written by callsign 0."},
        {0x1234567, CS_JOURNAL_BYTE_ORDER, 144, CS_INVALID, "was written by callsign 0."},
        {0, CS_JOURNAL_BYTE_ORDER, 144, CS_CORRUPT, "its header is invalid"},
        {CS_JOURNAL_VERSION, 0x04030201, 144, CS_INVALID, "byte order"},
        {CS_JOURNAL_VERSION, 0, 144, CS_CORRUPT, "its header is invalid"},
        {CS_JOURNAL_VERSION, CS_JOURNAL_BYTE_ORDER, 80, CS_CORRUPT, "its header is invalid"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cs_built built = cs_built_begin();
        cs_built_header(&built)->version = cases[i].version;
        cs_built_header(&built)->byte_order = cases[i].byte_order;
        cs_built_header(&built)->header_bytes = cases[i].header_bytes;
        struct cs_journal_reader *reader;
        cs_scratch_listen();
        enum cs_status status = open_image(&built, &reader);
        const char *said = cs_scratch_heard();
        assert_int_equal(status, cases[i].status);
        assert_non_null(strstr(said, cases[i].said));
        assert_non_null(strstr(said, JOURNAL));
        cs_built_end(&built);
    }
}

static void links_folders_and_pipes_are_refused(void **state)
{
    (void)state;
    struct cs_built built = cs_built_sample();
    cs_built_save(&built, "real", built.bytes);
    cs_built_end(&built);
    struct cs_journal_reader *reader;
    assert_int_equal(symlink("real", "link"), 0);
    assert_int_equal(mkfifo("pipe", 0600), 0);
    cs_scratch_listen();
    assert_int_equal(cs_journal_read_open("link", &reader), CS_IO);
    assert_int_equal(cs_journal_read_open("pipe", &reader), CS_NOT_OURS);
    assert_int_equal(cs_journal_read_open(".", &reader), CS_NOT_OURS);
    assert_int_equal(cs_journal_read_open("missing", &reader), CS_IO);
    assert_non_null(strstr(cs_scratch_heard(), "symbolic link"));
}

static void itself(struct cs_journal_header *header)
{
    (void)header;
}

static void earlier(struct cs_journal_header *header)
{
    header->process_start++;
}

static void no_process(struct cs_journal_header *header)
{
    header->pid = 0x7ffffffe;
}

static void of_no_known_start(struct cs_journal_header *header)
{
    header->process_start = 0;
}

static void in_another_boot(struct cs_journal_header *header)
{
    header->boot ^= 1;
}

static void in_another_namespace(struct cs_journal_header *header)
{
    header->pid_namespace ^= 1;
}

static void that_ended_well(struct cs_journal_header *header)
{
    header->outcome = CS_OUTCOME_FINALIZED;
}

static enum cs_status count_cell(void *context, const void *cell)
{
    ++*(uint64_t *)context;
    return *(const uint64_t *)cell ? CS_CORRUPT : CS_OK;
}

/* A journal of a terabyte of which only the begin was ever written. */
static void a_hole_that_counts_cover_takes_no_time(void **state)
{
    (void)state;
    const uint64_t cells = (uint64_t)1 << 34;
    struct cs_built built = cs_built_begin();
    size_t block = cs_built_cells(&built, CS_BLOCK_PROFILE, 0, 1);
    cs_built_cell(&built, block, &(struct cs_profile_cell){.function = 1});
    struct cs_block *profile = cs_built_at(&built, block);
    profile->used = cells;
    profile->bytes = cells * sizeof(struct cs_profile_cell) + CS_JOURNAL_PAGE;
    cs_built_header(&built)->used_bytes = CS_JOURNAL_PAGE + profile->bytes;
    uint64_t end = cs_built_header(&built)->used_bytes, seen = 0;
    cs_built_save(&built, JOURNAL, built.bytes);
    if (truncate(JOURNAL, (off_t)end) != 0)
        skip(); /* no files of this length here */
    struct cs_journal_reader *reader;
    alarm(30);
    assert_int_equal(cs_journal_read_open(JOURNAL, &reader), CS_OK);
    assert_int_equal(cs_journal_read_cells(reader, CS_BLOCK_PROFILE, count_cell, &seen), CS_OK);
    alarm(0);
    assert_false(cs_journal_read_damaged(reader));
    assert_int_equal(seen, 1);
    cs_journal_read_close(reader);
    cs_built_end(&built);
}

/* Changes the header of a journal that this process could have written. */
static enum cs_writer writer_of(void (*change)(struct cs_journal_header *header))
{
    struct cs_built built = cs_built_begin();
    struct cs_journal_header *header = cs_built_header(&built);
    header->pid = (uint32_t)getpid();
    header->process_start = cs_scratch_start_of(getpid());
    change(header);
    struct cs_journal_reader *reader;
    assert_int_equal(open_image(&built, &reader), CS_OK);
    enum cs_writer writer = cs_journal_read_writer(reader);
    assert_int_equal(cs_journal_read_is_own(reader), change == itself);
    cs_journal_read_close(reader);
    cs_built_end(&built);
    return writer;
}

static void the_writer_is_known_by_boot_namespace_process_and_start(void **state)
{
    (void)state;
    assert_int_equal(writer_of(itself), CS_WRITER_HERE);
    assert_int_equal(writer_of(earlier), CS_WRITER_GONE);
    assert_int_equal(writer_of(no_process), CS_WRITER_GONE);
    assert_int_equal(writer_of(of_no_known_start), CS_WRITER_UNKNOWN);
    assert_int_equal(writer_of(in_another_boot), CS_WRITER_UNKNOWN);
    assert_int_equal(writer_of(in_another_namespace), CS_WRITER_UNKNOWN);
    assert_int_equal(writer_of(that_ended_well), CS_WRITER_GONE);
}

/* A child that holds the lock of the journal until it is killed; it has a child of its own, which lives on. */
static pid_t hold_lock(pid_t *grandchild)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(60);
        void *lock = cs_writer_lock_acquire(open(JOURNAL, O_RDWR | O_CLOEXEC));
        pid_t made = fork();
        if (made == 0) {
            alarm(60);
            pause();
            _exit(0);
        }
        if (write(ends[1], &made, sizeof made) != sizeof made || !lock)
            _exit(1);
        pause();
        _exit(0);
    }
    assert_int_equal(read(ends[0], grandchild, sizeof *grandchild), sizeof *grandchild);
    close(ends[0]);
    close(ends[1]);
    return child;
}

/* Wherever this runs may have another kind of file system: a test says nothing then, and says so. */
static void a_lock_tells_in_all_namespaces_who_lives_and_children_do_not_hold_it(void **state)
{
    (void)state;
    struct cs_built built = cs_built_begin();
    struct cs_journal_reader *reader;
    pid_t grandchild;
    in_another_namespace(cs_built_header(&built));
    cs_built_header(&built)->locked = 1;
    assert_int_equal(open_image(&built, &reader), CS_OK);
    int fd = open(JOURNAL, O_RDONLY);
    bool shown = cs_writer_lock_query(fd) != CS_WRITER_LOCK_UNKNOWN;
    close(fd);
    if (!shown) {
        cs_journal_read_close(reader);
        cs_built_end(&built);
        print_message("no file system whose locks all readers see: not tested\n");
        skip();
    }
    pid_t writer = hold_lock(&grandchild);
    assert_int_equal(cs_journal_read_writer(reader), CS_WRITER_HERE);
    assert_false(cs_journal_read_is_own(reader));
    kill(writer, SIGKILL);
    waitpid(writer, NULL, 0);
    assert_int_equal(cs_journal_read_writer(reader), CS_WRITER_GONE);
    kill(grandchild, SIGKILL);
    cs_journal_read_close(reader);
    cs_built_end(&built);
}

static void strings_end_within_their_fact(void **state)
{
    (void)state;
    struct {
        struct cs_fact_meta meta;
        char strings[8];
    } fact = {.strings = {'a', 'b', 0, 'c', 'd', 'e', 'f', 'g'}};
    fact.meta.fact.bytes = sizeof fact;
    fact.meta.fact.type = CS_FACT_META;
    assert_string_equal(cs_fact_meta_key(&fact.meta), "ab");
    assert_null(cs_fact_meta_value(&fact.meta));
    assert_null(cs_fact_text(&fact.meta.fact, 2));
    fact.meta.fact.type = CS_FACT_OBJECT; /* whose structure is longer */
    assert_null(cs_fact_text(&fact.meta.fact, 0));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, cs_scratch_enter, cs_scratch_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_whole_journal_is_read_without_damage),
        TEST(a_journal_cut_anywhere_gives_what_is_there),
        TEST(no_single_wrong_word_harms_the_reader),
        TEST(a_count_beyond_its_block_is_damage_and_cut),
        TEST(a_fact_larger_than_the_buffer_is_read_whole),
        TEST(unknown_blocks_and_facts_are_skipped),
        TEST(foreign_headers_are_refused_with_a_line_that_names_the_file),
        TEST(links_folders_and_pipes_are_refused),
        TEST(a_hole_that_counts_cover_takes_no_time),
        TEST(the_writer_is_known_by_boot_namespace_process_and_start),
        TEST(a_lock_tells_in_all_namespaces_who_lives_and_children_do_not_hold_it),
        TEST(strings_end_within_their_fact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
