/* Calls that complete several requests of which one fails: what came with the others counts, and no request stays known
   that the MPI has taken back. And requests that MPI_Request_get_status and the like see complete. */
#include "check.h"

static int rank, in[4], sent[2] = {1, 2};
static MPI_Request requests[3];
static MPI_Status statuses[3];
static int done, indices[3], index_of_one, flag;

static int fail(void *extra, MPI_Status *status)
{
    (void)extra;
    CALL(MPI_Status_set_elements)(status, MPI_INT, 0);
    CALL(MPI_Status_set_cancelled)(status, 0);
    return MPI_ERR_OTHER;
}

static int nothing(void *extra)
{
    (void)extra;
    return MPI_SUCCESS;
}

static int not_cancelled(void *extra, int complete)
{
    (void)extra;
    (void)complete;
    return MPI_SUCCESS;
}

enum how { WAITALL, WAITALL_IGNORING, TESTALL, WAITSOME, WAITSOME_IGNORING, TESTSOME, WAITANY, TESTANY, WAIT, TEST };

static int complete(enum how how)
{
    int result = MPI_SUCCESS;
    flag = done = 0;
    switch (how) {
    case WAITALL:
        return CALL(MPI_Waitall)(3, requests, statuses);
    case WAITALL_IGNORING:
        return CALL(MPI_Waitall)(3, requests, MPI_STATUSES_IGNORE);
    case TESTALL:
        while (result == MPI_SUCCESS && !flag)
            result = CALL(MPI_Testall)(3, requests, &flag, statuses);
        return result;
    case WAITSOME:
        return CALL(MPI_Waitsome)(3, requests, &done, indices, statuses);
    case WAITSOME_IGNORING:
        return CALL(MPI_Waitsome)(3, requests, &done, indices, MPI_STATUSES_IGNORE);
    case TESTSOME:
        while (result == MPI_SUCCESS && !done)
            result = CALL(MPI_Testsome)(3, requests, &done, indices, statuses);
        return result;
    case WAITANY:
        return CALL(MPI_Waitany)(2, requests + 1, &index_of_one, statuses);
    case TESTANY:
        while (result == MPI_SUCCESS && !flag)
            result = CALL(MPI_Testany)(2, requests + 1, &index_of_one, &flag, statuses);
        return result;
    case WAIT:
        return CALL(MPI_Wait)(&requests[1], statuses);
    case TEST:
        while (result == MPI_SUCCESS && !flag)
            result = CALL(MPI_Test)(&requests[1], &flag, statuses);
        return result;
    }
    return result;
}

/* The first request receives 8 bytes, the second fails, the third receives 4 when it may; it has not yet in Waitsome.
 */
static void fails(const char *what, enum how how)
{
    bool late = how == WAITSOME || how == WAITSOME_IGNORING || how == TESTSOME || how == WAITANY || how == TESTANY;
    int class;
    MPI_Comm comm;
    CALL(MPI_Comm_dup)(MPI_COMM_SELF, &comm);
    CALL(MPI_Comm_set_name)(comm, what);
    check_made("communicator", "MPI_Comm_dup", 1);
    check_freed("communicator", "MPI_Comm_free", 1);
    CALL(MPI_Irecv)(in, 2, MPI_INT, 0, 1, comm, &requests[0]);
    CALL(MPI_Grequest_start)(fail, nothing, not_cancelled, NULL, &requests[1]);
    CALL(MPI_Irecv)(in + 2, 1, MPI_INT, 0, 3, comm, &requests[2]);
    CALL(MPI_Send)(sent, 2, MPI_INT, 0, 1, comm);
    if (!late)
        CALL(MPI_Send)(sent, 1, MPI_INT, 0, 3, comm);
    CALL(MPI_Grequest_complete)(requests[1]);
    CALL(MPI_Error_class)(complete(how), &class);
    check_say("rank %d: %s: error %d, in status %d", rank, what, class != MPI_SUCCESS, class == MPI_ERR_IN_STATUS);
    if (late)
        CALL(MPI_Send)(sent, 1, MPI_INT, 0, 3, comm);
    for (int i = 0; i < 3; i++)
        if (requests[i] != MPI_REQUEST_NULL)
            CALL(MPI_Wait)(&requests[i], MPI_STATUS_IGNORE);
    CALL(MPI_Comm_free)(&comm);
    check_bytes("MPI_Irecv", what, 0, 12);
    check_bytes("MPI_Send", what, 12, 0);
}

