/* errno after calls of many kinds: what it would be without callsign. Only calls that ask nobody else: what the
   transports of an MPI leave in errno differs from run to run. */
#include "callbacks.h"
#include "check.h"

#include <errno.h>

enum { BEFORE = 77 };

static int rank;

/* The call, and what it left in errno. */
#define SAY(name, ...)                                                                                                 \
    do {                                                                                                               \
        errno = BEFORE;                                                                                                \
        CALL(name)(__VA_ARGS__);                                                                                       \
        int left = errno;                                                                                              \
        check_say("rank %d: %s: errno %d", rank, #name, left);                                                         \
    } while (0)

static int refuse(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm;
    (void)key;
    (void)value;
    (void)extra;
    return MPI_ERR_OTHER;
}

static void communicators(void)
{
    int key, size, flag, dims[1] = {1}, periods[1] = {0}, length;
    char name[MPI_MAX_OBJECT_NAME];
    void *value;
    MPI_Comm comm, copy;
    MPI_Group group, part;
    MPI_Errhandler handler;
    SAY(MPI_Comm_dup, MPI_COMM_SELF, &comm);
    SAY(MPI_Comm_set_name, comm, "named");
    SAY(MPI_Comm_get_name, comm, name, &length);
    SAY(MPI_Comm_size, comm, &size);
    SAY(MPI_Comm_split, comm, 0, 0, &copy);
    SAY(MPI_Comm_get_name, copy, name, &length);
    SAY(MPI_Comm_free, &copy);
    SAY(MPI_Cart_create, comm, 1, dims, periods, 0, &copy);
    SAY(MPI_Comm_free, &copy);
    SAY(MPI_Comm_group, comm, &group);
    SAY(MPI_Group_incl, group, 0, NULL, &part);
    SAY(MPI_Group_free, &group);
    SAY(MPI_Comm_create_keyval, MPI_COMM_NULL_COPY_FN, refuse, &key, NULL);
    SAY(MPI_Comm_set_attr, comm, key, NULL);
    SAY(MPI_Comm_get_attr, comm, key, &value, &flag);
    SAY(MPI_Comm_create_errhandler, ignore, &handler);
    SAY(MPI_Comm_set_errhandler, comm, handler);
    SAY(MPI_Errhandler_free, &handler);
    copy = comm;
    SAY(MPI_Comm_free, &copy); /* refused */
    check_made("communicator", "MPI_Comm_dup", 1);
    check_made("communicator", "MPI_Comm_split", 1);
    check_made("communicator", "MPI_Cart_create", 1);
    check_freed("communicator", "MPI_Comm_free", 2);
}

static void datatypes(void)
{
    int length;
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Datatype type, copy;
    MPI_Aint low, extent;
    SAY(MPI_Type_set_name, MPI_LONG_DOUBLE, "long");
    SAY(MPI_Type_contiguous, 3, MPI_FLOAT, &type);
    SAY(MPI_Type_commit, &type);
    SAY(MPI_Type_get_extent, type, &low, &extent);
    SAY(MPI_Type_set_name, type, "three");
    SAY(MPI_Type_get_name, type, name, &length);
    SAY(MPI_Type_dup, type, &copy);
    SAY(MPI_Type_free, &copy);
    SAY(MPI_Type_free, &type);
    check_made("datatype", "MPI_Type_contiguous", 1);
    check_made("datatype", "MPI_Type_dup", 1);
    check_freed("datatype", "MPI_Type_free", 2);
    /* Enough for new memory, of the journal too. */
    for (int i = 0; i < 20000; i++) {
        errno = BEFORE;
        CALL(MPI_Type_contiguous)(i + 1, MPI_INT, &type);
        CHECK(errno == BEFORE);
        CALL(MPI_Type_free)(&type);
        CHECK(errno == BEFORE);
    }
    check_made("datatype", "MPI_Type_contiguous", 20000);
    check_freed("datatype", "MPI_Type_free", 20000);
}

static void others(void)
{
    MPI_Info info, twin;
    MPI_Op op;
    void *memory;
    int version, subversion, length, flag;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Request request;
    MPI_Status status;
    SAY(MPI_Info_create, &info);
    SAY(MPI_Info_set, info, "key", "value");
    SAY(MPI_Info_dup, info, &twin);
    SAY(MPI_Info_free, &info);
    SAY(MPI_Info_free, &twin);
    SAY(MPI_Op_create, add, 1, &op);
    SAY(MPI_Op_free, &op);
    SAY(MPI_Alloc_mem, 64, MPI_INFO_NULL, &memory);
    SAY(MPI_Free_mem, memory);
    SAY(MPI_Get_version, &version, &subversion);
    SAY(MPI_Get_library_version, text, &length);
    SAY(MPI_Initialized, &flag);
    SAY(MPI_Send_init, &flag, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request);
    SAY(MPI_Start, &request);
    SAY(MPI_Wait, &request, &status);
    SAY(MPI_Request_free, &request);
    SAY(MPI_Irecv, &flag, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request);
    SAY(MPI_Wait, &request, &status);
    SAY(MPI_Send, &flag, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF);
}

int main(int argc, char **argv)
{
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_set_errhandler)(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CALL(MPI_Comm_set_errhandler)(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    communicators();
    datatypes();
    others();
    CALL(MPI_Finalize)();
    return check_write();
}
