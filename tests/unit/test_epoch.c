/* Epochs that MPI_Win_start and MPI_Win_post open: what the journal has of them, and what rows they become. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "journal/format.h"
#include "journal/reader.h"
#include "journal/writer.h"
#include "record/object/epoch.h"
#include "record/process/recorder.h"
#include "record/recording.h"
#include "tests/support/conversion.h"
#include "tests/support/scratch.h"
#include "tests/support/unit_test.h"

enum { GROUP = 7 };

struct seen {
    uint32_t window;
    uint64_t cells; /* of any window, also those that are free */
    char text[512];
};

static enum cs_status see(void *context, const void *visited)
{
    struct seen *seen = context;
    const struct cs_epoch_cell *cell = visited;
    size_t length = strlen(seen->text);
    seen->cells++;
    if (cell->object == seen->window)
        snprintf(seen->text + length, sizeof seen->text - length, "%s%d:%u/%u %u/%u%s", length ? ", " : "", cell->peer,
                 cell->starts, cell->completes, cell->posts, cell->waits, cell->unchecked ? " unchecked" : "");
    return CS_OK;
}

static struct seen look(uint32_t window)
{
    struct seen seen = {.window = window};
    struct cs_journal_reader *reader;
    assert_int_equal(cs_journal_read_open(cs_journal_path(cs_recorder.journal), &reader), CS_OK);
    assert_int_equal(cs_journal_read_cells(reader, CS_BLOCK_EPOCH, see, &seen), CS_OK);
    cs_journal_read_close(reader);
    return seen;
}

static void assert_cells(uint32_t window, const char *text)
{
    assert_string_equal(look(window).text, text);
}

static struct cs_epoch access_of(uint32_t window)
{
    return (struct cs_epoch){.window = window, .side = CS_EPOCH_ACCESS, .group = GROUP};
}

static struct cs_epoch exposure_of(uint32_t window)
{
    return (struct cs_epoch){.window = window, .side = CS_EPOCH_EXPOSURE, .group = GROUP};
}

static void both_sides_are_counted_by_peer(void **state)
{
    (void)state;
    struct cs_epoch access = access_of(1), exposure = exposure_of(1);
    cs_epoch_open(&access, (int[]){5, 3}, 2);
    cs_epoch_begun(1, true);
    assert_cells(1, "5:1/0 0/0, 3:1/0 0/0");
    cs_epoch_open(&exposure, (int[]){3}, 1);
    cs_epoch_close(1, CS_EPOCH_ACCESS);
    assert_cells(1, "5:1/1 0/0, 3:1/1 1/0");
    cs_epoch_close(1, CS_EPOCH_EXPOSURE);
    cs_epoch_close(1, CS_EPOCH_EXPOSURE);
    assert_cells(1, "5:1/1 0/0, 3:1/1 1/1");
}

static void same_group_has_the_same_peers(void **state)
{
    (void)state;
    struct cs_epoch access = access_of(2);
    assert_false(cs_epoch_reopen(&access));
    cs_epoch_open(&access, (int[]){4}, 1);
    cs_epoch_begun(2, true);
    cs_epoch_close(2, CS_EPOCH_ACCESS);
    access.unchecked = true;
    assert_true(cs_epoch_reopen(&access));
    cs_epoch_begun(2, true);
    assert_cells(2, "4:2/1 0/0 unchecked");
    cs_epoch_close(2, CS_EPOCH_ACCESS);
    access.group = GROUP + 1;
    assert_false(cs_epoch_reopen(&access));
    access.group = 0;
    cs_epoch_open(&access, (int[]){9}, 1);
    assert_false(cs_epoch_reopen(&access));
}

static void start_that_fails_does_not_count(void **state)
{
    (void)state;
    struct cs_epoch access = access_of(3);
    cs_epoch_open(&access, (int[]){0, 1}, 2);
    cs_epoch_begun(3, false);
    assert_cells(3, "0:0/0 0/0, 1:0/0 0/0");
    cs_epoch_close(3, CS_EPOCH_ACCESS);
    assert_cells(3, "0:0/0 0/0, 1:0/0 0/0");
    /* One that longjmp left is taken back by the next. */
    assert_true(cs_epoch_reopen(&access));
    assert_true(cs_epoch_reopen(&access));
    cs_epoch_begun(3, true);
    assert_cells(3, "0:1/0 0/0, 1:1/0 0/0");
}

