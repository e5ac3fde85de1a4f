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

void cs_misuse_note(struct cs_call *call, enum cs_misuse kind, int64_t value, uint64_t other_site)
{
    /* Numbers of failures are codes of the MPI, which are positive. */
    if (!call->counted || !cs_failures_add(call->function, call->innermost, -(int32_t)kind))
        return;
    CS_KEEP_ERRNO;
    struct cs_fact_misuse fact = {.fact.ticks = cs_clock_ticks(),
                                  .kind = (uint16_t)kind,
                                  .function = call->function,
                                  .object = call->about,
                                  .value = value,
                                  .site = cs_call_site(call),
                                  .other_site = other_site};
    cs_module_record(fact.site);
    cs_write_misuse(cs_recorder.journal, fact);
    if (cs_setting_is(CS_SETTING_CHECK, "stop"))
        stop(call);
}
