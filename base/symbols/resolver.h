/* Translates addresses to source lines, if the module on disk is still the recorded build. The command and
   libcallsign-resolve.so contain this code; the libraries that a program loads at its start do not. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cs_resolver;

struct cs_source {
    char function[1024];
    char file[256]; /* "": unknown */
    int line;       /* 0: unknown */
};

/* The columns of the table `frame`. */
struct cs_resolve_frame {
    const char *module;   /* path; NULL: unknown */
    const char *build_id; /* hexadecimal; NULL or "": none */
    int64_t offset;       /* return address relative to the module */
    int64_t recorded_ns;  /* time of the recording since 1970-01-01 UTC; 0: unknown */
};

/* The frame of a function that left the stack by a tail call has this offset from the function's begin. No call can
   return there, but one of two bytes that begins the function. Such a frame is shown as the function's tail call, or if
   it has several, as the begin of the function with CS_TAIL_CALL. */
#define CS_TAIL_CALL_OFFSET 2

/* The process that contains the resolver. In both, the resolver never uses the network (debuginfod). */
enum cs_resolver_home {
    CS_RESOLVER_IN_COMMAND, /* our own process: it may change its environment to disable debuginfod */
    CS_RESOLVER_IN_PROGRAM  /* base/symbols/no_debuginfod.c disables debuginfod; only the program's own C++ library is
                               used */
};

/* Makes a resolver. Returns NULL without memory. */
struct cs_resolver *cs_resolver_new(enum cs_resolver_home home);
void cs_resolver_free(struct cs_resolver *resolver);

/* Why call sites are shown without lines that somebody will miss. */
enum cs_lost_lines {
    CS_LOST_REBUILT,    /* the module on disk is not the recorded build */
    CS_LOST_COMPRESSED, /* elfutils cannot decompress its debug information */
    CS_LOST_CHANGED,    /* a source file is newer than the program */
};

typedef void cs_lost_lines_function(const char *path, enum cs_lost_lines why);

/* Registers a callback: called once for each module without lines. */
void cs_resolver_on_lost_lines(struct cs_resolver *resolver, cs_lost_lines_function *lost);

/* Finds the function of a frame, and with debug information its file and line. The file is the last part of the path,
   with as many folders as tell it from other source files of the module. An inlined function also shows where it was
   inlined: "add (inlined into sum)". C++ names are demangled. Returns false if nothing is known. */
bool cs_resolver_find(struct cs_resolver *resolver, const struct cs_resolve_frame *frame, struct cs_source *source);

/* Finds the path of the source file, as the compiler was given it, made absolute, the line, and the folder where the
   compiler ran (both of `size` bytes; "": unknown). Returns false if the path is unknown or longer than `size`. */
bool cs_resolver_find_path(struct cs_resolver *resolver, const struct cs_resolve_frame *frame, char *path, char *build,
                           size_t size, int *line);

/* The columns of the table `variable` that tell where data of the program lies. Its frame is in the function that has
   the data on its stack; its offset is that of static data. */
struct cs_data_place {
    int64_t frame_offset; /* from the function's canonical frame address; 0: static */
    int64_t bytes;
};

struct cs_variable {
    char name[256];       /* "": debugging information and symbols do not prove which: see base/symbols/variable.h */
    int64_t beyond_bytes; /* with a name: bytes of the data beyond the end of the variable; 0: none */
};

/* Finds the variable that the data begins in. Returns false if the module on disk is not the recorded build. */
bool cs_resolver_find_variable(struct cs_resolver *resolver, const struct cs_resolve_frame *frame,
                               const struct cs_data_place *place, struct cs_variable *variable);

/* Writes "function file.c:12" if the module has debug information, else "function+0x1c in libx.so", else
   "libx.so+0x1234". C++ functions have no parameters (base/symbols/signature.h). Returns text. */
const char *cs_resolver_write(struct cs_resolver *resolver, const struct cs_resolve_frame *frame, char *text,
                              size_t size);

/* The function that libcallsign-resolve.so offers to the flavour that opens it. Finds function, file and line of the
   call before the return address `offset`, relative to the module. build_id: hexadecimal, "" for none. Returns false
   if nothing is known. Opens and closes the module's file. */
typedef bool cs_resolve_function(const char *module, const char *build_id, int64_t offset, struct cs_source *source);

cs_resolve_function callsign_resolve;
