#include "wrappers/object/window.h"

#include "pmpi_queries.h"
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
