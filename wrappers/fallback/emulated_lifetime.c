#include "wrappers/fallback/emulated_lifetime.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "base/log.h"
#include "pmpi_queries.h"
#include "record/object/object.h"
#include "record/process/run_folder.h"
#include "wrappers/fallback/emulated_attribute.h"
#include "wrappers/fallback/emulated_store.h"
#include "wrappers/fallback/underlying_mpi.h"
#include "wrappers/mpi/handle.h"

/* ---- windows ---- */

/* The MPI does not reveal a window's memory model: a program that assumes MPI_WIN_SEPARATE is correct with both.
   Shared memory needs the unified model (MPI 4.1, 12.2.3). */
void cs_fallback_keep_window(MPI_Win made, int flavor, void *base, MPI_Aint size, MPI_Aint unit)
{
#ifdef CS_HAS_MPI_Win_get_attr
    if (cs_native.MPI_Win_get_attr)
        return;
#endif
    const struct cs_emulated_window window = {.base = base,
                                              .size_bytes = size,
                                              .displacement_unit_bytes = (int)unit,
                                              .flavor = flavor,
                                              .model =
                                                  flavor == MPI_WIN_FLAVOR_SHARED ? MPI_WIN_UNIFIED : MPI_WIN_SEPARATE};
    cs_emulated_window_keep(CS_KEY(made), &window);
}

/* ---- duplicates ---- */

/* Small MPIs make topology communicators by calling their public duplicate function. For the program these are no
   duplicates. */
_Thread_local int cs_fallback_making;

/* Runs the copy callbacks before the MPI makes the duplicate: a refusal then has no side effects. */
int cs_fallback_copy(enum callsign_kind kind, uint64_t original, struct cs_emulated_copies **copies)
{
    *copies = NULL;
    if (cs_fallback_making)
        return MPI_SUCCESS;
    return cs_fallback_answer(kind, original, cs_emulated_copy(kind, original, copies));
}

int cs_fallback_attach_copies(enum callsign_kind kind, uint64_t duplicate, struct cs_emulated_copies *copies,
                              int result)
{
    if (result != MPI_SUCCESS) {
        cs_emulated_copies_drop(copies);
        return result;
    }
    return cs_emulated_attach(duplicate, copies) ? result : cs_native_raise(kind, duplicate, MPI_ERR_NO_MEM);
}

/* Some stub MPIs return the original's handle for each duplicate, or the same handle for all. Then names, attributes
   and records cannot belong to one object. This detects it for the last duplicate until it is freed. */
static _Atomic(MPI_Comm) last_duplicate = MPI_COMM_NULL;

static void check_handle(MPI_Comm original, MPI_Comm made)
{
    bool is_of_another = made == original || (!cs_native.MPI_Comm_set_attr &&
                                              made == atomic_load_explicit(&last_duplicate, memory_order_relaxed));
    if (!cs_fallback_making)
        atomic_store_explicit(&last_duplicate, made, memory_order_relaxed);
    if (!is_of_another)
        return;
    cs_log_once("nothing is recorded, the program runs on: in this MPI a duplicate of a communicator has no handle of "
                "its own, and names and attributes are of no use");
    cs_recorder_withdraw();
}

int cs_fallback_Comm_dup(MPI_Comm comm, MPI_Comm *made)
{
    struct cs_emulated_copies *copies;
    int result = cs_fallback_copy(CALLSIGN_COMMUNICATOR, CS_KEY(comm), &copies);
    if (result != MPI_SUCCESS) {
        *made = MPI_COMM_NULL;
        return result;
    }
    result = cs_native.MPI_Comm_dup(comm, made);
    if (result == MPI_SUCCESS)
        check_handle(comm, *made);
    return cs_fallback_attach_copies(CALLSIGN_COMMUNICATOR, made ? CS_KEY(*made) : 0, copies, result);
}

/* ---- the end of objects ---- */

/* An object that is being freed. Callbacks run first; one that refuses stops the free. */
struct ending {
    struct cs_emulated_object *taken;
    int refused; /* MPI_SUCCESS: it may be freed */
};

static struct ending end(enum callsign_kind kind, uint64_t handle)
{
    struct ending ending = {.refused = MPI_SUCCESS};
    if (cs_emulated_unrefer(kind, handle))
        return ending;
    ending.refused = cs_fallback_answer(kind, handle, cs_emulated_clear(kind, handle, false));
    if (ending.refused == MPI_SUCCESS)
        ending.taken = cs_emulated_take(kind, handle);
    return ending;
}