/* Seen complete, and then freed or waited for: what came counts once. */
static void told(bool ignoring, bool frees)
{
    MPI_Request request;
    flag = 0;
    CALL(MPI_Irecv)(in, 4, MPI_INT, 0, 5, MPI_COMM_SELF, &request);
    CALL(MPI_Send)(sent, 2, MPI_INT, 0, 5, MPI_COMM_SELF);
    while (!flag)
        CALL(MPI_Request_get_status)(request, &flag, ignoring ? MPI_STATUS_IGNORE : statuses);
    CALL(MPI_Request_get_status)(request, &flag, statuses);
    if (frees)
        CALL(MPI_Request_free)(&request);
    else
        CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
    check_bytes("MPI_Irecv", "MPI_COMM_SELF", 0, 8);
    check_bytes("MPI_Send", "MPI_COMM_SELF", 8, 0);
}

/* A persistent one counts at each start. */
static void told_of_persistent(void)
{
    MPI_Request request;
    CALL(MPI_Recv_init)(in, 4, MPI_INT, 0, 6, MPI_COMM_SELF, &request);
    for (int i = 0; i < 2; i++) {
        flag = 0;
        CALL(MPI_Start)(&request);
        CALL(MPI_Send)(sent, 2, MPI_INT, 0, 6, MPI_COMM_SELF);
        while (!flag)
            CALL(MPI_Request_get_status)(request, &flag, MPI_STATUS_IGNORE);
        CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
    }
    CALL(MPI_Request_free)(&request);
    check_bytes("MPI_Start", "MPI_COMM_SELF", 0, 16);
    check_bytes("MPI_Send", "MPI_COMM_SELF", 16, 0);
}

#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
/* One call asks for several; what came counts once, whoever sees it first. */
enum { ALL, ANY, SOME, WAYS_TO_ASK };
static void told_of_many(int way)
{
    flag = done = 0;
    for (int i = 0; i < 2; i++) {
        CALL(MPI_Irecv)(in + 2 * i, 2, MPI_INT, 0, 7, MPI_COMM_SELF, &requests[i]);
        CALL(MPI_Send)(sent, 2 - i, MPI_INT, 0, 7, MPI_COMM_SELF);
    }
    while (way == ALL && !flag)
        CALL(MPI_Request_get_status_all)(2, requests, &flag, MPI_STATUSES_IGNORE);
    while (way == ANY && !flag)
        CALL(MPI_Request_get_status_any)(2, requests, &index_of_one, &flag, statuses);
    while (way == SOME && done < 2)
        CALL(MPI_Request_get_status_some)(2, requests, &done, indices, statuses);
    CALL(MPI_Request_get_status_all)(2, requests, &flag, statuses);
    CALL(MPI_Waitall)(2, requests, MPI_STATUSES_IGNORE);
    check_bytes("MPI_Irecv", "MPI_COMM_SELF", 0, 12);
    check_bytes("MPI_Send", "MPI_COMM_SELF", 12, 0);
}
#endif

int main(int argc, char **argv)
{
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_set_errhandler)(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CALL(MPI_Comm_set_errhandler)(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    fails("waitall", WAITALL);
    fails("waitall ignoring", WAITALL_IGNORING);
    fails("testall", TESTALL);
    fails("waitsome", WAITSOME);
    fails("waitsome ignoring", WAITSOME_IGNORING);
    fails("testsome", TESTSOME);
    fails("waitany", WAITANY);
    fails("testany", TESTANY);
    fails("wait", WAIT);
    fails("test", TEST);
    for (int i = 0; i < 4; i++)
        told(i & 1, i & 2);
    told_of_persistent();
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
    for (int way = 0; way < WAYS_TO_ASK; way++)
        told_of_many(way);
#endif
    check_sql("SELECT count(*) = 0 FROM leaks"); /* requests that are left would be */
    CALL(MPI_Finalize)();
    return check_write();
}
