#include "record/finish.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/library_kind.h"
#include "base/log.h"
#include "base/settings.h"
#include "db/journal/writer.h"
#include "db/journal/run_files.h"
#include "record/bypass.h"
#include "record/cpu.h"
#include "record/debugger.h"
#include "record/private_library.h"
#include "record/recorder.h"

/* Facts and cells. They take about 100 ms: a seal does 800,000 to 1,900,000 a second (bench/seal.py). To wait longer
   in MPI_Finalize would be felt, so what is more is left to the command. */
#define MOST_SEALED_AT_ONCE 100000u

/* From storage of the node into the run's folder: whoever seals it may be on another node. */
static void bring(void)
{
    if (cs_journal_move_to_run(cs_recorder.journal) != CS_OK)
        cs_log("%s stays on this node, `callsign seal` here makes a trace of it: %s",
               cs_journal_path(cs_recorder.journal), strerror(errno));
}

void cs_recorder_outcome(enum cs_outcome outcome)
{
    if (!cs_recorder.journal || cs_journal_header(cs_recorder.journal)->outcome != CS_OUTCOME_RUNNING)
        return;
    cs_cpus_note("/sys");
    cs_journal_tick(cs_recorder.journal);
    cs_journal_header(cs_recorder.journal)->outcome = outcome;
    if (outcome != CS_OUTCOME_FINALIZED && *cs_setting_text(CS_SETTING_JOURNAL)) {
        atomic_store_explicit(&cs_recorder.on, false,
                              memory_order_relaxed); /* what follows would go into the file that was left */
        cs_journal_close(cs_recorder.journal);
        bring();
    }
}

/* SQLite comes into the program only now, in a library that lies beside this one and that nobody else sees. Whoever is
   killed meanwhile has not ended well, although MPI has. */
static void seal(struct cs_journal_header *header)
{
    const char *journal = cs_journal_path(cs_recorder.journal);
    char trace[PATH_MAX];
    if (!cs_run_name_of_trace(journal, trace))
        return;
    int (*run)(const char *, const char *, unsigned);
    *(void **)&run = cs_private_library_open(CS_SEAL_LIBRARY, "callsign_seal");
    if (!run) {
        if (!cs_private_library_none())
            cs_log("%s stays as it is, `callsign seal` makes a trace of it: %s", journal, dlerror());
        return;
    }
    uint32_t outcome = header->outcome;
    header->outcome = CS_OUTCOME_SEALING;
    run(journal, trace,
        (cs_setting_is(CS_SETTING_KEEP_JOURNAL, "yes") ? 1u : 0) | (cs_setting_is(CS_SETTING_SYNC, "off") ? 2u : 0));
    header->outcome = outcome;
}

void cs_recorder_finish(void)
{
    if (!cs_is_recording())
        return;
    struct cs_journal_header *header = cs_journal_header(cs_recorder.journal);
    cs_bypass_look();
    atomic_store_explicit(&cs_recorder.on, false, memory_order_relaxed);
    cs_debugger_mark(CALLSIGN_DEBUG_ENDED);
    cs_journal_tick(cs_recorder.journal);
    cs_journal_close(cs_recorder.journal);
    if (cs_journal_path(cs_recorder.journal)[0] && cs_setting_is(CS_SETTING_SEAL, "finalize") &&
        header->items <= MOST_SEALED_AT_ONCE)
        seal(header);
    bring();
}
