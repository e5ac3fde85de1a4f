#include "db/seal/waits.h"

#include <stdlib.h>

#include "base/array.h"
#include "db/journal/reader.h"
#include "db/journal/format.h"
#include "db/seal/sites.h"
#include "functions.h"

static enum cs_status write_collective(void *context, const void *visited)
{
    struct cs_sealing *sealing = context;
    const struct cs_collective_cell *cell = visited;
    if (!cell->object || !cell->begun)
        return CS_OK;
    return CS_WRITE(sealing->rows, CS_ROW_COLLECTIVE, cs_int(sealing->rank), cs_int(cell->object), cs_int(cell->begun),
                    cs_sealing_function(sealing, cell->function), cs_int_unless(cell->root, CS_NO_PEER));
}

static enum cs_status write_lock(void *context, const void *visited)
{
    struct cs_sealing *sealing = context;
    const struct cs_lock_cell *cell = visited;
    if (!cell->object)
        return CS_OK;
    return CS_WRITE(sealing->rows, CS_ROW_WINDOW_LOCK, cs_int(sealing->rank), cs_int(cell->object),
                    cs_int(cell->target), cs_int(cell->exclusive != 0));
}

/* A request that a thread waits for. */
struct awaited {
    uint64_t handle;
    uint32_t thread;
};

struct requests {
    struct cs_sealing *sealing;
    struct awaited *awaited;
    size_t count, room;
    int64_t number;
};

static int by_handle(const void *left, const void *right)
{
    return cs_compare(((const struct awaited *)left)->handle, ((const struct awaited *)right)->handle);
}

static enum cs_status read_awaited(void *context, const void *visited)
{
    struct requests *requests = context;
    const struct cs_thread_state *state = visited;
    const struct cs_function *function = cs_function_find(state->function);
    bool waits = state->doing == CS_THREAD_INSIDE && function &&
                 (function->wait == CS_WAIT_ALL_REQUESTS || function->wait == CS_WAIT_ANY_REQUEST);
    for (uint32_t i = 0; waits && i < state->awaited && i < CS_AWAITED_KEPT; i++) {
        if (!cs_array_grow(&requests->awaited, requests->count, &requests->room, sizeof *requests->awaited))
            return CS_NO_MEMORY;
        requests->awaited[requests->count++] =
            (struct awaited){.handle = state->awaited_request[i], .thread = state->thread};
    }
    return CS_OK;
}

static const char *transfer_of(uint32_t flags)
{
    static const char *const words[] = {NULL, "receive", "send", "both"};
    return words[(flags & CS_WAITS_RECEIVE ? 1 : 0) + (flags & CS_WAITS_SEND ? 2 : 0)];
}

static enum cs_status write_request(void *context, const void *visited)
{
    struct requests *requests = context;
    struct cs_sealing *sealing = requests->sealing;
    const struct cs_request_cell *cell = visited;
    if (!cell->references || !(cell->flags & CS_WAITS_ACTIVE) || cell->flags & CS_WAITS_INTERNAL)
        return CS_OK;
    const struct awaited key = {.handle = cell->handle};
    const struct awaited *awaited =
        requests->count ? bsearch(&key, requests->awaited, requests->count, sizeof key, by_handle) : NULL;
    int64_t site;
    enum cs_status status = cs_sites_find(sealing->sites, cell->site, UINT64_MAX, &site);
    if (status != CS_OK)
        return status;
    return CS_WRITE(sealing->rows, CS_ROW_ACTIVE_REQUEST, cs_int(sealing->rank), cs_int(requests->number++),
                    cs_int_unless(cell->object, 0), cs_sealing_function(sealing, cell->function),
                    cs_text(transfer_of(cell->flags)), cs_int_unless(cell->peer, CS_NO_PEER),
                    cs_int_unless(cell->tag, CS_NO_TAG), cs_int_unless((int64_t)cell->bytes, (int64_t)CS_NO_BYTES),
                    cs_int_unless(cell->collective, 0), cs_int_unless(cell->partitions, 0),
                    cell->partitions ? cs_int(cell->ready) : cs_text(NULL),
                    cs_int((cell->flags & CS_WAITS_PERSISTENT) != 0), cs_int(cell->references), cs_int_unless(site, 0),
                    awaited ? cs_int(awaited->thread) : cs_text(NULL));
}

static enum cs_status write_requests(struct cs_sealing *sealing)
{
    struct requests requests = {.sealing = sealing};
    enum cs_status status = cs_journal_read_cells(sealing->reader, CS_BLOCK_THREAD, sizeof(struct cs_thread_state),
                                                  read_awaited, &requests);
    if (requests.count)
        qsort(requests.awaited, requests.count, sizeof *requests.awaited, by_handle);
    if (status == CS_OK)
        status = cs_journal_read_cells(sealing->reader, CS_BLOCK_REQUEST, sizeof(struct cs_request_cell), write_request,
                                       &requests);
    free(requests.awaited);
    return status;
}

enum cs_status cs_waits_write(struct cs_sealing *sealing, bool all)
{
    enum cs_status status = cs_journal_read_cells(sealing->reader, CS_BLOCK_COLLECTIVE,
                                                  sizeof(struct cs_collective_cell), write_collective, sealing);
    if (status == CS_OK && all)
        status =
            cs_journal_read_cells(sealing->reader, CS_BLOCK_LOCK, sizeof(struct cs_lock_cell), write_lock, sealing);
    return status == CS_OK && all ? write_requests(sealing) : status;
}
