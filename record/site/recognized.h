/* Recognizes a thread's stacks without walking them again: most calls from a call site have the same stack as the
   last one from there. README.md in this folder explains how, and what it saves. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/site/unwinder.h"

struct cs_recognized;

/* Facts about the code that frames return into. */
struct cs_recognized_code {
    uint32_t (*replaced)(void);      /* how often code was replaced by other code */
    bool (*stays)(uint64_t address); /* it can never be unloaded */
};

/* The start of a walk. */
struct cs_walk {
    const uint64_t *base; /* frame pointer of the calling function: base[1] is its return address */
    uint64_t site;        /* return address into the program */
    uint32_t replaced;    /* result of cs_recognized_code.replaced */
    bool tells;           /* the journal gets the stack */
};

/* The stacks of one thread; NULL without memory. */
struct cs_recognized *cs_recognized_new(void);

/* A stack that is known. */
struct cs_known_stack;

/* The stack that cs_recognized_note got, if this is the same one; NULL: unknown. recognized NULL: always NULL. base,
   site: as in struct cs_walk. */
struct cs_known_stack *cs_recognized_find(struct cs_recognized *recognized, const uint64_t *base, uint64_t site);

/* Its number, if none of its code can be unloaded; else 0. NULL: 0. told: only if a walk told it to the journal. */
uint64_t cs_recognized_lasting(const struct cs_known_stack *known, bool told);

/* Its number, if none of its code was replaced since; else that of another one that is the same, or 0. NULL: 0. */
uint64_t cs_recognized_current(struct cs_recognized *recognized, const struct cs_recognized_code *code,
                               struct cs_known_stack *known);

/* After a walk that found these frames, the first of them with the return address base[1]; `number` stands for them.
   For repeated walks it calls `words`. */
void cs_recognized_note(struct cs_recognized *recognized, const struct cs_recognized_code *code,
                        const struct cs_walk *walk, uint64_t number, cs_unwind_words_function *words,
                        void *const *frame, size_t frames, bool complete);
