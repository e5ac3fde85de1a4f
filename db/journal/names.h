/* Words of traces for the numbers of journals. An unknown number gives NULL, which is NULL in the trace too. */
#pragma once

#include <stdint.h>

/* Combiners as in cs_fact_datatype.combiner: the standard's MPI_COMBINER_*, whose values differ between MPIs. */
enum cs_combiner {
    CS_COMBINER_UNKNOWN,
    CS_COMBINER_NAMED,
    CS_COMBINER_DUP,
    CS_COMBINER_CONTIGUOUS,
    CS_COMBINER_VECTOR,
    CS_COMBINER_HVECTOR,
    CS_COMBINER_INDEXED,
    CS_COMBINER_HINDEXED,
    CS_COMBINER_INDEXED_BLOCK,
    CS_COMBINER_HINDEXED_BLOCK,
    CS_COMBINER_STRUCT,
    CS_COMBINER_SUBARRAY,
    CS_COMBINER_DARRAY,
    CS_COMBINER_F90_REAL,
    CS_COMBINER_F90_COMPLEX,
    CS_COMBINER_F90_INTEGER,
    CS_COMBINER_RESIZED,
    CS_COMBINER_VALUE_INDEX,
    CS_COMBINER_HVECTOR_INTEGER,
    CS_COMBINER_HINDEXED_INTEGER,
    CS_COMBINER_STRUCT_INTEGER,
    CS_COMBINER_COUNT
};

const char *cs_name_of_combiner(int64_t number);
const char *cs_name_of_kind(int64_t number);    /* enum callsign_kind */
const char *cs_name_of_origin(int64_t number);  /* enum callsign_origin */
const char *cs_name_of_outcome(int64_t number); /* enum cs_outcome */
const char *cs_name_of_doing(int64_t number);   /* enum cs_thread_doing */
const char *cs_name_of_topology(int64_t number);
const char *cs_name_of_flavor(int64_t number);    /* of a window */
const char *cs_name_of_model(int64_t number);     /* of a window */
const char *cs_name_of_reason(int64_t number);    /* enum cs_placement_reason */
const char *cs_name_of_operation(int64_t number); /* enum cs_attribute_operation */
const char *cs_name_of_answer(int64_t number);    /* enum cs_comparison_answer */
const char *cs_name_of_direction(int64_t number); /* enum cs_direction */
const char *cs_name_of_value(int64_t number);     /* enum cs_attribute_value */
const char *cs_name_of_language(int64_t number);  /* enum cs_language */
