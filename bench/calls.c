/* Measures the costs of MPI calls. Usage: calls TEST ITERATIONS. The first rank prints one line: nanoseconds per
   operation without callsign (calls of PMPI_*), nanoseconds with it, their ratio, and peak resident memory in KiB.
   Without callsign, the first two are equal. Both kinds alternate in batches of less than a millisecond, so that a
   changing clock rate or other load affects both. The figures are medians of the batches, and of the ratios of
   neighbouring batches. One-rank tests are timed by the thread's CPU time, that with threads by the process's, two-rank
   tests by the clock.

   calls TEST step: for bench/instructions.py. Stops at a breakpoint before and after each of some operations. */
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef BENCH_FORTRAN
#include "calls_fortran.h"
#endif

enum {
    PLACES = 1 << 16,
    BATCHES = 301,
    LIVE = 1000,
    LIVE_TYPES = 1000 * 1000,
    TAGS = 2000,
    MEMBERS = 64,
    BUFFERS = 10000
};

static int rank, other;
static MPI_Comm own; /* has only this rank: MPI_COMM_SELF, or MPI_COMM_WORLD of a program with one rank */
static MPI_Comm live[LIVE];
static MPI_Datatype live_types[LIVE];
static MPI_Win window;
static int target, place; /* in the window */
static double buffers[2 * BUFFERS];
static int keyval; /* of the program */

/* Two accesses of an epoch to one place would conflict: each has another one of so many, and then a new epoch begins.
   callsign must see that. */
static inline int next_place(int places)
{
    if (place == places) {
        MPI_Win_flush(target, window);
        place = 0;
    }
    return place++;
}

/* Room for two values, somewhere else each time. */
static inline double *next_buffer(void)
{
    static int last;
    last = (last + 1) % BUFFERS;
    return &buffers[2 * last];
}

#define OPERATION(name) recorded_##name
#define CALL(name)      MPI_##name
#include "operations.h"
#undef OPERATION
#undef CALL

#define OPERATION(name) bare_##name
#define CALL(name)      PMPI_##name
#include "operations.h"

/* ---- what is there before ---- */

static void make_live(void)
{
    for (int i = 0; i < LIVE; i++)
        MPI_Comm_dup(MPI_COMM_SELF, &live[i]);
}

static void make_attributes(void)
{
    make_live();
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    for (int i = 0; i < LIVE; i++)
        MPI_Comm_set_attr(live[i], keyval, &live[i]);
}

/* It stays locked. */
static void make_window_on(MPI_Comm comm, int of)
{
    double *memory;
    MPI_Win_allocate(PLACES * sizeof *memory, sizeof *memory, MPI_INFO_NULL, comm, &memory, &window);
    MPI_Win_lock(MPI_LOCK_SHARED, target = of, 0, window);
}

static void make_window(void)
{
    make_window_on(MPI_COMM_SELF, 0);
}

static void make_window_of_all(void)
{
    make_window_on(MPI_COMM_WORLD, other);
}

static void free_window(void)
{
    if (window == MPI_WIN_NULL)
        return;
    MPI_Win_unlock(target, window);
    MPI_Win_free(&window);
}

/* Keeps a random selection (fixed seed) for use: at equal distances they would compete for a few places in the
   processor's caches. */
static void make_types(long count)
{
    long among = count / LIVE;
    uint32_t chance = 1;
    for (long i = 0; i < count; i++) {
        MPI_Datatype type;
        MPI_Type_contiguous(4, MPI_INT, &type);
        MPI_Type_commit(&type);
        if (i % among == 0)
            chance = chance * 1664525u + 1013904223u;
        if (i % among == (long)((chance >> 8) % (uint32_t)among))
            live_types[i / among] = type;
    }
}

static void make_few_types(void)
{
    make_types(LIVE);
}

/* Imitates a program that forgets to free: only the newest are used. */
static void make_more_types(void)
{
    make_types(LIVE_TYPES);
    make_types(LIVE);
}

static void make_many_types(void)
{
    make_types(LIVE_TYPES);
}

/* ---- measuring ---- */

#define BOTH(name) bare_##name, recorded_##name

