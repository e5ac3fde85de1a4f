/* Libraries of ours that come into the program only when they are needed. */
#ifndef CS_RECORD_PRIVATE_LIBRARY_H
#define CS_RECORD_PRIVATE_LIBRARY_H

/* Opens the library of this file name that lies beside the one we are in, so that nobody else sees its names, and it
   sees those of its own libraries and not the program's. Returns the address of `function`; NULL: dlerror tells. */
void *cs_private_library_open(const char *library, const char *function);

#endif
