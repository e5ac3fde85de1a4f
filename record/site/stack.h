/* Whole call stacks. Each distinct one is told to the journal once and has a number from then on. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/process/thread.h"
#include "record/site/unwinder.h"

/* Begins, as the setting says: opens the unwinder and lets it look at this stack once, which takes it a fifth of a
   millisecond. Without it sites are return addresses. */
void cs_stack_start(void);

/* Another unwinder; NULL: none. words NULL: no stack is recognized, each is walked. */
void cs_stack_use(cs_unwind_function *unwinder, cs_unwind_words_function *words);

/* The call site as facts have it: the stack of the calling thread from the return address `return_address` outwards,
   frames of callsign left out; or `return_address` itself when the stack cannot be walked, has no other frame, or is
   one too many. */
uint64_t cs_stack_take(struct cs_thread *thread, uint64_t return_address);

/* The innermost return address of what cs_stack_take returned. */
uint64_t cs_stack_pc(uint64_t site);

/* Of the same, the innermost return address that is neither in callsign, an MPI nor the C library: whose code makes the
   objects of this call site. 0: there is none. */
uint64_t cs_stack_maker(uint64_t site);

/* Whether the thread that calls has so many bytes of stack left, as far as can be told. */
bool cs_stack_has_room(struct cs_thread *thread, size_t bytes);

/* In a forked child. */
void cs_stack_forget(void);
