/* The events of a thread: what a reader gets back, also from a process that was killed. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "journal/packed_events.h"
#include "journal/reader.h"
#include "journal/ring_reader.h"
#include "record/call/ring.h"
#include "record/call/thread_life.h"
#include "record/process/recorder.h"
#include "record/recording.h"
#include "tests/support/scratch.h"
#include "tests/support/unit_test.h"

/* ---- calls whose parts follow from their number ---- */

static struct cs_ring_call call_of(uint64_t i)
{
    struct cs_ring_call call = {.place = (uint32_t)(i % 1000 + 1), .object = 7, .peer = CS_NO_PEER, .tag = CS_NO_TAG};
    call.kind = (uint8_t)(i % 5);
    if (call.kind != CS_ENTRY_CALL)
        call.bytes = i % 97 ? i % 1000003 : ((uint64_t)5 << 32) + i;
    if (call.kind != CS_ENTRY_CALL && call.kind != CS_ENTRY_COLLECTIVE)
        call.tag = (int32_t)(i % 30011);
    if (call.kind == CS_ENTRY_COLLECTIVE)
        call.collective = (uint32_t)i;
    else if (call.kind != CS_ENTRY_CALL)
        call.peer = i % 89 ? (int32_t)(i % 31) - 3 : 0x900000;
    call.start = 1000 + i * 100 + (i / 500) * ((uint64_t)1 << 33);
    call.stop = call.start + (i % 500 == 7 ? (uint64_t)6 << 32 : 60);
    return call;
}

static void add(struct cs_thread *thread, uint64_t i)
{
    const struct cs_ring_call call = call_of(i);
    cs_ring_add(thread, &call);
}

/* Each call is one entry; its number is i + 1. */
static void check_entry(const struct cs_ring_entry *entry)
{
    const struct cs_ring_call call = call_of(entry->number - 1);
    assert_int_equal(entry->kind, call.kind);
    assert_int_equal(entry->start, call.start);
    assert_int_equal(entry->stop, call.stop);
    assert_int_equal(entry->place, call.place);
    assert_int_equal(entry->bytes, call.bytes);
    assert_int_equal(entry->peer, call.peer);
    assert_int_equal(entry->tag, call.tag);
    assert_int_equal(entry->collective, call.collective);
}

/* ---- reading ---- */

enum { ENTRIES = 131072 };
struct found {
    struct cs_ring_entry *entry;
    size_t count;
    uint64_t pages, torn;
    uint64_t packed, packed_bytes;
};

static enum cs_status visit(void *context, const void *cell)
{
    struct found *found = context;
    const struct cs_ring_cell *page = cell;
    bool damaged = false;
    found->pages++;
    if (!cs_ring_page_is_whole(page)) {
        found->torn++;
        return CS_OK;
    }
    struct cs_ring_position position = cs_ring_read(page);
    while (found->count < ENTRIES && cs_ring_read_entry(&position, &found->entry[found->count], &damaged))
        found->count++;
    assert_false(damaged);
    return CS_OK;
}

static enum cs_status visit_packed(void *context, const void *cell)
{
    struct found *found = context;
    const struct cs_packed_cell *page = cell;
    bool damaged = false;
    if (!cs_packed_page_is_whole(page)) {
        found->torn++;
        return CS_OK;
    }
    size_t before = found->count;
    struct cs_packed_position position = cs_packed_read(page);
    while (found->count < ENTRIES && cs_packed_read_entry(&position, &found->entry[found->count], &damaged))
        found->count++;
    assert_false(damaged);
    assert_int_equal(found->count - before, page->filled >> 32);
    found->packed += found->count - before;
    found->packed_bytes += (uint32_t)page->filled;
    return CS_OK;
}

/* Also what is packed: then some entries come twice. */
static struct found read_ring(const char *path)
{
    struct found found = {.entry = calloc(ENTRIES, sizeof *found.entry)};
    struct cs_journal_reader *reader;
    assert_non_null(found.entry);
    assert_int_equal(cs_journal_read_open(path, &reader), CS_OK);
    assert_int_equal(cs_journal_read_cells(reader, CS_BLOCK_RING, visit, &found), CS_OK);
    assert_int_equal(cs_journal_read_cells(reader, CS_BLOCK_PACKED, visit_packed, &found), CS_OK);
    assert_true(found.count < ENTRIES);
    assert_false(cs_journal_read_damaged(reader));
    cs_journal_read_close(reader);
    return found;
}

