/* libcallsign-resolve.so: elfutils in the program under record, for naming rules that ask for functions and lines of
   the source. A library of its own, opened locally and only for such rules.

   elfutils opens libdebuginfod, if there is one, which brings a client for the network with threads and settings of its
   own into the process. The function below stands before the C library's for elfutils, and for nobody else: what is not
   loaded yet stays out. */
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>

#include "record/resolve_library.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT void *dlopen(const char *file, int mode)
{
    void *(*next)(const char *, int);
    if (!(mode & RTLD_NOLOAD))
        return NULL;
    *(void **)&next = dlsym(RTLD_NEXT, "dlopen");
    return next ? next(file, mode) : NULL;
}

/* A new resolver each time: it keeps descriptors open, and programs count or close what they did not open. */
EXPORT bool callsign_resolve(const char *module, const char *build_id, int64_t offset, struct cs_source *source)
{
    int saved_errno = errno;
    const struct cs_resolve_frame frame = {.module = module, .build_id = build_id, .offset = offset};
    struct cs_resolver *resolver = cs_resolver_new(CS_RESOLVER_IN_PROGRAM);
    bool found = resolver && cs_resolver_look(resolver, &frame, source);
    cs_resolver_free(resolver);
    errno = saved_errno;
    return found;
}
