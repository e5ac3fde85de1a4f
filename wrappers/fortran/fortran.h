/* Everything that generated entry points use. Entry points forward their arguments unchanged; callsign records
   decoded copies. */
#pragma once

#include "wrappers/fortran/by_hand.h"
#include "wrappers/fortran/fortran_roles.h"
#include "wrappers/fortran/fortran_symbols.h"
