/* Emulated names and attributes for Fortran. */
#pragma once

/* Returns callsign's own function, or native. native: the function that the entry point would forward to; NULL: none
   was found. Foreign keyvals go on to native. Called before the entry point's first call, by any number of threads. */
void *cs_fallback_fortran(const char *entry_point, void *native);
