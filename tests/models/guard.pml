/* Guarded data (base/guard.h): the only thread takes no lock, until another thread begins to call MPI
 * (cs_guards_share). Both must never be inside at once. membarrier makes the thread pass a full barrier
 * somewhere, wherever it is: then each side sees what the other one stored before.
 * Mistakes: no membarrier (WRONG 1); the second thread does not wait (2); leaving stores without release (3). */
#define PROCESSES 2
#define LOCATIONS 3
#define VALUES 5
#include "views.pml"
#define SHARED 0
#define ENTERED   1
#define DATA    2
bool inside[2], ready;

/* Both see all that the other one saw. */
#define MEMBARRIER \
    d_step { for (i_ : 0 .. LOCATIONS - 1) { now[0].at[i_] = MAX(now[0].at[i_], now[1].at[i_]); now[1].at[i_] = now[0].at[i_] } }

active proctype alone()
{
    byte shared, choice, n;
    FIRST(SHARED, 0); FIRST(ENTERED, 0); FIRST(DATA, 0);
    ready = true;
    for (n : 1 .. 2) {
        LOAD_RELAXED(0, SHARED, shared, choice);
        if
        :: shared -> break
        :: else
        fi;
        STORE_RELAXED(0, ENTERED, 1);
        LOAD_RELAXED(0, SHARED, shared, choice);
        if
        :: shared -> STORE_RELEASE(0, ENTERED, 0); break
        :: else
        fi;
        inside[0] = true;
        assert(!inside[1]);
        STORE_RELAXED(0, DATA, n);
        inside[0] = false;
#if WRONG == 3
        STORE_RELAXED(0, ENTERED, 0)
#else
        STORE_RELEASE(0, ENTERED, 0)
#endif
    }
}

active proctype second()
{
    byte entered, data, choice;
    ready;
    STORE_RELEASE(1, SHARED, 1);
#if WRONG != 1
    MEMBARRIER;
#endif
#if WRONG != 2
    do
    :: LOAD_ACQUIRE(1, ENTERED, entered, choice);
        if
        :: entered == 0 -> break
        :: else
        fi
    od;
#endif
    inside[1] = true;
    assert(!inside[0]);
    LOAD_RELAXED(1, DATA, data, choice);
    assert(data == memory[DATA].past[memory[DATA].count - 1].value) /* the last one: nothing of it is lost */
}
