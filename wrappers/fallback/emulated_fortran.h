/* Emulated names and attributes from Fortran. */
#pragma once

/* native: what the entry point of this name would forward to; NULL: nothing is found. The answer is callsign's own, or
   native. Foreign keyvals go on to native. Before the entry point's first call, by any number of threads. */
void *cs_fallback_fortran(const char *entry_point, void *native);
