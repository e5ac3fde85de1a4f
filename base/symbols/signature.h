/* Shortens C++ functions for reports. */
#pragma once

#include <stddef.h>

/* Separates an inlined function from the one that contains it: "add (inlined into sum)". */
#define CS_INLINED_INTO " (inlined into "

/* Follows a function that left the stack by one of several tail calls. */
#define CS_TAIL_CALL " (tail call)"

/* Writes a demangled function without return type and parameters, with "<...>" for template arguments, cut to
   `size`: "int solver::Grid::split<int>(int) const" becomes "solver::Grid::split<...>". Shortens both functions of
   "add(int) (inlined into sum(int))". Other names stay unchanged. Returns text. */
const char *cs_signature_shorten(const char *function, char *text, size_t size);
