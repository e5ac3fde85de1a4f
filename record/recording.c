#include "record/recording.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/path.h"
#include "base/proc.h"
#include "base/settings.h"
#include "base/shared_library.h"
#include "base/uncancelled.h"
#include "journal/run_files.h"
#include "journal/writer.h"
#include "journal_writers.h"
#include "record/call/clock_calls.h"
#include "record/call/counters.h"
#include "record/call/event_log.h"
#include "record/call/placement.h"
#include "record/call/region.h"
#include "record/call/ring.h"
#include "record/call/stretch.h"
#include "record/call/thread_life.h"
#include "record/debug_table.h"
#include "record/message/request.h"
#include "record/object/attribute_values.h"
#include "record/object/epoch.h"
#include "record/object/identity.h"
#include "record/object/leak_warning.h"
#include "record/object/naming.h"
#include "record/object/object.h"
#include "record/object/progress.h"
#include "record/object/window_access.h"
#include "record/object/window_reach.h"
#include "record/process/recorder.h"
#include "record/process/run_folder.h"
#include "record/process/thread.h"
#include "record/site/bypass.h"
#include "record/site/module.h"
#include "record/site/private_library.h"
#include "record/site/python.h"
#include "record/site/stack.h"

/* ---- process ---- */

/* Records node, program, arguments, working folder, time, versions and settings; the header gets the process's
   start. flavour: flavour of the MPI. */
static void note_process(const char *flavour)
{
    struct cs_journal_header *header = cs_journal_header(cs_recorder.journal);
    struct cs_proc_place place = cs_proc_place("/proc");
    struct cs_proc_stat stat;
    if (cs_proc_stat("/proc", 0, &stat))
        header->process_start = stat.start_ticks;
    header->boot = place.boot;
    header->pid_namespace = place.pid_namespace;
    struct utsname system;
    if (uname(&system) == 0)
        cs_journal_note(cs_recorder.journal, "node", system.nodename);
    char text[PATH_MAX + 4096] = "", program[PATH_MAX] = "";
    cs_proc_executable("/proc", getpid(), program, sizeof program);
    cs_journal_note(cs_recorder.journal, "program", program);
    size_t used = cs_proc_arguments("/proc", getpid(), text, sizeof text);
    const char *script = used ? cs_proc_script(cs_path_name(program), text, used) : NULL;
    if (script)
        cs_journal_note(cs_recorder.journal, "script", script);
    for (size_t i = 0; i + 1 < used; i++)
        if (!text[i])
            text[i] = ' ';
    cs_journal_note(cs_recorder.journal, "arguments", used ? text : "");
    if (getcwd(text, sizeof text))
        cs_journal_note(cs_recorder.journal, "working_directory", text);
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc))
        cs_journal_note(cs_recorder.journal, "started_utc", text);
    cs_journal_note(cs_recorder.journal, "callsign", header->callsign);
    cs_journal_note(cs_recorder.journal, "flavour", flavour);
    for (size_t i = 0; i < cs_settings_count; i++) {
        char key[64];
        snprintf(key, sizeof key, "config.%s", cs_settings[i].name);
        cs_journal_note(cs_recorder.journal, key, cs_setting_text((enum cs_setting_id)i));
    }
}

void cs_process_note_emulated(const char *families)
{
    cs_journal_note(cs_recorder.journal, "served_by_callsign", families);
}

/* ---- lifetime ---- */

static struct cs_journal_header *journal_header(void)
{
    return cs_journal_header(cs_recorder.journal);
}

void cs_lifetime_note_mpi(const char *mpi, const char *thread_level, bool parallel)
{
    cs_journal_note(cs_recorder.journal, "mpi", mpi);
    cs_journal_note(cs_recorder.journal, "thread_level", thread_level);
    cs_bypass_note_possible();
    cs_object_set_world(journal_header()->rank, journal_header()->size, mpi);
    if (parallel)
        atomic_store(&cs_recorder.parallel, true);
}

void cs_lifetime_note_begin(uint64_t ticks)
{
    journal_header()->init_ticks = ticks;
    cs_event_window_note_init();
}

void cs_lifetime_note_end(uint64_t ticks)
{
    journal_header()->finalize_ticks = ticks;
}

