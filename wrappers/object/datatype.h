/* Datatypes. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "record/object/object.h"
#include "whole_mpi.h"
#include "wrappers/call/arrays.h"
#include "wrappers/call/call.h"

/* ---- how a datatype was made ---- */

/* CS_COMBINER_* of an MPI_COMBINER_*. */
int cs_type_combiner(int combiner);

/* ---- records ---- */

/* The record of a datatype; an unknown one is added. NULL for MPI_DATATYPE_NULL and without memory. */
const struct callsign_record *cs_type_look_up(MPI_Datatype type);

/* The type of the call before, if this is it; most calls have it. Else NULL. */
static inline const struct callsign_record *cs_type_same(const struct cs_thread *thread, MPI_Datatype type)
{
    const struct callsign_record *last = thread->last_type;
    return __builtin_expect(last && cs_object_is(last, CALLSIGN_DATATYPE, CS_KEY(type)), 1) ? last : NULL;
}

/* The same; a role may have looked it up before the call. */
static inline const struct callsign_record *cs_type_of_call(const struct cs_call *call, MPI_Datatype type)
{
    const struct callsign_record *known = call->type;
    return __builtin_expect(known && known->handle == CS_KEY(type), 1) ? known : cs_type_same(call->thread, type);
}
static inline const struct callsign_record *cs_type_record(MPI_Datatype type)
{
    const struct callsign_record *last = cs_thread_self ? cs_type_same(cs_thread_self, type) : NULL;
    return last ? last : cs_type_look_up(type);
}

/* The record of a datatype before the native call: its handle may be garbage, so only predefined types are added. NULL:
   not known. */
const struct callsign_record *cs_other_type_before_call(struct cs_call *call, MPI_Datatype type);
static inline const struct callsign_record *cs_type_before_call(struct cs_call *call, MPI_Datatype type)
{
    const struct callsign_record *same = cs_type_same(call->thread, type);
    return __builtin_expect(same != NULL, 1) ? same : cs_other_type_before_call(call, type);
}

/* A datatype that the call returned; the call tells how it was made. */
void cs_type_adopt(const struct cs_call *call, MPI_Datatype type);

/* ---- roles before the native call ---- */

/* A predefined datatype is about to be named: records it while the MPI still has its own name. */
void cs_record_predefined_type(struct cs_call *call, MPI_Datatype type);

/* The size of the message or of the buffer, for reports on the last call. Only for calls that may wait for their
   partner. */
void cs_on_length(struct cs_call *call, MPI_Count count, MPI_Datatype type);

/* ---- roles after success; MPI_DATATYPE_NULL is no object ---- */

void cs_made_type(struct cs_call *call, MPI_Datatype type, MPI_Datatype parent);
/* A struct. */
void cs_made_type_of(struct cs_call *call, MPI_Datatype type, MPI_Count count, struct cs_types parents,
                     struct cs_counts blocklengths);
/* Types from MPI_Type_get_contents and MPI_File_get_view that the program must free, unless they are predefined. */
void cs_handed_out_types(struct cs_call *call, MPI_Count count, struct cs_types types);
/* Types that MPI_Type_get_contents of `type` has written to an array with this room. */
void cs_type_contents(struct cs_call *call, MPI_Datatype type, MPI_Count room, struct cs_types types);
void cs_committed_type(struct cs_call *call, MPI_Datatype type);
