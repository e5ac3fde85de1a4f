/* The functions of all roles in gen/spec. The generator puts calls of them into wrappers. gen/roles maps roles to
 * functions and parameter types; the build checks them against the installed MPI's prototypes.
 *
 * "Before" roles run before the native call; their arguments may be garbage, so they only compare them with what
 * callsign knows. "Always" roles run after it whatever it returned, "after" roles only if it succeeded. */
#pragma once

#include "wrappers/attribute/attribute_roles.h"
#include "wrappers/bytes/bytes.h"
#include "wrappers/call/about.h"
#include "wrappers/call/handles.h"
#include "wrappers/call/leave.h"
#include "wrappers/check/arguments.h"
#include "wrappers/check/attached.h"
#include "wrappers/check/collective_data.h"
#include "wrappers/check/groups.h"
#include "wrappers/check/meeting.h"
#include "wrappers/check/one_sided.h"
#include "wrappers/check/pending.h"
#include "wrappers/check/sizes.h"
#include "wrappers/check/threads.h"
#include "wrappers/check/window_memory.h"
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
#include "wrappers/request/request_checks.h"
#include "wrappers/request/request_roles.h"
