/* Epochs and locks of windows in the replay. */
#pragma once

#include "db/replay/replay_state.h"

/* What the call lets others do from its begin on. Returns SQLite's code. */
int cs_replay_begin_epochs(struct cs_replay *replay, const struct cs_replay_lane *lane,
                           const struct cs_pass_event *event);

/* What it waited for. A lock waited if the last holder unlocked meanwhile. Some MPIs take it only with the first
   access: then a flush or the unlock waited for the end of an exclusive lock. */
void cs_replay_need_epochs(struct cs_replay *replay, const struct cs_replay_lane *lane,
                           const struct cs_pass_event *event, int64_t start_ns, struct cs_replay_needs *needs);

/* The epochs that the call ended. Returns SQLite's code. */
int cs_replay_release_epochs(struct cs_replay *replay, const struct cs_replay_lane *lane,
                             const struct cs_pass_event *event);
