/* What arguments mean: one function per semantic role of gen/spec. The generator puts calls of these into the wrappers;
 * gen/roles has the table role -> function -> parameter types, and the build checks it against the prototypes of the
 * MPI at hand.
 *
 * "Before" roles run before the native call, with arguments that may be garbage: they only compare values with what
 * callsign knows. "Always" roles run after it whatever it returned, "after" roles only when it succeeded. */
#pragma once

#include "wrappers/attribute/attribute_roles.h"
#include "wrappers/bytes/bytes.h"
#include "wrappers/call/about.h"
#include "wrappers/detail/detail_roles.h"
#include "wrappers/envelope/envelope_roles.h"
#include "wrappers/lifecycle/lifecycle.h"
#include "wrappers/object/any_object.h"
#include "wrappers/object/communicator.h"
#include "wrappers/object/datatype.h"
#include "wrappers/object/published_name.h"
#include "wrappers/object/simple.h"
#include "wrappers/object/window.h"
#include "wrappers/request/completion.h"
#include "wrappers/request/request_roles.h"
