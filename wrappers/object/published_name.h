/* Names that callsign sets in the MPI, so that the messages of the MPI show them. The program must not see them: its
   MPI_*_get_name answers as without callsign. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "record/object.h"
#include "whole_mpi.h"
#include "wrappers/call/call.h"

/* ---- what the MPI would call an object ---- */

/* Some MPIs fill the whole buffer of the program, for some objects, others write no more than the name. */
struct cs_native_name {
    char name[MPI_MAX_OBJECT_NAME];
    bool filled;
};

/* ---- publish, hide, replace ---- */

/* Reads the setting. */
void cs_name_read_setting(void);

/* Whether names of such objects are applied. */
bool cs_names_are_published(enum callsign_kind kind);

/* Sets the object's name in the MPI, if the setting says so for its kind. original: of a duplicate, else NULL: Open MPI
   calls it "Dup x" after its original, which may have a name of callsign's. */
void cs_name_publish(const struct callsign_record *object, const struct callsign_record *original);

/* MPI_Comm_idup: the name is set when the request is complete. */
void cs_name_publish_later(const struct callsign_record *object);
void cs_name_publish_pending(uint32_t id);

/* Calls an object that has no name what the MPI calls it: Open MPI invents "Dup x" and "rdma window 8". NULL: nothing.
 */
void cs_name_take_native(const struct callsign_record *object);

/* The program has set this name: there is nothing to hide any more. */
void cs_name_replace(const struct callsign_record *object, const char *name, uint64_t site);

/* The object is dead. Should a late callback still ask, its native name is none. */
void cs_name_forget(const struct callsign_record *object);

/* The object behind a handle, if the program must not see its name; whether or not callsign still records. */
const struct callsign_record *cs_name_find_published(enum callsign_kind kind, uint64_t handle);

/* What the MPI answers now. False: it fails. */
bool cs_name_query(enum callsign_kind kind, uint64_t handle, struct cs_native_name *answer);

/* Turns callsign's name into what the MPI would answer without callsign. False: the answer is none of callsign's, or
   the program has named the object meanwhile. Then the MPI is to be asked once more, for the program. */
bool cs_name_hide(const struct callsign_record *object, struct cs_native_name *answer);
