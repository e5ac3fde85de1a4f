/* The objects of this process: the live table for debuggers (include/callsign/debug.h) and facts in the journal.
   Handles are 64-bit keys here. Look-ups take no lock; all other operations are rare and take one. */
#pragma once

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "callsign/debug.h"
#include "journal/detail.h"
#include "journal/format.h"
#include "record/object/object_table.h"

struct cs_thread;

enum { CS_NAME_BYTES = 256 }; /* size of a name with its NUL */

/* A new object that has no number yet. */
struct cs_birth {
    uint32_t object;   /* set by cs_object_add. The fields up to detail_bytes are copied as one piece, see object.c */
    uint32_t parent;   /* id; 0: none */
    uint16_t kind;     /* enum callsign_kind */
    uint16_t function; /* function that made it; 0: none */
    uint32_t flags;    /* CS_OBJECT_* */
    uint64_t handle;
    int64_t fortran_handle; /* INT64_MIN: not known */
    uint64_t site;          /* call site of the creating call: return address or stack */
    uint64_t uid, family;   /* see record/object/identity.h */
    uint32_t rule;          /* line of the naming rule; 0: none */
    uint16_t origin;        /* enum callsign_origin of the name */
    uint16_t detail_bytes;  /* used bytes of `detail` */
    uint64_t ticks;         /* return of that call; 0: now */
    uint64_t signature;     /* datatype: see record/object/type_signature.h */
    int64_t bytes;          /* see struct callsign_record */
    int32_t size, rank, remote_size, in_degree, out_degree;
    int32_t first;  /* rank of its first member in the parent; -1: none or unknown */
    uint32_t nth;   /* number of this creation on the parent, from 1; 0: not counted */
    uint16_t facts; /* facts of its kind: CS_FACT_COMMUNICATOR, _DATATYPE or _WINDOW; 0: none */
    bool shared; /* the MPI may return the handle several times, each to be freed: a live one gets one more reference */
    const char *name;                   /* name at birth: in name_buffer, or a longer text; NULL: none */
    char *members;                      /* members of a communicator, on its first member; else NULL */
    const struct callsign_record *from; /* the parent, for naming rules; NULL: none or unknown */
    const uint64_t *detail;             /* arguments of the creating call, as in journal/detail.h */

    /* What follows is not cleared. */
    union { /* without number and time */
        struct cs_fact_communicator communicator;
        struct cs_fact_datatype datatype;
        struct cs_fact_window window;
    };
    char name_buffer[CS_NAME_BYTES];
};

/* Prepares the table. handle_bytes: size of a communicator handle in this MPI. Returns false without memory. */
bool cs_object_start(uint32_t handle_bytes);

/* Stores the MPI's version and this process's rank for debuggers. */
void cs_object_set_world(int rank, int size, const char *mpi);

/* The object with this id, live or among the last 4096 dead ones, or NULL. Fast until records are reused. */
const struct callsign_record *cs_object_find_id(uint32_t id);

/* Adds an object with a new id, whatever the handle was before, or one more reference to a shared object. NULL
   without memory (counted as lost), and for an adopted object (function 0) whose handle is already known. */
const struct callsign_record *cs_object_add(struct cs_birth *birth);

/* The MPI returned a live handle once more: it needs one more free. */
void cs_object_refer(uint32_t kind, uint64_t handle);

/* Sets or clears flags of the record, CS_OBJECT_*. */
void cs_object_mark(const struct callsign_record *object, uint32_t flags, bool set);

/* Counts one more collective creation on an object; returns the number before. */
uint32_t cs_object_count_creation(const struct callsign_record *object);

/* How often this process called this with the object and key before; see record/object/identity.h. NULL: no object. */
uint32_t cs_object_count_key(const struct callsign_record *owner, uint64_t key);

/* ---- names: other threads may name the object at any moment ---- */

/* Gives a name. site 0: no call gave it. An applied name ends; returns whether there was one. */
bool cs_object_name(const struct callsign_record *object, const char *name, enum callsign_origin origin, uint64_t site);

/* Gives the MPI's own name, unless the object has a name. */
void cs_object_name_by_mpi(const struct callsign_record *object, const char *name);

/* Copies the name, at most bytes - 1 of it; "": none. Returns its length. */
size_t cs_object_copy_name(const struct callsign_record *object, char *name, size_t bytes);

/* The same; returns true if callsign has set this name in the MPI. */
bool cs_object_copy_applied_name(const struct callsign_record *object, char *name, size_t bytes);

/* Marks the name as applied, copies it, and sets further flags. Returns its length; 0: the name is not callsign's. */
size_t cs_object_mark_applied(const struct callsign_record *object, uint32_t flags, char *name, size_t bytes);

