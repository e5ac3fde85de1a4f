#include "wrappers/object/window.h"

#include "base/keep_errno.h"
#include "pmpi_queries.h"
#include "record/call/ring.h"
#include "record/object/epoch.h"
#include "record/object/progress.h"
#include "wrappers/mpi/handle.h"
#include "wrappers/object/birth.h"
#include "wrappers/object/published_name.h"

static const void *attribute_of(MPI_Win win, int keyval)
{
    void *value = NULL;
    int found = 0;
    cs_mpi_Win_get_attr(win, keyval, &value, &found);
    return found ? value : NULL;
}

static int flavor_number(const int *flavor)
{
    if (!flavor)
        return 0;
    return *flavor == MPI_WIN_FLAVOR_CREATE     ? 1
           : *flavor == MPI_WIN_FLAVOR_ALLOCATE ? 2
           : *flavor == MPI_WIN_FLAVOR_DYNAMIC  ? 3
           : *flavor == MPI_WIN_FLAVOR_SHARED   ? 4
                                                : 0;
}

static int model_number(const int *model)
{
    if (!model)
        return 0;
    return *model == MPI_WIN_SEPARATE ? 1 : *model == MPI_WIN_UNIFIED ? 2 : 0;
}

static void query(MPI_Win win, struct cs_birth *birth)
{
    const MPI_Aint *size = attribute_of(win, MPI_WIN_SIZE);
    const int *unit = attribute_of(win, MPI_WIN_DISP_UNIT);
    MPI_Group group;
    birth->fortran_handle = cs_mpi_Win_c2f(win);
    birth->bytes = size ? *size : 0;
    if (cs_mpi_Win_get_group(win, &group) == MPI_SUCCESS) {
        cs_mpi_Group_size(group, &birth->size);
        cs_mpi_Group_rank(group, &birth->rank);
        cs_mpi_Group_free(&group);
    }
    birth->facts = CS_FACT_WINDOW;
    birth->window = (struct cs_fact_window){.communicator = birth->parent,
                                            .flavor = flavor_number(attribute_of(win, MPI_WIN_CREATE_FLAVOR)),
                                            .model = model_number(attribute_of(win, MPI_WIN_MODEL)),
                                            .base = (uint64_t)(uintptr_t)attribute_of(win, MPI_WIN_BASE),
                                            .size_bytes = birth->bytes,
                                            .displacement_unit_bytes = unit ? *unit : 0};
}

int64_t cs_win_displacement_unit(MPI_Win win)
{
    const int *unit = attribute_of(win, MPI_WIN_DISP_UNIT);
    return unit && *unit > 0 ? *unit : 1;
}

void cs_made_win(struct cs_call *call, MPI_Win win)
{
    if (!cs_is_plausible(win, MPI_WIN_NULL))
        return;
    struct cs_birth birth;
    cs_birth_begin(&birth, call, CALLSIGN_WINDOW, CS_KEY(win));
    query(win, &birth);
    cs_birth_identify_and_name(&birth);
    const struct callsign_record *object = cs_birth_register(&birth, call);
    cs_name_take_native(object);
    cs_name_publish(object, NULL);
}

const struct callsign_record *cs_win_record(const struct cs_call *call, MPI_Win win)
{
    const struct callsign_record *object = cs_object_look_up(CALLSIGN_WINDOW, CS_KEY(win));
    if (object || !cs_is_plausible(win, MPI_WIN_NULL))
        return object;
    struct cs_birth birth;
    cs_birth_begin_unseen(&birth, CALLSIGN_WINDOW, CS_KEY(win), cs_adopted_by(call));
    query(win, &birth);
    object = cs_birth_register(&birth, NULL);
    cs_name_take_native(object);
    /* Another thread may have adopted it at the same moment. */
    return object ? object : cs_object_find(CALLSIGN_WINDOW, CS_KEY(win));
}

/* ---- locks ---- */

void cs_locked_window(struct cs_call *call, int lock_type)
{
    if (call->counted && call->peer >= 0)
        cs_window_lock_add(call->about, call->peer, lock_type == MPI_LOCK_EXCLUSIVE);
    if (call->counted && !cs_is_paused() && call->peer >= 0 && lock_type == MPI_LOCK_EXCLUSIVE)
        cs_ring_note_window(call->thread, call->about, call->peer, 0);
}

