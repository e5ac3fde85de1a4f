/* MPI_Finalize and MPI_Pcontrol from Fortran. By hand: the recording ends after the first has been recorded, and the
   second has other arguments than in C. */
#include "fortran_next.h"
#include "functions.h"
#include "wrappers/fortran/by_hand.h"
#include "wrappers/fortran/decode.h"
#include "wrappers/lifecycle/lifecycle.h"

void cs_fortran_finalize(void *native, const void *site, void *error)
{
    struct cs_call call;
    cs_enter_fortran(&call, CS_MPI_Finalize, site);
    cs_lifecycle_finalizing(&call);
    ((cs_fortran_1)native)(error);
    cs_stop(&call);
    bool recorded = cs_succeeded(&call, cs_fortran_integer(error));
    cs_leave(&call);
    cs_lifecycle_finalized(recorded);
}

void cs_fortran_pcontrol(void *native, const void *site, void *level, void *error)
{
    struct cs_call call;
    cs_enter_fortran(&call, CS_MPI_Pcontrol, site);
    cs_lifecycle_pcontrol(&call, cs_fortran_integer(level));
    cs_start(&call);
    ((cs_fortran_2)native)(level, error);
    cs_stop(&call);
    cs_leave(&call);
}
