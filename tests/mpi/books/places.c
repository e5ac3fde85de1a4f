#include "books.h"

static struct place *add(struct actor *actor, MPI_Comm comm, const char *name)
{
    struct place *place = &actor->place[actor->places++];
    if (actor->places > PLACES_MAX)
        abort();
    *place = (struct place){.comm = comm, .name = name, .sides = 1};
    return place;
}

static void add_member(struct place *place, int side, int world, int me)
{
    if (world == me) {
        place->side = side;
        place->rank = place->size[side];
    }
    place->member[side][place->size[side]++] = world;
}

void place_like(struct actor *actor, MPI_Comm from, const char *name, bool reversed)
{
    MPI_Comm comm;
    if (reversed)
        CALL(MPI_Comm_split)(from, 0, -actor->me, &comm);
    else
        CALL(MPI_Comm_dup)(from, &comm);
    CALL(MPI_Comm_set_name)(comm, name);
    struct place *place = add(actor, comm, name);
    for (int i = 0; i < actor->size; i++)
        add_member(place, 0, reversed ? actor->size - 1 - i : i, actor->me);
}

/* The lower and the upper half of the world, the last first, and what is between them. */
static void add_halves(struct actor *actor)
{
    int half = actor->size / 2;
    bool upper = actor->me >= half;
    MPI_Comm comm, inter;
    CALL(MPI_Comm_split)(MPI_COMM_WORLD, upper, -actor->me, &comm);
    CALL(MPI_Comm_set_name)(comm, upper ? "upper" : "lower");
    CALL(MPI_Intercomm_create)(comm, 0, MPI_COMM_WORLD, upper ? half - 1 : actor->size - 1, 5, &inter);
    CALL(MPI_Comm_set_name)(inter, "across");
    struct place *lower = add(actor, upper ? MPI_COMM_NULL : comm, "lower");
    struct place *higher = add(actor, upper ? comm : MPI_COMM_NULL, "upper");
    struct place *across = add(actor, inter, "across");
    across->inter = true;
    across->sides = 2;
    for (int i = actor->size - 1; i >= 0; i--) {
        add_member(i < half ? lower : higher, 0, i, actor->me);
        add_member(across, i >= half, i, actor->me);
    }
}

void make_places(struct actor *actor)
{
    struct place *world = add(actor, MPI_COMM_WORLD, "MPI_COMM_WORLD");
    for (int i = 0; i < actor->size; i++)
        add_member(world, 0, i, actor->me);
    add_member(add(actor, MPI_COMM_SELF, "MPI_COMM_SELF"), 0, actor->me, actor->me);
    place_like(actor, MPI_COMM_WORLD, "copy", false);
    place_like(actor, MPI_COMM_WORLD, "reversed", true);
    if (actor->size > 1)
        add_halves(actor);
}

void free_places(struct actor *actor)
{
    for (int i = 0; i < actor->places; i++) {
        MPI_Comm comm = actor->place[i].comm;
        if (comm != MPI_COMM_NULL && comm != MPI_COMM_WORLD && comm != MPI_COMM_SELF && !actor->place[i].shared)
            CALL(MPI_Comm_free)(&actor->place[i].comm);
    }
}