void cs_locked_all(struct cs_call *call)
{
    if (call->counted)
        cs_window_lock_add(call->about, CS_PEER_ANY, false);
}

void cs_unlocked_window(struct cs_call *call)
{
    if (call->counted && call->peer >= 0)
        cs_window_lock_remove(call->about, call->peer);
}

void cs_unlocked_all(struct cs_call *call)
{
    if (call->counted)
        cs_window_lock_remove(call->about, CS_PEER_ANY);
}

/* ---- epochs ---- */

static bool counts_epochs(const struct cs_call *call)
{
    return call->thread && call->counted && call->about && call->on;
}

/* Writes the open epoch to the events. */
static void note_epoch(const struct cs_call *call, enum cs_epoch_side side)
{
    struct cs_epoch_peer peer[CS_EPOCH_PEERS_MOST];
    int peers = cs_is_paused() ? 0 : cs_epoch_peers(call->about, side, peer);
    for (int i = 0; i < peers; i++)
        cs_ring_note_window(call->thread, call->about, peer[i].peer, peer[i].nth);
}

static bool translate(MPI_Win win, MPI_Group group, int peers, int *nth, int *peer)
{
    MPI_Group members;
    if (cs_mpi_Win_get_group(win, &members) != MPI_SUCCESS)
        return false;
    for (int i = 0; i < peers; i++)
        nth[i] = i;
    bool good = cs_mpi_Group_translate_ranks(group, peers, nth, members, peer) == MPI_SUCCESS;
    cs_mpi_Group_free(&members);
    for (int i = 0; i < peers; i++)
        good = good && peer[i] >= 0; /* MPI_UNDEFINED is negative */
    return good;
}

static void open_epoch(const struct cs_epoch *epoch, MPI_Win win, MPI_Group group)
{
    int nth[CS_EPOCH_PEERS_MOST], peer[CS_EPOCH_PEERS_MOST], peers = 0;
    if (cs_epoch_reopen(epoch))
        return;
    if (cs_mpi_Group_size(group, &peers) == MPI_SUCCESS && peers <= CS_EPOCH_PEERS_MOST &&
        (peers == 0 || translate(win, group, peers, nth, peer)))
        cs_epoch_open(epoch, peer, peers);
    else
        cs_epoch_lose(epoch->window);
}

static uint32_t group_id(MPI_Group group)
{
    const struct callsign_record *record = cs_object_find(CALLSIGN_GROUP, CS_KEY(group));
    return record ? record->id : 0;
}

void cs_open_access(struct cs_call *call, MPI_Group group, int64_t assertion)
{
    CS_KEEP_ERRNO;
    if (!counts_epochs(call))
        return;
    const struct cs_epoch epoch = {.window = call->about,
                                   .side = CS_EPOCH_ACCESS,
                                   .group = group_id(group),
                                   .unchecked = assertion & MPI_MODE_NOCHECK};
    if (epoch.group || CS_KEY(group) == CS_KEY(MPI_GROUP_EMPTY))
        open_epoch(&epoch, CS_HANDLE_OF(MPI_Win, call->on->handle), group);
    else
        cs_epoch_lose(epoch.window);
}

void cs_opened_access(struct cs_call *call, int result)
{
    if (!counts_epochs(call))
        return;
    cs_epoch_begun(call->about, result == MPI_SUCCESS);
    note_epoch(call, CS_EPOCH_ACCESS);
}

void cs_closed_access(struct cs_call *call)
{
    if (!counts_epochs(call))
        return;
    note_epoch(call, CS_EPOCH_ACCESS);
    cs_epoch_close(call->about, CS_EPOCH_ACCESS);
}

void cs_opened_exposure(struct cs_call *call, MPI_Group group)
{
    if (!counts_epochs(call))
        return;
    const struct cs_epoch epoch = {.window = call->about, .side = CS_EPOCH_EXPOSURE, .group = group_id(group)};
    open_epoch(&epoch, CS_HANDLE_OF(MPI_Win, call->on->handle), group);
    note_epoch(call, CS_EPOCH_EXPOSURE);
}

void cs_closed_exposure(struct cs_call *call)
{
    if (!counts_epochs(call))
        return;
    note_epoch(call, CS_EPOCH_EXPOSURE);
    cs_epoch_close(call->about, CS_EPOCH_EXPOSURE);
}
