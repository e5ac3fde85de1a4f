/* Symbols of the Fortran libraries of the MPI, which C programs do not have. NULL: not there. */
#pragma once

/* Of the program, or of a Fortran library that only the program's plugins see. */
void *cs_fortran_symbol(const char *name);

/* The same, as any compiler may have spelled the name. */
void *cs_fortran_symbol_spelled(const char *name);

/* In the Fortran libraries themselves, opened with this mode of dlopen: one that only the program's plugins see, or
   that the linker left out of the program because callsign has all of its names. */
void *cs_fortran_symbol_in_libraries(const char *name, int mode);
