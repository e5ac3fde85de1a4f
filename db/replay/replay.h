/* Replays the recorded events of a run with something changed, and says how long it would have taken. One pass over the
   events answers many questions at once; memory grows with ranks and pending messages, not with events.

   Each thread keeps its recorded stretches between calls. A call ends when what it waited for is there, and after the
   rest of its recorded time: with nothing changed, every instant is the recorded one. What a call waited for is known
   of messages with both sides and of collective calls. Other calls take their recorded time. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/replay/replay_change.h"
#include "db/replay/replay_path.h"
#include "db/replay/replay_regions.h"

struct cs_replay;

struct cs_replay_facts {
    int64_t events;
    int64_t from_ns, to_ns;           /* the part of the run that all ranks have events of, until the last call ends */
    int64_t waiting_ns;               /* time in calls that wait, all threads */
    int64_t unknown_ns;               /* part of it in calls of which the partner is not known */
    int64_t barriers_ns;              /* time in barriers, all threads */
    int64_t waited_ns[CS_NEED_KINDS]; /* by what was there last, all threads */
    /* Sends by other calls, and those that MPI_Start begins: an MPI may treat them otherwise. */
    int64_t eager_bytes[2];                  /* the largest send that did not wait for its receive; -1: none */
    bool has_rendezvous[2];                  /* larger ones did */
    bool has_network[CS_DISTANCES];          /* it is fitted; else .network is that of a neighbouring distance */
    bool has_near;                           /* some distance within a node is fitted */
    struct cs_network network[CS_DISTANCES]; /* what messages take */
};

/* Each returns SQLite's code. cs_replay_measure comes first, and may find no events. */
int cs_replay_open(sqlite3 *db, struct cs_replay **replay);
int cs_replay_measure(struct cs_replay *replay);
int cs_replay_run(struct cs_replay *replay, const struct cs_change *change, size_t changes, int64_t *length_ns);

/* Likewise, with the critical path of each question, which takes longer. */
int cs_replay_follow(struct cs_replay *replay, const struct cs_change *change, size_t changes, int64_t *length_ns,
                     struct cs_path *path);
void cs_replay_close(struct cs_replay *replay);

const struct cs_replay_facts *cs_replay_facts(const struct cs_replay *replay);

/* Whether a replay of this length has about the recorded one. Else it claims nothing. */
bool cs_replay_explains(const struct cs_replay_facts *facts, int64_t length_ns);

const struct cs_replay_rank *cs_replay_ranks(const struct cs_replay *replay, size_t *count);

/* What calls and code take, after cs_replay_measure. */
struct cs_replay_sums *cs_replay_sums_of(struct cs_replay *replay);
const struct cs_replay_regions *cs_replay_regions_of(const struct cs_replay *replay);
