#include "db/convert/process.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "db/convert/sites.h"
#include "functions.h"
#include "journal/reader.h"
#include "journal_words.h"

/* The transfer of a request by its flags; NULL: neither, or unknown. */
static const char *transfer_of(uint32_t flags)
{
    static const char *const words[] = {NULL, "receive", "send", "both"};
    return words[(flags & CS_REQUEST_RECEIVES ? 1 : 0) + (flags & CS_REQUEST_SENDS ? 2 : 0)];
}

/* ---- threads ---- */

static bool is_inside(const struct cs_thread_state *state)
{
    return state->function && state->doing == CS_THREAD_INSIDE;
}

/* A process that writes its own trace is still in MPI_Finalize, although the MPI has returned. */
static struct cs_thread_state state_of(struct cs_conversion *conversion, const void *cell)
{
    struct cs_thread_state state = *(const struct cs_thread_state *)cell;
    if (conversion->finalizing && state.function == CS_MPI_Finalize && state.doing == CS_THREAD_OUTSIDE &&
        state.until_ticks - state.since_ticks <= state.mpi_ticks) {
        state.doing = CS_THREAD_INSIDE;
        state.mpi_ticks -= state.until_ticks - state.since_ticks;
        conversion->finalize_open = true;
    }
    return state;
}

/* Notes begin and end of a thread's call, and its number of calls. */
static enum cs_status see_thread(void *context, const void *cell)
{
    struct cs_conversion *conversion = context;
    const struct cs_thread_state *state = cell;
    if (!cs_array_grow(&conversion->thread, conversion->thread_count, &conversion->thread_room,
                       sizeof *conversion->thread))
        return CS_NO_MEMORY;
    conversion->thread[conversion->thread_count++] =
        (struct cs_thread_calls){.thread = state->thread, .calls = state->calls, .until_ticks = state->until_ticks};
    if (is_inside(state))
        cs_conversion_note_instant(conversion, state->since_ticks);
    if (state->until_ticks)
        cs_conversion_note_instant(conversion, state->until_ticks);
    return CS_OK;
}

/* Time in MPI, including a call that did not return, until it was last seen. */
static uint64_t mpi_ticks(const struct cs_conversion *conversion, const struct cs_thread_state *state)
{
    return state->mpi_ticks + (is_inside(state) && conversion->seen_ticks > state->since_ticks
                                   ? conversion->seen_ticks - state->since_ticks
                                   : 0);
}

/* Lifetime of the threads with this state; the last one lives until now unless it ended. */
static uint64_t lived_ticks(const struct cs_conversion *conversion, const struct cs_thread_state *state)
{
    bool lives = state->doing != CS_THREAD_ENDED && state->began_ticks && conversion->seen_ticks > state->began_ticks;
    return state->lived_ticks + (lives ? conversion->seen_ticks - state->began_ticks : 0);
}

