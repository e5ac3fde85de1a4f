/* Types and handles that are hard to name: const and volatile, typedefs of typedefs, structures in structures, a handle
   value that belonged to another object before, two objects of one name. Then, with more ranks than one, two in each
   row wait for a message that nobody sends. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

typedef MPI_Comm grid_comm;
typedef grid_comm row_comm;
typedef const volatile row_comm strict_comm;

struct inner {
    row_comm comm;
    MPI_Datatype types[2];
};
struct outer {
    struct {
        struct inner inner[2];
    } middle;
    strict_comm *pointer;
    union {
        MPI_Comm comm;
        char bytes[8];
    } either;
};

enum { TRIES = 64 };

void __attribute__((noinline)) stop_here(strict_comm strict, struct outer *outer, int reused);
void stop_here(strict_comm strict, struct outer *outer, int reused)
{
    (void)strict;
    (void)outer;
    (void)reused;
    __asm__ volatile("" ::: "memory");
}

static MPI_Comm named(MPI_Comm from, const char *name)
{
    MPI_Comm made;
    MPI_Comm_dup(from, &made);
    MPI_Comm_set_name(made, name);
    return made;
}

int main(int argc, char **argv)
{
    int rank, size, unsent = 0;
    MPI_Comm rows, columns;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &rows);
    MPI_Comm_set_name(rows, "rows");
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &columns);
    MPI_Comm_set_name(columns, "columns");
    MPI_Comm copy = named(rows, "copy of rows");
    MPI_Comm twins[2] = {named(rows, "twin"), named(rows, "twin")};

    /* Until the MPI gives the value of one that was freed to another one. */
    MPI_Comm first = named(MPI_COMM_SELF, "first owner"), stale = first, others[TRIES];
    int tries = 0;
    MPI_Comm_free(&first);
    do
        others[tries] = named(MPI_COMM_SELF, "next owner");
    while (others[tries++] != stale && tries < TRIES);

    strict_comm strict = rows;
    struct outer outer = {.middle = {{{rows, {MPI_INT, MPI_DATATYPE_NULL}}, {twins[0], {MPI_CHAR, MPI_DOUBLE}}}},
                          .pointer = &strict,
                          .either = {.comm = twins[1]}};
    stop_here(strict, &outer, others[tries - 1] == stale);
    printf("rank %d is process %d\n", rank, (int)getpid());
    fflush(stdout);
    if (size > 1)
        MPI_Recv(&unsent, 1, MPI_INT, MPI_ANY_SOURCE, 7, rows, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return copy == MPI_COMM_NULL || columns == MPI_COMM_NULL;
}
