#include "record/placement.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "db/journal/format.h"
#include "record/cpu.h"
#include "record/environment.h"
#include "record/module.h"
#include "record/recorder.h"
#include "record/thread.h"
#include "record/topology.h"

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
    int cpu = sched_getcpu();
    if (reason == CS_PLACED_START) {
        cs_environment_note();
        cs_topology_note_bounds("/sys", "/proc");
        cs_cpu_saw(cpu); /* should the process be killed, this one's place is known */
        cs_cpus_note("/sys");
    }
    allowed_cpus(allowed, sizeof allowed);
    struct cs_fact_placement fact = {
        .fact.ticks = 0, .cpu = cpu, .reason = (uint16_t)reason, .thread = (uint16_t)thread};
    cs_journal_append(cs_recorder.journal, CS_FACT_PLACEMENT, &fact.fact, sizeof fact,
                      (const char *const[]){processor_name, allowed}, 2);
}

/* ---- what MPI_Get_processor_name answered ---- */

static_assert(offsetof(struct cs_answer_cell, calls) == sizeof(uint64_t) + CS_ANSWER_BYTES,
              "a cell begins with its key");

static uint64_t hash_answer(const void *cell)
{
    uint64_t hash = cs_hash_bytes(CS_HASH_BEGIN, cell, offsetof(struct cs_answer_cell, calls));
    return hash ^ hash >> 32;
}

static struct cs_answer_cell *answer_of(struct cs_thread *thread, const struct cs_answer_cell *key, uint64_t ticks)
{
    struct cs_cells *cells = &thread->answers;
    if (!cs_cells_make_room(cells, hash_answer))
        return NULL;
    uint64_t slot = hash_answer(key) & cells->mask;
    struct cs_answer_cell *cell;
    for (; (cell = cs_cells_in(cells, slot, sizeof *cell)); slot = (slot + 1) & cells->mask)
        if (memcmp(cell, key, offsetof(struct cs_answer_cell, calls)) == 0)
            return cell;
    cell = cs_cells_new(cells, key->thread, CS_BLOCK_ANSWER, sizeof *cell);
    if (!cell)
        return NULL;
    cs_module_see(key->site);
    *cell = *key;
    cell->first_ticks = ticks;
    cells->index[slot] = cells->newest;
    return cell;
}

void cs_placement_asked(struct cs_thread *thread, uint64_t site, const char *name, size_t bytes, uint64_t ticks)
{
    struct cs_answer_cell key = {.site = site, .thread = thread->state->thread};
    size_t length = strnlen(name, bytes < sizeof key.name ? bytes : sizeof key.name - 1);
    while (length && name[length - 1] == ' ')
        length--;
    memcpy(key.name, name, length);
    struct cs_answer_cell *cell = answer_of(thread, &key, ticks);
    if (!cell)
        return;
    cell->last_ticks = ticks;
    __atomic_store_n(&cell->calls, cell->calls + 1, __ATOMIC_RELEASE);
}
