/* What a library or the program asks the dynamic linker for. */
#pragma once

#include <stdbool.h>

/* Whether the library at `caller` names this one among its needed libraries. */
bool cs_front_needs(const void *caller, const char *soname);

enum cs_reference { CS_REFERENCE_NONE, CS_REFERENCE_WEAK, CS_REFERENCE_STRONG };

/* How the library or program at `caller` refers to a function that it does not define. Where it does not refer to it at
   all (it jumped there with a pointer that it was given): how the others do, strong before weak. */
enum cs_reference cs_front_reference(const void *caller, const char *name);