static enum cs_status write_thread(void *context, const void *cell)
{
    struct cs_conversion *conversion = context;
    const struct cs_thread_state now = state_of(conversion, cell), *state = &now;
    const char *doing = cs_name_of_doing(state->doing);
    if (!doing) {
        conversion->damaged = true;
        return CS_OK;
    }
    const struct cs_function *called = cs_function_find(state->function);
    const struct cs_function *function = is_inside(state) ? called : NULL;
    enum cs_wait wait = function ? function->wait : CS_NO_WAIT;
    const struct cs_inner_call none = {.function = 0}, *inner = function ? &state->inner : &none;
    int64_t site, inner_site = 0;
    enum cs_status status = cs_sites_find(conversion->sites, state->site, UINT64_MAX, &site);
    if (status == CS_OK && inner->function)
        status = cs_sites_find(conversion->sites, inner->site, UINT64_MAX, &inner_site);
    if (status != CS_OK)
        return status;
    uint64_t ticks = mpi_ticks(conversion, state);
    conversion->threads += state->threads;
    cs_conversion_add(conversion, &conversion->calls, state->calls);
    cs_conversion_add_span(conversion, &conversion->mpi_ns, ticks);
    /* Several threads may be inside MPI; the first one is usually the main one. */
    if (is_inside(state) && (!conversion->last.function || state->thread < conversion->last.thread)) {
        conversion->last = *state;
        conversion->last_site = site;
    }
    struct cs_row_thread row = {
        .thread = cs_int(state->thread),
        .tid = cs_int_unless(state->tid, 0),
        .threads = cs_int(state->threads),
        .state = cs_text(doing),
        .function = cs_conversion_function(conversion, state->function),
        .object = cs_int_unless(state->object, 0),
        .site = cs_int_unless(site, 0),
        .since_ns = cs_conversion_instant_unless_0(conversion, state->since_ticks),
        .until_ns = cs_conversion_instant_unless_0(conversion, state->until_ticks),
        .calls = cs_int(cs_conversion_count(conversion, state->calls)),
        .mpi_ns = cs_int(cs_conversion_span(conversion, ticks)),
        .lived_ns = cs_int(cs_conversion_span(conversion, lived_ticks(conversion, state))),
    };
    if (state->function) {
        row.peer = cs_int_unless(state->peer, CS_NO_PEER);
        row.tag = cs_int_unless(state->tag, CS_NO_TAG);
        row.bytes = cs_int_unless((int64_t)state->bytes, (int64_t)CS_NO_BYTES);
    }
    if (called && strcmp(called->class, "completion") == 0 && state->peer != CS_NO_PEER)
        row.transfer = cs_text(transfer_of(state->request_flags));
    if (function && function->collective)
        row.collective = cs_int_unless(state->collective, 0);
    if (wait == CS_WAIT_EXCHANGE) {
        row.source = cs_int_unless(state->source, CS_NO_PEER);
        row.source_tag = cs_int_unless(state->source_tag, CS_NO_TAG);
    }
    if (wait == CS_WAIT_ALL_REQUESTS || wait == CS_WAIT_ANY_REQUEST)
        row.awaited = cs_int(state->awaited);
    if (inner->function) {
        row.inner_function = cs_conversion_function(conversion, inner->function);
        row.inner_object = cs_int_unless(inner->object, 0);
        row.inner_peer = cs_int_unless(inner->peer, CS_NO_PEER);
        row.inner_tag = cs_int_unless(inner->tag, CS_NO_TAG);
        row.inner_collective = cs_int_unless(inner->collective, 0);
        row.inner_site = cs_int_unless(inner_site, 0);
        row.inner_since_ns = cs_conversion_instant_unless_0(conversion, inner->since_ticks);
    }
    return cs_trace_insert(conversion->rows, CS_ROW_thread, &row);
}

static enum cs_status visit(struct cs_conversion *conversion, enum cs_status (*each)(void *context, const void *cell))
{
    return cs_journal_read_cells(conversion->reader, CS_BLOCK_THREAD, each, conversion);
}

enum cs_status cs_threads_write(struct cs_conversion *conversion)
{
    enum cs_status status = visit(conversion, see_thread);
    return status == CS_OK ? visit(conversion, write_thread) : status;
}

/* ---- requests ---- */

/* A request that a thread waits for. */
struct awaited {
    uint64_t handle;
    uint32_t thread;
};

