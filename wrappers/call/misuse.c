#include "wrappers/call/misuse.h"

#include <unistd.h>

#include "base/keep_errno.h"
#include "base/log.h"
#include "base/settings.h"
#include "functions.h"
#include "journal_writers.h"
#include "pmpi_queries.h"
#include "record/call/failures.h"
#include "record/recording.h"
#include "record/site/module.h"
#include "wrappers/call/first_call.h"

static void read_setting(void)
{
    cs_recorder.checks = !cs_setting_is(CS_SETTING_CHECK, "tell");
}
CS_AT_FIRST_CALL(read_setting);

static void stop(const struct cs_call *call)
{
    const struct cs_function *function = cs_function_find(call->function);
    cs_log("%s is called wrongly, and CALLSIGN_CHECK=stop ends the program; callsign check shows the call",
           function ? function->name : "a function");
    cs_lifetime_note_abort(MPI_ERR_OTHER);
    cs_recorder_set_outcome(CS_OUTCOME_ABORTED);
    cs_mpi_Abort(MPI_COMM_WORLD, MPI_ERR_OTHER);
    _exit(MPI_ERR_OTHER); /* MPICH 4.2 tells its launcher, and returns */
}

/* What is allowed, and only probably not meant: a note in finding.model. */
static bool is_allowed(uint16_t kind)
{
    return kind == CS_MISUSE_INACTIVE_WAIT || kind == CS_MISUSE_NEVER_STARTED;
}

/* Numbers of failures are codes of the MPI, which are positive. */
static bool is_new(uint16_t function, uint64_t innermost, uint16_t kind)
{
    return cs_failures_add(function, innermost, -(int32_t)kind);
}

static void record(struct cs_fact_misuse fact)
{
    fact.fact.ticks = cs_clock_ticks();
    cs_module_record(fact.site);
    cs_write_misuse(cs_recorder.journal, fact);
}

/* The fact has its kind and what belongs to the kind. */
static void record_call(struct cs_call *call, struct cs_fact_misuse fact)
{
    if (!call->counted || !is_new(call->function, call->innermost, fact.kind))
        return;
    CS_KEEP_ERRNO;
    fact.function = call->function;
    fact.object = call->about;
    fact.site = cs_call_site(call);
    record(fact);
    if (cs_setting_is(CS_SETTING_CHECK, "stop") && !is_allowed(fact.kind))
        stop(call);
}

void cs_misuse_note(struct cs_call *call, enum cs_misuse kind, int64_t value, uint64_t other_site)
{
    record_call(call, (struct cs_fact_misuse){.kind = (uint16_t)kind, .value = value, .other_site = other_site});
}

void cs_misuse_note_freed(struct cs_call *call, const struct callsign_record *dead)
{
    record_call(call, (struct cs_fact_misuse){
                          .kind = CS_MISUSE_FREED_HANDLE, .other_site = dead->freed_pc, .made_site = dead->created_pc});
}

void cs_misuse_note_unstarted(struct cs_profile_key made)
{
    struct cs_fact_misuse fact = {.kind = CS_MISUSE_NEVER_STARTED,
                                  .function = cs_profile_function(made),
                                  .object = cs_profile_object(made),
                                  .site = made.site};
    CS_KEEP_ERRNO;
    if (is_new(fact.function, fact.site, fact.kind))
        record(fact);
}
