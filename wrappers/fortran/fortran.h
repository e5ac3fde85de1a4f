/* All that generated entry points use. They forward their arguments untouched; what callsign records is decoded. */
#pragma once

#include "wrappers/fortran/attribute.h"
#include "wrappers/fortran/by_hand.h"
#include "wrappers/fortran/constants.h"
#include "wrappers/fortran/native.h"
#include "wrappers/fortran/roles.h"
