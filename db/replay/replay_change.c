#include "db/replay/replay_change.h"

#include <stdlib.h>

int64_t cs_change_work(const struct cs_change *change, const double *factor, const struct cs_replay_rank *rank,
                       size_t place, int64_t group, int64_t ns)
{
    switch (change->kind) {
    case CS_CHANGE_RANK:
        return rank[place].rank == change->target ? (int64_t)((double)ns * change->factor) : ns;
    case CS_CHANGE_BALANCE_CODE:
        if (group != change->target)
            return ns;
        return (int64_t)((double)ns * factor[place]);
    case CS_CHANGE_BALANCE:
        return (int64_t)((double)ns * factor[place]);
    default:
        return ns;
    }
}

static int64_t stages_of(int64_t members)
{
    return members > 1 ? 64 - __builtin_clzll((unsigned long long)(members - 1)) : 0;
}

int64_t cs_change_cost(const struct cs_change *change, const struct cs_replay_cost *cost)
{
    switch (change->kind) {
    case CS_CHANGE_TO_FITTED:
        return cost->typical >= 0 && !cost->waits_unknown ? cost->typical : cost->ns;
    case CS_CHANGE_IDEAL:
        return cost->network && !cost->waits_unknown ? 0 : cost->ns;
    case CS_CHANGE_NETWORK: {
        double more_ns =
            (double)stages_of(cost->members) * (change->latency_ns + (double)cost->bytes * change->ns_per_byte);
        return more_ns < (double)-cost->ns ? 0 : cost->ns + (int64_t)more_ns;
    }
    case CS_CHANGE_SITES:
        return cost->group == change->target && !cost->waits_unknown ? 0 : cost->ns;
    case CS_CHANGE_OBJECTS:
        return cost->similar == change->target && !cost->waits_unknown ? 0 : cost->ns;
    case CS_CHANGE_BARRIERS:
        return cost->barrier ? 0 : cost->ns;
    default:
        return cost->ns;
    }
}

bool cs_change_leaves_out(const struct cs_change *change, const struct cs_replay_need *need,
                          const struct cs_replay_cost *cost)
{
    if (change->kind == CS_CHANGE_WAITS)
        return (int64_t)need->kind == change->target;
    if (need->kind != CS_NEED_BARRIER)
        return false;
    return change->kind == CS_CHANGE_BARRIERS || (change->kind == CS_CHANGE_SITES && cost->group == change->target);
}

int64_t cs_change_transfer(const struct cs_change *change, const struct cs_replay_need *need, bool between_nodes)
{
    if (change->kind == CS_CHANGE_IDEAL)
        return 0;
    if (change->kind != CS_CHANGE_NETWORK || need->kind != CS_NEED_MESSAGE || need->apart != between_nodes)
        return need->transfer_ns;
    double more_ns = change->latency_ns + (double)need->bytes * change->ns_per_byte;
    return more_ns < (double)-need->transfer_ns ? 0 : need->transfer_ns + (int64_t)more_ns;
}

struct balance {
    const struct cs_change *change;
    double *factor;
    size_t ranks;
};

static void add_to_balance(void *context, const struct cs_replay_site *site)
{
    struct balance *balance = context;
    for (size_t r = 0; site->group == balance->change->target && r < balance->ranks; r++)
        balance->factor[r] += (double)site->before_ns[r];
}

double *cs_change_balance(const struct cs_change *change, const struct cs_replay_rank *rank,
                          const struct cs_replay_sums *sums)
{
    struct balance balance = {.change = change, .ranks = sums->ranks};
    double *factor = balance.factor = calloc(balance.ranks, sizeof *factor), sum = 0;
    if (!factor)
        return NULL;
    if (change->kind == CS_CHANGE_BALANCE_CODE)
        cs_replay_sums_each_site(sums, add_to_balance, &balance);
    for (size_t r = 0; r < balance.ranks; r++) {
        factor[r] = change->kind == CS_CHANGE_BALANCE ? (double)rank[r].useful_ns : factor[r];
        sum += factor[r];
    }
    for (size_t r = 0; r < balance.ranks; r++)
        factor[r] = factor[r] > 0 ? sum / (double)balance.ranks / factor[r] : 1;
    return factor;
}
