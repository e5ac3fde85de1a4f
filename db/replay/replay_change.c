#include "db/replay/replay_change.h"

#include <stdlib.h>

#include "base/hash_table.h"

static int64_t scaled(int64_t ns, double factor)
{
    return (int64_t)((double)ns * factor);
}

int64_t cs_change_work(const struct cs_change *change, const double *factor, const struct cs_replay_code *code)
{
    switch (change->kind) {
    case CS_CHANGE_RANK:
        return code->rank->rank == change->target ? scaled(code->ns, change->factor) : code->ns;
    case CS_CHANGE_BALANCE_CODE:
        return code->group == change->target ? scaled(code->ns, factor[code->place]) : code->ns;
    case CS_CHANGE_BALANCE:
        return scaled(code->ns, factor[code->place]);
    case CS_CHANGE_REGION:
        return code->within >> change->target & 1 ? scaled(code->ns, change->factor) : code->ns;
    default:
        return code->ns;
    }
}

struct stage {
    int64_t object;
    UT_hash_handle hh;
    int64_t more;
};

struct cs_node_stages {
    struct stage *table;
};

static int64_t stages_of(int64_t members)
{
    return members > 1 ? 64 - __builtin_clzll((unsigned long long)(members - 1)) : 0;
}

static int add_stages(struct cs_node_stages *stages, sqlite3_stmt *row)
{
    struct stage *stage = calloc(1, sizeof *stage);
    if (!stage)
        return SQLITE_NOMEM;
    stage->object = sqlite3_column_int64(row, 0);
    stage->more = stages_of(sqlite3_column_int64(row, 2)) - stages_of(sqlite3_column_int64(row, 1));
    CS_TABLE_ADD(stages->table, object, stage);
    return stage ? SQLITE_ROW : SQLITE_NOMEM;
}

static const char nodes_sql[] =
    "SELECT o.uid, count(DISTINCT p.node), count(DISTINCT o.rank / ?1) FROM main.object o"
    " JOIN main.process p ON p.rank = o.rank"
    " WHERE o.kind IN ('communicator', 'window', 'file') AND o.uid IS NOT NULL GROUP BY o.uid";

struct cs_node_stages *cs_node_stages_read(sqlite3 *db, int64_t ranks_per_node)
{
    struct cs_node_stages *stages = calloc(1, sizeof *stages);
    sqlite3_stmt *row = NULL;
    int result = SQLITE_ERROR;
    if (stages && sqlite3_prepare_v2(db, nodes_sql, -1, &row, NULL) == SQLITE_OK) {
        sqlite3_bind_int64(row, 1, ranks_per_node);
        while ((result = sqlite3_step(row)) == SQLITE_ROW && (result = add_stages(stages, row)) == SQLITE_ROW)
            ;
    }
    sqlite3_finalize(row);
    if (result == SQLITE_DONE)
        return stages;
    cs_node_stages_free(stages);
    return NULL;
}

void cs_node_stages_free(struct cs_node_stages *stages)
{
    if (stages)
        CS_TABLE_FREE(stages->table);
    free(stages);
}

static int64_t more_stages(const struct cs_node_stages *stages, int64_t object)
{
    struct stage *stage;
    HASH_FIND(hh, stages->table, &object, sizeof object, stage);
    return stage ? stage->more : 0;
}

static int64_t add_network(const struct cs_network *more, int64_t ns, int64_t stages, int64_t bytes)
{
    double more_ns = (double)stages * (more->latency_ns + (double)bytes * more->ns_per_byte);
    return more_ns < (double)-ns ? 0 : ns + (int64_t)more_ns;
}

int64_t cs_change_cost(const struct cs_change *change, const struct cs_replay_cost *cost)
{
    switch (change->kind) {
    case CS_CHANGE_TO_FITTED:
        return cost->typical >= 0 && !cost->waits_unknown ? cost->typical : cost->ns;
    case CS_CHANGE_IDEAL:
        return cost->network && !cost->waits_unknown ? 0 : cost->ns;
    case CS_CHANGE_NETWORK:
        return add_network(&change->more_of_calls, cost->ns, stages_of(cost->members), cost->bytes);
    case CS_CHANGE_PLACEMENT:
        return cost->members ? add_network(&change->more_of_calls, cost->ns, more_stages(change->stages, cost->object),
                                           cost->bytes)
                             : cost->ns;
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

int64_t cs_change_transfer(const struct cs_change *change, const struct cs_replay_need *need, int64_t ns)
{
    if (change->kind == CS_CHANGE_IDEAL)
        return 0;
    if (need->kind != CS_NEED_MESSAGE && need->kind != CS_NEED_RECEIVE)
        return ns;
    if (change->kind == CS_CHANGE_PLACEMENT) {
        bool apart = need->source / change->target != need->dest / change->target;
        if (!apart)
            return need->distance == CS_DISTANCE_REMOTE ? add_network(&change->together, ns, 1, need->bytes) : ns;
        return add_network(&change->more[need->distance], ns, 1, need->bytes);
    }
    return change->kind == CS_CHANGE_NETWORK ? add_network(&change->more[need->distance], ns, 1, need->bytes) : ns;
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
