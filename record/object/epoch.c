#include "record/object/epoch.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/guard.h"
#include "base/hash_table.h"
#include "journal/format.h"
#include "journal/writer.h"
#include "record/process/cells.h"
#include "record/process/recorder.h"

/* The last epoch of one side. */
struct side {
    bool open;
    bool begins;    /* the call that opens it has not ended */
    uint32_t group; /* 0: not known */
    struct cs_epoch_cell **cell;
    size_t cells, room;
};

struct window {
    uint32_t id;
    bool lost;                    /* some epochs are not counted */
    struct cs_epoch_cell *others; /* says so to readers; NULL: not yet, or no room */
    struct cs_epoch_cell **cell;  /* by peer */
    size_t cells, room;
    struct side side[2];
    UT_hash_handle hh;
};

static struct cs_lock lock;
static struct window *windows;
static struct cs_cells all;
/* Cells of dead windows, to be used again. */
static struct cs_epoch_cell **unused;
static size_t unused_count, unused_room;

static struct window *find(uint32_t id)
{
    struct window *window;
    HASH_FIND(hh, windows, &id, sizeof id, window);
    return window;
}

static struct window *make(uint32_t id)
{
    struct window *window = calloc(1, sizeof *window);
    if (!window)
        return NULL;
    window->id = id;
    CS_TABLE_ADD(windows, id, window);
    return window;
}

/* NULL without memory: then it is counted as lost. */
static struct window *find_or_make(uint32_t id)
{
    struct window *window = find(id);
    if (!window)
        window = make(id);
    if (!window)
        cs_journal_count_loss(cs_recorder.journal);
    return window;
}

/* ---- cells ---- */

static struct cs_epoch_cell *new_cell(uint32_t window, int32_t peer)
{
    struct cs_epoch_cell *cell =
        unused_count ? unused[--unused_count] : cs_cells_append(&all, 0, CS_BLOCK_EPOCH, sizeof *cell);
    if (!cell)
        return NULL;
    cell->peer = peer;
    cell->starts = cell->completes = cell->posts = cell->waits = cell->unchecked = 0;
    cs_publish(cell->object, window);
    return cell;
}

static int compare_peer(const void *item, const void *key)
{
    return cs_compare((*(struct cs_epoch_cell *const *)item)->peer, *(const int32_t *)key);
}

/* NULL: there are too many, or no memory. */
static struct cs_epoch_cell *cell_of(struct window *window, int32_t peer)
{
    size_t at = cs_array_lower_bound(window->cell, window->cells, sizeof *window->cell, &peer, compare_peer);
    if (at < window->cells && window->cell[at]->peer == peer)
        return window->cell[at];
    if (window->cells == CS_EPOCH_PEERS_MOST ||
        !cs_array_grow(&window->cell, window->cells, &window->room, sizeof *window->cell))
        return NULL;
    struct cs_epoch_cell *cell = new_cell(window->id, peer);
    if (!cell)
        return NULL;
    memmove(window->cell + at + 1, window->cell + at, (window->cells - at) * sizeof *window->cell);
    window->cell[at] = cell;
    window->cells++;
    return cell;
}

static void release_cell(struct cs_epoch_cell *cell)
{
    cs_publish(cell->object, 0);
    if (cs_array_grow(&unused, unused_count, &unused_room, sizeof *unused))
        unused[unused_count++] = cell;
}

static void lose(struct window *window)
{
    if (!window->lost)
        window->others = new_cell(window->id, CS_PEER_OTHERS); /* without room the journal counts a loss */
    window->lost = true;
}

/* ---- epochs ---- */

static void count_opened(struct side *it, const struct cs_epoch *epoch)
{
    for (size_t i = 0; i < it->cells; i++) {
        struct cs_epoch_cell *cell = it->cell[i];
        if (epoch->side == CS_EPOCH_ACCESS) {
            cs_publish(cell->unchecked, epoch->unchecked);
            cs_publish(cell->starts, cell->starts + 1);
        } else {
            cs_publish(cell->posts, cell->posts + 1);
        }
    }
    it->open = true;
    it->begins = epoch->side == CS_EPOCH_ACCESS;
}

static void take_back(struct side *it)
{
    for (size_t i = 0; i < it->cells; i++)
        cs_publish(it->cell[i]->starts, it->cell[i]->starts - 1);
    it->open = it->begins = false;
}

/* An epoch that is open ends, or the MPI refuses the next one. A call that began it and did not return is taken back.
 */
