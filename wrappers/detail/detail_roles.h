/* Roles that store the arguments of a creating call in the object's details (journal/detail.h). They run after
 * success and before the role that makes the object; cs_birth_begin takes the details. If the call makes no object,
 * they are dropped. Nothing is allocated after a thread's first detail. Values that do not fit are left out. */
#pragma once

#include "wrappers/call/arrays.h"
#include "wrappers/object/birth.h"
#include "wrappers/object/datatype.h"

/* ---- arguments that one process alone must give: only looked at there ---- */

/* True if this process has that rank in the communicator of the call. */
bool cs_at_root(struct cs_call *call, int root);

/* ---- arguments ---- */

void cs_detail_integer(struct cs_call *call, enum cs_detail_key key, int64_t value);
void cs_detail_integers(struct cs_call *call, enum cs_detail_key key, MPI_Count count, struct cs_integers values);
void cs_detail_text(struct cs_call *call, enum cs_detail_key key, const char *text);
/* A path that is too long keeps its end. */
void cs_detail_path(struct cs_call *call, enum cs_detail_key key, const char *path);
void cs_detail_texts(struct cs_call *call, enum cs_detail_key key, int count, char *const texts[]);
/* All keys and values that fit. */
void cs_detail_info(struct cs_call *call, enum cs_detail_key key, MPI_Info info);
/* The ids of the datatypes in the live table; unknown datatypes are added. */
void cs_detail_types(struct cs_call *call, enum cs_detail_key key, MPI_Count count, struct cs_types types);

/* ---- arguments that need a word of explanation ---- */

/* One value for each dimension of the topology. */
void cs_detail_remain_dims(struct cs_call *call, enum cs_detail_key key, MPI_Comm comm, struct cs_integers values);
/* MPI_Graph_create: the last index is the number of edges. */
void cs_detail_edges(struct cs_call *call, enum cs_detail_key key, int nodes, const int index[], const int edges[]);
/* MPI_Dist_graph_create: the number of destinations is the sum of all degrees. */
void cs_detail_destinations(struct cs_call *call, enum cs_detail_key key, int count, const int degrees[],
                            const int destinations[]);
/* Constants as words: MPI_COMM_TYPE_SHARED is "shared", MPI_MODE_CREATE | MPI_MODE_RDWR "create|rdwr", MPI_ORDER_C
   "C", MPI_DISTRIBUTE_BLOCK "block". Others stay numbers. */
void cs_detail_split_type(struct cs_call *call, enum cs_detail_key key, int split_type);
void cs_detail_amode(struct cs_call *call, enum cs_detail_key key, int amode);
void cs_detail_order(struct cs_call *call, enum cs_detail_key key, int order);
void cs_detail_distribs(struct cs_call *call, enum cs_detail_key key, int count, const int distribs[]);
/* MPI_DISTRIBUTE_DFLT_DARG is CS_DETAIL_DEFAULT. */
void cs_detail_dargs(struct cs_call *call, enum cs_detail_key key, int count, const int dargs[]);

/* ---- the same in Fortran: character arguments have a length and end in blanks ---- */

void cs_detail_text_fortran(struct cs_call *call, enum cs_detail_key key, const char *text, size_t length);
void cs_detail_path_fortran(struct cs_call *call, enum cs_detail_key key, const char *path, size_t length);
void cs_detail_texts_fortran(struct cs_call *call, enum cs_detail_key key, int count, const char *texts, size_t length);

/* ---- how an item is begun and filled ---- */

/* Number of list elements that are stored. */
static inline size_t cs_detail_kept(MPI_Count count)
{
    return count <= 0 ? 0 : count < CS_DETAIL_KEPT ? (size_t)count : CS_DETAIL_KEPT;
}

/* Returns a new item with room for `words` words, to fill in at once; NULL: it does not fit. */
uint64_t *cs_detail_item(struct cs_call *call, enum cs_detail_key key, enum cs_detail_form form, size_t words);

/* An item with several strings; its length is known when it ends. */
struct cs_detail_strings {
    char *to; /* NULL: no room */
    size_t used, room;
};
