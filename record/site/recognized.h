/* Stacks that a thread recognizes without walking them again: most calls from a call site have the stack that the last
   one from there had. README.md in this folder says how, and what it is worth. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/site/unwinder.h"

struct cs_recognized;

/* What must be known of the code that frames return into. */
struct cs_recognized_code {
    uint32_t (*replaced)(void);      /* how often code has come to lie where other code was */
    bool (*stays)(uint64_t address); /* it can never be unloaded */
};

/* What a walk begins with. */
struct cs_walk {
    const uint64_t *base; /* frame pointer of the function that asks: at base[1] is its return address */
    uint64_t site;        /* return address into the program */
    uint32_t replaced;    /* what cs_recognized_code.replaced says */
};

/* The stacks of one thread; NULL without memory. */
struct cs_recognized *cs_recognized_new(void);

/* The number that cs_recognized_note was told for the very same stack; 0: not known. recognized NULL: never. */
uint64_t cs_recognized_find(struct cs_recognized *recognized, const struct cs_recognized_code *code,
                            const struct cs_walk *walk);

/* After a walk that found these frames, the first of them with the return address base[1]; `number` is what stands for
   them. Has `words` look closer at walks that are done again and again. */
void cs_recognized_note(struct cs_recognized *recognized, const struct cs_recognized_code *code,
                        const struct cs_walk *walk, uint64_t number, cs_unwind_words_function *words,
                        void *const *frame, size_t frames, bool complete);