static int by_number(const void *left, const void *right)
{
    const struct cs_ring_entry *a = left, *b = right;
    return (a->number > b->number) - (a->number < b->number);
}

/* All entries without a gap; the last one's number. */
static uint64_t check_all(struct found *found)
{
    qsort(found->entry, found->count, sizeof *found->entry, by_number);
    for (size_t i = 0; i < found->count; i++) {
        if (i && !(found->packed && found->entry[i].number == found->entry[i - 1].number))
            assert_int_equal(found->entry[i].number, found->entry[i - 1].number + 1);
        check_entry(&found->entry[i]);
    }
    return found->count ? found->entry[found->count - 1].number : 0;
}

/* ---- tests ---- */

static void name_journal(char path[96])
{
    static int number;
    snprintf(path, 96, "%d.journal", number++);
}

/* Each test records in a child: a process records once. */
static void in_child(void (*record)(struct cs_thread *thread), const char *ring, const char *path)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setenv("CALLSIGN_RING", ring, 1);
        if (!cs_recorder_start(8, "test"))
            _exit(1);
        struct cs_thread *thread = cs_thread_begin();
        if (cs_journal_save(cs_recorder.journal, path, NULL) != CS_OK)
            _exit(2);
        record(thread);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void add_ten(struct cs_thread *thread)
{
    for (uint64_t i = 0; i < 10; i++)
        add(thread, i);
}

static void add_many(struct cs_thread *thread)
{
    for (uint64_t i = 0; i < 40000; i++)
        add(thread, i);
}

static void all_fields_come_back(void **state)
{
    (void)state;
    char path[96];
    name_journal(path);
    in_child(add_ten, "1M", path);
    struct found found = read_ring(path);
    assert_int_equal(found.count, 10);
    check_all(&found);
    free(found.entry);
}

static void a_full_ring_keeps_the_last_calls(void **state)
{
    (void)state;
    char path[96];
    name_journal(path);
    in_child(add_many, "128K", path);
    struct found found = read_ring(path);
    assert_int_equal(check_all(&found), 40000);
    assert_true(found.count > 2000 && found.count < 4000);
    assert_int_equal(found.torn, 0);
    free(found.entry);
}

static void without_a_ring_nothing_is_written(void **state)
{
    (void)state;
    char path[96];
    name_journal(path);
    in_child(add_ten, "0", path);
    struct found found = read_ring(path);
    assert_int_equal(found.pages, 0);
    free(found.entry);
}

/* ---- all events ---- */

static void keep_all(const char *limit)
{
    setenv("CALLSIGN_EVENTS", "all", 1);
    setenv("CALLSIGN_EVENT_LIMIT", limit, 1);
}

static void keep_last(void)
{
    unsetenv("CALLSIGN_EVENTS");
    unsetenv("CALLSIGN_EVENT_LIMIT");
}

static void all_events_are_kept(void **state)
{
    (void)state;
    char path[96];
    name_journal(path);
    keep_all("2G");
    in_child(add_many, "0", path);
    keep_last();
    struct found found = read_ring(path);
    assert_int_equal(check_all(&found), 40000);
    assert_int_equal(found.entry[0].number, 1);
    assert_true(found.packed > 39000);
    assert_true(found.packed_bytes <= 16 * found.packed);
    free(found.entry);
}

static void beyond_the_limit_the_oldest_events_go(void **state)
{
    (void)state;
    char path[96];
    name_journal(path);
    keep_all("256K");
    in_child(add_many, "16K", path);
    keep_last();
    struct found found = read_ring(path);
    assert_int_equal(check_all(&found), 40000);
    assert_true(found.entry[0].number >= 2 && found.entry[0].number <= 30000);
    assert_int_equal(found.torn, 0);
    free(found.entry);
}

