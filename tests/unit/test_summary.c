/* Summaries: the same figures in one go, folded from parts in any order, packed, and as rows; nonsense is refused. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/summary/summary.h"
#include "db/trace/schema.h"
#include "tests/support/unit_test.h"

enum { RANKS = 40, CELLS = 25, PARTS = 5 };

static uint64_t dice;

static int64_t throw_dice(int64_t below)
{
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((dice >> 33) % (uint64_t)below);
}

static void make_cells(struct cs_summary_cell cell[CELLS])
{
    static const char *const kinds[] = {NULL, "collective", "point-to-point", "file"};
    for (int i = 0; i < CELLS; i++) {
        int64_t longest = INT64_C(1) << throw_dice(40);
        cell[i] = (struct cs_summary_cell){.similar = throw_dice(3),
                                           .function = 1 + throw_dice(4),
                                           .site = throw_dice(3),
                                           .sums = {.calls = throw_dice(9),
                                                    .open = throw_dice(2),
                                                    .time_ns = throw_dice(longest),
                                                    .timed = throw_dice(4) > 0,
                                                    .min_ns = throw_dice(50),
                                                    .max_ns = throw_dice(longest),
                                                    .sent_bytes = throw_dice(1000),
                                                    .received_bytes = throw_dice(1000)},
                                           .kind = kinds[throw_dice(4)],
                                           .size_similar = throw_dice(3),
                                           .size_class = throw_dice(12),
                                           .messages = throw_dice(9),
                                           .message_bytes = throw_dice(900)};
    }
}

static sqlite3 *open_database(void)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_int_equal(cs_schema_add_tables(db, true), SQLITE_OK);
    return db;
}

/* All rows as one text, to be freed. */
static char *text_of(sqlite3 *db)
{
    sqlite3_str *text = sqlite3_str_new(NULL);
    sqlite3_stmt *row;
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT *, hex(sketch) FROM summary", -1, &row, NULL), SQLITE_OK);
    while (sqlite3_step(row) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(row); i++)
            sqlite3_str_appendf(text, "%s|", (const char *)sqlite3_column_text(row, i));
    sqlite3_finalize(row);
    return sqlite3_str_finish(text);
}

static char *rows_of(const struct cs_summary *summary)
{
    sqlite3 *db = open_database();
    assert_int_equal(cs_summary_write(summary, db, "main"), SQLITE_OK);
    char *text = text_of(db);
    sqlite3_close(db);
    return text;
}

/* Adds `part` to `whole` in one of three ways, and frees it. */
static void fold(struct cs_summary *whole, struct cs_summary *part, int64_t way)
{
    if (way == 0) {
        assert_int_equal(cs_summary_fold(whole, part), CS_OK);
    } else if (way == 1) {
        size_t bytes;
        void *packed = cs_summary_pack(part, &bytes);
        assert_int_equal(cs_summary_unpack(whole, packed, bytes), CS_OK);
        free(packed);
    } else {
        bool found;
        sqlite3 *db = open_database();
        assert_int_equal(cs_summary_write(part, db, "main"), SQLITE_OK);
        assert_int_equal(cs_summary_read(whole, db, &found), CS_OK);
        assert_true(found);
        sqlite3_close(db);
    }
    cs_summary_destroy(part);
}

static void parts_fold_to_the_same_in_any_order(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        dice = seed;
        struct cs_summary *whole = cs_summary_create(), *folded = cs_summary_create(), *part[PARTS];
        for (int i = 0; i < PARTS; i++)
            part[i] = cs_summary_create();
        for (int rank = 0; rank < RANKS; rank++) {
            struct cs_summary_cell cell[CELLS];
            make_cells(cell);
            assert_int_equal(cs_summary_add_rank(whole, rank, cell, CELLS), CS_OK);
            int64_t to = rank < PARTS ? rank : throw_dice(PARTS);
            assert_int_equal(cs_summary_add_rank(part[to], rank, cell, CELLS), CS_OK);
        }
        for (int left = PARTS; left > 0; left--) {
            int64_t at = throw_dice(left);
            fold(folded, part[at], throw_dice(3));
            part[at] = part[left - 1];
        }
        char *expected = rows_of(whole), *found = rows_of(folded);
        assert_true(strlen(expected) > 1000);
        assert_string_equal(found, expected);
        sqlite3_free(expected);
        sqlite3_free(found);
        cs_summary_destroy(whole);
        cs_summary_destroy(folded);
    }
}

