#include "wrappers/lifecycle/lifecycle.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/guard.h"
#include "base/launched.h"
#include "functions.h"
#include "next.h"
#include "pmpi_queries.h"
#include "record/call/late_calls.h"
#include "record/call/placement.h"
#include "record/debug_table.h"
#include "record/message/request.h"
#include "record/object/object.h"
#include "record/process/recorder.h"
#include "record/process/run_folder.h"
#include "record/process/thread.h"
#include "record/recording.h"
#include "record/site/bypass.h"
#include "record/site/module.h"
#include "wrappers/attribute/attribute_roles.h"
#include "wrappers/call/about.h"
#include "wrappers/call/call.h"
#include "wrappers/call/first_call.h"
#include "wrappers/check/one_sided.h"
#include "wrappers/mpi/answers.h"
#include "wrappers/mpi/constants.h"
#include "wrappers/mpi/find.h"
#include "wrappers/object/any_object.h"
#include "wrappers/object/communicator.h"
#include "wrappers/object/members.h"
#include "wrappers/object/published_name.h"
#include "wrappers/object/simple.h"
#include "wrappers/request/request_roles.h"

/* Open sessions; while there are some, the recording continues after MPI_Finalize. */
static atomic_int sessions;
static bool world_ends; /* inside MPI_Finalize */
static bool world_ended;

static const char *level_name(int level)
{
    return level == MPI_THREAD_SINGLE       ? "MPI_THREAD_SINGLE"
           : level == MPI_THREAD_FUNNELED   ? "MPI_THREAD_FUNNELED"
           : level == MPI_THREAD_SERIALIZED ? "MPI_THREAD_SERIALIZED"
           : level == MPI_THREAD_MULTIPLE   ? "MPI_THREAD_MULTIPLE"
                                            : "unknown";
}

static void note_placement(enum cs_placement_reason reason, uint32_t thread)
{
    char processor[MPI_MAX_PROCESSOR_NAME] = "";
    int length;
    cs_mpi_Get_processor_name(processor, &length);
    cs_placement_note(reason, thread, processor);
}

void cs_asked_processor(struct cs_call *call, const void *name, size_t bytes)
{
    if (call->counted)
        cs_placement_count_answer(call->thread, cs_call_site(call), name, bytes, call->stop);
}

static void note_mpi(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length, level = MPI_THREAD_SINGLE;
    cs_mpi_note_answers();
    if (cs_mpi_Get_library_version(text, &length) != MPI_SUCCESS)
        snprintf(text, sizeof text, "%s", CS_MPI_SONAME[0] ? CS_MPI_SONAME : "a static MPI");
    cs_mpi_Query_thread(&level);
    cs_lifetime_note_mpi(text, level_name(level), level == MPI_THREAD_MULTIPLE);
    cs_attributes_predefined();
    note_placement(CS_PLACED_START, 0);
    cs_lifetime_read_clocks();
    cs_lifetime_note_begin(cs_clock_ticks());
}

/* Runs as soon as MPI answers queries. Several threads may open their first session at the same time. */
static void note_mpi_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, note_mpi);
}

static void world_began(uint64_t returned)
{
    int rank, size;
    if (!cs_is_recording())
        return;
    cs_mpi_Comm_rank(MPI_COMM_WORLD, &rank);
    cs_mpi_Comm_size(MPI_COMM_WORLD, &size);
    cs_recorder_set_world(rank, size);
    if (!cs_is_recording())
        return;
    note_mpi_once();
    cs_lifetime_note_begin(returned);
    cs_objects_world();
    cs_attributes_survey();
}

/* MPI may be initialised already, unseen by callsign. */
static void first_call(void)
{
    int initialized = 0, finalized = 0;
    size_t constants_count;
    struct callsign_constant *constants = cs_constants(&constants_count);
    cs_debugger_constants(constants, constants_count);
    cs_name_read_setting();
    cs_bypass_set_looked_up(cs_looked_up);
    cs_mpi_Initialized(&initialized);
    cs_mpi_Finalized(&finalized);
    if (finalized)
        return;
    /* A rank may die before MPI_Init, so its journal is saved at once. Other processes, such as a library's query
       tool, may never call MPI_Init: they leave no files. */
    if (initialized || cs_launched_rank() >= 0)
        cs_recorder_save();
    if (!initialized)
        return;
    cs_bypass_note_missed_init();
    world_began(cs_clock_ticks());
}
CS_AT_FIRST_CALL(first_call);

