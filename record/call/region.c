#include "record/call/region.h"

#include <pthread.h>
#include <string.h>

#include "journal/writer.h"
#include "record/call/course.h"
#include "record/call/profile.h"
#include "record/process/recorder.h"

enum { REGIONS_MOST = 255, DEPTH_MOST = 64 };

struct open_region {
    char name[CS_REGION_NAME_BYTES];
    uint32_t number; /* that calls have; that of the region around it if there are too many */
    bool own;        /* it has a number of its own */
    const struct cs_thread *thread;
    uint64_t ticks, mpi_ticks; /* when it began */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct cs_cells cells;
static struct cs_region_cell *known[REGIONS_MOST + 1]; /* by number */
static uint32_t count;
static struct open_region open_regions[DEPTH_MOST];
static uint32_t depth, beyond; /* beyond: open ones that open_regions has no room for */

/* Further calls count for the innermost open region. */
static void publish_region(void)
{
    uint64_t number = depth ? open_regions[depth - 1].number : 0;
    atomic_store_explicit(&cs_recorder.region, number << CS_PROFILE_REGION_SHIFT, memory_order_relaxed);
}

static uint32_t find_region(uint32_t parent, const char *name)
{
    for (uint32_t number = 1; number <= count; number++)
        if (known[number]->parent == parent && strcmp(known[number]->name, name) == 0)
            return number;
    return 0;
}

/* Returns 0 if there is no room. */
static uint32_t add_region(uint32_t parent, const char *name, uint64_t ticks)
{
    struct cs_region_cell *cell =
        count < REGIONS_MOST ? cs_cells_append(&cells, 0, CS_BLOCK_REGION, sizeof *cell) : NULL;
    if (!cell)
        return 0;
    cell->parent = parent;
    memcpy(cell->name, name, strlen(name) + 1);
    cell->min_ticks = UINT64_MAX;
    cell->first_ticks = cell->last_ticks = ticks;
    cell->interval = CS_COURSE_FIRST;
    known[++count] = cell;
    cs_publish(cell->number, count);
    return count;
}

/* MPI time of a thread in the calls that have returned. */
static uint64_t mpi_ticks(const struct cs_thread *thread)
{
    return thread->state->mpi_ticks;
}

void cs_region_begin(const struct cs_thread *thread, const char *name, uint64_t ticks)
{
    pthread_mutex_lock(&lock);
    if (depth == DEPTH_MOST) {
        beyond++;
        pthread_mutex_unlock(&lock);
        return;
    }
    uint32_t around = depth ? open_regions[depth - 1].number : 0;
    bool room = !depth || open_regions[depth - 1].own; /* a region inside one without number has none */
    uint32_t number = room ? find_region(around, name) : 0;
    if (room && !number)
        number = add_region(around, name, ticks);
    struct open_region *region = &open_regions[depth++];
    *region = (struct open_region){.number = number ? number : around,
                                   .own = number != 0,
                                   .thread = thread,
                                   .ticks = ticks,
                                   .mpi_ticks = mpi_ticks(thread)};
    memcpy(region->name, name, strlen(name) + 1);
    publish_region();
    pthread_mutex_unlock(&lock);
}

static void count_entry(const struct open_region *region, const struct cs_thread *thread, uint64_t ticks)
{
    struct cs_region_cell *cell = known[region->number];
    const struct cs_course course = {.interval = &cell->interval,
                                     .filled = &cell->filled,
                                     .slots = CS_COURSE_REGION,
                                     .values = 3,
                                     .at = {cell->entries_at, cell->ticks_at, cell->mpi_at}};
    uint64_t first = cs_journal_header(cs_recorder.journal)->first.ticks;
    uint64_t spent = ticks > region->ticks ? ticks - region->ticks : 0;
    if (ticks > first) {
        uint64_t reached = cs_course_reach(&course, ticks - first), i = cell->filled;
        for (; i < reached; i++) {
            cell->entries_at[i] = cell->entries;
            cell->ticks_at[i] = cell->ticks;
            cell->mpi_at[i] = cell->mpi_ticks;
        }
        cs_publish(cell->filled, i);
    }
    cell->entries++;
    cell->ticks += spent;
    if (region->thread == thread)
        cell->mpi_ticks += mpi_ticks(thread) - region->mpi_ticks;
    else
        cell->mixed = 1;
    if (spent < cell->min_ticks)
        cell->min_ticks = spent;
    if (spent > cell->max_ticks)
        cell->max_ticks = spent;
    cell->last_ticks = ticks;
}

void cs_region_end(const struct cs_thread *thread, const char *name, uint64_t ticks)
{
    pthread_mutex_lock(&lock);
    uint32_t at = depth;
    if (beyond) {
        beyond--;
        at = 0;
    }
    while (at && strcmp(open_regions[at - 1].name, name) != 0)
        at--;
    if (at) {
        if (open_regions[at - 1].own)
            count_entry(&open_regions[at - 1], thread, ticks);
        depth = at - 1;
        publish_region();
    }
    pthread_mutex_unlock(&lock);
}

void cs_region_forget(void)
{
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    depth = beyond = count = 0;
}
