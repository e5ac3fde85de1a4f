/* The slots of the front library (preload/resolve.c, flavour.c): one thread resolves a name under the lock, another one
 * jumps through the slot. The jump is a plain load and a use of what it loaded; processors keep the order of such
 * dependent loads, and the data behind the function was written before the slot. Here it is a load with acquire.
 * Mistakes: the slot is stored without release (WRONG 1), loaded without order (2). */
#define PROCESSES 2
#define LOCATIONS 2
#define VALUES 3
#include "views.pml"
#define SLOT    0
#define FLAVOUR 1 /* its tables */

active proctype writer()
{
    FIRST(SLOT, 0); FIRST(FLAVOUR, 0);
    run reader();
    STORE_RELAXED(0, FLAVOUR, 5);
#if WRONG == 1
    STORE_RELAXED(0, SLOT, 1)
#else
    STORE_RELEASE(0, SLOT, 1)
#endif
}

proctype reader()
{
    byte slot, flavour, choice;
#if WRONG == 2
    LOAD_RELAXED(1, SLOT, slot, choice);
#else
    LOAD_ACQUIRE(1, SLOT, slot, choice);
#endif
    if
    :: slot == 1 -> LOAD_RELAXED(1, FLAVOUR, flavour, choice); assert(flavour == 5)
    :: else
    fi
}
