/* What MPI calls cost: one measurement per run. Usage: calls TEST ITERATIONS. The first rank prints one line:
   nanoseconds per operation (the median of batches), peak resident memory in KiB.
   One-rank tests are timed by the thread's CPU time, so that a busy machine matters little; two-rank tests by the
   clock. */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef BENCH_FORTRAN
#include "calls_fortran.h"
#endif

enum { BATCHES = 21, LIVE = 1000, LIVE_TYPES = 1000 * 1000 };

static int rank, other;
static MPI_Comm live[LIVE];
static MPI_Datatype live_types[LIVE];

static void comm_rank(long n)
{
    int value;
    for (long i = 0; i < n; i++)
        MPI_Comm_rank(MPI_COMM_WORLD, &value);
}

static void many_live(long n)
{
    int value;
    for (long i = 0; i < n; i++)
        MPI_Comm_rank(live[i % LIVE], &value);
}

static void make_live(void)
{
    for (int i = 0; i < LIVE; i++)
        MPI_Comm_dup(MPI_COMM_SELF, &live[i]);
}

static void with_types(long n)
{
    int value[4] = {0};
    for (long i = 0; i < n; i++)
        MPI_Bcast(value, 1, live_types[i % LIVE], 0, MPI_COMM_SELF);
}

/* Keeps one of so many for use, by chance (of a fixed seed): at even distances they would compete for a few places in
   the processor's caches. */
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

/* What a program does that forgets to free: the newest are used. */
static void make_more_types(void)
{
    make_types(LIVE_TYPES);
    make_types(LIVE);
}

static void make_many_types(void)
{
    make_types(LIVE_TYPES);
}

static void get_attr(long n)
{
    void *value;
    int flag;
    for (long i = 0; i < n; i++)
        MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag);
}

static void to_self(long n)
{
    for (long i = 0; i < n; i++) {
        MPI_Request requests[2];
        MPI_Isend(NULL, 0, MPI_BYTE, 0, 1, MPI_COMM_SELF, &requests[0]);
        MPI_Irecv(NULL, 0, MPI_BYTE, 0, 1, MPI_COMM_SELF, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
}

static void type_trio(long n)
{
    for (long i = 0; i < n; i++) {
        MPI_Datatype type;
        MPI_Type_contiguous(4, MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_Type_free(&type);
    }
}

static void dup_free(long n)
{
    for (long i = 0; i < n; i++) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_SELF, &comm);
        MPI_Comm_free(&comm);
    }
}

static void ping_pong(long n)
{
    double value = 0;
    for (long i = 0; i < n; i++) {
        if (rank == 0) {
            MPI_Send(&value, 1, MPI_DOUBLE, other, 1, MPI_COMM_WORLD);
            MPI_Recv(&value, 1, MPI_DOUBLE, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&value, 1, MPI_DOUBLE, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&value, 1, MPI_DOUBLE, other, 1, MPI_COMM_WORLD);
        }
    }
}

static void allreduce(long n)
{
    double value = 1, sum;
    for (long i = 0; i < n; i++)
        MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void nothing(long n)
{
    (void)n;
}

static const struct test {
    const char *name;
    void (*run)(long n);
    void (*prepare)(void);
    clockid_t clock;
} tests[] = {
    {"comm_rank", comm_rank, NULL, CLOCK_THREAD_CPUTIME_ID},
    {"many_live", many_live, make_live, CLOCK_THREAD_CPUTIME_ID},
    {"few_types", with_types, make_few_types, CLOCK_THREAD_CPUTIME_ID},
    {"new_types", with_types, make_more_types, CLOCK_THREAD_CPUTIME_ID},
    {"many_types", with_types, make_many_types, CLOCK_THREAD_CPUTIME_ID},
    {"get_attr", get_attr, NULL, CLOCK_THREAD_CPUTIME_ID},
    {"to_self", to_self, NULL, CLOCK_THREAD_CPUTIME_ID},
#ifdef BENCH_FORTRAN
    {"comm_rank_mpif", comm_rank_mpif, NULL, CLOCK_THREAD_CPUTIME_ID},
    {"comm_rank_f08", comm_rank_f08, NULL, CLOCK_THREAD_CPUTIME_ID},
    {"to_self_mpif", to_self_mpif, meet_type, CLOCK_THREAD_CPUTIME_ID},
#endif
    {"type_trio", type_trio, NULL, CLOCK_THREAD_CPUTIME_ID},
    {"dup_free", dup_free, NULL, CLOCK_THREAD_CPUTIME_ID},
    {"ping_pong", ping_pong, NULL, CLOCK_MONOTONIC},
    {"allreduce", allreduce, NULL, CLOCK_MONOTONIC},
    {"nothing", nothing, NULL, CLOCK_MONOTONIC},
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

static double measure(const struct test *test, long iterations)
{
    double batch[BATCHES];
    long n = iterations / BATCHES + 1;
    test->run(n); /* warms up */
    for (int i = 0; i < BATCHES; i++) {
        double start = now_ns(test->clock);
        test->run(n);
        batch[i] = (now_ns(test->clock) - start) / (double)n;
    }
    qsort(batch, BATCHES, sizeof batch[0], by_value);
    return batch[BATCHES / 2];
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
        fprintf(stderr, "usage: calls TEST ITERATIONS\n");
        return 2;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    if (test->prepare)
        test->prepare();
    double ns = measure(test, atol(argv[2]));
    MPI_Finalize();
    if (rank == 0)
        printf("%.2f %ld\n", ns, peak_kib());
    return 0;
}