/* The file may not grow after the first chunk. */
static void add_many_to_a_full_disk(struct cs_thread *thread)
{
    for (uint64_t i = 0; i < 1000; i++)
        add(thread, i);
    const struct rlimit full = {.rlim_cur = cs_journal_header(cs_recorder.journal)->used_bytes,
                                .rlim_max = RLIM_INFINITY};
    if (setrlimit(RLIMIT_FSIZE, &full) != 0)
        _exit(4);
    for (uint64_t i = 1000; i < 40000; i++)
        add(thread, i);
}

static void on_a_full_disk_the_oldest_events_go(void **state)
{
    (void)state;
    char path[96];
    name_journal(path);
    keep_all("2G");
    in_child(add_many_to_a_full_disk, "16K", path);
    keep_last();
    struct found found = read_ring(path);
    assert_int_equal(check_all(&found), 40000);
    assert_true(found.entry[0].number >= 2 && found.entry[0].number <= 30000);
    free(found.entry);
}

static void *add_some(void *barrier)
{
    struct cs_thread *thread = cs_thread_begin();
    pthread_barrier_wait(barrier);
    for (uint64_t i = 0; i < 50000; i++)
        add(thread, i);
    return NULL;
}

static void add_in_threads(struct cs_thread *thread)
{
    enum { THREADS = 4 };
    pthread_t other[THREADS];
    pthread_barrier_t barrier;
    add(thread, 0);
    if (pthread_barrier_init(&barrier, NULL, THREADS) != 0)
        _exit(3);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&other[i], NULL, add_some, &barrier) != 0)
            _exit(3);
    for (int i = 0; i < THREADS; i++)
        pthread_join(other[i], NULL);
}

enum { STATES = 8 };

static enum cs_status visit_of_thread(void *context, const void *cell)
{
    uint64_t *end = context; /* of the entries of each thread */
    const struct cs_packed_cell *page = cell;
    assert_true(cs_packed_page_is_whole(page) && page->thread < STATES);
    uint64_t after = page->first + (page->filled >> 32);
    if (after > end[page->thread])
        end[page->thread] = after;
    return CS_OK;
}

static void threads_share_the_limit(void **state)
{
    (void)state;
    char path[96];
    uint64_t end[STATES] = {0};
    int complete = 0;
    struct cs_journal_reader *reader;
    name_journal(path);
    keep_all("1280K"); /* five chunks for four threads that would fill ten */
    in_child(add_in_threads, "0", path);
    keep_last();
    assert_int_equal(cs_journal_read_open(path, &reader), CS_OK);
    assert_true(cs_journal_read_header(reader)->used_bytes < (uint64_t)3 << 20);
    assert_int_equal(cs_journal_read_cells(reader, CS_BLOCK_PACKED, visit_of_thread, end), CS_OK);
    for (int i = 0; i < STATES; i++)
        complete += end[i] > 49000; /* the ring has the rest */
    assert_int_equal(complete, 4);
    cs_journal_read_close(reader);
}

/* ---- polls, signals, threads ---- */

static void poll(struct cs_thread *thread, uint64_t start, uint32_t place)
{
    const struct cs_ring_call call = {
        .start = start, .stop = start + 10, .place = place, .peer = 3, .tag = CS_NO_TAG, .kind = CS_ENTRY_POLLS};
    cs_ring_add(thread, &call);
}

static void add_polls(struct cs_thread *thread)
{
    for (uint64_t i = 0; i < 100000; i++)
        poll(thread, 1000 + 20 * i, 5);
    poll(thread, 3000000, 6);
    cs_ring_add_message(thread, NULL, CS_RECEIVE, 9, 4, 77, (uint64_t)1 << 33, cs_ring_next(thread));
    poll(thread, 3000100, 6);
    cs_ring_add_message(thread, NULL, CS_RECEIVE, 9, CS_NO_PEER, CS_NO_TAG, 0, 1);
}

