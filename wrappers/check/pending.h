/* Buffers of the current call and of pending operations, for local checks. Buffers with gaps are compared piece by
   piece, if their datatypes can be described: see record/object/type_layout.h. */
#pragma once

#include "record/object/type_layout.h"
#include "whole_mpi.h"
#include "wrappers/call/misuse.h"

/* In place of the address of a buffer whose data lies apart in memory, and of which nothing is checked. */
extern const char cs_scattered_buffer[1] __attribute__((visibility("hidden")));

/* The call begins: it uses no buffer yet. */
void cs_uses_begin(struct cs_call *call);

/* The call uses these bytes, which lie in one variable. Checks them against its other buffer, against those of pending
   operations, and where they end. */
void cs_uses_add(struct cs_call *call, bool writes, const void *buffer, uint64_t bytes);

/* An empty layout, for data of this call that no datatype describes alone. NULL: there is none. */
struct cs_layout *cs_uses_layout(struct cs_call *call);

/* The same for `count` elements of a datatype with this layout, which may lie in several variables. */
void cs_uses_add_elements(struct cs_call *call, bool writes, const void *buffer, MPI_Count count,
                          const struct cs_layout *element);

/* The buffers of the call stay in use until the request with this key has completed. Returns the number of their
   operation, which the caller puts into struct cs_request; 0: there are no buffers, or no room. */
uint16_t cs_uses_keep(const struct cs_call *call, uint64_t request);

/* ... until cs_uses_end_on for the window or file of the call. */
void cs_uses_keep_on(const struct cs_call *call);
void cs_uses_end_on(uint32_t object);

/* The buffer of a call with one, of which it uses all bytes; not on the stack. */
struct cs_origin {
    uint64_t begin, bytes;
    bool writes;
};
/* False: the call has others. */
bool cs_uses_only_one(const struct cs_call *call, struct cs_origin *origin);
/* For a thread that is alone. The next access of a call site whose last one was checked has this origin, which stays in
   use until cs_uses_end_on. False, and nothing was done: it has to be checked in full. */
bool cs_uses_continue_on(const struct cs_call *call, struct cs_origin origin);

/* How often buffers of operations were kept, or forgotten. For threads that are alone. */
extern uint64_t cs_pending_changes __attribute__((visibility("hidden")));
/* True if the call uses memory of a window. */
bool cs_uses_touch_windows(const struct cs_call *call);

/* The first call of a split collective operation on a file has begun it, the second has ended it (MPI 4.1, 14.4.5). */
static inline void cs_check_split_begun(struct cs_call *call)
{
    if (cs_is_checked(call))
        cs_uses_keep_on(call);
}
static inline void cs_check_split_ended(struct cs_call *call)
{
    if (cs_is_checked(call) && call->about)
        cs_uses_end_on(call->about);
}

/* The call starts these persistent requests, whose buffers the calls that made them have used. Checks them against each
   other and against those of pending operations. */
void cs_uses_start(struct cs_call *call, const uint64_t requests[], int count);

/* The program knows that the operation is complete, but keeps the request. */
void cs_uses_end(uint64_t request);
