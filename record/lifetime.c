#include "record/lifetime.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "record/debugger.h"
#include "record/object.h"
#include "record/recorder.h"
#include "record/request.h"

static struct cs_journal_header *header(void)
{
    return cs_journal_header(cs_recorder.journal);
}

void cs_lifetime_mpi(const char *mpi, const char *thread_level, bool parallel)
{
    cs_journal_note(cs_recorder.journal, "mpi", mpi);
    cs_journal_note(cs_recorder.journal, "thread_level", thread_level);
    cs_object_world(header()->rank, header()->size, mpi);
    if (parallel)
        cs_request_share();
}

void cs_lifetime_began(uint64_t ticks)
{
    header()->init_ticks = ticks;
}

void cs_lifetime_ended(uint64_t ticks)
{
    header()->finalize_ticks = ticks;
}

void cs_lifetime_aborted(int code)
{
    char text[16];
    snprintf(text, sizeof text, "%d", code);
    cs_journal_note(cs_recorder.journal, "abort_code", text);
}

void cs_lifetime_pcontrol(int level)
{
    struct cs_fact_pcontrol fact = {.level = level};
    cs_journal_append(cs_recorder.journal, CS_FACT_PCONTROL, &fact.fact, sizeof fact, NULL, 0);
    atomic_store_explicit(&cs_recorder.paused, level == 0, memory_order_relaxed);
}

void cs_lifetime_tick(void)
{
    cs_journal_tick(cs_recorder.journal);
    cs_debugger_tick();
}

bool cs_lifetime_has_rank(void)
{
    return header()->rank >= 0;
}

bool cs_lifetime_ended_by_session(void)
{
    return header()->size < 0 && header()->finalize_ticks;
}

bool cs_lifetime_is_finalized(void)
{
    return header()->outcome == CS_OUTCOME_FINALIZED;
}

bool cs_lifetime_is_open(void)
{
    return cs_is_recording() && cs_journal_path(cs_recorder.journal)[0] && header()->pid == (uint32_t)getpid();
}
