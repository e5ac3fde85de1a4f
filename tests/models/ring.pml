/* A page of a ring that its thread turns while another process reads it (record/call/ring.c, cells.h: cs_hide_page;
 * db/convert/event_pages.c). The page has one entry of turn 1; then turn 2 begins and writes one of its own. A page that
 * the reader accepts has the words of one turn.
 * Mistakes: the writer has no fence behind the cleared check (WRONG 1); the reader accepts one copy of the page, whose
 * loads have no order, if its check equals its number (2); it takes the count from the copy with the words (3); it does
 * not read the check again (4). */
#define PROCESSES 2
#define LOCATIONS 5
#define VALUES 4
#include "views.pml"
#define CHECK  0
#define NUMBER 1
#define USED   2
#define BASE   3 /* base_ticks, first, thread */
#define WORDS  4

active proctype writer()
{
    FIRST(CHECK, 1); FIRST(NUMBER, 1); FIRST(USED, 1); FIRST(BASE, 1); FIRST(WORDS, 1);
    run reader();
    STORE_RELEASE(0, CHECK, 0);
#if WRONG != 1
    FENCE_RELEASE(0);
#endif
    STORE_RELEASE(0, NUMBER, 0);
    STORE_RELEASE(0, USED, 0);
    STORE_RELAXED(0, BASE, 2);
    STORE_RELEASE(0, CHECK, 2);
    STORE_RELEASE(0, NUMBER, 2);
    STORE_RELAXED(0, WORDS, 2);
    STORE_RELEASE(0, USED, 1)
}

proctype reader()
{
    byte check, number, used, base, words, again, choice;
#if WRONG == 2 /* any order: that of this list is bad enough */
    LOAD_RELAXED(1, WORDS, words, choice);
    LOAD_RELAXED(1, BASE, base, choice);
    LOAD_RELAXED(1, USED, used, choice);
    LOAD_RELAXED(1, NUMBER, number, choice);
    LOAD_RELAXED(1, CHECK, check, choice);
#else
    LOAD_RELAXED(1, NUMBER, number, choice);
    FENCE_ACQUIRE(1);
#if WRONG == 3
    LOAD_RELAXED(1, WORDS, words, choice);
#endif
    LOAD_RELAXED(1, USED, used, choice);
    FENCE_ACQUIRE(1);
#if WRONG != 3
    LOAD_RELAXED(1, WORDS, words, choice);
#endif
    LOAD_RELAXED(1, BASE, base, choice);
    FENCE_ACQUIRE(1);
#if WRONG == 4
    check = number;
#else
    LOAD_RELAXED(1, CHECK, check, choice);
#endif
#endif
    assert(number == 0 || check != number || (base == number && (used == 0 || words == number)))
}
