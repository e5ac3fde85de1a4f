#include "wrappers/fortran/constants.h"

#include "wrappers/fortran/symbol.h"

struct cs_fortran_constants cs_fortran_constants;

static const void *pointed_to(const char *name)
{
    const void *const *pointer = cs_fortran_symbol(name);
    return pointer ? *pointer : NULL;
}

/* A constant that this MPI lacks is an address that nobody passes. */
static void set(const void *constant[CS_FORTRAN_SPELLINGS], const void *first, const void *second)
{
    constant[0] = first ? first : &cs_fortran_constants;
    constant[1] = second ? second : constant[0];
}

void cs_fortran_constants_find(void)
{
    struct cs_fortran_constants *all = &cs_fortran_constants;
    /* MPICH learns where its constants are at the first Fortran call, which may still be ahead. */
    int *needed = cs_fortran_symbol("MPIR_F_NeedInit");
    void (*init)(void) = (void (*)(void))cs_fortran_symbol_spelled("mpirinitf");
    if (needed && init && *needed) {
        init();
        *needed = 0;
    }
    const void *in_place = cs_fortran_symbol_spelled("mpi_fortran_in_place");
    if (in_place) {
        set(all->in_place, in_place, NULL);
        set(all->status_ignore, cs_fortran_symbol_spelled("mpi_fortran_status_ignore"), NULL);
        set(all->statuses_ignore, cs_fortran_symbol_spelled("mpi_fortran_statuses_ignore"), NULL);
    } else {
        set(all->in_place, pointed_to("MPIR_F_MPI_IN_PLACE"), cs_fortran_symbol("MPIR_F08_MPI_IN_PLACE"));
        set(all->status_ignore, MPI_F_STATUS_IGNORE, cs_fortran_symbol("MPIR_F08_MPI_STATUS_IGNORE_OBJ"));
        set(all->statuses_ignore, MPI_F_STATUSES_IGNORE, cs_fortran_symbol("MPIR_F08_MPI_STATUSES_IGNORE_OBJ"));
    }
}
