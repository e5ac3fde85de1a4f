/* References of a library or the program to functions of other libraries. */
#pragma once

#include <stdbool.h>

/* Whether the library at `caller` names this one among its needed libraries. */
bool cs_front_needs(const void *caller, const char *soname);

enum cs_reference { CS_REFERENCE_NONE, CS_REFERENCE_WEAK, CS_REFERENCE_STRONG };

/* How the library or program at `caller` refers to a function that it does not define. If it does not refer to it
   (it jumped there with a pointer): how the others do, strong before weak. */
enum cs_reference cs_front_reference(const void *caller, const char *name);
