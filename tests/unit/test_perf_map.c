/* Maps of generated code: which file is believed, and what damaged lines do. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/convert/perf_map.h"
#include "tests/support/scratch.h"
#include "tests/support/unit_test.h"

#define FILE_NAME "perf.map"

static void write_bytes(const char *text, size_t bytes)
{
    FILE *file = fopen(FILE_NAME, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

static struct cs_perf_map_wanted any_time(void)
{
    return (struct cs_perf_map_wanted){.path = FILE_NAME, .owner = geteuid(), .latest_ns = INT64_MAX};
}

static struct cs_perf_map *read_map(const char *text)
{
    const struct cs_perf_map_wanted wanted = any_time();
    write_bytes(text, strlen(text));
    return cs_perf_map_read(&wanted);
}

/* Fails unless a call that returns to this address comes from this function; NULL: from an unknown one. */
static void assert_name(const struct cs_perf_map *map, uint64_t address, const char *name, uint64_t offset)
{
    uint64_t found_offset = 0;
    const char *found = cs_perf_map_find(map, address, &found_offset);
    if (!name) {
        assert_null(found);
        return;
    }
    assert_non_null(found);
    assert_string_equal(found, name);
    assert_int_equal(found_offset, offset);
}

static void a_call_belongs_to_the_function_before_its_return_address(void **state)
{
    (void)state;
    struct cs_perf_map *map = read_map("2000 10 second\n1000 20 first (a, b)\n0x3000 0x8 third\n");
    assert_name(map, 0x1000, NULL, 0);
    assert_name(map, 0x1001, "first (a, b)", 1);
    assert_name(map, 0x1020, "first (a, b)", 0x20); /* the call was its last instruction */
    assert_name(map, 0x1021, NULL, 0);
    assert_name(map, 0x2008, "second", 8);
    assert_name(map, 0x3008, "third", 8);
    assert_name(map, 0x3009, NULL, 0);
    assert_name(map, 0, NULL, 0);
    assert_name(map, UINT64_MAX, NULL, 0);
    cs_perf_map_free(map);
    assert_name(NULL, 0x1001, NULL, 0);
    cs_perf_map_free(NULL);
}

static void functions_that_share_addresses_have_no_name(void **state)
{
    (void)state;
    struct cs_perf_map *map =
        read_map("1000 100 around\n1010 10 inside\n1080 10 inside_too\n1100 10 after\n"
                 "2000 10 same\n2000 10 same\n3000 10 one\n3000 10 other\n4000 10 grown\n4000 20 grown\n");
    assert_name(map, 0x1018, NULL, 0);
    assert_name(map, 0x1050, NULL, 0);
    assert_name(map, 0x1088, NULL, 0);
    assert_name(map, 0x1108, "after", 8);
    assert_name(map, 0x2008, "same", 8);
    assert_name(map, 0x3008, NULL, 0);
    assert_name(map, 0x4008, NULL, 0);
    cs_perf_map_free(map);
}

static void damaged_lines_are_left_out(void **state)
{
    (void)state;
    struct cs_perf_map *map =
        read_map("\n \n1000\n1000 10\n1000 10 \n1000 0 none\n0 10 null\nffffffffffffffff 10 beyond\n"
                 "1000 ffffffffffffffff huge\n1000 40000001 larger\n11111111111111111 10 long\n1000 1x wrong\n"
                 "1000 10 a\tb\n1000 10 \xff\n1000,10 comma\n5000 10 good\n6000 10 unfinished");
    assert_name(map, 0x1008, NULL, 0);
    assert_name(map, 0x5008, "good", 8);
    assert_name(map, 0x6008, NULL, 0);
    cs_perf_map_free(map);

    char text[2 * CS_PERF_NAME_MOST] = "1000 10 ";
    for (size_t i = 0; i < CS_PERF_NAME_MOST / 2 + 10; i++)
        strcat(text, "\xc3\xa4");
    strcat(text, "\n");
    map = read_map(text);
    uint64_t offset;
    const char *found = cs_perf_map_find(map, 0x1008, &offset);
    assert_non_null(found);
    assert_int_equal(strlen(found), CS_PERF_NAME_MOST - 2); /* no character is cut */
    cs_perf_map_free(map);

    static const char with_nul[] = "1000 10 first\n2000 10 \0second\n3000 10 third\n";
    const struct cs_perf_map_wanted wanted = any_time();
    write_bytes(with_nul, sizeof with_nul - 1);
    map = cs_perf_map_read(&wanted);
    assert_name(map, 0x1008, "first", 8);
    assert_name(map, 0x2008, NULL, 0);
    cs_perf_map_free(map);
}