/* A poll that found something has another form. */
static void add_polls_around_found_ones(struct cs_thread *thread)
{
    struct cs_ring_call found = {.place = 5,
                                 .peer = 3,
                                 .tag = 77,
                                 .bytes = 123,
                                 .object = 9,
                                 .kind = CS_ENTRY_OTHER,
                                 .start = 2000,
                                 .stop = 2007};
    poll(thread, 1000, 5);
    poll(thread, 1500, 5);
    cs_ring_add(thread, &found);
    poll(thread, 3000, 5);
    poll(thread, 4000, 5);
    poll(thread, 5000, 5);
    found.start = 6000;
    found.stop = 6007;
    cs_ring_add(thread, &found);
    for (uint64_t i = 0; i < 3; i++) /* more than 32 bits of time are several events */
        cs_ring_add(thread, &(struct cs_ring_call){.start = 10000 + (i << 33),
                                                   .stop = 10000 + (i << 33) + ((uint64_t)3 << 30),
                                                   .place = 5,
                                                   .peer = CS_NO_PEER,
                                                   .tag = CS_NO_TAG,
                                                   .kind = CS_ENTRY_POLLS});
}

static void polls_are_not_added_to_what_another_one_found(void **state)
{
    (void)state;
    char path[96];
    name_journal(path);
    in_child(add_polls_around_found_ones, "1M", path);
    struct found found = read_ring(path);
    const struct {
        uint64_t start, stop, inside;
        uint32_t calls;
    } expected[] = {{1000, 1510, 20, 2}, {2000, 2007, 7, 1}, {3000, 5010, 30, 3}, {6000, 6007, 7, 1}};
    assert_int_equal(found.count, 7);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(found.entry[i].start, expected[i].start);
        assert_int_equal(found.entry[i].stop, expected[i].stop);
        assert_int_equal(found.entry[i].inside, expected[i].inside);
        assert_int_equal(found.entry[i].calls, expected[i].calls);
    }
    for (size_t i = 1; i < 4; i += 2) {
        assert_int_equal(found.entry[i].tag, 77);
        assert_int_equal(found.entry[i].bytes, 123);
    }
    for (size_t i = 4; i < 7; i++) {
        assert_int_equal(found.entry[i].calls, 1);
        assert_int_equal(found.entry[i].inside, (uint64_t)3 << 30);
    }
    free(found.entry);
}

static void equal_polls_are_one_event(void **state)
{
    (void)state;
    char path[96];
    name_journal(path);
    in_child(add_polls, "1M", path);
    struct found found = read_ring(path);
    assert_int_equal(found.count, 5);
    assert_int_equal(found.entry[0].calls, 100000);
    assert_int_equal(found.entry[0].start, 1000);
    assert_int_equal(found.entry[0].stop, 1000 + 20 * 99999 + 10);
    assert_int_equal(found.entry[0].inside, 10 * 100000);
    assert_int_equal(found.entry[0].peer, 3);
    assert_int_equal(found.entry[1].calls, 1);
    assert_int_equal(found.entry[1].start, 3000000);
    assert_int_equal(found.entry[2].kind, CS_ENTRY_MESSAGE);
    assert_int_equal(found.entry[2].object, 9);
    assert_int_equal(found.entry[2].peer, 4);
    assert_int_equal(found.entry[2].tag, 77);
    assert_int_equal(found.entry[2].bytes, (uint64_t)1 << 33);
    assert_int_equal(found.entry[2].posted, 3);
    assert_int_equal(found.entry[3].start, 3000100);
    assert_int_equal(found.entry[4].kind, CS_ENTRY_MESSAGE);
    assert_int_equal(found.entry[4].peer, CS_NO_PEER);
    assert_int_equal(found.entry[4].tag, CS_NO_TAG);
    assert_int_equal(found.entry[4].posted, 1);
    free(found.entry);
}

/* ---- notes ---- */

