/* Objects of every kind that the program leaves to MPI_Finalize are leaks, and nothing else is. So are messages that
   no rank received and requests that no rank waited for. */
#include "callbacks.h"
#include "check.h"

static int rank;

static void is_left(const char *kind, const char *function, int n)
{
    check_sql("SELECT count(*) = %d FROM leaks WHERE kind = '%s' AND created_by = '%s'", n, kind, function);
}

static void local_objects(void)
{
    MPI_Group group, again;
    MPI_Op op;
    MPI_Errhandler handler, got;
    MPI_Info info;
    MPI_Datatype type;
    void *memory;
    int key;
    CALL(MPI_Comm_group)(MPI_COMM_WORLD, &group);
    CALL(MPI_Comm_group)(MPI_COMM_WORLD, &again);
    CALL(MPI_Group_free)(&again); /* one of two references to the same group */
    is_left("group", "MPI_Comm_group", 1);
    CALL(MPI_Op_create)(add, 1, &op);
    is_left("op", "MPI_Op_create", 1);
    CALL(MPI_Comm_create_errhandler)(ignore, &handler);
    CALL(MPI_Comm_set_errhandler)(MPI_COMM_SELF, handler);
    CALL(MPI_Errhandler_free)(&handler); /* the communicator keeps it */
    is_left("errhandler", "MPI_Comm_create_errhandler", 0);
    CALL(MPI_Comm_get_errhandler)(MPI_COMM_SELF, &got);
    is_left("errhandler", "MPI_Comm_get_errhandler", 1);
    CALL(MPI_Comm_get_errhandler)(MPI_COMM_WORLD, &got); /* predefined: nothing to free */
    CALL(MPI_Info_create)(&info);
    is_left("info", "MPI_Info_create", 1);
    CALL(MPI_Comm_get_info)(MPI_COMM_WORLD, &info);
    is_left("info", "MPI_Comm_get_info", 1);
    CALL(MPI_Type_contiguous)(2, MPI_INT, &type);
    check_made("datatype", "MPI_Type_contiguous", 1);
    is_left("datatype", "MPI_Type_contiguous", 1);
    CALL(MPI_Alloc_mem)(64, MPI_INFO_NULL, &memory);
    is_left("memory", "MPI_Alloc_mem", 1);
    CALL(MPI_Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    is_left("keyval", "MPI_Comm_create_keyval", 1);
}

static void communication(void)
{
    static int cells[4], words[4];
    MPI_Request receive, send, ends, persistent, unmatched;
    MPI_Message message, nobodys;
    MPI_Status status;
    MPI_Comm comm;
    CALL(MPI_Comm_dup)(MPI_COMM_SELF, &comm);
    CALL(MPI_Comm_set_name)(comm, "left");
    check_made("communicator", "MPI_Comm_dup", 1);
    is_left("communicator", "MPI_Comm_dup", 1);
    /* The program waits for one of three transfers. */
    CALL(MPI_Irecv)(&cells[0], 1, MPI_INT, 0, 0, comm, &receive);
    CALL(MPI_Isend)(&words[0], 1, MPI_INT, 0, 0, comm, &send);
    CALL(MPI_Irecv)(&cells[1], 1, MPI_INT, 0, 1, comm, &ends);
    CALL(MPI_Send)(&words[1], 1, MPI_INT, 0, 1, comm);
    CALL(MPI_Wait)(&ends, MPI_STATUS_IGNORE);
    check_bytes("MPI_Isend", "left", 4, 0);
    check_bytes("MPI_Irecv", "left", 0, 4);
    check_bytes("MPI_Send", "left", 4, 0);
    is_left("request", "MPI_Irecv", 1);
    is_left("request", "MPI_Isend", 1);
    CALL(MPI_Send_init)(&words[2], 1, MPI_INT, MPI_PROC_NULL, 2, comm, &persistent);
    is_left("request", "MPI_Send_init", 1);
    /* A message that was matched and never received. */
    CALL(MPI_Issend)(&words[3], 1, MPI_INT, 0, 3, comm, &unmatched);
    CALL(MPI_Mprobe)(0, 3, comm, &message, &status);
    CALL(MPI_Mprobe)(MPI_PROC_NULL, 0, comm, &nobodys, &status);
    CHECK(nobodys == MPI_MESSAGE_NO_PROC);
    check_bytes("MPI_Issend", "left", 4, 0);
    is_left("request", "MPI_Issend", 1);
    is_left("message", "MPI_Mprobe", 1);
    check_sql("SELECT count(*) = 6 AND sum(p.name = 'left') = 5 AND sum(p.name = 'MPI_COMM_SELF') = 1 FROM object o "
              "JOIN object p ON p.object = o.parent WHERE o.kind IN ('request', 'message', 'communicator')");
    check_sql(
        "SELECT count(*) = 3 FROM leaks WHERE kind = 'request' AND created_by <> 'MPI_Send_init' AND created_ns > "
        "(SELECT max(created_ns) FROM leaks WHERE created_by = 'MPI_Send_init')");
}

int main(int argc, char **argv)
{
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    local_objects();
    communication();
    check_sql("SELECT count(*) = 14 FROM leaks");
    check_say("rank %d leaves it all", rank);
    CALL(MPI_Finalize)();
    return check_write();
}