static int ended(struct ending ending, int result)
{
    if (result == MPI_SUCCESS)
        cs_emulated_drop(ending.taken);
    else
        cs_emulated_put_back(ending.taken);
    return result;
}

/* Communicators that nobody may free; the MPI reports the error. */
static bool is_lasting(MPI_Comm comm)
{
    return comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF;
}

static int end_communicator(MPI_Comm *comm, int (*native)(MPI_Comm *))
{
    if (!comm || is_lasting(*comm))
        return native(comm);
    if (*comm == atomic_load_explicit(&last_duplicate, memory_order_relaxed))
        atomic_store_explicit(&last_duplicate, MPI_COMM_NULL, memory_order_relaxed);
    struct ending ending = end(CALLSIGN_COMMUNICATOR, CS_KEY(*comm));
    return ending.refused != MPI_SUCCESS ? ending.refused : ended(ending, native(comm));
}

int cs_fallback_Comm_free(MPI_Comm *comm)
{
    return end_communicator(comm, cs_native.MPI_Comm_free);
}

#ifdef CS_HAS_MPI_Comm_disconnect
int cs_fallback_Comm_disconnect(MPI_Comm *comm)
{
    return end_communicator(comm, cs_native.MPI_Comm_disconnect);
}
#endif

int cs_fallback_Type_free(MPI_Datatype *type)
{
    if (!type || *type == MPI_DATATYPE_NULL || cs_native_is_predefined(*type))
        return cs_native.MPI_Type_free(type);
    struct ending ending = end(CALLSIGN_DATATYPE, CS_KEY(*type));
    return ending.refused != MPI_SUCCESS ? ending.refused : ended(ending, cs_native.MPI_Type_free(type));
}

#ifdef CS_HAS_MPI_Win_free
int cs_fallback_Win_free(MPI_Win *win)
{
    if (!win)
        return cs_native.MPI_Win_free(win);
    struct ending ending = end(CALLSIGN_WINDOW, CS_KEY(*win));
    return ending.refused != MPI_SUCCESS ? ending.refused : ended(ending, cs_native.MPI_Win_free(win));
}
#endif

#ifdef CS_HAS_MPI_Type_get_contents
/* A datatype that is not recorded is known if the store has something for it. */
static bool is_known(MPI_Datatype type)
{
    return cs_object_find(CALLSIGN_DATATYPE, CS_KEY(type)) || cs_emulated_has(CALLSIGN_DATATYPE, CS_KEY(type));
}

/* A known handle is one more reference to the same datatype; others are new datatypes. */
static void handed_out(MPI_Datatype type, const MPI_Datatype *types)
{
    MPI_Count integers, addresses, counts, count = 0;
    int combiner;
    cs_mpi_Type_get_envelope_c(type, &integers, &addresses, &counts, &count, &combiner);
    for (MPI_Count i = 0; i < count; i++)
        if (types[i] != MPI_DATATYPE_NULL && !cs_native_is_predefined(types[i]) && is_known(types[i]))
            cs_emulated_refer(CALLSIGN_DATATYPE, CS_KEY(types[i]));
}

int cs_fallback_Type_get_contents(MPI_Datatype type, int max_integers, int max_addresses, int max_types, int *integers,
                                  MPI_Aint *addresses, MPI_Datatype *types)
{
    int result =
        cs_native.MPI_Type_get_contents(type, max_integers, max_addresses, max_types, integers, addresses, types);
    if (result == MPI_SUCCESS)
        handed_out(type, types);
    return result;
}
#endif

#ifdef CS_HAS_MPI_Type_get_contents_c
int cs_fallback_Type_get_contents_c(MPI_Datatype type, MPI_Count max_integers, MPI_Count max_addresses,
                                    MPI_Count max_counts, MPI_Count max_types, int *integers, MPI_Aint *addresses,
                                    MPI_Count *counts, MPI_Datatype *types)
{
    int result = cs_native.MPI_Type_get_contents_c(type, max_integers, max_addresses, max_counts, max_types, integers,
                                                   addresses, counts, types);
    if (result == MPI_SUCCESS)
        handed_out(type, types);
    return result;
}
#endif

/* A callback that refuses does not stop MPI_Finalize. */
int cs_fallback_Finalize(void)
{
    cs_emulated_clear(CALLSIGN_COMMUNICATOR, CS_KEY(MPI_COMM_SELF), true);
    cs_emulated_clear(CALLSIGN_COMMUNICATOR, CS_KEY(MPI_COMM_WORLD), true);
    return cs_native.MPI_Finalize();
}