static void end_former(struct window *window, struct side *it)
{
    if (it->begins)
        take_back(it);
    else if (it->open)
        lose(window);
    it->open = false;
}

bool cs_epoch_reopen(const struct cs_epoch *epoch)
{
    const bool locked = cs_guard_enter(&lock);
    struct window *window = find(epoch->window);
    struct side *it = window ? &window->side[epoch->side] : NULL;
    bool same = window && (window->lost || (epoch->group && it->group == epoch->group));
    if (same && !window->lost) {
        end_former(window, it);
        count_opened(it, epoch);
    }
    cs_guard_leave(&lock, locked);
    return same;
}

static bool list_peers(struct window *window, struct side *it, const int *peer, int peers)
{
    it->group = 0;
    it->cells = 0;
    for (int i = 0; i < peers; i++) {
        struct cs_epoch_cell *cell = cell_of(window, peer[i]);
        if (!cell || !cs_array_grow(&it->cell, it->cells, &it->room, sizeof *it->cell))
            return false;
        it->cell[it->cells++] = cell;
    }
    return true;
}

void cs_epoch_open(const struct cs_epoch *epoch, const int *peer, int peers)
{
    const bool locked = cs_guard_enter(&lock);
    struct window *window = find_or_make(epoch->window);
    struct side *it = window ? &window->side[epoch->side] : NULL;
    if (window && !window->lost) {
        end_former(window, it);
        if (list_peers(window, it, peer, peers)) {
            it->group = epoch->group;
            count_opened(it, epoch);
        } else {
            lose(window);
        }
    }
    cs_guard_leave(&lock, locked);
}

void cs_epoch_begun(uint32_t window_id, bool succeeded)
{
    const bool locked = cs_guard_enter(&lock);
    struct window *window = find(window_id);
    struct side *it = window ? &window->side[CS_EPOCH_ACCESS] : NULL;
    if (it && it->begins && !succeeded)
        take_back(it);
    if (it)
        it->begins = false;
    cs_guard_leave(&lock, locked);
}

int cs_epoch_peers(uint32_t window_id, enum cs_epoch_side side, struct cs_epoch_peer peer[CS_EPOCH_PEERS_MOST])
{
    int peers = 0;
    const bool locked = cs_guard_enter(&lock);
    struct window *window = find(window_id);
    const struct side *it = window && !window->lost && window->side[side].open ? &window->side[side] : NULL;
    for (size_t i = 0; it && i < it->cells && peers < CS_EPOCH_PEERS_MOST; i++)
        peer[peers++] = (struct cs_epoch_peer){
            .peer = it->cell[i]->peer, .nth = side == CS_EPOCH_ACCESS ? it->cell[i]->starts : it->cell[i]->posts};
    cs_guard_leave(&lock, locked);
    return peers;
}

void cs_epoch_close(uint32_t window_id, enum cs_epoch_side side)
{
    const bool locked = cs_guard_enter(&lock);
    struct window *window = find(window_id);
    struct side *it = window ? &window->side[side] : NULL;
    for (size_t i = 0; it && it->open && i < it->cells; i++) {
        struct cs_epoch_cell *cell = it->cell[i];
        if (side == CS_EPOCH_ACCESS)
            cs_publish(cell->completes, cell->completes + 1);
        else
            cs_publish(cell->waits, cell->waits + 1);
    }
    if (it)
        it->open = it->begins = false;
    cs_guard_leave(&lock, locked);
}

/* ---- windows ---- */

void cs_epoch_lose(uint32_t window_id)
{
    const bool locked = cs_guard_enter(&lock);
    struct window *window = find_or_make(window_id);
    if (window)
        lose(window);
    cs_guard_leave(&lock, locked);
}

void cs_epoch_drop(uint32_t window_id)
{
    const bool locked = cs_guard_enter(&lock);
    struct window *window = find(window_id);
    if (window) {
        for (size_t i = 0; i < window->cells; i++)
            release_cell(window->cell[i]);
        if (window->others)
            release_cell(window->others);
        HASH_DEL(windows, window);
        free(window->side[CS_EPOCH_ACCESS].cell);
        free(window->side[CS_EPOCH_EXPOSURE].cell);
        free(window->cell);
        free(window);
    }
    cs_guard_leave(&lock, locked);
}

void cs_epoch_forget(void)
{
    lock = (struct cs_lock){CS_LOCK_FREE};
}
