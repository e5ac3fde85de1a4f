/* What arguments mean: one function per semantic role of gen/spec. The generator puts calls of these into the wrappers;
 * gen/roles has the table role -> function -> parameter types, and the build checks it against the prototypes of the
 * MPI at hand.
 *
 * "Before" roles run before the native call, with arguments that may be garbage: they only compare values with what
 * callsign knows. "Always" roles run after it whatever it returned, "after" roles only when it succeeded. */
#pragma once

#include "wrappers/attribute/attribute.h"
#include "wrappers/attribute/copy.h"
#include "wrappers/attribute/keyval.h"
#include "wrappers/bytes/bytes.h"
#include "wrappers/bytes/neighbor.h"
#include "wrappers/call/about.h"
#include "wrappers/call/synchronizing.h"
#include "wrappers/detail/detail.h"
#include "wrappers/envelope/envelope.h"
#include "wrappers/lifecycle/lifecycle.h"
#include "wrappers/object/adopt.h"
#include "wrappers/object/communicator.h"
#include "wrappers/object/compare.h"
#include "wrappers/object/datatype.h"
#include "wrappers/object/file.h"
#include "wrappers/object/free.h"
#include "wrappers/object/set_name.h"
#include "wrappers/object/simple.h"
#include "wrappers/object/window.h"
#include "wrappers/object/window_lock.h"
#include "wrappers/request/completion.h"
#include "wrappers/request/pending.h"
#include "wrappers/request/persistent.h"
