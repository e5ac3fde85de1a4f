/* The objects of this process: the live table that debuggers read (include/callsign/debug.h) and the facts in the
   journal. Handles are plain 64-bit keys here. Looking up takes no lock; everything else is rare and takes one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "callsign/debug.h"
#include "db/journal/format.h"
#include "record/object_table.h"

/* A new object: what is known of it before it has a number. */
struct cs_birth {
    uint64_t handle;
    int64_t fortran_handle;             /* INT64_MIN: not known */
    uint64_t site;                      /* of the creating call: return address or stack */
    uint64_t ticks;                     /* when it returned; 0: now */
    uint64_t uid, family;               /* see record/identity.h */
    int64_t bytes;                      /* see struct callsign_record */
    const char *name;                   /* that it is born with, by a rule or derived; NULL: none */
    const struct callsign_record *from; /* the parent, for naming rules; NULL: none or not known */
    int32_t first;                      /* rank in the parent of its first member; -1: none or not known */
    uint32_t nth;       /* how many such creations on the parent there were, with this one; 0: not counted */
    const void *detail; /* how it was made: detail_bytes, as in db/journal/detail.h; NULL: nothing to tell */
    uint32_t detail_bytes;
    uint32_t rule;   /* line of the naming rule; 0: none */
    uint32_t parent; /* id; 0: none */
    uint32_t flags;  /* CS_OBJECT_* */
    int32_t size, rank, remote_size, in_degree, out_degree;
    uint16_t kind;     /* enum callsign_kind */
    uint16_t function; /* that made it; 0: none */
    uint16_t origin;   /* of the name: enum callsign_origin */
    bool shared;       /* the MPI may hand out a handle several times, each to be freed: a live one is referred to */
    uint16_t facts;    /* what only its kind has: CS_FACT_COMMUNICATOR, _DATATYPE or _WINDOW; 0: nothing */
    union {            /* without their number and time */
        struct cs_fact_communicator communicator;
        struct cs_fact_datatype datatype;
        struct cs_fact_window window;
    };
    const char *members; /* of a communicator, for its first member; else NULL */
};

/* Prepares the table. handle_bytes: of a communicator handle in this MPI. False without memory. */
bool cs_object_start(uint32_t handle_bytes);

/* What an MPI says about itself and this process, for debuggers. */
void cs_object_world(int rank, int size, const char *mpi);

/* The object of that number, living or among the last 4096 dead, or NULL. Fast while no record has been used again. */
const struct callsign_record *cs_object_numbered(uint32_t id);

/* Of the dead that are still kept, the last one that had this handle, or NULL. Takes the lock and looks at them all. */
const struct callsign_record *cs_object_dead(uint32_t kind, uint64_t handle);

/* A new object with a new id, whatever this handle was before, or one more reference to a shared one. NULL without
   memory (counted as lost), and for an adopted object (function 0) when the handle is known by now. */
const struct callsign_record *cs_object_born(struct cs_birth *birth);

/* The MPI handed out a live handle once more: it takes one more free. */
void cs_object_refer(uint32_t kind, uint64_t handle);

/* Sets or clears flags of the record, CS_OBJECT_*. */
void cs_object_mark(const struct callsign_record *object, uint32_t flags, bool set);

/* Counts one more collective creation on an object; how many there were before. */
uint32_t cs_object_made_on(const struct callsign_record *object);

/* How often this process has asked for the object with this key before; see record/identity.h. NULL: for no object. */
uint32_t cs_object_count(const struct callsign_record *owner, uint64_t key);

/* ---- names: other threads may name the object at any moment ---- */

/* Gives a name. site 0: not given by a call. A name that was applied is so no longer; returns whether there was one. */
bool cs_object_name(const struct callsign_record *object, const char *name, enum callsign_origin origin, uint64_t site);

/* Gives the name that the MPI has for it, unless it has a name. */
void cs_object_name_by_mpi(const struct callsign_record *object, const char *name);

/* Copies the name, at most bytes - 1 of it; "": it has none. Returns the flags of the same moment. */
uint32_t cs_object_copy_name(const struct callsign_record *object, char *name, size_t bytes);

/* Marks the name as applied, which is copied likewise, and sets further flags. False: the name is not callsign's. */
bool cs_object_mark_applied(const struct callsign_record *object, uint32_t flags, char *name, size_t bytes);

/* Whether the name is callsign's: derived, or by a rule. */
bool cs_object_is_named_by_callsign(const struct callsign_record *object);

/* The call that frees an object, when it is told with its death and not in a cell of the profile. */
struct cs_last_call {
    uint64_t site, ticks; /* as cs_profile_call has them */
};

/* A free in three steps: unlink before the native call, then either died or relink. unlink returns NULL for an unknown
   handle and for what nobody can free; *referred: others still refer to the object, it lives on with one reference
   less, which cs_object_refer gives back if the native call fails. last NULL: the call is in the
   profile, or not counted. */
struct callsign_record *cs_object_unlink(uint32_t kind, uint64_t handle, bool *referred);
void cs_object_relink(struct callsign_record *object);
void cs_object_died(struct callsign_record *object, uint16_t function, uint64_t site, uint64_t ticks,
                    const struct cs_last_call *last);

/* The ids of all live objects of some kinds (bit k: kind k), ascending, and how many objects of any kind were ever
   born. NULL without memory. To be freed. */
uint32_t *cs_object_living(uint32_t kinds, size_t *count, uint32_t *born);

/* In a forked child: the locks may have been held by threads that are not there. */
void cs_object_forget(void);
