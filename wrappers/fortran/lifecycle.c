/* Init, Finalize, Abort, sessions and Pcontrol, called from Fortran. */
#include "functions.h"
#include "record/save.h"
#include "wrappers/fortran/fortran.h"
#include "wrappers/lifecycle/lifecycle.h"

void cs_fortran_init(void *twin, const void *site, void *error)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Init, site);
    cs_recorder_save();
    cs_start(&call);
    ((cs_fortran_1)twin)(error);
    cs_stop(&call);
    cs_lifecycle_initialized(&call, cs_fortran_integer(error));
    cs_leave(&call);
}

void cs_fortran_init_thread(void *twin, const void *site, void *required, void *provided, void *error)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Init_thread, site);
    cs_recorder_save();
    cs_start(&call);
    ((cs_fortran_3)twin)(required, provided, error);
    cs_stop(&call);
    cs_lifecycle_initialized(&call, cs_fortran_integer(error));
    cs_leave(&call);
}

void cs_fortran_finalize(void *twin, const void *site, void *error)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Finalize, site);
    cs_lifecycle_finalizing(&call);
    ((cs_fortran_1)twin)(error);
    cs_stop(&call);
    bool recorded = cs_succeeded(&call, cs_fortran_integer(error));
    cs_leave(&call);
    cs_lifecycle_finalized(recorded);
}

void cs_fortran_abort(void *twin, const void *site, void *comm, void *errorcode, void *error)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Abort, site);
    cs_lifecycle_aborting(&call, cs_fortran_comm(comm));
    cs_start(&call);
    ((cs_fortran_3)twin)(comm, errorcode, error);
    cs_stop(&call);
    cs_leave(&call);
}

#ifdef CS_HAS_SESSIONS
void cs_fortran_session_init(void *twin, const void *site, void *info, void *errhandler, void *session, void *error)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Session_init, site);
    cs_recorder_save();
    cs_start(&call);
    ((cs_fortran_4)twin)(info, errhandler, session, error);
    cs_stop(&call);
    cs_lifecycle_session_initialized(&call, cs_fortran_integer(error));
    if (cs_succeeded(&call, cs_fortran_integer(error)))
        cs_made(&call, CALLSIGN_SESSION, CS_KEY(cs_fortran_session(session)));
    cs_leave(&call);
}

void cs_fortran_session_finalize(void *twin, const void *site, void *session, void *error)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Session_finalize, site);
    cs_freeing(&call, CALLSIGN_SESSION, CS_KEY(cs_fortran_session(session)));
    cs_start(&call);
    ((cs_fortran_2)twin)(session, error);
    cs_stop(&call);
    cs_lifecycle_session_finalized(&call, cs_fortran_integer(error));
    cs_leave(&call);
}
#endif

void cs_fortran_pcontrol(void *twin, const void *site, void *level, void *error)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Pcontrol, site);
    cs_lifecycle_pcontrol(&call, cs_fortran_integer(level));
    cs_start(&call);
    ((cs_fortran_2)twin)(level, error);
    cs_stop(&call);
    cs_leave(&call);
}