/* xorshift */
static uint64_t random_next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    return *seed ^= *seed << 17;
}

static void random_bytes_do_no_harm(void **state)
{
    (void)state;
    static const char letters[] = "0123456789abcdefx  \n\n\xc3\xa4g";
    uint64_t seed = 20251126;
    for (int round = 0; round < 300; round++) {
        char text[600];
        for (size_t i = 0; i < sizeof text; i++)
            text[i] = round % 2 ? letters[random_next(&seed) % (sizeof letters - 1)] : (char)random_next(&seed);
        const struct cs_perf_map_wanted wanted = any_time();
        write_bytes(text, sizeof text);
        struct cs_perf_map *map = cs_perf_map_read(&wanted);
        assert_non_null(map);
        for (uint64_t address = 1; address; address *= 2) {
            uint64_t offset = 0;
            const char *name = cs_perf_map_find(map, address, &offset);
            assert_true(!name || (*name && strlen(name) < CS_PERF_NAME_MOST && offset > 0 && offset <= address));
        }
        cs_perf_map_free(map);
    }
}

static void assert_unread(struct cs_perf_map_wanted wanted)
{
    assert_null(cs_perf_map_read(&wanted));
}

static void only_the_file_of_this_process_is_read(void **state)
{
    (void)state;
    struct stat about;
    write_bytes("1000 10 work\n", 13);
    assert_int_equal(stat(FILE_NAME, &about), 0);
    int64_t written_ns = (int64_t)about.st_mtim.tv_sec * 1000000000 + about.st_mtim.tv_nsec;
    struct cs_perf_map_wanted wanted = any_time();
    wanted.earliest_ns = wanted.latest_ns = written_ns;
    struct cs_perf_map *map = cs_perf_map_read(&wanted);
    assert_name(map, 0x1008, "work", 8);
    cs_perf_map_free(map);

    struct cs_perf_map_wanted later = wanted, earlier = wanted, other = wanted, link = wanted, folder = wanted,
                              missing = wanted;
    later.earliest_ns++;
    later.latest_ns++;
    assert_unread(later); /* written before the process began */
    earlier.earliest_ns--;
    earlier.latest_ns--;
    assert_unread(earlier); /* written after it ended */
    other.owner++;
    assert_unread(other);
    assert_int_equal(symlink(FILE_NAME, "link"), 0);
    strcpy(link.path, "link");
    assert_unread(link);
    assert_int_equal(mkdir("folder", 0700), 0);
    strcpy(folder.path, "folder");
    folder.earliest_ns = 0;
    folder.latest_ns = INT64_MAX;
    assert_unread(folder);
    strcpy(missing.path, "missing");
    assert_unread(missing);
    assert_int_equal(mkfifo("pipe", 0600), 0); /* it does not wait for a writer */
    strcpy(folder.path, "pipe");
    assert_unread(folder);
    assert_int_equal(chmod(FILE_NAME, 0646), 0);
    assert_unread(wanted);
    assert_int_equal(chmod(FILE_NAME, 0664), 0);
    assert_int_equal(truncate(FILE_NAME, ((off_t)64 << 20) + 1), 0);
    assert_unread(any_time());
    assert_int_equal(unlink("link"), 0);
    assert_int_equal(unlink("pipe"), 0);
    assert_int_equal(rmdir("folder"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_call_belongs_to_the_function_before_its_return_address, cs_scratch_enter,
                                        cs_scratch_leave),
        cmocka_unit_test_setup_teardown(functions_that_share_addresses_have_no_name, cs_scratch_enter,
                                        cs_scratch_leave),
        cmocka_unit_test_setup_teardown(damaged_lines_are_left_out, cs_scratch_enter, cs_scratch_leave),
        cmocka_unit_test_setup_teardown(random_bytes_do_no_harm, cs_scratch_enter, cs_scratch_leave),
        cmocka_unit_test_setup_teardown(only_the_file_of_this_process_is_read, cs_scratch_enter, cs_scratch_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