void cs_lifetime_note_abort(int code)
{
    char text[16];
    snprintf(text, sizeof text, "%d", code);
    cs_journal_note(cs_recorder.journal, "abort_code", text);
}

void cs_lifetime_set_level(int level)
{
    cs_write_pcontrol(cs_recorder.journal, (struct cs_fact_pcontrol){.level = level});
    atomic_store_explicit(&cs_recorder.paused, level == 0, memory_order_relaxed);
    cs_recorder_switch(CS_TAKES_DETOURS, level == 0);
}

void cs_lifetime_read_clocks(void)
{
    cs_journal_read_clocks(cs_recorder.journal);
    cs_debugger_update_clock();
}

int cs_lifetime_rank(void)
{
    return journal_header()->rank;
}

bool cs_lifetime_has_rank(void)
{
    return journal_header()->rank >= 0;
}

bool cs_lifetime_ended_by_session(void)
{
    return journal_header()->size < 0 && journal_header()->finalize_ticks;
}

bool cs_lifetime_is_finalized(void)
{
    return journal_header()->outcome == CS_OUTCOME_FINALIZED;
}

bool cs_lifetime_is_open(void)
{
    return cs_is_recording() && cs_journal_path(cs_recorder.journal)[0] && journal_header()->pid == (uint32_t)getpid();
}

/* ---- start ---- */

/* In a forked child. Locks may have been held by threads that do not exist here. */
static void forget(void)
{
    cs_recorder_switch(CS_RECORDS_CALLS, false);
    cs_debugger_mark(CALLSIGN_DEBUG_FORKED);
    cs_thread_forget();
    cs_region_forget();
    cs_object_forget();
    cs_presence_forget();
    cs_guards_forget();
    cs_request_forget();
    cs_module_forget();
    cs_stack_forget();
    cs_python_forget();
    cs_naming_forget();
    cs_identity_forget();
    cs_progress_forget();
    cs_epoch_forget();
    cs_window_access_forget();
    cs_window_reach_forget();
}

bool cs_recorder_start(uint32_t handle_bytes, const char *flavour)
{
    cs_settings_read();
    if (cs_setting_is(CS_SETTING_RECORD, "off"))
        return false;
    if (cs_journal_create(cs_setting_is(CS_SETTING_CLOCK, "monotonic"), &cs_recorder.journal) != CS_OK ||
        !cs_object_start(handle_bytes)) {
        cs_log("out of memory: nothing is recorded, the program runs on");
        return false;
    }
    cs_debugger_start();
    note_process(flavour);
    cs_stack_start();
    cs_python_look();
    cs_ring_start();
    cs_counters_start(cs_setting_text(CS_SETTING_COUNTERS));
    cs_stretch_start(!cs_setting_is(CS_SETTING_WHY, "off"));
    cs_leak_warning_start();
    cs_naming_start();
    pthread_atfork(NULL, NULL, forget);
    cs_recorder_switch(CS_RECORDS_CALLS, true);
    return true;
}

/* ---- finish ---- */

/* Facts and cells that are converted in about 100 ms: 800,000 to 1,900,000 a second (bench/convert.py). Users would
   notice a longer MPI_Finalize, so larger journals are left to the command. */
#define MOST_CONVERTED_AT_ONCE 100000u

/* The same for events that stay in the trace, by their size in the journal. */
#define MOST_EVENTS_CONVERTED ((uint64_t)4 << 20)

static bool is_converted_at_once(const struct cs_journal_header *header)
{
    uint64_t events = cs_setting_is(CS_SETTING_EVENTS, "last") ? 0
                      : cs_event_log_on                        ? 2 * cs_event_log_bytes() /* packed */
                                                               : cs_setting_bytes(CS_SETTING_RING);
    return cs_setting_is(CS_SETTING_CONVERT, "finalize") && header->items <= MOST_CONVERTED_AT_ONCE &&
           events <= MOST_EVENTS_CONVERTED;
}

/* The same for all journals of a node, which its last rank converts. */
#define MOST_CONVERTED_ON_NODE 500000u

/* Moves the journal from storage of the node to the run's folder, because the command may run on another node. */
static void bring(void)
{
    if (cs_journal_move_to_run(cs_recorder.journal) != CS_OK)
        cs_log("%s stays on this node: `callsign convert` here converts it (%s)", cs_journal_path(cs_recorder.journal),
               strerror(errno));
}