void cs_lifecycle_initializing(struct cs_call *call)
{
    (void)call;
    cs_recorder_save();
}

/* Each session may have its own thread level. */
void cs_lifecycle_session_initializing(struct cs_call *call)
{
    CS_KEEP_ERRNO;
    cs_late_calls_end();
    cs_lifecycle_initializing(call);
    atomic_store(&cs_recorder.parallel, true);
}

void cs_lifecycle_initialized(struct cs_call *call, int result)
{
    CS_KEEP_ERRNO;
    if (cs_succeeded(call, result))
        world_began(call->stop);
}

void cs_lifecycle_finalizing(struct cs_call *call)
{
    CS_KEEP_ERRNO;
    if (call->thread) {
        note_placement(CS_PLACED_END, call->thread->state->thread);
        cs_lifetime_read_clocks();
        cs_check_open_epochs(call);
        cs_world_forget();
    }
    cs_start(call);
    if (call->thread)
        cs_lifetime_note_end(call->start);
    world_ends = true;
}

void cs_lifecycle_finalized(bool recorded)
{
    CS_KEEP_ERRNO;
    world_ends = false;
    if (!recorded)
        return;
    world_ended = true;
    cs_record_never_completed();
    if (atomic_load_explicit(&sessions, memory_order_relaxed) == 0) {
        int rank = cs_lifetime_rank();
        cs_recorder_set_outcome(CS_OUTCOME_FINALIZED);
        cs_recorder_finish();
        cs_late_calls_begin(rank);
    }
}

/* The call does not return: record it before. */
void cs_lifecycle_aborting(struct cs_call *call, int64_t code)
{
    if (!call->thread)
        return;
    cs_lifetime_note_abort((int)code);
    cs_recorder_set_outcome(CS_OUTCOME_ABORTED);
}

void cs_lifecycle_session_initialized(struct cs_call *call, int result)
{
    CS_KEEP_ERRNO;
    if (!cs_succeeded(call, result))
        return;
    atomic_fetch_add_explicit(&sessions, 1, memory_order_relaxed);
    if (!cs_lifetime_has_rank())
        cs_recorder_set_world(-1, -1);
    note_mpi_once();
}

/* Another session may follow, so the trace is written at the end of the process. */
void cs_lifecycle_session_finalized(struct cs_call *call)
{
    atomic_fetch_sub_explicit(&sessions, 1, memory_order_relaxed);
    cs_lifetime_note_end(call->start);
    if (call->freeing.object)
        cs_object_end_descendants(call->freeing.object->id);
}

/* Written by hand, because the recording ends after the call has been recorded. */
CS_EXPORT int MPI_Finalize(void)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Finalize, __builtin_return_address(0));
    cs_lifecycle_finalizing(&call);
    int result = cs_next.MPI_Finalize();
    cs_stop(&call);
    cs_note_failure(&call, result);
    bool recorded = cs_succeeded(&call, result);
    cs_leave(&call);
    cs_lifecycle_finalized(recorded);
    return result;
}

/* The process ends without MPI_Finalize, in it, or after sessions. In a forked child recording is off. MPICH says that
   it has finalized while it ends the process in MPI_Finalize, because a message for it was never received. */
__attribute__((destructor)) static void process_ends(void)
{
    if (!cs_lifetime_is_open())
        return;
    if (!cs_thread_self) /* another thread called the MPI, and may still do so */
        cs_guards_share();
    int finalized = world_ended;
    if (!finalized && !world_ends)
        cs_mpi_Finalized(&finalized);
    bool by_sessions = cs_lifetime_ended_by_session() && atomic_load_explicit(&sessions, memory_order_relaxed) == 0;
    cs_recorder_set_outcome(finalized || by_sessions ? CS_OUTCOME_FINALIZED : CS_OUTCOME_EXITED);
    if (by_sessions)
        cs_record_never_completed();
    if (cs_lifetime_is_finalized())
        cs_recorder_finish();
    cs_recorder_switch(CS_RECORDS_CALLS, false);
}
