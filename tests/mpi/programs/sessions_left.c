/* Objects that a session leaves vanish with it, but are leaks. The next session, which gets the same handles, does
   not make them look freed. One session stays open throughout, see sessions.c. */
#include "check.h"

static void once(bool frees)
{
    MPI_Session session;
    MPI_Group group, part;
    MPI_Comm comm;
    MPI_Info info;
    int rank, zero = 0;
    CALL(MPI_Session_init)(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    CALL(MPI_Group_from_session_pset)(session, "mpi://WORLD", &group);
    CALL(MPI_Group_incl)(group, 1, &zero, &part);
    CALL(MPI_Comm_create_from_group)(group, "left", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    check_made("communicator", "MPI_Comm_create_from_group", 1);
    CALL(MPI_Session_get_info)(session, &info);
    CALL(MPI_Comm_rank)(comm, &rank);
    CALL(MPI_Group_free)(&group);
    if (frees) {
        CALL(MPI_Group_free)(&part);
        CALL(MPI_Comm_free)(&comm);
        CALL(MPI_Info_free)(&info);
        check_freed("communicator", "MPI_Comm_free", 1);
    }
    CALL(MPI_Session_finalize)(&session);
}

int main(void)
{
    MPI_Session throughout;
    CALL(MPI_Session_init)(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &throughout);
    once(false);
    once(true);
    CALL(MPI_Session_finalize)(&throughout);
    check_sql("SELECT group_concat(created_by) = 'MPI_Comm_create_from_group,MPI_Group_incl,MPI_Session_get_info' FROM "
              "(SELECT created_by FROM leaks ORDER BY created_by)");
    check_sql("SELECT count(*) = 3 AND min(freed_ns) IS NOT NULL FROM object WHERE kind = 'session'");
    check_sql("SELECT count(*) = 0 FROM object WHERE freed_ns IS NOT NULL AND freed_function IS NULL");
    check_outcome("finalized");
    return check_write();
}
