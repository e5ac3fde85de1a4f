#include "wrappers/fallback/fortran_window.h"

#include "asked.h"
#include "fortran_next.h"
#include "wrappers/fallback/window.h"

/* The MPI's own function makes the window: it knows what Fortran's MPI_BOTTOM is and how it tells what it has
   allocated. Each layout of arguments has one of its own: a program may use several bindings. */

#ifdef CS_HAS_MPI_Win_create
static void keep(MPI_Fint error, MPI_Fint win, int flavor, void *base, MPI_Aint size, MPI_Aint unit)
{
    if (error == MPI_SUCCESS)
        cs_fallback_keep_window(cs_mpi_Win_f2c(win), flavor, base, size, unit);
}
#endif

/* where: of the memory, as the argument `base` has it. */
#define CREATES(name, Unit, where)                                                                                     \
    static void *native_##name;                                                                                        \
    static void name(void *base, MPI_Aint *size, Unit *unit, void *info, void *comm, MPI_Fint *win, MPI_Fint *error)   \
    {                                                                                                                  \
        ((cs_fortran_7)native_##name)(base, size, unit, info, comm, win, error);                                       \
        keep(*error, *win, MPI_WIN_FLAVOR_CREATE, where, *size, *unit);                                                \
    }
#define ALLOCATES(name, Unit, flavor)                                                                                  \
    static void *native_##name;                                                                                        \
    static void name(MPI_Aint *size, Unit *unit, void *info, void *comm, void **base, MPI_Fint *win, MPI_Fint *error)  \
    {                                                                                                                  \
        ((cs_fortran_7)native_##name)(size, unit, info, comm, base, win, error);                                       \
        keep(*error, *win, flavor, *base, *size, *unit);                                                               \
    }
#define ROW(C, name, own) CS_FORTRAN_OWN(C, name, own, &native_##own)

/* A descriptor of an array begins with its address. */
#ifdef CS_HAS_MPI_Win_create
CREATES(create, MPI_Fint, base)
CREATES(create_array, MPI_Fint, *(void **)base)
#endif
#ifdef CS_HAS_MPI_Win_create_c
CREATES(create_large_array, MPI_Aint, *(void **)base)
#endif
#ifdef CS_HAS_MPI_Win_allocate
ALLOCATES(allocate, MPI_Fint, MPI_WIN_FLAVOR_ALLOCATE)
#endif
#ifdef CS_HAS_MPI_Win_allocate_c
ALLOCATES(allocate_large, MPI_Aint, MPI_WIN_FLAVOR_ALLOCATE)
#endif
#ifdef CS_HAS_MPI_Win_allocate_shared
ALLOCATES(allocate_shared, MPI_Fint, MPI_WIN_FLAVOR_SHARED)
#endif
#ifdef CS_HAS_MPI_Win_allocate_shared_c
ALLOCATES(allocate_shared_large, MPI_Aint, MPI_WIN_FLAVOR_SHARED)
#endif

#ifdef CS_HAS_MPI_Win_create_dynamic
static void *native_create_dynamic;
static void create_dynamic(void *info, void *comm, MPI_Fint *win, MPI_Fint *error)
{
    ((cs_fortran_4)native_create_dynamic)(info, comm, win, error);
    keep(*error, *win, MPI_WIN_FLAVOR_DYNAMIC, MPI_BOTTOM, 0, 1);
}
#endif

const struct cs_fortran_own cs_fortran_windows[] = {
#ifdef CS_HAS_MPI_Win_create
    ROW(Win_create, "mpi_win_create_f08ts", create_array),
    ROW(Win_create, "mpi_win_create", create),
#endif
#ifdef CS_HAS_MPI_Win_create_c
    ROW(Win_create_c, "mpi_win_create_f08ts_large", create_large_array),
#endif
#ifdef CS_HAS_MPI_Win_allocate
    ROW(Win_allocate, "mpi_win_allocate", allocate),
    ROW(Win_allocate, "mpi_win_allocate_cptr", allocate),
#endif
#ifdef CS_HAS_MPI_Win_allocate_c
    ROW(Win_allocate_c, "mpi_win_allocate_f08_large", allocate_large),
#endif
#ifdef CS_HAS_MPI_Win_allocate_shared
    ROW(Win_allocate_shared, "mpi_win_allocate_shared", allocate_shared),
    ROW(Win_allocate_shared, "mpi_win_allocate_shared_cptr", allocate_shared),
#endif
#ifdef CS_HAS_MPI_Win_allocate_shared_c
    ROW(Win_allocate_shared_c, "mpi_win_allocate_shared_f08_large", allocate_shared_large),
#endif
#ifdef CS_HAS_MPI_Win_create_dynamic
    ROW(Win_create_dynamic, "mpi_win_create_dynamic", create_dynamic),
#endif
    {.name = NULL}, /* an MPI may have none of them */
};
const size_t cs_fortran_windows_count = sizeof cs_fortran_windows / sizeof *cs_fortran_windows - 1;
