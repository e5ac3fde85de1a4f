/* The functions that libcallsign-unwind.so offers to the flavour that opens it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cs_unwind {
    CS_UNWIND_FAST,   /* caches its findings about an address for ever */
    CS_UNWIND_ANEW,   /* for processes in which code replaced other code */
    CS_UNWIND_FLUSHED /* CS_UNWIND_FAST after clearing its caches */
};

enum { CS_UNWIND_STACK_BYTES = 65536 };

/* Returns the calling thread's return addresses, innermost first, including those of callsign. stack: memory of
   CS_UNWIND_STACK_BYTES to work on, for callers whose own stack may be too small; NULL: works on that. Returns their
   number, at most `size`; 0: the stack cannot be walked. */
typedef int cs_unwind_function(void **frame, int size, enum cs_unwind how, void *stack);

cs_unwind_function callsign_unwind;

/* Finds the piece of code that an unwind rule of the library of `address` is for: a function, or a part of one.
   Returns false if there is none. */
typedef bool cs_unwind_bounds_function(uint64_t address, uint64_t *begin, uint64_t *end);

cs_unwind_bounds_function callsign_unwind_bounds;

/* The function on the calling thread's stack whose frame has this address: a return address in it, and the canonical
   frame address. Returns false if the walk ends before. */
typedef bool cs_unwind_frame_function(uint64_t address, uint64_t *pc, uint64_t *top);

cs_unwind_frame_function callsign_unwind_frame;

/* ---- words ---- */

/* The words of a stack that a walk depends on; part of libcallsign-unwind.so. */

/* A word of a stack. */
struct cs_word {
    const uint64_t *at;
    uint64_t value;
};

/* base: frame pointer of a function, below its return address, which is frame[0]; frame: the result of a walk from
   there. Fills in words so that a later walk with the same base and return address finds the same frames if every
   word, checked in this order, still has its value. Each word lies where the walk must look if those before it are
   unchanged. complete: the walk reached the end of the stack. Returns the number of words, at most `room`; 0:
   unknown, walk each time. */
typedef size_t cs_unwind_words_function(const uint64_t *base, void *const *frame, size_t frames, bool complete,
                                        struct cs_word *words, size_t room);

cs_unwind_words_function callsign_unwind_words;
