/* Objects between the call that frees them and its end. Before the native call an object leaves the live table, because
   another thread may be given its handle at any moment; callbacks inside that call, such as those that delete
   attributes, still use it. */
#pragma once

#include "record/object.h"
#include "record/thread.h"

/* What one call frees. */
struct cs_being_freed {
    struct callsign_record *object; /* NULL: none */
    bool referred;                  /* others still refer to it: it lives on */
};

/* Before the native call, which is the innermost one of the thread. Finds nothing for an unknown handle and for what
   nobody can free. */
struct cs_being_freed cs_being_freed(struct cs_thread *thread, enum callsign_kind kind, uint64_t handle);

/* After it, where there is an object: the native call failed; or the object, to which nobody else refers, is dead (see
   cs_object_died). */
void cs_being_freed_failed(struct cs_thread *thread, const struct cs_being_freed *freed);
void cs_being_freed_died(struct cs_thread *thread, struct callsign_record *object, uint16_t function, uint64_t site,
                         uint64_t ticks, const struct cs_last_call *last);

/* The object that a call of this thread means by a handle, or NULL: a live one, or one that a call around this one is
   freeing. Both MPIs keep what was freed while transfers use it, and call back inside the call that completes the last
   one: then it is the last that had this handle. */
const struct callsign_record *cs_object_in_callback(enum callsign_kind kind, uint64_t handle);
static inline const struct callsign_record *cs_object_look_up(enum callsign_kind kind, uint64_t handle)
{
    const struct callsign_record *object = cs_object_find(kind, handle);
    return __builtin_expect(object != NULL, 1) ? object : cs_object_in_callback(kind, handle);
}
