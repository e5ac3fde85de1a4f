/* Where in the source an address is: looked up in the module, if that very build is still there. The function that does
   it is linked into the command and into libcallsign-resolve.so, never into what the program loads at its start. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cs_resolver;

struct cs_source {
    char function[1024];
    char file[256]; /* "": not known */
    int line;       /* 0: not known */
};

/* As in the table `frame`. */
struct cs_resolve_frame {
    const char *module;   /* path; NULL: not known */
    const char *build_id; /* in hex; NULL or "": it has none */
    int64_t offset;       /* return address in the module's own numbering */
    int64_t recorded_ns;  /* since 1970-01-01 UTC, when it was recorded; 0: not known */
};

/* Where the resolver is: it never asks the network (debuginfod). */
enum cs_resolver_home {
    CS_RESOLVER_IN_COMMAND, /* the process is ours: its environment is changed to that end */
    CS_RESOLVER_IN_PROGRAM  /* base/symbols/no_debuginfod.c keeps elfutils from it; only the C++ library that the
                               program has is used */
};

/* NULL: out of memory. */
struct cs_resolver *cs_resolver_new(enum cs_resolver_home home);
void cs_resolver_free(struct cs_resolver *resolver);

/* Calls this once for each module that is there, but is not the build that was recorded. */
void cs_resolver_on_rebuilt(struct cs_resolver *resolver, void (*rebuilt)(const char *module));

/* Finds the function, and where there is debug information the file (its last part) and line of the frame. A function
   that was inlined is written with the one that it is part of: "add (inlined into sum)". C++ names as they are written.
   False: nothing is known. */
bool cs_resolver_look(struct cs_resolver *resolver, const struct cs_resolve_frame *frame, struct cs_source *source);

/* Writes "function file.c:12", C++ functions without parameters (base/symbols/signature.h), if the module has debug
   information, else "function+0x1c in libx.so", else "libx.so+0x1234". Returns text. */
const char *cs_resolver_write(struct cs_resolver *resolver, const struct cs_resolve_frame *frame, char *text,
                              size_t size);

/* What libcallsign-resolve.so offers to the flavour that opens it: function, file and line of the call before the
   return address `offset`, in the module's own numbering. build_id: in hex, "" for none. Returns false if nothing is
   known. Opens the module's file and closes it again. */
typedef bool cs_resolve_function(const char *module, const char *build_id, int64_t offset, struct cs_source *source);

cs_resolve_function callsign_resolve;