struct requests {
    struct cs_conversion *conversion;
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

static enum cs_status write_request(void *context, const void *visited)
{
    struct requests *requests = context;
    struct cs_conversion *conversion = requests->conversion;
    const struct cs_request_cell *cell = visited;
    if (!(cell->flags & CS_REQUEST_ACTIVE) || cell->flags & CS_REQUEST_INTERNAL)
        return CS_OK;
    const struct awaited key = {.handle = cell->handle};
    const struct awaited *awaited =
        requests->count ? bsearch(&key, requests->awaited, requests->count, sizeof key, by_handle) : NULL;
    int64_t site;
    enum cs_status status = cs_sites_find(conversion->sites, cell->site, UINT64_MAX, &site);
    if (status != CS_OK)
        return status;
    struct cs_row_active_request row = {
        .request = cs_int(requests->number++),
        .object = cs_int_unless(cell->object, 0),
        .function = cs_conversion_function(conversion, cell->function),
        .transfer = cs_text(transfer_of(cell->flags)),
        .peer = cs_int_unless(cell->peer, CS_NO_PEER),
        .tag = cs_int_unless(cell->tag, CS_NO_TAG),
        .bytes = cs_int_unless((int64_t)cell->bytes, (int64_t)CS_NO_BYTES),
        .collective = cs_int_unless(cell->collective, 0),
        .persistent = cs_int((cell->flags & CS_REQUEST_PERSISTENT) != 0),
        .copies = cs_int(cell->references),
        .site = cs_int_unless(site, 0),
    };
    if (cell->partitions) {
        row.partitions = cs_int(cell->partitions);
        row.ready = cs_int(cell->ready);
    }
    if (awaited)
        row.thread = cs_int(awaited->thread);
    return cs_trace_insert(conversion->rows, CS_ROW_active_request, &row);
}

enum cs_status cs_requests_write(struct cs_conversion *conversion)
{
    struct requests requests = {.conversion = conversion};
    enum cs_status status = cs_journal_read_cells(conversion->reader, CS_BLOCK_THREAD, read_awaited, &requests);
    if (requests.count)
        qsort(requests.awaited, requests.count, sizeof *requests.awaited, by_handle);
    if (status == CS_OK)
        status = cs_journal_read_cells(conversion->reader, CS_BLOCK_REQUEST, write_request, &requests);
    free(requests.awaited);
    return status;
}

/* ---- the process ---- */

/* Instant 0 on a clock that was read when the journal began; NULL if the header is invalid. */
static struct cs_value zero_by(struct cs_conversion *conversion, uint64_t first_ns)
{
    int64_t zero_ns;
    if (__builtin_sub_overflow(first_ns, cs_conversion_instant(conversion, conversion->header->first.ticks), &zero_ns))
        return cs_text(NULL);
    return cs_int(zero_ns);
}

enum cs_status cs_process_write(struct cs_conversion *conversion, enum cs_outcome outcome)
{
    const struct cs_journal_header *header = conversion->header;
    const struct cs_thread_state *last = &conversion->last;
    bool damaged = conversion->damaged || cs_journal_read_damaged(conversion->reader);
    uint64_t found = outcome == CS_OUTCOME_DIED ? cs_conversion_now(conversion) : 0;
    struct cs_row_process row = {
        .world_size = cs_int_unless(header->size, -1),
        .node = cs_text(conversion->about[CS_ABOUT_NODE]),
        .pid = cs_int(header->pid),
        .program = cs_text(conversion->about[CS_ABOUT_PROGRAM]),
        .arguments = cs_text(conversion->about[CS_ABOUT_ARGUMENTS]),
        .thread_level = cs_text(conversion->about[CS_ABOUT_THREAD_LEVEL]),
        .started_utc = cs_text(conversion->about[CS_ABOUT_STARTED]),
        .zero_utc_ns = zero_by(conversion, header->first.realtime_ns),
        .zero_monotonic_ns = zero_by(conversion, header->first.monotonic_ns),
        .clock_offset_ns = cs_int(conversion->shift_ns),
        .began_ns = cs_conversion_instant_unless_0(conversion, header->first.ticks),
        .init_ns = cs_conversion_instant_unless_0(conversion, header->init_ticks),
        .finalize_ns = cs_conversion_instant_unless_0(conversion, header->finalize_ticks),
        .last_seen_ns = cs_conversion_instant_unless_0(conversion, conversion->seen_ticks),
        .found_dead_ns = cs_conversion_instant_unless_0(conversion, found > conversion->seen_ticks ? found : 0),
        .outcome = cs_text(cs_name_of_outcome(outcome)),
        .threads = cs_int(cs_conversion_count(conversion, conversion->threads)),
        .calls = cs_int((int64_t)conversion->calls),
        .mpi_ns = cs_int((int64_t)conversion->mpi_ns),
        .lost = cs_int(cs_conversion_count(conversion, header->lost)),
        .damaged = cs_int(damaged),
        .run_hash = cs_int((int64_t)header->run_hash),
    };
    if (last->function && outcome != CS_OUTCOME_FINALIZED) {
        row.last_function = cs_conversion_function(conversion, last->function);
        row.last_object = cs_int_unless(last->object, 0);
        row.last_peer = cs_int_unless(last->peer, CS_NO_PEER);
        row.last_tag = cs_int_unless(last->tag, CS_NO_TAG);
        row.last_bytes = cs_int_unless((int64_t)last->bytes, (int64_t)CS_NO_BYTES);
        row.last_site = cs_int_unless(conversion->last_site, 0);
        row.last_since_ns = cs_conversion_instant_unless_0(conversion, last->since_ticks);
    }
    return cs_trace_insert(conversion->rows, CS_ROW_process, &row);
}
