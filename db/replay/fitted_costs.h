/* What transfers and calls of a run typically take, by kind and size: from histograms, whose size does not grow with
   the events. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "db/replay/replay_change.h"

struct cs_fitted_costs;

enum cs_cost_part { CS_COST_OF_MESSAGE, CS_COST_OF_CALL };

struct cs_cost_kind {
    int64_t function; /* of the call; 0 for messages */
    int32_t part;     /* enum cs_cost_part */
    int32_t apart;    /* messages: enum cs_distance. Collective calls: number of members */
    int32_t size;     /* cs_cost_size */
    int32_t reserved;
};

/* Sizes of one power of two share a number; 0 is 0. */
int32_t cs_cost_size(int64_t bytes);

struct cs_fitted_costs *cs_fitted_costs_new(void);
void cs_fitted_costs_free(struct cs_fitted_costs *costs);

/* False: out of memory. */
bool cs_fitted_costs_add(struct cs_fitted_costs *costs, const struct cs_cost_kind *kind, int64_t bytes, int64_t ns);

/* The median; -1: there was none of this kind. */
int64_t cs_fitted_costs_typical(struct cs_fitted_costs *costs, const struct cs_cost_kind *kind);

/* Latency, and time per byte, of messages of a distance, from the fastest tenth of each size. False: there are too few.
   The time per byte is 0 if only small ones are known. */
bool cs_fitted_costs_network(const struct cs_fitted_costs *costs, enum cs_distance distance,
                             struct cs_network *network);
