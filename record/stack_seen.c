#include "record/stack_seen.h"

#include <stdlib.h>
#include <string.h>

#include "db/journal/format.h"
#include "record/module.h"

enum {
    SLOTS = 64,
    WORDS = 2 * CS_STACK_DEPTH,
    FIRST_TIMES = 32, /* a walk that was done so often is looked at closer, which costs as much as two hundred walks */
    NEVER = 1u << 31, /* nothing came of it */
    WORTH_IT = 256    /* finds make up for it */
};

struct seen {
    const uint64_t *base;
    uint64_t asker; /* base[1] */
    uint64_t site;
    uint64_t place;
    struct cs_word *word; /* what it depends on; NULL: not known */
    uint32_t words;
    uint32_t replaced;
    bool stays;      /* with words: all its code is there for ever, whatever is replaced */
    uint32_t times;  /* that the walk was done; with words: that it was not needed */
    uint32_t wanted; /* times, before it is looked at closer */
};

struct cs_stack_seen {
    struct seen slot[SLOTS];
};

struct cs_stack_seen *cs_stack_seen_new(void)
{
    struct cs_stack_seen *seen = calloc(1, sizeof *seen);
    for (size_t i = 0; seen && i < SLOTS; i++)
        seen->slot[i].wanted = FIRST_TIMES;
    return seen;
}

static inline struct seen *slot_of(struct cs_stack_seen *seen, const struct cs_walk *walk)
{
    uint64_t hash = ((uint64_t)(uintptr_t)walk->base ^ walk->base[1] << 20 ^ walk->site << 32) * 0x9e3779b97f4a7c15u;
    return &seen->slot[hash >> 32 & (SLOTS - 1)];
}

static inline bool is_at(const struct seen *seen, const struct cs_walk *walk)
{
    return seen->base == walk->base && seen->asker == walk->base[1] && seen->site == walk->site;
}

static bool stay(void *const *frame, size_t frames)
{
    for (size_t i = 0; i < frames; i++)
        if (!cs_module_stays((uint64_t)(uintptr_t)frame[i]))
            return false;
    return true;
}

/* Each word lies in a frame of which those before it prove that it is there, so all that is read is stack in use, on
   whatever stack the thread is now. */
uint64_t cs_stack_seen_find(struct cs_stack_seen *all, const struct cs_walk *walk)
{
    if (!all)
        return 0;
    struct seen *seen = slot_of(all, walk);
    if (!seen->word || !is_at(seen, walk) || (!seen->stays && seen->replaced != cs_module_replaced()))
        return 0;
    for (uint32_t i = 0; i < seen->words; i++)
        if (*seen->word[i].at != seen->word[i].value)
            return 0;
    seen->times += seen->times < WORTH_IT;
    return seen->place;
}

/* Words that were hardly used were not worth their price: the next time later. */
static void forget_words(struct seen *seen)
{
    if (seen->word && seen->times >= WORTH_IT)
        seen->wanted = FIRST_TIMES;
    else if (seen->word && seen->wanted < NEVER)
        seen->wanted *= 2;
    free(seen->word);
    seen->word = NULL;
    seen->words = 0;
}

static void look_closer(struct seen *seen, cs_unwind_words_function *words, void *const *frame, size_t frames,
                        bool complete)
{
    struct cs_word word[WORDS];
    size_t count = words(seen->base, frame, frames, complete, word, WORDS);
    if (count)
        seen->word = malloc(count * sizeof word[0]);
    if (seen->word) {
        memcpy(seen->word, word, count * sizeof word[0]);
        seen->words = (uint32_t)count;
        seen->stays = stay(frame, frames);
        seen->times = 0;
    } else if (seen->wanted < NEVER) {
        seen->times = 0;
        seen->wanted *= 2;
    }
}

void cs_stack_seen_note(struct cs_stack_seen *all, const struct cs_walk *walk, uint64_t place,
                        cs_unwind_words_function *words, void *const *frame, size_t frames, bool complete)
{
    if (!all || !words)
        return;
    struct seen *seen = slot_of(all, walk);
    if (!is_at(seen, walk) || seen->replaced != walk->replaced || seen->place != place) {
        forget_words(seen);
        *seen = (struct seen){.base = walk->base,
                              .asker = walk->base[1],
                              .site = walk->site,
                              .place = place,
                              .replaced = walk->replaced,
                              .wanted = seen->wanted};
    } else if (seen->word) {
        forget_words(seen); /* the same frames, elsewhere */
        seen->times = 0;
    }
    if (++seen->times >= seen->wanted && seen->wanted < NEVER)
        look_closer(seen, words, frame, frames, complete);
}
