/* A session of each process alone: MPI_COMM_WORLD does not exist, so callsign must not ask it. */
#include "check.h"

int main(void)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    int sent = 5, received = 0;
    CALL(MPI_Session_init)(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    CALL(MPI_Group_from_session_pset)(session, "mpi://SELF", &group);
    CALL(MPI_Comm_create_from_group)(group, "callsign", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    check_made("communicator", "MPI_Comm_create_from_group", 1);
    CALL(MPI_Comm_set_name)(comm, "self of session");
    CALL(MPI_Sendrecv)(&sent, 1, MPI_INT, 0, 7, &received, 1, MPI_INT, 0, 7, comm, MPI_STATUS_IGNORE);
    check_bytes("MPI_Sendrecv", "self of session", 4, 4);
    CHECK(received == sent);
    CALL(MPI_Group_free)(&group);
    CALL(MPI_Comm_free)(&comm);
    check_freed("communicator", "MPI_Comm_free", 1);
    CALL(MPI_Session_finalize)(&session);
    check_outcome("finalized");
    return check_write();
}