static void rounded_times_are_near(void **state)
{
    (void)state;
    for (int64_t time = 0; time < 300; time++)
        assert_true(llabs(cs_summary_rounded(time) - time) * 100 <= time);
    for (int64_t time = 1; time > 0 && time < INT64_MAX / 3; time = time * 3 + 1) {
        assert_true(llabs(cs_summary_rounded(time) - time) <= time / 100);
        assert_true(cs_summary_rounded(time) <= cs_summary_rounded(time + 1));
    }
    assert_true(cs_summary_rounded(INT64_MAX) > INT64_MAX - INT64_MAX / 100);
}

static void sums_of_many_days_are_exact(void **state)
{
    (void)state;
    struct cs_summary *summary = cs_summary_create();
    struct cs_summary_cell cell = {.function = 1, .sums = {.calls = INT64_MAX, .time_ns = INT64_MAX}};
    for (int rank = 0; rank < 3; rank++)
        assert_int_equal(cs_summary_add_rank(summary, rank, &cell, 1), CS_OK);
    sqlite3 *db = open_database(), *copy = open_database();
    assert_int_equal(cs_summary_write(summary, db, "main"), SQLITE_OK);
    sqlite3_stmt *row;
    assert_int_equal(
        sqlite3_prepare_v2(db, "SELECT time_ns, calls FROM summary WHERE part = 'function'", -1, &row, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    assert_true(sqlite3_column_double(row, 0) == 3.0 * (double)INT64_MAX);
    assert_true(sqlite3_column_int64(row, 1) == INT64_MAX);
    sqlite3_finalize(row);
    sqlite3_close(copy);
    sqlite3_close(db);
    cs_summary_destroy(summary);
}

static enum cs_status read_after(const char *sql)
{
    struct cs_summary *summary = cs_summary_create(), *read = cs_summary_create();
    struct cs_summary_cell cell[CELLS];
    dice = 5;
    make_cells(cell);
    assert_int_equal(cs_summary_add_rank(summary, 7, cell, CELLS), CS_OK);
    sqlite3 *db = open_database();
    assert_int_equal(cs_summary_write(summary, db, "main"), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    bool found;
    enum cs_status status = cs_summary_read(read, db, &found);
    sqlite3_close(db);
    cs_summary_destroy(summary);
    cs_summary_destroy(read);
    return status;
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    static const char *const changes[] = {"part = 'parts'",
                                          "kind = 'x'",
                                          "ranks = 0",
                                          "ranks = -1",
                                          "ranks = 2",
                                          "calls = -1",
                                          "least_ns = most_ns + 1",
                                          "next_ns = 3",
                                          "sketch = NULL",
                                          "sketch = 'abc'",
                                          "sketch = x'ffff01000000'",
                                          "sketch = x'000000000000'",
                                          "sketch = x'020001000000010001000000'",
                                          "least_ns = -5",
                                          "max_ns = -1, min_ns = 1"};
    assert_int_equal(read_after("SELECT 1"), CS_OK);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char *sql = sqlite3_mprintf("UPDATE OR IGNORE summary SET %s", changes[i]);
        if (read_after(sql) != CS_CORRUPT)
            fail_msg("%s is taken", sql);
        sqlite3_free(sql);
    }
    assert_int_equal(read_after("DROP TABLE summary"), CS_CORRUPT);
    assert_int_equal(
        read_after("UPDATE OR IGNORE summary SET time_ns = 'x', similar = 1.5, site = 'y' WHERE part = 'line'"), CS_OK);
}

static void any_bytes_are_survived(void **state)
{
    (void)state;
    struct cs_summary_cell cell[CELLS];
    dice = 9;
    make_cells(cell);
    struct cs_summary *summary = cs_summary_create();
    assert_int_equal(cs_summary_add_rank(summary, 1, cell, CELLS), CS_OK);
    size_t bytes;
    unsigned char *packed = cs_summary_pack(summary, &bytes);
    for (int i = 0; i < 2000; i++) {
        struct cs_summary *read = cs_summary_create();
        size_t length = i % 2 ? bytes : (size_t)throw_dice((int64_t)bytes);
        unsigned char *damaged = malloc(length + 1);
        assert_non_null(damaged);
        memcpy(damaged, packed, length);
        for (int64_t j = throw_dice(4); length && j >= 0; j--)
            damaged[throw_dice((int64_t)length)] = (unsigned char)throw_dice(256);
        enum cs_status status = cs_summary_unpack(read, damaged, length);
        assert_true(status == CS_OK || status == CS_CORRUPT);
        cs_summary_destroy(read);
        free(damaged);
    }
    free(packed);
    cs_summary_destroy(summary);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_fold_to_the_same_in_any_order),
                                       cmocka_unit_test(rounded_times_are_near),
                                       cmocka_unit_test(sums_of_many_days_are_exact),
                                       cmocka_unit_test(nonsense_is_refused), cmocka_unit_test(any_bytes_are_survived)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
