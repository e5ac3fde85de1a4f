#include "wrappers/fallback/window.h"

#include "wrappers/fallback/handle.h"
#include "wrappers/fallback/native.h"

/* Which memory model a window has is the MPI's secret: a program that goes by MPI_WIN_SEPARATE is right with both.
   Shared memory means something in the unified model alone (MPI 4.1, 12.2.3). */
void cs_fallback_keep_window(MPI_Win made, int flavor, void *base, MPI_Aint size, MPI_Aint unit)
{
#ifdef CS_HAS_MPI_Win_get_attr
    if (cs_native.MPI_Win_get_attr)
        return;
#endif
    const struct cs_own_window window = {.base = base,
                                         .size_bytes = size,
                                         .displacement_unit_bytes = (int)unit,
                                         .flavor = flavor,
                                         .model = flavor == MPI_WIN_FLAVOR_SHARED ? MPI_WIN_UNIFIED : MPI_WIN_SEPARATE};
    cs_own_window_keep(CS_KEY(made), &window);
}

#ifdef CS_HAS_MPI_Win_create
int cs_fallback_Win_create(void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *made)
{
    int result = cs_native.MPI_Win_create(base, size, unit, info, comm, made);
    if (result == MPI_SUCCESS)
        cs_fallback_keep_window(*made, MPI_WIN_FLAVOR_CREATE, base, size, unit);
    return result;
}
#endif

#ifdef CS_HAS_MPI_Win_create_c
int cs_fallback_Win_create_c(void *base, MPI_Aint size, MPI_Aint unit, MPI_Info info, MPI_Comm comm, MPI_Win *made)
{
    int result = cs_native.MPI_Win_create_c(base, size, unit, info, comm, made);
    if (result == MPI_SUCCESS)
        cs_fallback_keep_window(*made, MPI_WIN_FLAVOR_CREATE, base, size, unit);
    return result;
}
#endif

/* base: where the MPI puts the address of the memory that it allocates. */
#define ALLOCATES(name, flavor, Unit)                                                                                  \
    int cs_fallback_##name(MPI_Aint size, Unit unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *made)          \
    {                                                                                                                  \
        int result = cs_native.MPI_##name(size, unit, info, comm, base, made);                                         \
        if (result == MPI_SUCCESS)                                                                                     \
            cs_fallback_keep_window(*made, flavor, *(void **)base, size, unit);                                        \
        return result;                                                                                                 \
    }

#ifdef CS_HAS_MPI_Win_allocate
ALLOCATES(Win_allocate, MPI_WIN_FLAVOR_ALLOCATE, int)
#endif
#ifdef CS_HAS_MPI_Win_allocate_c
ALLOCATES(Win_allocate_c, MPI_WIN_FLAVOR_ALLOCATE, MPI_Aint)
#endif
#ifdef CS_HAS_MPI_Win_allocate_shared
ALLOCATES(Win_allocate_shared, MPI_WIN_FLAVOR_SHARED, int)
#endif
#ifdef CS_HAS_MPI_Win_allocate_shared_c
ALLOCATES(Win_allocate_shared_c, MPI_WIN_FLAVOR_SHARED, MPI_Aint)
#endif

#ifdef CS_HAS_MPI_Win_create_dynamic
int cs_fallback_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *made)
{
    int result = cs_native.MPI_Win_create_dynamic(info, comm, made);
    if (result == MPI_SUCCESS)
        cs_fallback_keep_window(*made, MPI_WIN_FLAVOR_DYNAMIC, MPI_BOTTOM, 0, 1);
    return result;
}
#endif
