/* Memory of C11 for the models of this folder. Each location keeps all its values. A process sees a value or any later
 * one. A store with release hands on what its process sees, a load with acquire takes it over. Each location is written
 * by one process at a time, so that new values come last. Define PROCESSES, LOCATIONS and VALUES before. */

typedef view { byte at[LOCATIONS] }
typedef stored { byte value; view seen }
typedef location { stored past[VALUES]; byte count }

location memory[LOCATIONS];
view now[PROCESSES];     /* the oldest values that a process may still see */
view loaded[PROCESSES];  /* what relaxed loads found: an acquire fence takes it over */
view fenced[PROCESSES];  /* what was seen at the last release fence: relaxed stores hand it on */
byte i_, n_;             /* of the macros */

#define STORE(me, where, what, handed_on) \
    d_step { \
        n_ = memory[where].count; \
        assert(n_ > 0 && n_ < VALUES); \
        now[me].at[where] = n_; \
        memory[where].past[n_].value = what; \
        for (i_ : 0 .. LOCATIONS - 1) { memory[where].past[n_].seen.at[i_] = handed_on[me].at[i_] } \
        memory[where].past[n_].seen.at[where] = n_; \
        memory[where].count = n_ + 1 \
    }
#define STORE_RELAXED(me, where, what) STORE(me, where, what, fenced)
#define STORE_RELEASE(me, where, what) STORE(me, where, what, now)

/* Any value from the oldest that may be seen. */
#define LOAD_RELAXED(me, where, result, choice) \
    atomic { \
        choice = now[me].at[where]; \
        do \
        :: choice + 1 < memory[where].count -> choice++ \
        :: break \
        od; \
        d_step { \
            now[me].at[where] = choice; \
            result = memory[where].past[choice].value; \
            for (i_ : 0 .. LOCATIONS - 1) { \
                loaded[me].at[i_] = MAX(loaded[me].at[i_], memory[where].past[choice].seen.at[i_]) } \
            choice = 0 \
        } \
    }
#define LOAD_ACQUIRE(me, where, result, choice) \
    atomic { \
        choice = now[me].at[where]; \
        do \
        :: choice + 1 < memory[where].count -> choice++ \
        :: break \
        od; \
        d_step { \
            now[me].at[where] = choice; \
            result = memory[where].past[choice].value; \
            for (i_ : 0 .. LOCATIONS - 1) { \
                now[me].at[i_] = MAX(now[me].at[i_], memory[where].past[choice].seen.at[i_]) } \
            choice = 0 \
        } \
    }
#define FENCE_ACQUIRE(me) \
    d_step { for (i_ : 0 .. LOCATIONS - 1) { now[me].at[i_] = MAX(now[me].at[i_], loaded[me].at[i_]) } }
#define FENCE_RELEASE(me) d_step { for (i_ : 0 .. LOCATIONS - 1) { fenced[me].at[i_] = now[me].at[i_] } }

#define MAX(a, b) (a > b -> a : b)

/* First values, which everybody sees. */
#define FIRST(where, what) memory[where].past[0].value = what; memory[where].count = 1
