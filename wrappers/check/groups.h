/* Local checks of communicators, groups and topologies. Nothing is reported about groups that callsign does not know.
 */
#pragma once

#include "wrappers/call/misuse.h"

/* What a function needs of its communicator. */
enum cs_shape {
    CS_SHAPE_INTRA,
    CS_SHAPE_INTER,
    CS_SHAPE_CARTESIAN,
    CS_SHAPE_GRAPH,
    CS_SHAPE_DIST_GRAPH,
    CS_SHAPE_TOPOLOGY /* any */
};
void cs_checks_shape(struct cs_call *call, enum cs_shape needed);

/* A group of members of the call's communicator. */
void cs_checks_subgroup(struct cs_call *call, MPI_Group group);
/* Ranks of the group, each once. */
void cs_checks_group_ranks(struct cs_call *call, MPI_Group group, MPI_Count count, const int ranks[]);
/* Ranges of them: first, last, stride. */
void cs_checks_group_ranges(struct cs_call *call, MPI_Group group, MPI_Count count, const void *ranges);
/* Ranks of the group, or MPI_PROC_NULL. */
void cs_checks_translated_ranks(struct cs_call *call, MPI_Group group, MPI_Count count, const int ranks[]);

/* The dimensions of a new topology on the communicator of the call. */
void cs_checks_dimensions(struct cs_call *call, MPI_Count dimensions, const int sizes[]);
/* The dimensions that the program has chosen already for so many processes; 0: not yet. */
void cs_checks_given_dimensions(struct cs_call *call, MPI_Count processes, MPI_Count dimensions, const int sizes[]);
/* A dimension of the communicator's topology. */
void cs_checks_dimension(struct cs_call *call, int64_t dimension);
void cs_checks_topology_rank(struct cs_call *call, int rank);

/* A graph: the edges of node i end at index[i] of the list. */
void cs_checks_graph(struct cs_call *call, MPI_Count nodes, const int index[], const int edges[]);
/* Neighbors in a distributed graph; those of several nodes have degrees. */
void cs_checks_neighbors(struct cs_call *call, MPI_Count count, const int ranks[]);
void cs_checks_destinations(struct cs_call *call, MPI_Count nodes, const int degrees[], const int destinations[]);
void cs_checks_weights(struct cs_call *call, MPI_Count sources, const int source_weights[], MPI_Count destinations,
                       const int destination_weights[]);

void cs_checks_color(struct cs_call *call, int64_t color);
