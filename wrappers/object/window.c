/* Windows and files: what is asked of the MPI when one is met. */
#include "db/journal/datatype_name.h"
#include "record/recorder.h"
#include "wrappers/object/apply.h"
#include "wrappers/object/birth.h"
#include "wrappers/object/lineage.h"
#include "wrappers/object/look_up.h"
#include "wrappers/roles.h"

static const void *win_attribute(MPI_Win win, int keyval)
{
    void *value = NULL;
    int found = 0;
    PMPI_Win_get_attr(win, keyval, &value, &found);
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

static const struct callsign_record *win_born(struct cs_call *call, MPI_Win win, struct cs_birth *birth)
{
    const MPI_Aint *size = win_attribute(win, MPI_WIN_SIZE);
    const int *unit = win_attribute(win, MPI_WIN_DISP_UNIT);
    const int *model = win_attribute(win, MPI_WIN_MODEL);
    MPI_Group group;
    birth->fortran_handle = PMPI_Win_c2f(win);
    birth->bytes = size ? *size : 0;
    if (PMPI_Win_get_group(win, &group) == MPI_SUCCESS) {
        PMPI_Group_size(group, &birth->size);
        PMPI_Group_rank(group, &birth->rank);
        PMPI_Group_free(&group);
    }
    char name[MPI_MAX_OBJECT_NAME] = "", derived[CS_NAME_BYTES];
    int length;
    if (call)
        cs_lineage_on(call, call->on, birth, derived);
    const struct callsign_record *object = cs_born(call, birth);
    if (!object)
        return NULL;
    struct cs_fact_window fact = {.fact.ticks = birth->ticks,
                                  .object = object->id,
                                  .communicator = birth->parent,
                                  .flavor = flavor_number(win_attribute(win, MPI_WIN_CREATE_FLAVOR)),
                                  .model = !model                       ? 0
                                           : *model == MPI_WIN_SEPARATE ? 1
                                           : *model == MPI_WIN_UNIFIED  ? 2
                                                                        : 0,
                                  .base = (uint64_t)(uintptr_t)win_attribute(win, MPI_WIN_BASE),
                                  .size_bytes = birth->bytes,
                                  .displacement_unit_bytes = unit ? *unit : 0};
    cs_journal_append(cs_recorder.journal, CS_FACT_WINDOW, &fact.fact, sizeof fact, NULL, 0);
    /* One that was not seen being made is called what the MPI calls it: Open MPI invents "rdma window 8". */
    if (!birth->name && PMPI_Win_get_name(win, name, &length) == MPI_SUCCESS)
        cs_name_by_mpi(object, name);
    cs_apply(object, NULL);
    return object;
}

void cs_made_win(struct cs_call *call, MPI_Win win)
{
    if (win == MPI_WIN_NULL)
        return;
    struct cs_birth birth = cs_birth_of(call, CALLSIGN_WINDOW, CS_KEY(win));
    birth.from = call->on;
    birth.parent = call->about;
    win_born(call, win, &birth);
}

const struct callsign_record *cs_win_record(const struct cs_call *call, MPI_Win win)
{
    const struct callsign_record *object = cs_object_look_up(CALLSIGN_WINDOW, CS_KEY(win));
    if (object || win == MPI_WIN_NULL)
        return object;
    struct cs_birth birth = cs_birth_met(CALLSIGN_WINDOW, CS_KEY(win), cs_adopted_by(call));
    object = win_born(NULL, win, &birth);
    return object ? object : cs_object_find(CALLSIGN_WINDOW, CS_KEY(win));
}

/* ---- files ---- */

static_assert((int)CS_DATATYPE_NAME_BYTES == (int)CS_NAME_BYTES, "a name of either kind has room");

void cs_made_file(struct cs_call *call, MPI_File file)
{
    if (file == MPI_FILE_NULL)
        return;
    char name[CS_DATATYPE_NAME_BYTES];
    struct cs_birth birth = cs_birth_of(call, CALLSIGN_FILE, CS_KEY(file));
    cs_lineage_on(call, call->on, &birth, name);
    /* The path says more than where it was opened. */
    if (cs_file_name(birth.detail, birth.detail_bytes, name)) {
        birth.name = name;
        birth.origin = CALLSIGN_DERIVED;
    }
    birth.from = call->on;
    birth.parent = call->about;
    /* No Fortran handle: asking for it makes one in MPICH. */
    if (call->on) {
        birth.size = call->on->size;
        birth.rank = call->on->rank;
    }
    cs_born(call, &birth);
}
