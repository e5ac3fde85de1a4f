/* Four ranks make communicators. "right": groups that may differ between ranks. Otherwise a fault, in which the
   program may block for ever:
   members: some members of a group pass another one. order: they pass its members in another order.
   outsider: a rank passes a group of others, who pass none. tags: MPI_Comm_create_group with two tags.
   bridge: MPI_Intercomm_create with two tags. calls: two ranks make their communicators in another order.
   objects: on two communicators, in another order. Rank 0 writes the line of its call to the file "wrong". */
#include "check.h"

#include <stdio.h>
#include <string.h>

/* The wrong call. What follows differs, so that the compiler cannot make one call of two. */
#define HERE(call)                                                                                                     \
    do {                                                                                                               \
        announce(__LINE__);                                                                                            \
        call;                                                                                                          \
        passed = __LINE__;                                                                                             \
    } while (0)

static int rank;
static volatile int passed; /* the line of the last wrong call that returned */
static MPI_Group world;

static void announce(int line)
{
    FILE *file = rank == 0 ? fopen("wrong", "w") : NULL;
    if (!file)
        return;
    fprintf(file, "%d\n", line);
    fclose(file);
}

static MPI_Group group_of(int count, const int ranks[])
{
    MPI_Group made;
    MPI_Group_incl(world, count, ranks, &made);
    return made;
}

#define GROUP(...) group_of(sizeof(int[]){__VA_ARGS__} / sizeof(int), (const int[]){__VA_ARGS__})

static void finish(MPI_Group group, MPI_Comm comm)
{
    if (comm != MPI_COMM_NULL)
        MPI_Comm_free(&comm);
    if (group != MPI_GROUP_EMPTY)
        MPI_Group_free(&group);
}

static void create(MPI_Group group)
{
    MPI_Comm comm;
    MPI_Comm_create(MPI_COMM_WORLD, group, &comm);
    finish(group, comm);
}

static MPI_Comm halves(void)
{
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &comm);
    return comm;
}

/* Two groups that are made in different ways, of one communicator and of another one. */
static void create_equal(void)
{
    MPI_Group part, other;
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_group(copy, &other);
    if (rank == 0)
        MPI_Group_excl(other, 1, (const int[]){3}, &part);
    else
        part = GROUP(0, 1, 2);
    create(part);
    MPI_Group_free(&other);
    MPI_Comm_free(&copy);
}

static void create_on_intercommunicator(void)
{
    MPI_Comm half = halves(), bridge, made;
    MPI_Group local, part;
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 9, &bridge);
    MPI_Comm_group(bridge, &local);
    MPI_Group_incl(local, rank < 2 ? 1 : 2, (const int[]){0, 1}, &part);
    MPI_Comm_create(bridge, part, &made);
    finish(part, made);
    MPI_Group_free(&local);
    MPI_Comm_free(&bridge);
    MPI_Comm_free(&half);
}

static void right(void)
{
    create(GROUP(0, 1, 2)); /* rank 3 passes it, too */
    create(rank < 2 ? GROUP(0, 1) : GROUP(2, 3));
    create(rank < 3 ? GROUP(2, 0, 1) : MPI_GROUP_EMPTY);
    create(rank == 1 ? GROUP(1) : MPI_GROUP_EMPTY);
    create(MPI_GROUP_EMPTY);
    create_equal();
    create_on_intercommunicator();
    MPI_Comm comm;
    MPI_Group group = rank < 2 ? GROUP(1, 0) : GROUP(2, 3);
    MPI_Comm_create_group(MPI_COMM_WORLD, group, rank / 2, &comm);
    finish(group, comm);
}

static void wrong(const char *fault)
{
    MPI_Comm half = halves(), copy, made;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Group members = rank == 0 ? GROUP(0, 1) : rank == 1 ? GROUP(0, 1, 2) : GROUP(2, 3);
    MPI_Group order = rank == 0 ? GROUP(1, 0) : GROUP(0, 1);
    MPI_Group all = GROUP(0, 1, 2, 3);
    if (strcmp(fault, "members") == 0) {
        HERE(MPI_Comm_create(copy, members, &made));
    } else if (strcmp(fault, "order") == 0) {
        HERE(MPI_Comm_create(copy, order, &made));
    } else if (strcmp(fault, "outsider") == 0) {
        HERE(MPI_Comm_create(copy, rank == 3 ? order : MPI_GROUP_EMPTY, &made));
    } else if (strcmp(fault, "tags") == 0) {
        HERE(MPI_Comm_create_group(MPI_COMM_WORLD, all, rank == 3 ? 8 : 7, &made)); /* MPICH 4.0 crashes with a copy */
    } else if (strcmp(fault, "bridge") == 0) {
        HERE(MPI_Intercomm_create(half, 0, copy, rank < 2 ? 2 : 0, rank < 2 ? 7 : 8, &made));
    } else if (strcmp(fault, "calls") == 0 && rank < 2) {
        HERE(MPI_Comm_dup(copy, &made));
        MPI_Comm_split(copy, 0, 0, &made);
    } else if (strcmp(fault, "calls") == 0) {
        MPI_Comm_split(copy, 0, 0, &made);
        MPI_Comm_dup(copy, &made);
    } else if (strcmp(fault, "objects") == 0) {
        HERE(MPI_Comm_dup(rank < 2 ? copy : MPI_COMM_WORLD, &made));
        MPI_Comm_dup(rank < 2 ? MPI_COMM_WORLD : copy, &made);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    if (argc > 1 && strcmp(argv[1], "right") == 0)
        right();
    else if (argc > 1)
        wrong(argv[1]);
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}
