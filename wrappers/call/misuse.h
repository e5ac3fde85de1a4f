/* Local checks: calls whose arguments or order are wrong by what this process knows. They run before the native call.
   In doubt they are silent: what the standard allows is never reported. */
#pragma once

#include "journal/format.h"
#include "record/call/profile.h"
#include "wrappers/call/call.h"

/* True if CALLSIGN_CHECK asks for all checks, in calls of the program. */
static inline bool cs_is_checked(const struct cs_call *call)
{
    return __builtin_expect(cs_recorder.checks, 0) && cs_call_is_recorded(call) && call->counted;
}

/* Records a wrong call, once for its function, call site and kind. value, other_site: as in struct cs_fact_misuse.
   CALLSIGN_CHECK=stop: ends the program. Not inlined: calls without a finding would pay for its variables. */
__attribute__((noinline)) void cs_misuse_note(struct cs_call *call, enum cs_misuse kind, int64_t value,
                                              uint64_t other_site);

/* The call uses the handle of a dead object. */
void cs_misuse_note_freed(struct cs_call *call, const struct callsign_record *dead);

/* The persistent request of this call was never started. */
void cs_misuse_note_unstarted(struct cs_profile_key made);
