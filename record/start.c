#include "record/start.h"

#include <pthread.h>

#include "base/log.h"
#include "base/settings.h"
#include "record/collective.h"
#include "record/debugger.h"
#include "record/held.h"
#include "record/identity.h"
#include "record/leak_warning.h"
#include "record/module.h"
#include "record/naming.h"
#include "record/object.h"
#include "record/process.h"
#include "record/recorder.h"
#include "record/request.h"
#include "record/stack.h"
#include "record/synchronization.h"
#include "record/window_lock.h"
#include "record/thread_life.h"

/* In a forked child. Locks may have been held by threads that are not there. */
static void forget(void)
{
    atomic_store_explicit(&cs_recorder.on, false, memory_order_relaxed);
    cs_debugger_mark(CALLSIGN_DEBUG_FORKED);
    cs_thread_forget();
    cs_object_forget();
    cs_held_forget();
    cs_request_forget();
    cs_module_forget();
    cs_stack_forget();
    cs_naming_forget();
    cs_identity_forget();
    cs_synchronization_forget();
    cs_collective_forget();
    cs_window_lock_forget();
}

bool cs_recorder_start(uint32_t handle_bytes, const char *flavour)
{
    cs_settings_read();
    if (cs_setting_is(CS_SETTING_RECORD, "off"))
        return false;
    if (cs_journal_create(cs_setting_is(CS_SETTING_CLOCK, "monotonic"), &cs_recorder.journal) != CS_OK ||
        !cs_object_start(handle_bytes)) {
        cs_log("no memory to begin: nothing is recorded, the program runs on");
        return false;
    }
    cs_debugger_start();
    cs_process_note(flavour);
    cs_stack_start();
    cs_leak_warning_start();
    cs_naming_start();
    pthread_atfork(NULL, NULL, forget);
    atomic_store_explicit(&cs_recorder.on, true, memory_order_relaxed);
    return true;
}
