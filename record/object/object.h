/* The objects of this process: the live table that debuggers read (include/callsign/debug.h) and the facts in the
   journal. Handles are plain 64-bit keys here. Looking up takes no lock; everything else is rare and takes one. */
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

enum { CS_NAME_BYTES = 256 }; /* of a name with its NUL */

/* A new object: what is known of it before it has a number. */
struct cs_birth {
    uint64_t handle;
    int64_t fortran_handle;             /* INT64_MIN: not known */
    uint64_t site;                      /* of the creating call: return address or stack */
    uint64_t ticks;                     /* when it returned; 0: now */
    uint64_t uid, family;               /* see record/object/identity.h */
    int64_t bytes;                      /* see struct callsign_record */
    const char *name;                   /* that it is born with: in name_buffer, or a longer text; NULL: none */
    const struct callsign_record *from; /* the parent, for naming rules; NULL: none or not known */
    int32_t first;                      /* rank in the parent of its first member; -1: none or not known */
    uint32_t nth;          /* how many such creations on the parent there were, with this one; 0: not counted */
    uint32_t detail_bytes; /* in use of `detail` */
    uint32_t rule;         /* line of the naming rule; 0: none */
    uint32_t parent;       /* id; 0: none */
    uint32_t flags;        /* CS_OBJECT_* */
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
    char *members; /* of a communicator, for its first member; else NULL */

    /* Buffers. They are not cleared: what is in use is said above. */
    char name_buffer[CS_NAME_BYTES];
    struct cs_fact_object fact;       /* as it is appended to the journal, with the detail behind it */
    uint64_t detail[CS_DETAIL_WORDS]; /* how it was made, as in journal/detail.h */
};
static_assert(offsetof(struct cs_birth, detail) == offsetof(struct cs_birth, fact) + sizeof(struct cs_fact_object),
              "a fact and its detail are one piece");

/* Prepares the table. handle_bytes: of a communicator handle in this MPI. False without memory. */
bool cs_object_start(uint32_t handle_bytes);

/* What an MPI says about itself and this process, for debuggers. */
void cs_object_set_world(int rank, int size, const char *mpi);

/* The object of that number, living or among the last 4096 dead, or NULL. Fast while no record has been used again. */
const struct callsign_record *cs_object_find_id(uint32_t id);

/* A new object with a new id, whatever this handle was before, or one more reference to a shared one. NULL without
   memory (counted as lost), and for an adopted object (function 0) when the handle is known by now. */
const struct callsign_record *cs_object_add(struct cs_birth *birth);

/* The MPI handed out a live handle once more: it takes one more free. */
void cs_object_refer(uint32_t kind, uint64_t handle);

/* Sets or clears flags of the record, CS_OBJECT_*. */
void cs_object_mark(const struct callsign_record *object, uint32_t flags, bool set);

/* Counts one more collective creation on an object; how many there were before. */
uint32_t cs_object_count_creation(const struct callsign_record *object);

/* How often this process has asked for the object with this key before; see record/object/identity.h. NULL: for no
 * object. */
uint32_t cs_object_count_key(const struct callsign_record *owner, uint64_t key);

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
    uint64_t site, ticks; /* as cs_profile_add_call has them */
};

/* A free in three steps: unlink before the native call, then either died or relink. unlink returns NULL for an unknown
   handle and for what nobody can free; *referred: others still refer to the object, it lives on with one reference
   less, which cs_object_refer gives back if the native call fails. last NULL: the call is in the
   profile, or not counted. */
struct callsign_record *cs_object_unlink(uint32_t kind, uint64_t handle, bool *referred);
void cs_object_relink(struct callsign_record *object);
void cs_object_bury(struct callsign_record *object, uint16_t function, uint64_t site, uint64_t ticks,
                    const struct cs_last_call *last);

/* The ids of all live objects of some kinds (bit k: kind k), ascending, and how many objects of any kind were ever
   born. NULL without memory. To be freed. */
