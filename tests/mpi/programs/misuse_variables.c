/* As in misuse.c: data that ends beyond its variable, "wrong", and data that looks alike, "right". */
#include <alloca.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "fault.h"

/* Where places on the stack are certain: base/symbols/variable.h. */
#if defined __clang__ || defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || defined __SSP__ ||             \
    defined __SSP_STRONG__ || defined __SSP_ALL__
#define LOCAL_FAULT(...) __VA_ARGS__
#else
#define LOCAL_FAULT(...) FAULT("beyond_variable", __VA_ARGS__)
#endif
#ifdef __OPTIMIZE__ /* only those of the outermost block */
#define BLOCK_FAULT(...) __VA_ARGS__
#else
#define BLOCK_FAULT LOCAL_FAULT
#endif
#define APART __attribute__((noinline, noclone))

struct pair {
    int first, rest[3];
};

static int table[4], after_table[4];
static double grid[3][3];
static struct pair kept;
static char packed[900];
static int gathered_0[2] __attribute__((section("gathered"))), gathered_1[2] __attribute__((section("gathered")));
int common[8];

static char *room;

/* A message to this rank itself: what is read beyond a variable harms nobody. */
#define SEND(data, count, type)                                                                                        \
    MPI_Sendrecv(data, count, type, 0, 7, room, 4096, MPI_BYTE, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE)

static APART void exchange(void *data, int count, MPI_Datatype type)
{
    SEND(data, count, type);
}

static APART void by_value(struct pair pair)
{
    exchange(&pair, 4, MPI_INT);
    LOCAL_FAULT(SEND(&pair, 5, MPI_INT));
}

static APART void in_block(int n)
{
    int few[3] = {n};
    if (n) {
        char one = 'a', some[40] = {'b'};
        BLOCK_FAULT(SEND(&one, 1, MPI_DOUBLE));
        BLOCK_FAULT(SEND(some, 41, MPI_CHAR));
    }
    exchange(few, 3, MPI_INT);
}

static APART void in_caller(int *p)
{
    LOCAL_FAULT(SEND(p, 11, MPI_INT));
}

/* The rank's number names the file. */
#define write_file(data, count)                                                                                        \
    do {                                                                                                               \
        char name[32];                                                                                                 \
        MPI_File file;                                                                                                 \
        snprintf(name, sizeof name, "misuse.data%d", rank);                                                            \
        MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE,               \
                      MPI_INFO_NULL, &file);                                                                           \
        MPI_File_write(file, data, count, MPI_INT, MPI_STATUS_IGNORE);                                                 \
        MPI_File_close(&file);                                                                                         \
    } while (0)

