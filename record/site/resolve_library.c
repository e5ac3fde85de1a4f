/* libcallsign-resolve.so: elfutils in the recorded program, for naming rules that need functions and lines of the
   source. A library of its own, opened locally and only for such rules. */
#include <errno.h>

#include "base/symbols/resolver.h"

#define EXPORT __attribute__((visibility("default")))

/* A new resolver each time: it keeps descriptors open, and programs count or close descriptors that they did not
   open. */
EXPORT bool callsign_resolve(const char *module, const char *build_id, int64_t offset, struct cs_source *source)
{
    int saved_errno = errno;
    const struct cs_resolve_frame frame = {.module = module, .build_id = build_id, .offset = offset};
    struct cs_resolver *resolver = cs_resolver_new(CS_RESOLVER_IN_PROGRAM);
    bool found = resolver && cs_resolver_find(resolver, &frame, source);
    cs_resolver_free(resolver);
    errno = saved_errno;
    return found;
}