/* True if the name is callsign's: derived, or from a rule. */
bool cs_object_is_named_by_callsign(const struct callsign_record *object);

/* The call that frees an object, if it is recorded with the death and not in a cell of the profile. */
struct cs_last_call {
    uint64_t site, ticks; /* as for cs_profile_add_call */
};

/* A free has three steps: unlink before the native call, then died or relink. unlink returns NULL for an unknown
   handle and for objects that cannot be freed. *referred: other references remain, and the object lives on with one
   less; cs_object_refer restores it if the native call fails. last NULL: the call is in the profile, or not counted. */
struct callsign_record *cs_object_unlink(uint32_t kind, uint64_t handle, bool *referred);
void cs_object_relink(struct callsign_record *object);
void cs_object_record_death(struct callsign_record *object, uint16_t function, uint64_t site, uint64_t ticks,
                            const struct cs_last_call *last);

/* The ids of all live objects of some kinds (bit k: kind k), ascending. *born: number of objects of any kind ever
   born. NULL without memory. To be freed. */
uint32_t *cs_object_list_living(uint32_t kinds, size_t *count, uint32_t *born);

/* In a forked child: the locks may have been held by threads that do not exist here. */
void cs_object_forget(void);

/* ---- what the journal says of an object besides its birth, its names and its death ---- */

/* Records MPI_Type_commit of a datatype. */
void cs_object_note_commit(const struct callsign_record *object, uint64_t ticks);

/* The communicator with this id, made by MPI_Comm_idup, is usable now. */
void cs_object_note_ready(uint32_t id, uint64_t ticks);

/* The MPI refused to name it. object NULL: unknown. why: error words. */
void cs_object_note_refused_name(enum callsign_kind kind, const struct callsign_record *object, const char *why,
                                 uint64_t ticks, uint64_t site);

/* A call that creates communicators gave this process none. */
struct cs_exclusion {
    uint64_t site, ticks;
    uint64_t family; /* family of the others' communicators; 0: unknown */
    uint32_t parent; /* communicator of the call */
    uint32_t number; /* number of this creation among those on it, from 1; 0: not counted */
    uint16_t function;
};
void cs_object_note_exclusion(const struct cs_exclusion *exclusion);

/* ---- objects that were made from others ---- */

/* An object that ended unseen takes its descendants with it: everything made from it, directly or not, leaves the
   table. It stays a leak, and the next owner of its handle is another object. */
void cs_object_end_descendants(uint32_t id);

/* ---- comparisons ---- */

/* Results of MPI_Comm_compare and MPI_Group_compare: one cell for each distinct comparison and result, see struct
   cs_comparison_cell. */

struct cs_comparison {
    uint64_t site;
    uint32_t first, second; /* ids; 0: unknown, or MPI_GROUP_EMPTY */
    enum callsign_kind kind;
    enum cs_comparison_answer answer;
    uint64_t ticks; /* when */
};

void cs_comparison_count(struct cs_thread *thread, const struct cs_comparison *comparison);

/* ---- being freed ---- */

/* Objects between the begin and the end of the call that frees them. They leave the live table before the native
   call, because another thread may get the handle at any moment. Callbacks inside that call, such as those that
   delete attributes, still use them. */

/* The object that one call frees. */
struct cs_free {
    struct callsign_record *object; /* NULL: none */
    bool referred;                  /* other references remain: it lives on */
};

/* Before the native call, which must be the thread's innermost one. Finds nothing for an unknown handle and for
   objects that cannot be freed. */
struct cs_free cs_free_begin(struct cs_thread *thread, enum callsign_kind kind, uint64_t handle);

/* After the native call, if there is an object: it failed; or the object has no other references and is dead (see
   cs_object_record_death). */
void cs_free_cancel(struct cs_thread *thread, const struct cs_free *freed);
void cs_free_complete(struct cs_thread *thread, struct callsign_record *object, uint16_t function, uint64_t site,
                      uint64_t ticks, const struct cs_last_call *last);

/* The last object with this handle, among dead ones that are still kept; NULL: none. Takes the lock of the objects and
   searches all dead ones. */
const struct callsign_record *cs_object_find_dead(uint32_t kind, uint64_t handle);

/* The object of a handle in a call of this thread, or NULL: a live one, or one that an outer call is freeing. Both
   MPIs keep freed objects while transfers use them, and run callbacks in the call that completes the last transfer:
   then it is the last object with this handle. */
const struct callsign_record *cs_object_find_in_callback(enum callsign_kind kind, uint64_t handle);
static inline const struct callsign_record *cs_object_look_up(enum callsign_kind kind, uint64_t handle)
{
    const struct callsign_record *object = cs_object_find(kind, handle);
    return __builtin_expect(object != NULL, 1) ? object : cs_object_find_in_callback(kind, handle);
}
