/* The questions of callsign whatif, and their answers: the rows of computed_forecasts. */
#pragma once

#include <math.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "db/trace/event_tables.h"

/* What the user asked for; without anything, callsign chooses. */
struct cs_forecast_wishes {
    int64_t rank;                        /* -1: none */
    const char *region;                  /* path or name of a region; NULL: none */
    double faster_percent;               /* NAN: not given */
    double latency_ns, bytes_per_second; /* NAN: not given */
    const char *site;                    /* part of a location; NULL: none */
    int64_t ranks_per_node;              /* 0: not given. Then the network is that between nodes */
    bool refused;                        /* set if one does not fit the run: this was logged, and there are no rows */
};

#define CS_FORECAST_WISHES_NONE                                                                                        \
    (struct cs_forecast_wishes)                                                                                        \
    {                                                                                                                  \
        .rank = -1, .faster_percent = NAN, .latency_ns = NAN, .bytes_per_second = NAN                                  \
    }

bool cs_forecast_wishes_any(const struct cs_forecast_wishes *wishes);

/* The usual questions. Those of a user: the same with .context, a struct cs_forecast_wishes. */
extern const struct cs_event_finder cs_forecasts;
