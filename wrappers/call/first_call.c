#include "wrappers/call/first_call.h"

#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>

#include "base/keep_errno.h"
#include "next.h"
#include "preload/front.h"
#include "record/start.h"
#include "record/thread_life.h"

static const struct cs_front *front;
static pthread_once_t once = PTHREAD_ONCE_INIT;

__attribute__((visibility("default"))) int callsign_flavour_attach(const struct cs_front *given)
{
    if (given->version != CS_FRONT_VERSION || given->bytes < sizeof *given)
        return -1;
    front = given;
    return 0;
}

void *cs_next_definition(const char *name)
{
    return front ? front->next(name) : dlsym(RTLD_NEXT, name);
}

/* The next MPI_x in the program's own order, so that other tools stay in the chain; in programs that loaded their MPI
   at run time there is none, and PMPI_x is what is left. */
static void resolve(void)
{
    void *library = dlopen(CS_MPI_SONAME, RTLD_LAZY | RTLD_NOLOAD);
    for (size_t i = 0; i < cs_next_count; i++) {
        const struct cs_next_entry *entry = &cs_next_entries[i];
        void *next = cs_next_definition(entry->name);
        if (!next)
            next = entry->pmpi;
        /* A few have no such name: their own, asked of the library itself. */
        if (!next && library)
            next = dlsym(library, entry->pmpi_name);
        *entry->slot = next;
    }
    if (library)
        dlclose(library);
}

/* Bounds of the section, which the linker defines. */
extern void (*const __start_cs_at_first_call[])(void) __attribute__((visibility("hidden")));
extern void (*const __stop_cs_at_first_call[])(void) __attribute__((visibility("hidden")));

static void start(void)
{
    resolve();
    if (!cs_recorder_start(sizeof(MPI_Comm), CS_FLAVOUR))
        return;
    for (void (*const *function)(void) = __start_cs_at_first_call; function < __stop_cs_at_first_call; function++)
        (*function)();
}

struct cs_thread *cs_first_call_of_thread(void)
{
    CS_KEEP_ERRNO;
    pthread_once(&once, start);
    return cs_thread_self ? cs_thread_self : cs_thread_begin(); /* it may have begun in `start` */
}
