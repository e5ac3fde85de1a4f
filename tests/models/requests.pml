/* The table of requests (record/message/request.h): its only thread takes no lock, until another thread begins to call
 * MPI (cs_request_share). Both must never be in the table at once. membarrier makes the thread pass a full barrier
 * somewhere, wherever it is: then each side sees what the other one stored before.
 * Mistakes: no membarrier (WRONG 1); the second thread does not wait (2); leaving stores without release (3). */
#define PROCESSES 2
#define LOCATIONS 3
#define VALUES 5
#include "views.pml"
#define PARALLEL 0
#define INSIDE   1
#define TABLE    2
bool in_table[2], ready;

/* Both see all that the other one saw. */
#define MEMBARRIER \
    d_step { for (i_ : 0 .. LOCATIONS - 1) { now[0].at[i_] = MAX(now[0].at[i_], now[1].at[i_]); now[1].at[i_] = now[0].at[i_] } }

active proctype alone()
{
    byte parallel, choice, n;
    FIRST(PARALLEL, 0); FIRST(INSIDE, 0); FIRST(TABLE, 0);
    ready = true;
    for (n : 1 .. 2) {
        LOAD_RELAXED(0, PARALLEL, parallel, choice);
        if
        :: parallel -> break
        :: else
        fi;
        STORE_RELAXED(0, INSIDE, 1);
        LOAD_RELAXED(0, PARALLEL, parallel, choice);
        if
        :: parallel -> STORE_RELEASE(0, INSIDE, 0); break
        :: else
        fi;
        in_table[0] = true;
        assert(!in_table[1]);
        STORE_RELAXED(0, TABLE, n);
        in_table[0] = false;
#if WRONG == 3
        STORE_RELAXED(0, INSIDE, 0)
#else
        STORE_RELEASE(0, INSIDE, 0)
#endif
    }
}

active proctype second()
{
    byte inside, table, choice;
    ready;
    STORE_RELEASE(1, PARALLEL, 1);
#if WRONG != 1
    MEMBARRIER;
#endif
#if WRONG != 2
    do
    :: LOAD_ACQUIRE(1, INSIDE, inside, choice);
        if
        :: inside == 0 -> break
        :: else
        fi
    od;
#endif
    in_table[1] = true;
    assert(!in_table[0]);
    LOAD_RELAXED(1, TABLE, table, choice);
    assert(table == memory[TABLE].past[memory[TABLE].count - 1].value) /* the last one: nothing of it is lost */
}
