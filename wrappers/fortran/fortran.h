/* All that generated entry points use. They forward their arguments untouched; what callsign records is decoded. */
#pragma once

#include "wrappers/fortran/by_hand.h"
#include "wrappers/fortran/fortran_roles.h"
#include "wrappers/fortran/fortran_symbols.h"
