/* C++ functions for people: names without what only tells one overload from another. */
#pragma once

#include <stddef.h>

/* Between the two functions when one was inlined into the other: "add (inlined into sum)". */
#define CS_INLINED_INTO " (inlined into "

/* Writes a demangled function without the type that it returns and the lists of its parameters, and with "<...>" for
   template arguments, cut to size: "int solver::Grid::split<int>(int) const" is "solver::Grid::split<...>". Both
   functions of "add(int) (inlined into sum(int))" are shortened. Other names stay as they are. Returns text. */
const char *cs_signature_shorten(const char *function, char *text, size_t size);
