#include "cli/top/top_rates.h"

#include "functions.h"

/* Sums may shrink: several words are not read at one instant, and a journal may be damaged. No rate is negative. */
static double rate(uint64_t before, uint64_t after, double seconds)
{
    return after > before ? (double)(after - before) / seconds : 0;
}

struct cs_top_rates cs_top_rates_of(const struct cs_top_rank *rank)
{
    const struct cs_top_sums *before = &rank->before, *now = &rank->now;
    double seconds = (now->at_ns - before->at_ns) / 1e9;
    if (rank->is_new || !rank->ran || seconds <= 0)
        return (struct cs_top_rates){0};
    return (struct cs_top_rates){.known = true,
                                 .share = cs_top_share(rank),
                                 .calls = rate(before->calls, now->calls, seconds),
                                 .messages = rate(before->messages, now->messages, seconds),
                                 .bytes = rate(before->bytes, now->bytes, seconds)};
}

const char *cs_top_state(const struct cs_top_rank *rank)
{
    const struct cs_function *function = cs_function_find(rank->function);
    if (rank->silent)
        return "silent";
    if (!rank->running)
        return "ended";
    if (cs_look_is_stopped(&rank->look))
        return "stopped";
    if (rank->inside)
        return function ? function->name : "MPI";
    const char *word = cs_activity_word(rank->activity);
    return word ? word : "outside MPI";
}

struct cs_top_whole cs_top_whole_of(const struct cs_top *top)
{
    struct cs_top_whole whole = {.ranks = top->traces};
    for (size_t i = 0; i < top->count; i++) {
        const struct cs_top_rank *rank = &top->journal[i].rank;
        struct cs_top_rates rates = cs_top_rates_of(rank);
        if (top->journal[i].left_out)
            continue;
        if (top->journal[i].node) {
            whole.elsewhere++;
            whole.node = top->journal[i].node;
            continue;
        }
        if (top->journal[i].unread) {
            whole.unread++;
            continue;
        }
        whole.ranks++;
        whole.running += rank->running;
        whole.silent += rank->silent;
        whole.calls += rank->now.calls;
        whole.messages += rank->now.messages;
        whole.bytes += rank->now.bytes;
        whole.total_mpi_ns += rank->now.mpi_ns;
        whole.resident += rank->look.stat.resident_bytes;
        whole.stuck +=
            rates.known && rank->running && rank->inside && rank->state_ns > rank->now.at_ns - rank->before.at_ns;
        if (rank->age_ns > whole.age_ns)
            whole.age_ns = rank->age_ns;
        whole.messages_per_second += rates.messages;
        whole.bytes_per_second += rates.bytes;
        double lived = rates.known && rank->running ? rank->now.lived_ns - rank->before.lived_ns : 0;
        if (lived > 0) {
            whole.lived_ns += lived;
            whole.mpi_ns += rates.share * lived;
        }
    }
    whole.share = whole.lived_ns > 0 ? whole.mpi_ns / whole.lived_ns : 0;
    return whole;
}

const struct cs_top_rank *cs_top_awaited(const struct cs_top *top)
{
    const struct cs_top_rank *outside = NULL;
    size_t running = 0;
    for (size_t i = 0; i < top->count; i++) {
        const struct cs_top_rank *rank = &top->journal[i].rank;
        if (top->journal[i].unread || !rank->running)
            continue;
        running++;
        if (rank->inside && rank->state_ns >= 1e9)
            continue;
        if (outside || rank->inside)
            return NULL;
        outside = rank;
    }
    return running > 1 ? outside : NULL;
}
