/* Where in the source an address of a trace is: looked up in the recorded module, if that very build is still there. */
#ifndef CS_CLI_RESOLVE_H
#define CS_CLI_RESOLVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/keep.h"

struct cs_resolver;

/* As in the table `frame`. */
struct cs_resolve_frame {
    const char *module;   /* path; NULL: not known */
    const char *build_id; /* in hex; NULL or "": it has none */
    int64_t offset;       /* return address in the module's own numbering */
};

/* NULL: out of memory. */
struct cs_resolver *cs_resolver_new(void);
void cs_resolver_free(struct cs_resolver *resolver);

/* Finds the function, and where there is debug information the file (its last part) and line of the frame. A function
   that was inlined is told with the one that it is part of: "add (inlined into sum)". C++ names as they are written.
   False: nothing is known. */
bool cs_resolver_look(struct cs_resolver *resolver, const struct cs_resolve_frame *frame, struct cs_source *source);

/* Writes "function file.c:12" if the module has debug information, else "function+0x1c in libx.so", else
   "libx.so+0x1234". Returns text. Never asks the network (debuginfod). */
const char *cs_resolver_place(struct cs_resolver *resolver, const struct cs_resolve_frame *frame, char *text,
                              size_t size);

#endif
