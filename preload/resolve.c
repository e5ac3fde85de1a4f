#include "preload/resolve.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/log.h"
#include "base/signals.h"
#include "base/uncancelled.h"
#include "preload/choose.h"
#include "preload/flavour.h"
#include "preload/missing.h"
#include "preload/native.h"
#include "preload/reference.h"
#include "preload/slots.h"

enum state {
    STATE_FRESH, /* no MPI call yet, or no MPI in the process yet */
    STATE_RECORDING,
    STATE_BARE,
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum state state;       /* under the lock */
static _Atomic(pid_t) chooser; /* the thread that is in choose(); 0: none */

static pid_t this_thread(void)
{
    return (pid_t)syscall(SYS_gettid);
}

/* Decides once where calls go. Stays in STATE_FRESH while there is no MPI. */
static enum state choose(const struct cs_map *map, const struct cs_mapped *mpi, const char *name, const void *caller)
{
    cs_front_note_ours(map);
    if (map->is_second)
        return STATE_BARE; /* an earlier callsign library records; it passes on the calls that arrive here */
    const char *instead = mpi ? cs_front_translator(map, caller) : NULL;
    if (mpi && !instead)
        return cs_front_load_flavour(mpi) ? STATE_RECORDING : STATE_BARE;
    Dl_info info;
    void *found = cs_front_find_next(name);
    if (!found && !instead)
        return cs_front_find_linked(name, map) ? STATE_BARE : STATE_FRESH; /* the linked flavour records by itself */
    if (!instead && cs_front_calls_mpi(found))
        return STATE_FRESH; /* a tool whose MPI is not there yet */
    if (!instead)
        instead = dladdr(found, &info) && info.dli_fname ? info.dli_fname : "a library";
    cs_log("%s defines %s but is no MPI that callsign knows: nothing is recorded", instead, name);
    return STATE_BARE;
}

static bool wait_for_lock(void)
{
    /* The thread that holds this lock loads libraries and needs the dynamic linker's lock. A thread whose first MPI
       call is in a library's constructor holds that one. Neither may wait for ever for the other. */
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 2;
    return pthread_mutex_timedlock(&lock, &until) == 0;
}

static void *native_or_missing(const char *name, const void *caller, const struct cs_map *map,
                               const struct cs_mapped *mpi)
{
    void *found = cs_front_find_native(name, map, mpi);
    if (!found)
        found = cs_front_find_linked(name, map);
    return found ? found : cs_front_missing(name, caller, map, mpi);
}

/* MPI_Wtime and MPI_Wtick in all spellings. Signal handlers may call them, before the program's first MPI call too. */
static bool reads_clock(const char *name)
{
    return cs_ascii_after(name, "MPI_Wti");
}

/* Without dlsym, which may free memory. NULL: the caller is no signal handler, or no MPI has the function. */
static void *find_clock(const char *name)
{
    return reads_clock(name) && cs_signals_are_blocked() ? cs_map_function(name) : NULL;
}

static void *resolve(uint32_t index, const void *caller)
{
    const char *name = cs_front_name(index);
    void *clock = find_clock(name);
    struct cs_map map;
    if (clock)
        return clock;
    cs_map_scan(&map);
    cs_front_find_dlsym();
    if (map.mpi_count == 0 && !cs_front_find_next(name) && cs_front_load_mpi(caller))
        cs_map_scan(&map);
    const struct cs_mapped *mpi = cs_front_choose_mpi(&map, caller);
    /* The flavour calls MPI while it is attached, or the lock is not available: this one call is not recorded. */
    if (atomic_load_explicit(&chooser, memory_order_relaxed) == this_thread() || !wait_for_lock())
        return native_or_missing(name, caller, &map, mpi);
    if (state == STATE_FRESH) {
        atomic_store_explicit(&chooser, this_thread(), memory_order_relaxed);
        state = choose(&map, mpi, name, caller);
        atomic_store_explicit(&chooser, 0, memory_order_relaxed);
    }
    enum state now = state;
    pthread_mutex_unlock(&lock);
    void *found = atomic_load_explicit(&cs_front_slots[index], memory_order_acquire);
    if (found)
        return found;
    found = now == STATE_RECORDING ? cs_front_in_flavour(name) : NULL;
    if (!found && !(found = cs_front_find_native(name, &map, mpi)) && !(found = cs_front_find_linked(name, &map)))
        return cs_front_missing(name, caller, &map, mpi); /* valid for this caller only */
    if (now != STATE_FRESH)
        atomic_store_explicit(&cs_front_slots[index], found, memory_order_release);
    return found;
}

void *cs_front_resolve(uint32_t index, const void *caller)
{
    CS_UNCANCELLED;
    void *found = atomic_load_explicit(&cs_front_slots[index], memory_order_acquire);
    if (found)
        return found;
    int saved_errno = errno;
    found = resolve(index, caller);
    errno = saved_errno;
    return found;
}
