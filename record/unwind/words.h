/* Which words of a stack a walk depends on; part of libcallsign-unwind.so. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
