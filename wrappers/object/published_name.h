/* Names that callsign sets in the MPI, so that the MPI's messages show them. The program must not see them: its
   MPI_*_get_name returns what it would without callsign. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "record/object/object.h"
#include "whole_mpi.h"
#include "wrappers/call/call.h"

/* ---- what the MPI would call an object ---- */

/* For some objects, some MPIs fill the program's whole buffer; others write only the name. */
struct cs_native_name {
    char name[MPI_MAX_OBJECT_NAME];
    bool filled;
};

/* ---- publish, hide, replace ---- */

/* Reads the setting. */
void cs_name_read_setting(void);

/* True if names of this kind are applied. */
bool cs_names_are_published(enum callsign_kind kind);

/* Sets the object's name in the MPI, if the setting includes its kind. original: the original of a duplicate, else
   NULL. Open MPI names a duplicate "Dup x" after its original, whose name may be callsign's. */
void cs_name_publish(const struct callsign_record *object, const struct callsign_record *original);

/* MPI_Comm_idup: the name is set when the request is complete. */
void cs_name_publish_later(const struct callsign_record *object);
void cs_name_publish_pending(uint32_t id);

/* Gives an object without name the MPI's own: Open MPI invents "Dup x" and "rdma window 8". NULL: nothing to do. */
void cs_name_take_native(const struct callsign_record *object);

/* The program has set this name: callsign's is no longer in the MPI. */
void cs_name_replace(const struct callsign_record *object, const char *name, uint64_t site);

/* The object is dead. If a late callback asks, it has no native name. */
void cs_name_forget(const struct callsign_record *object);

/* The object of a handle, if the program must not see its name; even if callsign no longer records. */
const struct callsign_record *cs_name_find_published(enum callsign_kind kind, uint64_t handle);

/* The MPI's current answer. Returns false if the query fails. */
bool cs_name_query(enum callsign_kind kind, uint64_t handle, struct cs_native_name *answer);

/* Replaces callsign's name by the MPI's answer without callsign. Returns false if the answer is not callsign's name,
   or the program has named the object meanwhile. Then the MPI must be queried again, for the program. */
bool cs_name_hide(const struct callsign_record *object, struct cs_native_name *answer);
