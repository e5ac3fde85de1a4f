/* MPI calls of user callbacks inside MPI belong to the program: copy and delete functions, operations, error
   handlers, generalized requests, and delete functions inside MPI_Finalize. */
#include "check.h"

static int rank, sums;
static MPI_Comm kept;

static int copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    int size;
    (void)keyval;
    (void)extra;
    CALL(MPI_Comm_size)(comm, &size);
    *(void **)out = in;
    *flag = size > 0;
    return MPI_SUCCESS;
}

static int forget(MPI_Comm comm, int keyval, void *value, void *extra)
{
    int own;
    (void)keyval;
    (void)value;
    (void)extra;
    CALL(MPI_Comm_rank)(comm, &own);
    return MPI_SUCCESS;
}

static int refuse(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    (void)comm;
    (void)keyval;
    (void)extra;
    (void)in;
    (void)out;
    (void)flag;
    return MPI_ERR_BUFFER;
}

/* In a tail call the return address is the MPI's own: the call looks as if the MPI made it, and
   is not counted. The object is followed all the same. */
__attribute__((noinline)) static int forget_by_tail_call(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm;
    (void)keyval;
    (void)extra;
    return MPI_Comm_free(value);
}

/* Runs inside MPI_Finalize, where MPI_Finalized still says no. */
static int at_the_end(MPI_Comm comm, int keyval, void *value, void *extra)
{
    int flag, own, sum;
    (void)keyval;
    (void)value;
    (void)extra;
    CALL(MPI_Finalized)(&flag);
    CALL(MPI_Comm_rank)(comm, &own);
    CALL(MPI_Allreduce)(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check_bytes("MPI_Allreduce", "MPI_COMM_WORLD", 4, 4);
    check_say("rank %d: at the end: finalized %d sum %d", rank, flag, sum);
    return MPI_SUCCESS;
}

static void add(void *in, void *inout, int *length, MPI_Datatype *type)
{
    MPI_Aint low, extent;
    CALL(MPI_Type_get_extent)(*type, &low, &extent);
    for (int i = 0; i < *length; i++)
        ((int *)inout)[i] += ((int *)in)[i] * (extent == sizeof(int));
    sums++;
}

static void complain(MPI_Comm *comm, int *code, ...)
{
    int class, own;
    CALL(MPI_Error_class)(*code, &class);
    CALL(MPI_Comm_rank)(*comm, &own);
    check_say("rank %d: error class %d seen by %d", rank, class, own);
}

static void attributes(void)
{
    int key, tail;
    MPI_Comm comm, twin;
    CALL(MPI_Comm_create_keyval)(copy, forget, &key, NULL);
    CALL(MPI_Comm_dup)(MPI_COMM_SELF, &comm);
    CALL(MPI_Comm_set_attr)(comm, key, &rank);
    CALL(MPI_Comm_dup)(comm, &twin);
    CALL(MPI_Comm_free)(&twin);
    CALL(MPI_Comm_free)(&comm);
    CALL(MPI_Comm_free_keyval)(&key);
    check_freed("communicator", "MPI_Comm_free", 2);
    /* The communicator that hangs on another one goes with it. */
    CALL(MPI_Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, forget_by_tail_call, &tail, NULL);
    CALL(MPI_Comm_dup)(MPI_COMM_SELF, &comm);
    CALL(MPI_Comm_dup)(MPI_COMM_SELF, &kept);
    CALL(MPI_Comm_set_name)(kept, "hanging");
    CALL(MPI_Comm_set_attr)(comm, tail, &kept);
    CALL(MPI_Comm_free)(&comm);
    CALL(MPI_Comm_free_keyval)(&tail);
    check_freed("communicator", "MPI_Comm_free", 2);
    check_made("communicator", "MPI_Comm_dup", 4);
    CHECK(kept == MPI_COMM_NULL);
    check_sql("SELECT freed_ns IS NOT NULL FROM object WHERE name = 'hanging'");
    check_sql("SELECT count(*) = 0 FROM leaks WHERE kind = 'communicator'");
}

/* A copy function that fails makes the duplicate fail, with its code; no communicator was made. */
static void refusal(void)
{
    int key, class;
    MPI_Comm comm, twin = MPI_COMM_NULL;
    CALL(MPI_Comm_create_keyval)(refuse, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    CALL(MPI_Comm_dup)(MPI_COMM_SELF, &comm);
    check_made("communicator", "MPI_Comm_dup", 1);
    CALL(MPI_Comm_set_errhandler)(comm, MPI_ERRORS_RETURN);
    CALL(MPI_Comm_set_attr)(comm, key, &rank);
    int result = CALL(MPI_Comm_dup)(comm, &twin);
    CALL(MPI_Error_class)(result, &class);
    check_say("rank %d: refused duplicate: class %d, null %d", rank, class, twin == MPI_COMM_NULL);
    CALL(MPI_Comm_delete_attr)(comm, key);
    CALL(MPI_Comm_free_keyval)(&key);
    CALL(MPI_Comm_free)(&comm);
    check_freed("communicator", "MPI_Comm_free", 1);
}

static void operations(void)
{
    MPI_Op op;
    int value = rank + 1, sum = 0, size;
    CALL(MPI_Op_create)(add, 1, &op);
    CALL(MPI_Comm_size)(MPI_COMM_WORLD, &size);
    CALL(MPI_Allreduce)(&value, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
    check_bytes("MPI_Allreduce", "MPI_COMM_WORLD", 4, 4);
    CHECK(sum == size * (size + 1) / 2);
    CALL(MPI_Op_free)(&op);
}

static void errors(void)
{
    MPI_Errhandler handler;
    CALL(MPI_Comm_create_errhandler)(complain, &handler);
    CALL(MPI_Comm_set_errhandler)(MPI_COMM_WORLD, handler);
    /* MPICH 5 says that all is well when the handler has returned. */
    if (CALL(MPI_Send)(&rank, 1, MPI_INT, 9999, 0, MPI_COMM_WORLD) == MPI_SUCCESS)
        check_bytes("MPI_Send", "MPI_COMM_WORLD", sizeof(int), 0);
    CALL(MPI_Comm_set_errhandler)(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    CALL(MPI_Errhandler_free)(&handler);
}

int main(int argc, char **argv)
{
    int key;
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    attributes();
    refusal();
    operations();
    errors();
    CALL(MPI_Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, at_the_end, &key, NULL);
    CALL(MPI_Comm_set_attr)(MPI_COMM_SELF, key, NULL);
    CALL(MPI_Finalize)();
    check_outcome("finalized");
    check_sql("SELECT p.calls = sum(c.calls) FROM process p JOIN profile c");
    return check_write();
}