/* Then so many calls that the page is packed. */
static void add_notes(struct cs_thread *thread)
{
    poll(thread, 1000, 6);
    cs_ring_note_request(thread, (cs_ring_next(thread) & UINT32_MAX) - 1 + ((uint64_t)thread->number << 48));
    cs_ring_note_request(thread, (uint64_t)9 << 48 | (uint64_t)5 << CS_ENTRY_NUMBER_BITS | 300);
    cs_ring_note_window(thread, 12, 3, 7);
    cs_ring_note_window(thread, 12, 4, 0);
    poll(thread, 2000, 6);
    for (uint64_t i = 0; i < 400; i++)
        poll(thread, 3000 + 20 * i, 5 + i % 2);
}

static void check_notes(const struct cs_ring_entry *entry)
{
    assert_int_equal(entry[0].calls, 1); /* the next poll is another event */
    for (int i = 1; i < 5; i++)
        assert_int_equal(entry[i].kind, CS_ENTRY_NOTE);
    assert_int_equal(entry[1].posted, 1);
    assert_int_equal(entry[1].posted_nth, 0);
    assert_int_equal(entry[2].posted_nth, 5);
    assert_int_equal(entry[2].posted, 300);
    assert_int_equal(entry[2].posted_thread, 9);
    assert_int_equal(entry[2].object, 0);
    assert_int_equal(entry[3].object, 12);
    assert_int_equal(entry[3].peer, 3);
    assert_int_equal(entry[3].epoch, 7);
    assert_int_equal(entry[4].object, 12);
    assert_int_equal(entry[4].peer, 4);
    assert_int_equal(entry[4].epoch, 0);
    assert_int_equal(entry[5].start, 2000);
    assert_true(cs_ring_is_call(&entry[5]));
}

static void notes_come_back(void **state)
{
    (void)state;
    for (int all = 0; all < 2; all++) {
        char path[96];
        name_journal(path);
        if (all)
            keep_all("2G");
        in_child(add_notes, "1M", path);
        keep_last();
        struct found found = read_ring(path);
        check_notes(found.entry);
        assert_int_equal(found.packed > 0, all);
        if (all)
            check_notes(found.entry + found.count - found.packed);
        free(found.entry);
    }
}

/* ---- the part of the run with events ---- */

static void call_level(struct cs_thread *thread, int level, uint64_t i)
{
    cs_event_window_take_level(level);
    add(thread, i); /* MPI_Pcontrol itself: what it changed applies to the next call */
}

/* The numbers of calls are those of their entries minus 1, after the one that is left out. */
static void add_a_part(struct cs_thread *thread)
{
    call_level(thread, 3, 90); /* ends nothing: nothing has begun */
    add(thread, 91);
    call_level(thread, 2, 92);
    assert_int_equal(cs_ring_next(thread) & UINT32_MAX, 2);
    for (uint64_t i = 1; i < 6; i++)
        add(thread, i);
    call_level(thread, 3, 6);
    add(thread, 93);
    cs_ring_add_message(thread, NULL, CS_RECEIVE, 9, 4, 77, 1, 1);
    cs_ring_note_request(thread, 1);
    call_level(thread, 2, 94);
    add(thread, 95);
}

static void events_begin_and_end_once_at_levels(void **state)
{
    (void)state;
    char path[96];
    name_journal(path);
    setenv("CALLSIGN_EVENTS_FROM", "level:2", 1);
    setenv("CALLSIGN_EVENTS_UNTIL", "level:3", 1);
    in_child(add_a_part, "1M", path);
    unsetenv("CALLSIGN_EVENTS_FROM");
    unsetenv("CALLSIGN_EVENTS_UNTIL");
    struct found found = read_ring(path);
    assert_int_equal(check_all(&found), 7);
    assert_int_equal(found.count, 6);
    free(found.entry);
}

/* A signal handler that calls MPI while an entry is written. */
static void interrupt(struct cs_thread *thread)
{
    add_ten(thread);
    thread->ring.on = false; /* as within cs_ring_add */
    add(thread, 10);
    cs_ring_add_message(thread, NULL, CS_SEND, 1, 1, 1, 1, 0);
    thread->ring.on = true;
    add(thread, 10);
}

static void a_signal_handler_writes_nothing_into_an_entry(void **state)
{
    (void)state;
    char path[96];
    name_journal(path);
    in_child(interrupt, "1M", path);
    struct found found = read_ring(path);
    assert_int_equal(check_all(&found), 11);
    free(found.entry);
}

