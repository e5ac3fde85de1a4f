/* How windows are made in Fortran, for an MPI that has no attributes of windows (wrappers/fallback/window.h). */
#pragma once

#include "wrappers/fallback/fortran_object.h"

extern const struct cs_fortran_own cs_fortran_windows[] __attribute__((visibility("hidden")));
extern const size_t cs_fortran_windows_count __attribute__((visibility("hidden")));