void cs_recorder_set_outcome(enum cs_outcome outcome)
{
    CS_UNCANCELLED;
    if (!cs_recorder.journal || cs_journal_header(cs_recorder.journal)->outcome != CS_OUTCOME_RUNNING)
        return;
    if (cs_thread_self && cs_is_recording()) {
        cs_clock_calls_add_kept(cs_thread_self);
        cs_stretch_finish(cs_thread_self);
    }
    cs_cpus_note("/sys");
    cs_journal_read_clocks(cs_recorder.journal);
    cs_journal_header(cs_recorder.journal)->outcome = outcome;
    if (outcome != CS_OUTCOME_FINALIZED && (*cs_setting_text(CS_SETTING_JOURNAL) || *cs_recorder_node_folder())) {
        cs_recorder_switch(CS_RECORDS_CALLS, false); /* later writes would go to the old file */
        cs_journal_close(cs_recorder.journal);
        cs_recorder_leave_node();
        bring();
    }
}

/* SQLite enters the program only now, in a library next to this one, with hidden symbols. A process that is killed
   meanwhile has not finalized, although MPI has. */
static void convert(struct cs_journal_header *header)
{
    const char *journal = cs_journal_path(cs_recorder.journal);
    char trace[PATH_MAX];
    if (!cs_run_name_of_trace(journal, trace))
        return;
    int (*run)(const char *, const char *, unsigned);
    const char *why;
    *(void **)&run = cs_private_library_open(CS_CONVERT_LIBRARY, "callsign_convert", &why);
    if (!run) {
        if (!cs_is_linked_statically())
            cs_log("%s is not converted: `callsign convert` does it (%s)", journal, why);
        return;
    }
    uint32_t outcome = header->outcome;
    header->outcome = CS_OUTCOME_CONVERTING;
    run(journal, trace,
        (cs_setting_is(CS_SETTING_KEEP_JOURNAL, "yes") ? 1u : 0) | (cs_setting_is(CS_SETTING_SYNC, "off") ? 2u : 0));
    header->outcome = outcome;
}

/* Leaves the journal to the last process of the node that ends, which may be this one. */
static void convert_node(struct cs_journal_header *header)
{
    int (*run)(const char *, unsigned, uint64_t, uint32_t *) = NULL;
    const char *why;
    bool now = is_converted_at_once(header);
    if (now)
        *(void **)&run = cs_private_library_open(CS_CONVERT_LIBRARY, "callsign_convert_node", &why);
    if (now && !run && !cs_is_linked_statically())
        cs_log("%s is not converted: `callsign convert` does it (%s)", cs_journal_path(cs_recorder.journal), why);
    if (!run) {
        cs_recorder_leave_node();
        bring();
    }
    cs_journal_release(cs_recorder.journal);
    if (!run)
        return;
    /* The command may run where it cannot read storage of the node. */
    bool elsewhere = cs_recorder_node_is_elsewhere();
    unsigned options = (cs_setting_is(CS_SETTING_KEEP_JOURNAL, "yes") ? 1u : 0) |
                       (cs_setting_is(CS_SETTING_SYNC, "off") ? 2u : 0) |
                       (cs_setting_is(CS_SETTING_EVENTS, "last") ? 0 : 4u);
    int status = run(cs_recorder_node_folder(), options, elsewhere ? 0 : MOST_CONVERTED_ON_NODE, &header->outcome);
    if (elsewhere && status != CS_OK && status != CS_BUSY)
        cs_log("the journals of this node stay on it: `callsign convert` here converts those of %s",
               cs_recorder_node_folder());
}

void cs_recorder_finish(void)
{
    CS_UNCANCELLED;
    if (!cs_is_recording())
        return;
    struct cs_journal_header *header = cs_journal_header(cs_recorder.journal);
    cs_bypass_find();
    cs_recorder_switch(CS_RECORDS_CALLS, false);
    cs_debugger_mark(CALLSIGN_DEBUG_ENDED);
    cs_journal_read_clocks(cs_recorder.journal);
    cs_journal_close(cs_recorder.journal);
    if (*cs_recorder_node_folder()) {
        convert_node(header);
        return;
    }
    if (cs_journal_path(cs_recorder.journal)[0] && is_converted_at_once(header))
        convert(header);
    bring();
}
