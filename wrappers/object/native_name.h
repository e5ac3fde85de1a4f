/* What the MPI would call the objects that callsign gave a name to. Most have none; Open MPI invents "rdma window 8".
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "record/object.h"
#include "whole_mpi.h"

/* Some MPIs fill the whole buffer of the program, for some objects, others write no more than the name. */
struct cs_native_name {
    char name[MPI_MAX_OBJECT_NAME];
    bool filled;
};

/* pending: an object that gets its name when it is complete; NULL: it has it. False without memory. */
bool cs_native_name_put(uint32_t id, const char *name, const struct callsign_record *pending);
void cs_native_name_drop(uint32_t id);

/* Of an object that callsign named: "" unless another one was put. */
void cs_native_name_get(const struct callsign_record *object, struct cs_native_name *native);

/* The program has replaced the name that callsign applied. A duplicate that another thread makes at this moment may
   still be named after it. */
void cs_native_name_keep_replaced(uint32_t id, const char *applied);
bool cs_native_name_replaced(uint32_t id, char applied[MPI_MAX_OBJECT_NAME]);

/* The object of that number, if it is pending, or NULL. */
const struct callsign_record *cs_native_name_pending(uint32_t id);
