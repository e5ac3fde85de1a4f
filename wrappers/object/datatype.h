/* Datatypes. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "record/object.h"
#include "whole_mpi.h"
#include "wrappers/call/arrays.h"
#include "wrappers/call/call.h"

/* ---- how a datatype was made ---- */

/* ---- records ---- */

/* The record of a datatype, entered now if it was not known; NULL for MPI_DATATYPE_NULL and without memory. */
const struct callsign_record *cs_type_record(MPI_Datatype type);

/* A datatype that the call showed: how it is made is known from the call. */
void cs_type_adopt(const struct cs_call *call, MPI_Datatype type);

/* ---- roles before the native call ---- */

/* A predefined datatype is about to be named: records it while the MPI still has its own name for it. */
void cs_record_predefined_type(struct cs_call *call, MPI_Datatype type);

/* For "in which call it died": what is to be sent, or what there is room for. Only of calls that may wait for their
   partner. */
void cs_on_length_recorded(struct cs_call *call, MPI_Count count, MPI_Datatype type);
static inline void cs_on_length(struct cs_call *call, MPI_Count count, MPI_Datatype type)
{
    if (call->thread)
        cs_on_length_recorded(call, count, type);
}

/* ---- roles after success; MPI_DATATYPE_NULL is no object ---- */

void cs_made_type(struct cs_call *call, MPI_Datatype type, MPI_Datatype parent);
void cs_made_type_of(struct cs_call *call, MPI_Datatype type, MPI_Count count, struct cs_types parents); /* struct */
/* Types that the program must free, unless predefined: of MPI_Type_get_contents, MPI_File_get_view. */
void cs_handed_out_types(struct cs_call *call, MPI_Count count, struct cs_types types);
/* The same of what MPI_Type_get_contents of a type has put into an array with that much room. */
void cs_type_contents(struct cs_call *call, MPI_Datatype type, MPI_Count room, struct cs_types types);
void cs_committed_type(struct cs_call *call, MPI_Datatype type);
