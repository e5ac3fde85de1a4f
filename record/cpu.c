#include "record/cpu.h"

#include <sched.h>
#include <stddef.h>

#include "base/keep_errno.h"
#include "db/journal/writer.h"
#include "db/journal/format.h"
#include "record/recorder.h"
#include "record/topology.h"

/* Processors beyond this have no core and package in the trace. */
enum { CPUS_MOST = 8192, WORD_BITS = 64 };

/* 10 ms of a counter whose rate is not known, if it goes at 5 GHz; none does faster. */
#define TICKS_IN_10_MS 50000000u

static_assert(sizeof(struct cs_block) + 2 * CS_MOVES_KEPT * sizeof(struct cs_move_cell) <= CS_JOURNAL_PAGE,
              "the moves of a thread are one block");

/* What cpu_now leads to where there is no such word, and what `cpu` is before the first look: no processor. */
static const volatile uint32_t no_word = UINT32_MAX;
#define NOT_SEEN (UINT32_MAX - 1)

/* Of all threads, a bit each. Atomic. */
static uint64_t seen[CPUS_MOST / WORD_BITS], told[CPUS_MOST / WORD_BITS];

/* The C library says where the area is, relative to the thread pointer: glibc 2.35 and later. */
extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned int __rseq_size __attribute__((weak));

static const volatile uint32_t *word_of_kernel(void)
{
    enum { CPU_ID = 4 }; /* struct rseq: where it would start, where it is */
    if (!&__rseq_offset || !&__rseq_size || __rseq_size == 0)
        return &no_word;
    const volatile uint32_t *word = (const void *)((char *)__builtin_thread_pointer() + __rseq_offset + CPU_ID);
    return *word < CPUS_MOST ? word : &no_word;
}

void cs_cpu_begin(struct cs_thread *thread)
{
    thread->cpu_now = word_of_kernel();
    thread->cpu = NOT_SEEN;
    thread->here = NULL;
    thread->look_ticks = 0;
}

static void depart(struct cs_thread *thread)
{
    uint64_t calls = thread->state->calls;
    struct cs_cpu_cell *here = thread->here;
    uint64_t since = thread->departed_calls;
    thread->departed_calls = calls;
    if (!here)
        return;
    here->last_ticks = thread->state->until_ticks;
    __atomic_store_n(&here->here, 0, __ATOMIC_RELEASE);
    here->calls += calls - since;
    thread->here = NULL;
}

void cs_cpu_end(struct cs_thread *thread)
{
    depart(thread);
    thread->cpu = NOT_SEEN;
}

void cs_cpu_saw(int cpu)
{
    if (cpu >= 0 && cpu < CPUS_MOST)
        __atomic_fetch_or(&seen[cpu / WORD_BITS], (uint64_t)1 << cpu % WORD_BITS, __ATOMIC_RELAXED);
}

static uint64_t hash_cell(const void *cell)
{
    return (uint64_t)((const struct cs_cpu_cell *)cell)->cpu * 0x9e3779b97f4a7c15u >> 32;
}

static struct cs_cpu_cell *cell_of(struct cs_thread *thread, uint32_t cpu, uint64_t ticks)
{
    struct cs_cells *cells = &thread->cpus;
    if (!cs_cells_make_room(cells, hash_cell))
        return NULL;
    const struct cs_cpu_cell key = {.cpu = (int32_t)cpu};
    uint64_t slot = hash_cell(&key) & cells->mask;
    struct cs_cpu_cell *cell;
    for (; (cell = cs_cells_in(cells, slot, sizeof *cell)); slot = (slot + 1) & cells->mask)
        if (cell->cpu == key.cpu)
            return cell;
    cell = cs_cells_new(cells, thread->state->thread, CS_BLOCK_CPU, sizeof *cell);
    if (!cell)
        return NULL;
    cell->thread = thread->state->thread;
    cell->cpu = key.cpu;
    __atomic_store_n(&cell->first_ticks, ticks, __ATOMIC_RELEASE);
    cells->index[slot] = cells->newest;
    cs_cpu_saw(key.cpu);
    return cell;
}

/* The first ones stay, of the later ones the last. */
static void note_move(struct cs_thread *thread, uint32_t cpu, uint64_t ticks)
{
    if (!thread->moved && cs_journal_block(cs_recorder.journal, CS_BLOCK_MOVE, thread->state->thread,
                                           sizeof(struct cs_move_cell), CS_JOURNAL_PAGE, &thread->moved) != CS_OK) {
        cs_journal_lose(cs_recorder.journal);
        return;
    }
    uint64_t number = ++thread->moves;
    uint64_t at = number <= CS_MOVES_KEPT ? number - 1 : CS_MOVES_KEPT + (number - 1) % CS_MOVES_KEPT;
    struct cs_move_cell *cell = (struct cs_move_cell *)(thread->moved + 1) + at;
    __atomic_store_n(&cell->number, 0, __ATOMIC_RELEASE);
    cell->ticks = ticks;
    cell->thread = thread->state->thread;
    cell->cpu = (int32_t)cpu;
    __atomic_store_n(&cell->number, number, __ATOMIC_RELEASE);
    if (number <= 2 * CS_MOVES_KEPT) {
        __atomic_store_n(&thread->moved->used, number, __ATOMIC_RELEASE);
        cs_journal_count(cs_recorder.journal);
    }
}

void cs_cpu_changed(struct cs_thread *thread, uint64_t ticks)
{
    CS_KEEP_ERRNO;
    uint32_t cpu = *thread->cpu_now;
    if (thread->cpu_now == &no_word) {
        if (ticks < thread->look_ticks)
            return;
        uint64_t per_second = cs_journal_header(cs_recorder.journal)->ticks_per_second;
        thread->look_ticks = ticks + (per_second ? per_second / 100 : TICKS_IN_10_MS);
        int asked = sched_getcpu();
        cpu = asked < 0 ? thread->cpu : (uint32_t)asked;
        if (cpu == thread->cpu)
            return;
    }
    bool moved = thread->cpu != NOT_SEEN;
    depart(thread);
    thread->cpu = cpu;
    thread->here = cell_of(thread, cpu, ticks);
    if (!thread->here)
        return;
    thread->here->arrived_calls = thread->departed_calls;
    thread->here->moves += moved;
    __atomic_store_n(&thread->here->here, 1, __ATOMIC_RELEASE);
    if (moved)
        note_move(thread, cpu, ticks);
}

void cs_cpus_note(const char *sys)
{
    for (uint32_t cpu = 0; cpu < CPUS_MOST; cpu++) {
        uint64_t bit = (uint64_t)1 << cpu % WORD_BITS;
        uint64_t new = __atomic_load_n(&seen[cpu / WORD_BITS], __ATOMIC_RELAXED) & ~told[cpu / WORD_BITS];
        if (!new)
            cpu |= WORD_BITS - 1;
        else if (new &bit) {
            told[cpu / WORD_BITS] |= bit;
            cs_topology_note(sys, (int)cpu);
        }
    }
}
