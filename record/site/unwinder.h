/* What libcallsign-unwind.so offers to the flavour that opens it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cs_unwind {
    CS_UNWIND_FAST,   /* remembers for ever what it found out about an address */
    CS_UNWIND_ANEW,   /* for processes where code lies where other code was */
    CS_UNWIND_FLUSHED /* the same, and forgets what it knows first */
};

/* The return addresses of the calling thread, innermost first; those of callsign are among them. Returns their number,
   at most `size`; 0: the stack cannot be walked. */
typedef int cs_unwind_function(void **frame, int size, enum cs_unwind how);

cs_unwind_function callsign_unwind;

/* ---- words ---- */

/* Which words of a stack a walk depends on; part of libcallsign-unwind.so. */

/* A word of a stack. */
struct cs_word {
    const uint64_t *at;
    uint64_t value;
};

/* base: the frame pointer of a function, below its return address, which is frame[0]; frame: what a walk found from
   there on. Fills in words so that a later walk from the same base and the same return address finds the same frames
   if, looked at in this order, every word still has its value; each lies where the walk has to look when those before
   it are as they were. complete: the walk came to the end of the stack, and was not cut. Returns their number, at most
   `room`; 0: not known, walk each time. */
typedef size_t cs_unwind_words_function(const uint64_t *base, void *const *frame, size_t frames, bool complete,
                                        struct cs_word *words, size_t room);

cs_unwind_words_function callsign_unwind_words;
