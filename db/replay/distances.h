/* How far ranks are from each other: what the view traffic_pairs calls distance. */
#pragma once

#include <sqlite3.h>
#include <stdint.h>

/* The closest unit that both share, by the processors on which they made most of their calls. CS_DISTANCE_NODE also if
   nothing closer is known. */
enum cs_distance { CS_DISTANCE_CORE, CS_DISTANCE_PACKAGE, CS_DISTANCE_NODE, CS_DISTANCE_REMOTE, CS_DISTANCES };

struct cs_distances;

/* Returns SQLite's code. */
int cs_distances_read(sqlite3 *db, struct cs_distances **distances);
void cs_distances_free(struct cs_distances *distances);

/* A rank that the trace lacks is on another node. */
enum cs_distance cs_distances_between(const struct cs_distances *distances, int64_t rank, int64_t other);