static void epoch_whose_end_was_not_seen_makes_the_window_unknown(void **state)
{
    (void)state;
    struct cs_epoch exposure = exposure_of(4);
    cs_epoch_open(&exposure, (int[]){1}, 1);
    cs_epoch_open(&exposure, (int[]){1}, 1);
    assert_non_null(strstr(look(4).text, "-4:"));
    assert_true(cs_epoch_reopen(&exposure)); /* nobody has to ask for its peers */
}

static void window_with_too_many_peers_is_unknown(void **state)
{
    (void)state;
    enum { MORE = CS_EPOCH_PEERS_MOST + 1 };
    static int peers[MORE];
    struct cs_epoch access = access_of(5);
    for (int i = 0; i < MORE; i++)
        peers[i] = MORE - i;
    cs_epoch_open(&access, peers, MORE - 1);
    cs_epoch_begun(5, true);
    cs_epoch_close(5, CS_EPOCH_ACCESS);
    assert_null(strstr(look(5).text, "-4:"));
    access.group++;
    cs_epoch_open(&access, peers, MORE);
    cs_epoch_drop(5);
    cs_epoch_lose(6);
    assert_cells(6, "-4:0/0 0/0");
    assert_int_equal(cs_journal_header(cs_recorder.journal)->lost, 0);
}

static void cells_of_dead_windows_are_used_again(void **state)
{
    (void)state;
    enum { FIRST = 100, MADE = 1000 };
    uint64_t before = look(0).cells;
    for (uint32_t i = 0; i < MADE; i++) {
        struct cs_epoch exposure = exposure_of(FIRST + i);
        cs_epoch_open(&exposure, (int[]){2, 8}, 2);
        cs_epoch_close(FIRST + i, CS_EPOCH_EXPOSURE);
        cs_epoch_drop(FIRST + i);
    }
    assert_true(look(0).cells <= before + 2);
    assert_cells(FIRST, "");
}

static void cells_are_rows(void **state)
{
    (void)state;
    struct cs_built built = cs_built_sample();
    size_t cells = cs_built_cells(&built, CS_BLOCK_EPOCH, 0, 2);
    cs_built_cell(&built, cells,
                  &(struct cs_epoch_cell){
                      .object = 4, .peer = 3, .starts = 6, .completes = 5, .posts = 2, .waits = 1, .unchecked = 1});
    cs_built_cell(&built, cells, &(struct cs_epoch_cell){.peer = 3}); /* of a dead window */
    assert_int_equal(cs_convert_image(&built, &cs_remove_journal), CS_OK);
    cs_converted_assert("SELECT rank, object, peer, starts, completes, posts, waits, unchecked FROM window_epoch",
                        "0|4|3|6|5|2|1|1\n");
}

static int begin(void **state)
{
    if (cs_scratch_enter(state) != 0 || !cs_recorder_start(8, "test"))
        return -1;
    return cs_journal_save(cs_recorder.journal, "all.journal", NULL) == CS_OK ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest recording[] = {
        cmocka_unit_test(both_sides_are_counted_by_peer),
        cmocka_unit_test(same_group_has_the_same_peers),
        cmocka_unit_test(start_that_fails_does_not_count),
        cmocka_unit_test(epoch_whose_end_was_not_seen_makes_the_window_unknown),
        cmocka_unit_test(window_with_too_many_peers_is_unknown),
        cmocka_unit_test(cells_of_dead_windows_are_used_again),
    };
    const struct CMUnitTest rows[] = {
        cmocka_unit_test_setup_teardown(cells_are_rows, cs_scratch_enter, cs_scratch_leave),
    };
    int failed = cmocka_run_group_tests(recording, begin, cs_scratch_leave);
    return failed + cmocka_run_group_tests(rows, NULL, NULL);
}
