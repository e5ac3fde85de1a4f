/* What libcallsign-unwind.so offers to the flavour that opens it; and record/unwind/words.h. */
#pragma once

enum cs_unwind {
    CS_UNWIND_FAST,   /* remembers for ever what it found out about an address */
    CS_UNWIND_ANEW,   /* for processes where code lies where other code was */
    CS_UNWIND_FLUSHED /* the same, and forgets what it knows first */
};

/* The return addresses of the calling thread, innermost first; those of callsign are among them. Returns their number,
   at most `size`; 0: the stack cannot be walked. */
typedef int cs_unwind_function(void **frame, int size, enum cs_unwind how);

cs_unwind_function callsign_unwind;
