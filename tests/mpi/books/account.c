#include "books.h"

int roll(struct dice *dice, int sides)
{
    dice->state = dice->state * 6364136223846793005u + 1442695040888963407u;
    return (int)((dice->state >> 33) % (uint64_t)sides);
}

static int own(const struct place *on)
{
    return on->member[on->side][on->rank];
}

void book_sent(const struct place *on, int dest, int tag, long bytes)
{
    if (dest == MPI_PROC_NULL)
        check_message(on->name, "send", -2, own(on), -1, -1, 0);
    else
        check_message(on->name, "send", dest, own(on), on->member[other_side(on, on->side)][dest], tag, bytes);
}

void book_received(const struct place *on, int source, int tag, long bytes)
{
    if (source == MPI_PROC_NULL)
        check_message(on->name, "receive", -2, -1, own(on), -1, 0);
    else
        check_message(on->name, "receive", source, on->member[other_side(on, on->side)][source], own(on), tag, bytes);
}

void see(struct actor *actor, int what, int source, int tag, long bytes)
{
    uint64_t x = ((uint64_t)(uint32_t)what << 40) ^ ((uint64_t)(uint32_t)source << 32) ^ (uint32_t)tag;
    x = (x ^ (uint64_t)bytes * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
    actor->seen += x ^ (x >> 29);
    actor->messages++;
}
