/* The table of live objects (record/object/object_table.c): a thread adds an object under the lock while another one
 * looks its handle up without it, the index being replaced meanwhile. A found record is complete.
 * Mistakes: the entry is stored without release (WRONG 1), the index (2); entry and index are loaded without acquire
 * (3). */
#define PROCESSES 2
#define LOCATIONS 5
#define VALUES 3
#include "views.pml"
#define INDEX   0 /* 0: none, 1: the old one, 2: the new one, which has the entry of the old one, too */
#define OLD     1 /* the entry of the object in the old index */
#define NEW     2 /* and in the new one */
#define SLOTS   3 /* of the new index */
#define RECORD  4

#if WRONG == 1
#define STORE_ENTRY STORE_RELAXED
#else
#define STORE_ENTRY STORE_RELEASE
#endif
#if WRONG == 2
#define STORE_INDEX STORE_RELAXED
#else
#define STORE_INDEX STORE_RELEASE
#endif
#if WRONG == 3
#define LOAD LOAD_RELAXED
#else
#define LOAD LOAD_ACQUIRE
#endif

active proctype writer()
{
    FIRST(INDEX, 1); FIRST(OLD, 0); FIRST(NEW, 0); FIRST(SLOTS, 0); FIRST(RECORD, 0);
    run reader();
    STORE_RELAXED(0, RECORD, 7);
    STORE_ENTRY(0, OLD, 1);
    STORE_RELAXED(0, SLOTS, 9);
    STORE_RELAXED(0, NEW, 1);
    STORE_INDEX(0, INDEX, 2)
}

proctype reader()
{
    byte index, slots, entry, record, choice;
    LOAD(1, INDEX, index, choice);
    if
    :: index == 2 ->
        LOAD_RELAXED(1, SLOTS, slots, choice);
        assert(slots == 9);
        LOAD(1, NEW, entry, choice);
        assert(entry == 1)
    :: else -> LOAD(1, OLD, entry, choice)
    fi;
    if
    :: entry == 1 -> LOAD_RELAXED(1, RECORD, record, choice); assert(record == 7)
    :: else
    fi
}
