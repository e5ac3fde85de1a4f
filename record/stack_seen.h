/* Walks that a thread need not do again: the next call from the same place mostly has the same stack. */
#ifndef CS_RECORD_STACK_SEEN_H
#define CS_RECORD_STACK_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/unwind_library.h"

struct cs_stack_seen;

/* What a walk begins with. */
struct cs_walk {
    const uint64_t *base; /* frame pointer of the function that asks: at base[1] is its return address */
    uint64_t site;        /* return address into the program */
    uint32_t replaced;    /* what cs_module_replaced says */
};

/* Of a thread; NULL without memory. */
struct cs_stack_seen *cs_stack_seen_new(void);

/* What cs_stack_seen_note was told for the very same stack; 0: not known. seen NULL: never. */
uint64_t cs_stack_seen_find(struct cs_stack_seen *seen, const struct cs_walk *walk);

/* After a walk that found these frames, the first of them with the return address base[1]; `place` is what stands for
   them. Looks closer, with `words`, at walks that are done again and again. */
void cs_stack_seen_note(struct cs_stack_seen *seen, const struct cs_walk *walk, uint64_t place,
                        cs_unwind_words_function *words, void *const *frame, size_t frames, bool complete);

#endif