uint32_t *cs_object_list_living(uint32_t kinds, size_t *count, uint32_t *born);

/* In a forked child: the locks may have been held by threads that are not there. */
void cs_object_forget(void);

/* ---- what the journal says of an object besides its birth, its names and its death ---- */

/* A datatype was committed. */
void cs_object_note_commit(const struct callsign_record *object, uint64_t ticks);

/* The communicator of that number, made by MPI_Comm_idup, may be used. */
void cs_object_note_ready(uint32_t id, uint64_t ticks);

/* The MPI refused to name it. object: NULL: not known. why: in words. */
void cs_object_note_refused_name(enum callsign_kind kind, const struct callsign_record *object, const char *why,
                                 uint64_t ticks, uint64_t site);

/* A call that creates communicators had none for this process. */
struct cs_exclusion {
    uint64_t site, ticks;
    uint64_t family; /* of what others got; 0: not known */
    uint32_t parent; /* communicator of the call */
    uint32_t number; /* of such creations on it, this one included; 0: not counted */
    uint16_t function;
};
void cs_object_note_exclusion(const struct cs_exclusion *exclusion);

/* ---- a warning of leaks ---- */

/* More living communicators than this are too many; UINT32_MAX: never, and once it was said. MPIs have room for some
   thousands (their context ids), and a program that comes near that mostly forgets to free them. One line on stderr
   says so, once, with the call site that made most of them. Changed under the lock of the objects only. */
extern uint32_t cs_leak_warning_limit;

/* Takes the limit from the setting. */
void cs_leak_warning_start(void);

/* ---- objects that were made from others ---- */

/* What hangs on an object has ended with it, though nobody freed it: all that was made from it, or from what was, is
   taken from the table. It stays a leak, and the next owner of its handle is another object. */
void cs_object_end_descendants(uint32_t id);

/* ---- comparisons ---- */

/* Answers of MPI_Comm_compare and MPI_Group_compare: one cell per distinct question and answer, see struct
   cs_comparison_cell. */

struct cs_comparison {
    uint64_t site;
    uint32_t first, second; /* ids; 0: not known, or MPI_GROUP_EMPTY */
    enum callsign_kind kind;
    enum cs_comparison_answer answer;
    uint64_t ticks; /* when */
};

void cs_comparison_count(struct cs_thread *thread, const struct cs_comparison *comparison);

/* ---- being freed ---- */

/* Objects between the call that frees them and its end. Before the native call an object leaves the live table, because
   another thread may be given its handle at any moment; callbacks inside that call, such as those that delete
   attributes, still use it. */

/* What one call frees. */
struct cs_free {
    struct callsign_record *object; /* NULL: none */
    bool referred;                  /* others still refer to it: it lives on */
};

/* Before the native call, which is the innermost one of the thread. Finds nothing for an unknown handle and for what
   nobody can free. */
struct cs_free cs_free_begin(struct cs_thread *thread, enum callsign_kind kind, uint64_t handle);

/* After it, where there is an object: the native call failed; or the object, to which nobody else refers, is dead (see
   cs_object_bury). */
void cs_free_cancel(struct cs_thread *thread, const struct cs_free *freed);
void cs_free_complete(struct cs_thread *thread, struct callsign_record *object, uint16_t function, uint64_t site,
                      uint64_t ticks, const struct cs_last_call *last);

/* The object that a call of this thread means by a handle, or NULL: a live one, or one that a call around this one is
   freeing. Both MPIs keep what was freed while transfers use it, and call back inside the call that completes the last
   one: then it is the last that had this handle. */
const struct callsign_record *cs_object_find_in_callback(enum callsign_kind kind, uint64_t handle);
static inline const struct callsign_record *cs_object_look_up(enum callsign_kind kind, uint64_t handle)
{
    const struct callsign_record *object = cs_object_find(kind, handle);
    return __builtin_expect(object != NULL, 1) ? object : cs_object_find_in_callback(kind, handle);
}