static const struct test {
    const char *name;
    void (*bare)(long n), (*recorded)(long n);
    void (*prepare)(void);
    clockid_t clock;
} tests[] = {
    {"comm_rank", BOTH(comm_rank), NULL, CLOCK_THREAD_CPUTIME_ID},
    {"in_threads", BOTH(in_threads), NULL, CLOCK_PROCESS_CPUTIME_ID},
    {"many_live", BOTH(many_live), make_live, CLOCK_THREAD_CPUTIME_ID},
    {"few_types", BOTH(with_types), make_few_types, CLOCK_THREAD_CPUTIME_ID},
    {"new_types", BOTH(with_types), make_more_types, CLOCK_THREAD_CPUTIME_ID},
    {"many_types", BOTH(with_types), make_many_types, CLOCK_THREAD_CPUTIME_ID},
    {"get_attr", BOTH(get_attr), NULL, CLOCK_THREAD_CPUTIME_ID},
    {"program_attr", BOTH(program_attr), make_attributes, CLOCK_THREAD_CPUTIME_ID},
    {"own_attr", NULL, recorded_program_attr, make_attributes,
     CLOCK_THREAD_CPUTIME_ID}, /* PMPI_ functions do not know the keyval */
    {"to_self", BOTH(to_self), NULL, CLOCK_THREAD_CPUTIME_ID},
    {"halo", BOTH(halo), NULL, CLOCK_THREAD_CPUTIME_ID},
    {"sendrecv", BOTH(sendrecv), NULL, CLOCK_THREAD_CPUTIME_ID},
    {"sendrecv_buffers", BOTH(sendrecv_buffers), NULL, CLOCK_THREAD_CPUTIME_ID},
    {"sendrecv_tags", BOTH(sendrecv_tags), NULL, CLOCK_THREAD_CPUTIME_ID},
    {"sendrecv_live", BOTH(sendrecv_live), make_live, CLOCK_THREAD_CPUTIME_ID},
    {"put", BOTH(put), make_window, CLOCK_THREAD_CPUTIME_ID},
    {"put_away", BOTH(put), make_window_of_all, CLOCK_THREAD_CPUTIME_ID},
    {"get_away", BOTH(get), make_window_of_all, CLOCK_THREAD_CPUTIME_ID},
    {"put_scattered", BOTH(put_scattered), make_window_of_all, CLOCK_THREAD_CPUTIME_ID},
#ifdef BENCH_FORTRAN
    {"comm_rank_mpif", NULL, comm_rank_mpif, know_handles, CLOCK_THREAD_CPUTIME_ID},
    {"comm_rank_f08", NULL, comm_rank_f08, know_handles, CLOCK_THREAD_CPUTIME_ID},
    {"to_self_mpif", NULL, to_self_mpif, meet_type, CLOCK_THREAD_CPUTIME_ID},
#endif
    {"bcast_self", BOTH(bcast_self), NULL, CLOCK_THREAD_CPUTIME_ID},
    {"allreduce_self", BOTH(allreduce_self), NULL, CLOCK_THREAD_CPUTIME_ID},
    {"alltoallv_self", BOTH(alltoallv_self), NULL, CLOCK_THREAD_CPUTIME_ID},
    {"type_trio", BOTH(type_trio), NULL, CLOCK_THREAD_CPUTIME_ID},
    {"dup_free", BOTH(dup_free), NULL, CLOCK_THREAD_CPUTIME_ID},
    {"ping_pong", BOTH(ping_pong), NULL, CLOCK_MONOTONIC},
    {"allreduce", BOTH(allreduce), NULL, CLOCK_MONOTONIC},
    {"bcast", BOTH(bcast), NULL, CLOCK_MONOTONIC},
    {"allreduce_buffers", BOTH(allreduce_buffers), NULL, CLOCK_MONOTONIC},
    {"alltoallv", BOTH(alltoallv), NULL, CLOCK_MONOTONIC},
    {"nothing", BOTH(nothing), NULL, CLOCK_MONOTONIC},
};

static double now_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double batch[BATCHES])
{
    qsort(batch, BATCHES, sizeof batch[0], by_value);
    return batch[BATCHES / 2];
}

struct result {
    double bare_ns, recorded_ns, ratio;
};

static struct result measure(const struct test *test, long iterations)
{
    static double bare[BATCHES], recorded[BATCHES], ratio[BATCHES];
    long n = iterations / BATCHES + 1;
    for (int i = -BATCHES / 10; i < BATCHES; i++) { /* the first ones warm up */
        double start = now_ns(test->clock);
        if (test->bare)
            test->bare(n);
        double middle = now_ns(test->clock);
        test->recorded(n);
        double end = now_ns(test->clock);
        if (i < 0)
            continue;
        bare[i] = (middle - start) / (double)n;
        recorded[i] = (end - middle) / (double)n;
        ratio[i] = recorded[i] / bare[i];
    }
    return (struct result){test->bare ? median(bare) : 0, median(recorded), test->bare ? median(ratio) : 0};
}

#if defined(__x86_64__)
#define STOP() __asm__ volatile("int3")
#else
#define STOP() ((void)0)
#endif

/* The first rank stops before and after each of the last operations, which are in the steady state. */
static void stop_for_steps(const struct test *test)
{
    enum { BEFORE = 3000, STEPPED = 7 };
    for (int i = 0; i < BEFORE + STEPPED; i++) { /* from one call site: its stack is recognized */
        if (rank == 0 && i >= BEFORE)
            STOP();
        test->recorded(1);
        if (rank == 0 && i >= BEFORE)
            STOP();
    }
}

static long peak_kib(void)
{
    char line[256];
    long kib = -1;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        sscanf(line, "VmHWM: %ld", &kib);
    if (status)
        fclose(status);
    return kib;
}

int main(int argc, char **argv)
{
    const struct test *test = NULL;
    for (size_t i = 0; argc == 3 && i < sizeof tests / sizeof tests[0]; i++)
        if (strcmp(argv[1], tests[i].name) == 0)
            test = &tests[i];
    if (!test) {
        fprintf(stderr, "usage: calls TEST ITERATIONS, or calls TEST step\n");
        return 2;
    }
    int provided;
    MPI_Init_thread(&argc, &argv, test->clock == CLOCK_PROCESS_CPUTIME_ID ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE,
                    &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    own = getenv("BENCH_ON_WORLD") ? MPI_COMM_WORLD : MPI_COMM_SELF;
    window = MPI_WIN_NULL;
    if (test->prepare)
        test->prepare();
    bool steps = strcmp(argv[2], "step") == 0;
    struct result result = {0};
    if (steps)
        stop_for_steps(test);
    else
        result = measure(test, atol(argv[2]));
    free_window();
    MPI_Finalize();
    if (rank == 0 && !steps)
        printf("%.2f %.2f %.4f %ld\n", result.bare_ns, result.recorded_ns, result.ratio, peak_kib());
    return 0;
}
