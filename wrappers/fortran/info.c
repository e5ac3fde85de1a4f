/* MPI_Info_create_env from Fortran. By hand, because it has other arguments than in C. */
#include "fortran_next.h"
#include "functions.h"
#include "wrappers/fortran/by_hand.h"
#include "wrappers/fortran/decode.h"
#include "wrappers/object/simple.h"

#ifdef CS_HAS_SESSIONS
void cs_fortran_info_create_env(void *native, const void *site, void *info, void *error, void *third, void *fourth)
{
    struct cs_call call;
    cs_enter_fortran(&call, CS_MPI_Info_create_env, site);
    cs_start(&call);
    ((cs_fortran_4)native)(info, error, third, fourth);
    cs_stop(&call);
    if (cs_succeeded(&call, error ? cs_fortran_integer(error) : MPI_SUCCESS))
        cs_made(&call, CALLSIGN_INFO, CS_KEY(cs_fortran_info(info)));
    cs_leave(&call);
}
#endif
