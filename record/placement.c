#include "record/placement.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>

#include "record/recorder.h"

/* The allowed processors as ranges, "0-3,8"; "" if the kernel does not say or the text would be too long to be of use.
 */
static void allowed_cpus(char *text, size_t size)
{
    cpu_set_t allowed;
    size_t length = 0;
    text[0] = '\0';
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &allowed))
            continue;
        int last = cpu;
        while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &allowed))
            last++;
        int added =
            snprintf(text + length, size - length, last > cpu ? "%s%d-%d" : "%s%d", length ? "," : "", cpu, last);
        if (added < 0 || (size_t)added >= size - length) {
            text[0] = '\0';
            return;
        }
        length += (size_t)added;
        cpu = last;
    }
}

void cs_placement_note(enum cs_placement_reason reason, uint32_t thread, const char *processor_name)
{
    char allowed[512];
    allowed_cpus(allowed, sizeof allowed);
    struct cs_fact_placement fact = {
        .fact.ticks = 0, .cpu = sched_getcpu(), .reason = (uint16_t)reason, .thread = (uint16_t)thread};
    cs_journal_append(cs_recorder.journal, CS_FACT_PLACEMENT, &fact.fact, sizeof fact,
                      (const char *const[]){processor_name, allowed}, 2);
}
