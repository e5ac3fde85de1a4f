/* The journal's blocks (journal/writer.c, reader.c): content, then the count that covers it. The reader is another
 * process: pread of the head, then of the content. Mistakes: no release (WRONG 1), no fence between the preads (2). */
#define PROCESSES 2
#define LOCATIONS 3
#define VALUES 3
#include "views.pml"
#define USED 2 /* 0 and 1: the facts */

active proctype writer()
{
    FIRST(0, 0); FIRST(1, 0); FIRST(USED, 0);
    run reader();
    STORE_RELAXED(0, 0, 1);
#if WRONG == 1
    STORE_RELAXED(0, USED, 1);
    STORE_RELAXED(0, 1, 2);
    STORE_RELAXED(0, USED, 2)
#else
    STORE_RELEASE(0, USED, 1);
    STORE_RELAXED(0, 1, 2);
    STORE_RELEASE(0, USED, 2)
#endif
}

proctype reader()
{
    byte used, fact, choice;
    LOAD_RELAXED(1, USED, used, choice);
#if WRONG != 2
    FENCE_ACQUIRE(1);
#endif
    if
    :: used > 0 -> LOAD_RELAXED(1, 0, fact, choice); assert(fact == 1)
    :: else
    fi;
    if
    :: used > 1 -> LOAD_RELAXED(1, 1, fact, choice); assert(fact == 2)
    :: else
    fi
}
