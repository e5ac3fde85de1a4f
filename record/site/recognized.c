#include "record/site/recognized.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "journal/format.h"

enum {
    SETS_LOG2 = 6,
    SETS = 1 << SETS_LOG2,
    WAYS = 8,       /* stacks that have the same innermost frames at the same place: a function with several callers */
    EVICTIONS = 64, /* as many times a stack without words makes room for another one; then one with words does, too */
    WORDS = 2 * CS_STACK_DEPTH,
    FIRST_WALKS = 32, /* walks of a stack before its words are computed, which costs as much as 200 walks */
    NEVER = 1u << 31, /* the computation found nothing */
    WORTH_IT = 256    /* saved walks that make up for the costs */
};

struct cs_known_stack {
    const uint64_t *base;
    uint64_t asker; /* base[1] */
    uint64_t site;
    uint64_t number;      /* number of the stack */
    struct cs_word *word; /* words that it depends on, and behind_the_last; NULL: unknown */
    uint32_t replaced;
    bool told;     /* a walk told it to the journal */
    bool stays;    /* with words: none of its code can be unloaded, whatever is replaced */
    uint32_t uses; /* without words: walks that were done; with words: walks that were saved, modulo 2^32 */
    uint32_t wait; /* walks before its words are computed */
};

struct set {
    struct cs_known_stack way[WAYS];
    uint32_t evictions;
};

struct cs_recognized {
    struct set set[SETS];
};

struct cs_recognized *cs_recognized_new(void)
{
    struct cs_recognized *recognized = calloc(1, sizeof *recognized);
    for (size_t i = 0; recognized && i < SETS; i++)
        for (size_t k = 0; k < WAYS; k++)
            recognized->set[i].way[k].wait = FIRST_WALKS;
    return recognized;
}

static inline struct set *set_of(struct cs_recognized *recognized, const uint64_t *base, uint64_t site)
{
    return &recognized->set[cs_hash_place((uint64_t)(uintptr_t)base + 3 * base[1] + (site << 20), SETS_LOG2)];
}

static inline bool is_of(const struct cs_known_stack *slot, const uint64_t *base, uint64_t site)
{
    return slot->base == base && slot->asker == base[1] && slot->site == site;
}

static bool all_stay(const struct cs_recognized_code *code, void *const *frame, size_t frames)
{
    for (size_t i = 0; i < frames; i++)
        if (!code->stays((uint64_t)(uintptr_t)frame[i]))
            return false;
    return true;
}

static const uint64_t zero = 0;
static const struct cs_word behind_the_last = {&zero, 1}; /* never has its value */

/* Each word lies in a frame whose existence the words before it prove. So only used stack memory is read, on any
   stack. */
static inline bool has_its_words(const struct cs_known_stack *slot)
{
    const struct cs_word *word = slot->word;
    while (*word->at == word->value)
        word++;
    return word->at == behind_the_last.at;
}

/* Words that were hardly used did not pay: wait longer the next time. */
static void forget_words(struct cs_known_stack *slot)
{
    if (slot->word && slot->uses >= WORTH_IT)
        slot->wait = FIRST_WALKS;
    else if (slot->word && slot->wait < NEVER)
        slot->wait *= 2;
    free(slot->word);
    slot->word = NULL;
}

struct cs_known_stack *cs_recognized_find(struct cs_recognized *recognized, const uint64_t *base, uint64_t site)
{
    if (!recognized)
        return NULL;
    struct set *set = set_of(recognized, base, site);
    for (struct cs_known_stack *slot = set->way; slot < set->way + WAYS; slot++)
        if (slot->word && is_of(slot, base, site) && has_its_words(slot)) {
            slot->uses++;
            return slot;
        }
    return NULL;
}

uint64_t cs_recognized_lasting(const struct cs_known_stack *known, bool told)
{
    return known && known->stays && (known->told || !told) ? known->number : 0;
}

uint64_t cs_recognized_current(struct cs_recognized *recognized, const struct cs_recognized_code *code,
                               struct cs_known_stack *known)
{
    while (known && !known->stays && known->replaced != code->replaced()) {
        forget_words(known);
        known = cs_recognized_find(recognized, known->base, known->site);
    }
    return known ? known->number : 0;
}

static void look_closer(struct cs_known_stack *slot, const struct cs_recognized_code *code,
                        cs_unwind_words_function *words, void *const *frame, size_t frames, bool complete)
{
    struct cs_word word[WORDS];
    size_t count = words(slot->base, frame, frames, complete, word, WORDS);
    if (count)
        slot->word = malloc((count + 1) * sizeof word[0]);
    if (slot->word) {
        memcpy(slot->word, word, count * sizeof word[0]);
        slot->word[count] = behind_the_last;
        slot->stays = all_stay(code, frame, frames);
        slot->uses = 0;
    } else if (slot->wait < NEVER) {
        slot->uses = 0;
        slot->wait *= 2;
    }
}

/* The slot of a stack, or else one to use for it. Slots with words save walks, so others make room first. */
static struct cs_known_stack *choose_slot(struct set *set, const struct cs_walk *walk, uint64_t number)
{
    struct cs_known_stack *least = NULL;
    for (struct cs_known_stack *slot = set->way; slot < set->way + WAYS; slot++) {
        if (is_of(slot, walk->base, walk->site) && slot->number == number)
            return slot;
        if (!slot->word && (!least || slot->uses < least->uses))
            least = slot;
    }
    uint32_t evictions = set->evictions++;
    return least && evictions % EVICTIONS ? least : &set->way[evictions / EVICTIONS % WAYS];
}

void cs_recognized_note(struct cs_recognized *recognized, const struct cs_recognized_code *code,
                        const struct cs_walk *walk, uint64_t number, cs_unwind_words_function *words,
                        void *const *frame, size_t frames, bool complete)
{
    struct cs_known_stack *slot = choose_slot(set_of(recognized, walk->base, walk->site), walk, number);
    if (!is_of(slot, walk->base, walk->site) || slot->replaced != walk->replaced || slot->number != number) {
        forget_words(slot);
        *slot = (struct cs_known_stack){.base = walk->base,
                                        .asker = walk->base[1],
                                        .site = walk->site,
                                        .number = number,
                                        .replaced = walk->replaced,
                                        .wait = slot->wait};
    } else if (slot->word) {
        forget_words(slot); /* the same frames at another address */
        slot->uses = 0;
    }
    slot->told |= walk->tells;
    if (++slot->uses >= slot->wait && slot->wait < NEVER)
        look_closer(slot, code, words, frame, frames, complete);
}
