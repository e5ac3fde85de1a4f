/* Random one-sided accesses of the first of two ranks to the other, one number each, from three call sites. They go to
   one place after another, or anywhere, and their origins are anywhere in an array. Before each flush, calls at three
   lines access some more. The program compares each access with all others of its epoch, one after another. Where they
   conflict, it prints "fault KIND LINE". Argument: a seed. */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLACES = 4096, NUMBERS = 8192, EPOCHS = 12, STEPS = 150, TRIES = 4 };
enum kind { PUT, GET, ADD, KINDS };

static int numbers[NUMBERS], *memory;
static MPI_Win window;
static struct access {
    enum kind kind;
    int place, origin;
} pending[STEPS + KINDS * TRIES], last[KINDS];
static int count;
static uint64_t state;

static int chance(int below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (unsigned)below);
}

/* Half of the places, and of the origins, follow those of the last access of this kind. */
static struct access any(enum kind kind)
{
    struct access *it = &last[kind];
    it->kind = kind;
    it->place = chance(2) ? (it->place + 1) % PLACES : chance(PLACES);
    if (chance(4))
        it->origin = chance(2) ? (it->origin + 1) % NUMBERS : chance(NUMBERS);
    return *it;
}

static bool meets(struct access a, struct access b)
{
    return a.place == b.place && !(a.kind == GET && b.kind == GET) && !(a.kind == ADD && b.kind == ADD);
}

static bool shares(struct access a, struct access b)
{
    return a.origin == b.origin && (a.kind == GET || b.kind == GET);
}

static bool conflicts(struct access it, bool (*with)(struct access, struct access))
{
    for (int i = 0; i < count; i++)
        if (with(it, pending[i]))
            return true;
    return false;
}

static struct access make(struct access it)
{
    return pending[count++] = it;
}

#define ACCESS_PUT(it) MPI_Put(&numbers[(it).origin], 1, MPI_INT, 1, (it).place, 1, MPI_INT, window)
#define ACCESS_GET(it) MPI_Get(&numbers[(it).origin], 1, MPI_INT, 1, (it).place, 1, MPI_INT, window)
#define ACCESS_ADD(it) MPI_Accumulate(&numbers[(it).origin], 1, MPI_INT, 1, (it).place, 1, MPI_INT, MPI_SUM, window)

static void access_any(void)
{
    const struct access it = any((enum kind)chance(KINDS));
    if (conflicts(it, meets) || conflicts(it, shares))
        return;
    make(it);
    if (it.kind == PUT)
        ACCESS_PUT(it);
    else if (it.kind == GET)
        ACCESS_GET(it);
    else
        ACCESS_ADD(it);
}

static struct access try(enum kind kind, int line)
{
    const struct access it = any(kind);
    if (conflicts(it, meets))
        printf("fault conflicting_access %d\n", line);
    if (conflicts(it, shares))
        printf("fault %s %d\n", kind == GET ? "overwritten_buffer" : "unfinished_buffer", line);
    return make(it);
}
#define TRY(name)                                                                                                      \
    for (int tries = 0; tries < TRIES; tries++) {                                                                      \
        const struct access it = try(name, __LINE__);                                                                  \
        ACCESS_##name(it);                                                                                             \
    }

int main(int argc, char **argv)
{
    state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(PLACES * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_lock_all(0, window);
    for (int epoch = 0; rank == 0 && epoch < EPOCHS; epoch++) {
        for (int i = 0; i < STEPS; i++)
            access_any();
        TRY(PUT);
        TRY(GET);
        TRY(ADD);
        MPI_Win_flush_all(window);
        count = 0;
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
