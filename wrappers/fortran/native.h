#pragma once

#include "fortran_next.h"

/* The native function of an entry point. Looked up at the first call of each, because C programs have no Fortran
 * library. */
void *cs_fortran_native_find(enum cs_fortran_number number);

static inline void *cs_fortran_native(enum cs_fortran_number number)
{
    void *native = __atomic_load_n(&cs_fortran_natives[number], __ATOMIC_ACQUIRE);
    return __builtin_expect(native != NULL, 1) ? native : cs_fortran_native_find(number);
}