static APART void wrong(void)
{
    static int inside[3], after_inside[3];
    int local[10] = {0}, one = 1, more[64] = {0};
    struct pair pair = {1, {2}};
    MPI_Request request;
    MPI_Win window = MPI_WIN_NULL; /* Open MPI 4 may make none */
    void *buffer;
    int bytes, rank;
    FAULT("beyond_variable", SEND(table, 5, MPI_INT));
    FAULT("beyond_variable", SEND(table + 3, 1, MPI_DOUBLE));
    FAULT("beyond_variable", SEND(inside, 4, MPI_INT));
    FAULT("beyond_variable", SEND(grid[1], 7, MPI_DOUBLE));
    FAULT("beyond_variable", SEND(kept.rest, 4, MPI_INT));
    FAULT("beyond_variable", SEND(common, 9, MPI_INT));
    LOCAL_FAULT(SEND(local, 11, MPI_INT));
    LOCAL_FAULT(SEND(&one, 1, MPI_DOUBLE));
    LOCAL_FAULT(SEND(&pair.rest[2], 2, MPI_INT));
    LOCAL_FAULT(MPI_Isend(local + 5, 6, MPI_INT, 0, 8, MPI_COMM_SELF, &request));
    MPI_Recv(more, 64, MPI_INT, 0, 8, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    FAULT("beyond_variable", MPI_Win_create(table, 5 * sizeof(int), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window));
    if (window != MPI_WIN_NULL)
        MPI_Win_free(&window);
    FAULT("beyond_variable", MPI_Buffer_attach(packed, 901));
    MPI_Buffer_detach(&buffer, &bytes);
    FAULT("beyond_variable", MPI_Pack(local, 5, MPI_INT, packed + 870, 31, &(int){0}, MPI_COMM_SELF));
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    FAULT("beyond_variable", write_file(table, 5));
    FAULT("beyond_variable", MPI_Alltoallv(table, (int[]){2, 2}, (int[]){0, 3}, MPI_INT, more, (int[]){2, 2},
                                           (int[]){0, 2}, MPI_INT, MPI_COMM_WORLD));
    FAULT("beyond_variable",
          MPI_Alltoallw(inside, (int[]){2, 2}, (int[]){0, 8}, (MPI_Datatype[]){MPI_INT, MPI_INT}, more, (int[]){2, 2},
                        (int[]){0, 8}, (MPI_Datatype[]){MPI_INT, MPI_INT}, MPI_COMM_WORLD));
    LOCAL_FAULT(MPI_Scatterv(local, (int[]){6, 5}, (int[]){0, 6}, MPI_INT, more, 6 - rank, MPI_INT, 0, MPI_COMM_WORLD));
    in_block(1);
    in_caller(local);
    by_value(pair);
    exchange(more, 64, MPI_INT);
    exchange(after_table, 4, MPI_INT);
    exchange(after_inside, 3, MPI_INT);
}

/* A value without a name, and a variable that is used only later. */
static APART int values(int n)
{
    int late[10];
    {
        exchange((int[90]){1, 2, 3}, 90, MPI_INT);
    }
    for (int i = 0; i < 10; i++)
        late[i] = i * n;
    exchange(late, 10, MPI_INT);
    return late[n % 10];
}

static inline int inlined(int n)
{
    int many[80];
    for (int i = 0; i < 80; i++)
        many[i] = n;
    exchange(many, 80, MPI_INT);
    return many[n % 10];
}

static APART int blocks(int n)
{
    int few[3] = {n}, sum = inlined(n);
    if (n > 0) {
        int some[70] = {n};
        exchange(some, 70, MPI_INT);
        sum += some[0];
    } else {
        int others[60] = {n};
        exchange(others, 60, MPI_INT);
        sum += others[0];
    }
    exchange(few, 3, MPI_INT);
    return sum + few[0];
}

static APART int sized(int n)
{
    int varying[n], *allocated = alloca(100 * sizeof(int)), few[2] = {1, 2};
    memset(varying, 0, (size_t)n * sizeof *varying);
    memset(allocated, 0, 100 * sizeof(int));
    exchange(varying, n, MPI_INT);
    exchange(allocated, 100, MPI_INT);
    exchange(few, 2, MPI_INT);
    return n ? sized(n / 2) + varying[0] : few[0];
}

/* Variables that lie apart, as one datatype. */
static APART void apart(int n)
{
    int first = n, second[2] = {n, n};
    MPI_Aint places[2];
    MPI_Datatype both;
    MPI_Get_address(&first, &places[0]);
    MPI_Get_address(second, &places[1]);
    MPI_Type_create_hindexed(2, (int[]){1, 2}, places, MPI_INT, &both);
    MPI_Type_commit(&both);
    exchange(MPI_BOTTOM, 1, both);
    MPI_Type_free(&both);
}

static APART void right(void)
{
    union {
        int number;
        char bytes[64];
    } mixed = {.bytes = "text"};
    void *buffer;
    int bytes, rank, place = 0, one = 1, local[10] = {0};
    struct pair pair = {1, {2}};
    void *heap = calloc(100, sizeof(int));
    int *first = gathered_0, *second = gathered_1;
    exchange(&one, 1, MPI_INT);
    exchange(local, 10, MPI_INT);
    exchange(local + 5, 5, MPI_INT);
    exchange(&pair.rest, 3, MPI_INT);
    exchange(&pair, 4, MPI_INT);
    exchange(&mixed.number, 16, MPI_INT);
    MPI_Pack(local, 10, MPI_INT, packed, sizeof packed, &place, MPI_COMM_SELF);
    exchange(packed, place, MPI_PACKED);
    exchange(heap, 100, MPI_INT);
    exchange(table, 4, MPI_INT);
    exchange(grid[1], 6, MPI_DOUBLE);
    exchange(&kept.rest[1], 2, MPI_INT);
    exchange(common, 8, MPI_INT);
    exchange(second < first ? second : first, 4, MPI_INT);
    MPI_Buffer_attach(packed, sizeof packed);
    MPI_Buffer_detach(&buffer, &bytes);
    MPI_Allgatherv(local, 2, MPI_INT, table, (int[]){2, 2}, (int[]){0, 2}, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(local, 2, MPI_INT, table + 2, (int[]){2, 2}, (int[]){0, -2}, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallv(table, (int[]){4, 0}, (int[]){0, 99}, MPI_INT, local, (int[]){4, 4}, (int[]){0, 4}, MPI_INT,
                  MPI_COMM_SELF);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    write_file(table, 4);
    free(heap);
    values(7);
    blocks(0);
    blocks(1);
    sized(100);
    apart(3);
}

int main(int argc, char **argv)
{
    room = malloc(4096);
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (argc > 1 && strcmp(argv[1], "wrong") == 0)
        wrong();
    else
        right();
    MPI_Finalize();
    free(room);
    return 0;
}