static void *one_call(void *nothing)
{
    (void)nothing;
    add(cs_thread_begin(), 0);
    return NULL;
}

static void begin_threads(struct cs_thread *thread)
{
    (void)thread;
    for (int i = 0; i < 1000; i++) {
        pthread_t other;
        if (pthread_create(&other, NULL, one_call, NULL) != 0)
            _exit(3);
        pthread_join(other, NULL);
    }
}

static enum cs_status count_page(void *context, const void *cell)
{
    (void)cell;
    ++*(int *)context;
    return CS_OK;
}

static void ended_threads_leave_their_ring_to_later_ones(void **state)
{
    (void)state;
    char path[96];
    int pages = 0;
    struct cs_journal_reader *reader;
    name_journal(path);
    in_child(begin_threads, "1M", path);
    assert_int_equal(cs_journal_read_open(path, &reader), CS_OK);
    assert_true(cs_journal_read_header(reader)->used_bytes < (uint64_t)1 << 20);
    assert_int_equal(cs_journal_read_cells(reader, CS_BLOCK_RING, count_page, &pages), CS_OK);
    assert_true(pages > 10); /* of the one thread that was there at a time */
    cs_journal_read_close(reader);
}

/* The child writes until it is killed. Its progress is in shared memory: a call that returned must be there. */
static void record_until_killed(const char *path, volatile uint64_t *progress)
{
    setenv("CALLSIGN_RING", "64K", 1);
    if (!cs_recorder_start(8, "test"))
        _exit(1);
    struct cs_thread *thread = cs_thread_begin();
    if (cs_journal_save(cs_recorder.journal, path, NULL) != CS_OK)
        _exit(2);
    for (uint64_t i = 0;; i++) {
        add(thread, i);
        *progress = i + 1;
    }
}

/* most_ns: until the kill, at most. */
static void kill_while_recording(long most_ns)
{
    enum { KILLS = 300 };
    uint64_t *progress = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(progress, MAP_FAILED);
    unsigned seed = 26;
    uint64_t torn = 0;
    for (int i = 0; i < KILLS; i++) {
        char path[96];
        name_journal(path);
        *progress = 0;
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            record_until_killed(path, progress);
        while (!*(volatile uint64_t *)progress && waitpid(child, NULL, WNOHANG) == 0)
            usleep(100);
        nanosleep(&(struct timespec){.tv_nsec = rand_r(&seed) % most_ns}, NULL);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        struct found found = read_ring(path);
        uint64_t last = check_all(&found);
        assert_true(last == *progress || last == *progress + 1);
        assert_true(found.torn <= 1 + (found.packed > 0));
        torn += found.torn;
        free(found.entry);
        unlink(path);
    }
    munmap(progress, sizeof *progress);
    print_message("%d kills, %llu of them while a page was replaced\n", KILLS, (unsigned long long)torn);
}

static void a_killed_process_leaves_whole_events(void **state)
{
    (void)state;
    kill_while_recording(300000);
}

static void a_killed_process_leaves_all_events_whole(void **state)
{
    (void)state;
    keep_all("1M");
    kill_while_recording(300000);
    keep_all("512K");
    kill_while_recording(5000000);
    keep_last();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, cs_scratch_enter, cs_scratch_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(all_fields_come_back),
        TEST(a_full_ring_keeps_the_last_calls),
        TEST(without_a_ring_nothing_is_written),
        TEST(equal_polls_are_one_event),
        TEST(polls_are_not_added_to_what_another_one_found),
        TEST(notes_come_back),
        TEST(events_begin_and_end_once_at_levels),
        TEST(a_signal_handler_writes_nothing_into_an_entry),
        TEST(ended_threads_leave_their_ring_to_later_ones),
        TEST(all_events_are_kept),
        TEST(beyond_the_limit_the_oldest_events_go),
        TEST(on_a_full_disk_the_oldest_events_go),
        TEST(threads_share_the_limit),
        TEST(a_killed_process_leaves_whole_events),
        TEST(a_killed_process_leaves_all_events_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
