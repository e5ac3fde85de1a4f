/* Sessions, opened and closed many times, without MPI_Init, and communicators made from them. One session stays open
   throughout: closing the last one and opening another crashes in some MPIs all by itself. */
#include "check.h"

enum { TIMES = 10 };

/* One session with a communicator of its own. */
static void once(int i)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    char name[32];
    int rank, size, value = 1, sum;
    snprintf(name, sizeof name, "of session %d", i);
    CALL(MPI_Session_init)(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    CALL(MPI_Group_from_session_pset)(session, "mpi://WORLD", &group);
    CALL(MPI_Comm_create_from_group)(group, "callsign", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    check_made("communicator", "MPI_Comm_create_from_group", 1);
    CALL(MPI_Comm_set_name)(comm, name);
    check_sql("SELECT o.uid IS NOT NULL AND n.name = 'callsign.from_group%d[0-1]' FROM object o JOIN naming n USING "
              "(object) WHERE "
              "o.name = '%s' AND n.origin = 'derived'",
              i + 1, name);
    check_sql("SELECT detail = '{\"stringtag\":\"callsign\"}' FROM object WHERE kind = 'communicator' AND name = '%s'",
              name);
    CALL(MPI_Comm_rank)(comm, &rank);
    CALL(MPI_Comm_size)(comm, &size);
    CALL(MPI_Allreduce)(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
    check_bytes("MPI_Allreduce", name, 4, 4);
    CHECK(sum == size);
    CALL(MPI_Group_free)(&group);
    CALL(MPI_Comm_free)(&comm);
    check_freed("communicator", "MPI_Comm_free", 1);
    CALL(MPI_Session_finalize)(&session);
    if (i == 0)
        check_say("a session works with %d", size);
}

int main(void)
{
    MPI_Session throughout;
    CALL(MPI_Session_init)(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &throughout);
    for (int i = 0; i < TIMES; i++)
        once(i);
    CALL(MPI_Session_finalize)(&throughout);
    check_outcome("finalized");
    return check_write();
}
