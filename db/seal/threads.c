#include "db/seal/threads.h"

#include <string.h>

#include "db/journal/names.h"
#include "db/journal/reader.h"
#include "db/journal/format.h"
#include "db/seal/sites.h"
#include "functions.h"

static bool is_inside(const struct cs_thread_state *state)
{
    return state->function && state->doing == CS_THREAD_INSIDE;
}

/* Whoever writes its trace is in MPI_Finalize until that is done, although MPI has returned from it. */
static struct cs_thread_state state_of(struct cs_sealing *sealing, const void *cell)
{
    struct cs_thread_state state = *(const struct cs_thread_state *)cell;
    if (sealing->finalizing && state.function == CS_MPI_Finalize && state.doing == CS_THREAD_OUTSIDE &&
        state.until_ticks - state.since_ticks <= state.mpi_ticks) {
        state.doing = CS_THREAD_INSIDE;
        state.mpi_ticks -= state.until_ticks - state.since_ticks;
        sealing->finalize_open = true;
    }
    return state;
}

/* Every begin and end of a call of a thread. */
static enum cs_status see_thread(void *context, const void *cell)
{
    const struct cs_thread_state *state = cell;
    if (is_inside(state))
        cs_sealing_see(context, state->since_ticks);
    if (state->until_ticks)
        cs_sealing_see(context, state->until_ticks);
    return CS_OK;
}

/* With the call that did not return, as long as it is known to have lasted. */
static uint64_t mpi_ticks(const struct cs_sealing *sealing, const struct cs_thread_state *state)
{
    return state->mpi_ticks + (is_inside(state) && sealing->seen_ticks > state->since_ticks
                                   ? sealing->seen_ticks - state->since_ticks
                                   : 0);
}

/* That the threads of this state lived; the last one until now, unless it ended. */
static uint64_t lived_ticks(const struct cs_sealing *sealing, const struct cs_thread_state *state)
{
    bool lives = state->doing != CS_THREAD_ENDED && state->began_ticks && sealing->seen_ticks > state->began_ticks;
    return state->lived_ticks + (lives ? sealing->seen_ticks - state->began_ticks : 0);
}

/* What the request does that a wait is for; NULL: not known, or no wait. */
static const char *transfer_of(const struct cs_thread_state *state)
{
    static const char *const words[] = {NULL, "receive", "send", "both"};
    const struct cs_function *function = cs_function_find(state->function);
    bool waits = function && strcmp(function->class, "completion") == 0 && state->peer != CS_NO_PEER;
    return waits ? words[(state->request_flags & CS_WAITS_RECEIVE ? 1 : 0) +
                         (state->request_flags & CS_WAITS_SEND ? 2 : 0)]
                 : NULL;
}

static enum cs_status write_thread(void *context, const void *cell)
{
    struct cs_sealing *sealing = context;
    const struct cs_thread_state now = state_of(sealing, cell), *state = &now;
    const char *doing = cs_name_of_doing(state->doing);
    if (!doing) {
        sealing->damaged = true;
        return CS_OK;
    }
    int64_t site;
    enum cs_status status = cs_sites_find(sealing->sites, state->site, UINT64_MAX, &site);
    if (status != CS_OK)
        return status;
    const struct cs_function *function = is_inside(state) ? cs_function_find(state->function) : NULL;
    enum cs_wait wait = function ? function->wait : CS_NO_WAIT;
    bool collective = function && function->collective;
    const struct cs_inner_call none = {.function = 0}, *inner = function ? &state->inner : &none;
    bool called_inside = inner->function;
    int64_t inner_site = 0;
    if (called_inside && (status = cs_sites_find(sealing->sites, inner->site, UINT64_MAX, &inner_site)) != CS_OK)
        return status;
    uint64_t ticks = mpi_ticks(sealing, state);
    sealing->threads += state->threads;
    cs_sealing_add(sealing, &sealing->calls, state->calls);
    cs_sealing_add_span(sealing, &sealing->mpi_ns, ticks);
    /* Several threads may be inside MPI; the first one usually is what the user thinks of as the program. */
    if (is_inside(state) && (!sealing->last.function || state->thread < sealing->last.thread)) {
        sealing->last = *state;
        sealing->last_site = site;
    }
    bool called = state->function;
    struct cs_value nothing = cs_text(NULL);
    return CS_WRITE(
        sealing->rows, CS_ROW_THREAD, cs_int(sealing->rank), cs_int(state->thread), cs_int_unless(state->tid, 0),
        cs_int(state->threads), cs_text(doing), cs_sealing_function(sealing, state->function),
        cs_int_unless(state->object, 0), called ? cs_int_unless(state->peer, CS_NO_PEER) : nothing,
        called ? cs_int_unless(state->tag, CS_NO_TAG) : nothing,
        called ? cs_int_unless((int64_t)state->bytes, (int64_t)CS_NO_BYTES) : nothing, cs_int_unless(site, 0),
        cs_sealing_instant_unless_0(sealing, state->since_ticks),
        cs_sealing_instant_unless_0(sealing, state->until_ticks), cs_int(cs_sealing_count(sealing, state->calls)),
        cs_int(cs_sealing_span(sealing, ticks)), cs_text(transfer_of(state)),
        cs_int(cs_sealing_span(sealing, lived_ticks(sealing, state))),
        collective ? cs_int_unless(state->collective, 0) : nothing,
        wait == CS_WAIT_EXCHANGE ? cs_int_unless(state->source, CS_NO_PEER) : nothing,
        wait == CS_WAIT_EXCHANGE ? cs_int_unless(state->source_tag, CS_NO_TAG) : nothing,
        wait == CS_WAIT_ALL_REQUESTS || wait == CS_WAIT_ANY_REQUEST ? cs_int(state->awaited) : nothing,
        cs_sealing_function(sealing, inner->function), called_inside ? cs_int_unless(inner->object, 0) : nothing,
        called_inside ? cs_int_unless(inner->peer, CS_NO_PEER) : nothing,
        called_inside ? cs_int_unless(inner->tag, CS_NO_TAG) : nothing,
        called_inside ? cs_int_unless(inner->collective, 0) : nothing, cs_int_unless(inner_site, 0),
        called_inside ? cs_sealing_instant_unless_0(sealing, inner->since_ticks) : nothing);
}

static enum cs_status visit(struct cs_sealing *sealing, enum cs_status (*each)(void *context, const void *cell))
{
    return cs_journal_read_cells(sealing->reader, CS_BLOCK_THREAD, sizeof(struct cs_thread_state), each, sealing);
}

enum cs_status cs_threads_write(struct cs_sealing *sealing)
{
    enum cs_status status = visit(sealing, see_thread);
    return status == CS_OK ? visit(sealing, write_thread) : status;
}
