/* All that generated entry points use. They forward their arguments untouched; what callsign records is decoded. */
#ifndef CS_WRAPPERS_FORTRAN_FORTRAN_H
#define CS_WRAPPERS_FORTRAN_FORTRAN_H

#include "wrappers/fortran/attribute.h"
#include "wrappers/fortran/by_hand.h"
#include "wrappers/fortran/constants.h"
#include "wrappers/fortran/native.h"
#include "wrappers/fortran/roles.h"

#endif
