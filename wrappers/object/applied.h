/* Names that callsign gave to objects of the MPI, so that the MPI's own messages show them. The program must not see
   them: its MPI_*_get_name answers as without callsign. */
#ifndef CS_WRAPPERS_OBJECT_APPLIED_H
#define CS_WRAPPERS_OBJECT_APPLIED_H

#include "record/object.h"
#include "wrappers/call/call.h"

/* Reads the setting. */
void cs_applied_start(void);

/* Whether names of such objects are applied. */
bool cs_applies_to(enum callsign_kind kind);

/* Gives the object's name to the MPI, if the setting says so for its kind. Not for one that is still being made. */
void cs_apply(const struct callsign_record *object);

/* The same for a duplicate: Open MPI calls it "Dup x" after what it duplicates, which may have a name of callsign's. */
void cs_apply_to_copy(const struct callsign_record *object, const struct callsign_record *of);

/* MPI_Comm_idup: apply when the request is complete. */
void cs_apply_later(const struct callsign_record *object);
void cs_apply_ready(uint32_t id);

/* The program gave a name itself: there is nothing to hide any more. */
void cs_applied_over(const struct callsign_record *object);

/* The object is dead. Should a late callback still ask, its native name is none. */
void cs_applied_gone(const struct callsign_record *object);

#endif
