/* Whole call stacks. The journal gets each distinct one once; then it has a number. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "journal/format.h"
#include "record/process/thread.h"
#include "record/site/unwinder.h"

/* Begins as the setting says: opens the unwinder and lets it walk this stack once, which takes a fifth of a
   millisecond. Without unwinder, sites are return addresses. */
void cs_stack_start(void);

/* Sets another unwinder; NULL: none. words NULL: no stack is recognized, each is walked. */
void cs_stack_set_unwinder(cs_unwind_function *unwinder, cs_unwind_words_function *words);

/* The call site for facts: the calling thread's stack from `return_address` outwards, without frames of callsign.
   If the stack cannot be walked, has no other frame, or there are too many stacks, it has `return_address` and
   CS_SITE_PARTIAL. Returns `return_address` itself without unwinder. base: frame of a function on the way there, from
   which the stack is recognized: best of the one that returns there. NULL: the frame of cs_stack_find. */
uint64_t cs_stack_find(struct cs_thread *thread, uint64_t return_address, const void *base, bool tells);
static inline uint64_t cs_stack_take(struct cs_thread *thread, uint64_t return_address, const void *base)
{
    return cs_stack_find(thread, return_address, base, true);
}

/* The same for a part of a longer stack: the result is a number that stands for the stack, but it is in no journal, so
   facts must not contain it. */
static inline uint64_t cs_stack_take_part(struct cs_thread *thread, uint64_t return_address, const void *base)
{
    return cs_stack_find(thread, return_address, base, false);
}

enum { CS_STACK_WALK = CS_STACK_DEPTH + 16 }; /* frames of a walk with those of callsign */

/* Walks the calling thread's stack and writes its frames from `return_address` outwards. Returns their number; 0: it
   cannot be walked. */
size_t cs_stack_walk(struct cs_thread *thread, uint64_t return_address, void **frame);

/* The site of a stack that other code has put together, innermost frame first. It may have Python frames: numbers with
   CS_SITE_STACK, and end with CS_SITE_PARTIAL. return_address, maker: results of cs_stack_pc and cs_stack_maker. If
   there are too many stacks, it has the innermost frame alone. */
uint64_t cs_stack_intern(uint64_t return_address, uint64_t maker, void *const *frame, size_t frames);

/* The site of a return address in code that may have replaced other code: the address alone means the first library
   that was there. */
uint64_t cs_stack_of_library(struct cs_thread *thread, uint64_t return_address);

/* The innermost return address of a result of cs_stack_take. */
uint64_t cs_stack_pc(uint64_t site);

/* The innermost frame of such a result for debuggers: the return address, or, if a line of Python is innermost, the
   result itself. */
uint64_t cs_stack_line(uint64_t site);

/* The innermost frame of such a result: the return address, or the number of a frame of Python, with CS_SITE_STACK. */
uint64_t cs_stack_innermost(uint64_t site);

/* The innermost return address of such a result that is not in callsign, an MPI or the C library: the code that
   creates the objects of this call site. 0: none. */
uint64_t cs_stack_maker(uint64_t site);

/* True if the calling thread probably has this many bytes of stack left. */
bool cs_stack_has_room(struct cs_thread *thread, size_t bytes);

/* True if the address lies on the calling thread's own stack, outside the frame of the caller. */
bool cs_stack_really_has(struct cs_thread *thread, uint64_t address);
static inline bool cs_stack_may_have(const struct cs_thread *thread, uint64_t address)
{
    return address - thread->stack_low < thread->stack_bytes || thread->stack_bytes == 0;
}
static inline bool cs_stack_has(struct cs_thread *thread, uint64_t address)
{
    return cs_stack_may_have(thread, address) && cs_stack_really_has(thread, address);
}

/* The place of a return address of a running function in these bytes of the calling thread's stack; 0: none, or it is
   not known. Takes as long as hundreds of walks. */
uint64_t cs_stack_return_in(struct cs_thread *thread, uint64_t return_address, uint64_t begin, uint64_t end);

/* The function of the calling thread whose frame has this address: a return address in it, and the canonical frame
   address, directly above its own return address. Takes as long as several walks. Returns false if it is not known. */
bool cs_stack_find_frame(struct cs_thread *thread, uint64_t address, uint64_t *pc, uint64_t *top);

/* In a forked child. */
void cs_stack_forget(void);
