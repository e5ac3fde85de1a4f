/* The questions of callsign whatif, and their answers. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/symbols/resolver.h"
#include "cli/rows/frames.h"
#include "cli/text/phrase.h"
#include "db/replay/replay.h"

/* What the user asked for; without anything, callsign chooses. */
struct cs_whatif_wishes {
    int64_t rank;                        /* -1: none */
    const char *region;                  /* path or name of a region; NULL: none */
    double faster_percent;               /* NAN: not given */
    double latency_ns, bytes_per_second; /* NAN: not given */
    const char *site;                    /* part of a location; NULL: none */
    int64_t ranks_per_node;              /* 0: not given. Then the network is that between nodes */
};

struct cs_whatif_question {
    const char *kind;   /* as in the column kind of the answers */
    int64_t rank;       /* -1: none */
    int64_t site;       /* 0: none */
    char *object;       /* name of a communicator, window or file; NULL: none */
    char *place;        /* of the site */
    const char *region; /* its path; NULL: none */
    bool about_network; /* true only if the time of calls is that of the network */
    int64_t length_ns;  /* the answer */
    bool followed;      /* the path is known */
    struct cs_path path;
};

struct cs_whatif {
    struct cs_replay *replay;
    struct cs_change change[CS_CHANGES_MOST];
    struct cs_whatif_question question[CS_CHANGES_MOST];
    size_t count;
    /* without change; with typical costs for all calls; without time for the network */
    int64_t recorded_ns, replayed_ns, fitted_ns, ideal_ns;
    double load_balance, serialization, transfer; /* shares of 1 */
    struct cs_node_stages *stages;
};

/* Measures the run, asks and answers. CS_INVALID: a wish does not fit the run, which was logged. CS_NOT_FOUND is not
   used: without events `count` is 0. CS_SQL, CS_NO_MEMORY: logged. */
enum cs_status cs_whatif_answer(sqlite3 *db, struct cs_resolver *resolver, const struct cs_whatif_wishes *wishes,
                                struct cs_whatif *whatif);

/* Whether the model explains the run well enough for this answer. */
bool cs_whatif_claims(const struct cs_whatif *whatif, const struct cs_whatif_question *question);

/* Whether the replay of the unchanged run, or with typical times, has about the recorded length. */
bool cs_whatif_explains(const struct cs_whatif *whatif, int64_t length_ns);

/* Whether the answer is worth a sentence: it was asked for, or gains 1 %. */
bool cs_whatif_shows(const struct cs_whatif *whatif, const struct cs_whatif_question *question);

/* "If no receive waited for its message"; NULL: questions of this kind are not about a way to wait. */
const char *cs_whatif_wait_words(const char *kind);

void cs_whatif_free(struct cs_whatif *whatif);
