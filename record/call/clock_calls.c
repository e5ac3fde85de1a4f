#include "record/call/clock_calls.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "journal/writer.h"
#include "record/call/profile.h"
#include "record/process/recorder.h"

enum { KEPT_MOST = 64, FUNCTION_SHIFT = 48 };

/* Call sites with their kept calls; sites stay. */
static struct {
    _Atomic uint64_t what; /* return address, and the function above it; 0: free */
    _Atomic uint64_t calls, ticks;
} kept[KEPT_MOST];
static atomic_bool any;

void cs_clock_call_keep(uint16_t function, uint64_t site, uint64_t ticks)
{
    uint64_t what = (site & (((uint64_t)1 << FUNCTION_SHIFT) - 1)) | (uint64_t)function << FUNCTION_SHIFT;
    for (size_t i = 0; i < KEPT_MOST; i++) {
        uint64_t former = 0;
        if (!atomic_compare_exchange_strong(&kept[i].what, &former, what) && former != what)
            continue;
        atomic_fetch_add(&kept[i].ticks, ticks);
        atomic_fetch_add(&kept[i].calls, 1);
        atomic_store(&any, true);
        return;
    }
    if (cs_is_recording())
        cs_journal_count_loss(cs_recorder.journal);
}

void cs_clock_calls_add_kept(struct cs_thread *thread)
{
    if (!atomic_load_explicit(&any, memory_order_relaxed) || !atomic_exchange(&any, false))
        return;
    for (size_t i = 0; i < KEPT_MOST && atomic_load(&kept[i].what); i++) {
        uint64_t what = atomic_load(&kept[i].what), calls = atomic_exchange(&kept[i].calls, 0);
        uint64_t ticks = atomic_exchange(&kept[i].ticks, 0), site = what & (((uint64_t)1 << FUNCTION_SHIFT) - 1);
        if (!calls)
            continue;
        thread->state->calls += calls;
        thread->state->mpi_ticks += ticks;
        cs_profile_add_calls(thread, cs_profile_key(site, 0, what >> FUNCTION_SHIFT, cs_size_class(0)), calls, ticks);
    }
}
