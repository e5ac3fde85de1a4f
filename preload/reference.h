/* References of a library or the program to functions in other libraries. */
#pragma once

#include <stdbool.h>

/* True if the library at `caller` lists this soname among its needed libraries. */
bool cs_front_needs(const void *caller, const char *soname);

/* True if the library or program at this address refers to MPI functions that it does not define. */
bool cs_front_calls_mpi(const void *address);

enum cs_reference { CS_REFERENCE_NONE, CS_REFERENCE_WEAK, CS_REFERENCE_STRONG };

/* How the library or program at `caller` refers to a function that it does not define. If it has no reference (it
   used a pointer), the references of others count, strong before weak. */
enum cs_reference cs_front_reference(const void *caller, const char *name);
