#include "db/replay/replay_needs.h"

#include "base/array.h"

/* A call waited for the last member if it ended within so small a part of its wait. */
enum { ALGORITHM_PART = 10 };

void cs_replay_needs_add(struct cs_replay_needs *needs, struct cs_replay_need need)
{
    if (!need.moment->known)
        return;
    if (cs_array_grow(&needs->need, needs->count, &needs->room, sizeof *needs->need))
        needs->need[needs->count++] = need;
    else
        needs->failed = true;
}

void cs_replay_needs_add_collective(struct cs_replay_needs *needs, const struct cs_pending_collective *collective,
                                    enum cs_partner_collective waits_for, bool root, int64_t own)
{
    struct cs_replay_need need = {.moment = &collective->last,
                                  .kind = collective->barrier ? CS_NEED_BARRIER : CS_NEED_ALL};
    switch (waits_for) {
    case CS_MEMBERS_ALL:
        cs_replay_needs_add(needs, need);
        break;
    case CS_MEMBERS_ROOT:
        need.moment = &collective->root;
        need.kind = CS_NEED_ROOT;
        if (!root)
            cs_replay_needs_add(needs, need);
        break;
    case CS_MEMBERS_AT_ROOT:
        need.kind = CS_NEED_MEMBERS;
        if (root)
            cs_replay_needs_add(needs, need);
        break;
    case CS_MEMBERS_LOWER:
        need.kind = CS_NEED_LOWER;
        for (int64_t i = 0; collective->lower && i < own && i < collective->members; i++) {
            need.moment = &collective->lower[i];
            cs_replay_needs_add(needs, need);
        }
        break;
    default:
        break;
    }
}

void cs_replay_needs_add_algorithm(struct cs_replay_needs *needs, const struct cs_pending_collective *collective,
                                   int64_t start_ns, int64_t end_ns)
{
    int64_t last_ns = collective->last.recorded_ns, ready_ns = start_ns;
    for (size_t i = 0; i < needs->count; i++)
        if (needs->need[i].moment->recorded_ns > ready_ns)
            ready_ns = needs->need[i].moment->recorded_ns;
    if (last_ns > ready_ns + CS_SURE_WAIT_NS && end_ns >= last_ns &&
        end_ns - last_ns < (last_ns - ready_ns) / ALGORITHM_PART)
        cs_replay_needs_add(needs, (struct cs_replay_need){.moment = &collective->last, .kind = CS_NEED_ALGORITHM});
}
