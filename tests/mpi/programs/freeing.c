/* Frees that fail, frees of what is gone, frees inside callbacks. */
#include "check.h"

static int rank;
static MPI_Comm hanging;
static MPI_Datatype inner;
static MPI_Info info;
static MPI_Group group;
static bool refuses;

static int class_of(int result)
{
    int class;
    CALL(MPI_Error_class)(result, &class);
    return class;
}

static int may_refuse(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm;
    (void)keyval;
    (void)value;
    (void)extra;
    return refuses ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int may_refuse_type(MPI_Datatype type, int keyval, void *value, void *extra)
{
    (void)type;
    return may_refuse(MPI_COMM_NULL, keyval, value, extra);
}

/* Frees one thing of each of several kinds, inside the free of another. */
static int free_the_rest(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm;
    (void)keyval;
    (void)value;
    (void)extra;
    CALL(MPI_Comm_free)(&hanging);
    CALL(MPI_Type_free)(&inner);
    CALL(MPI_Info_free)(&info);
    CALL(MPI_Group_free)(&group);
    return MPI_SUCCESS;
}

static int free_with_the_type(MPI_Datatype type, int keyval, void *value, void *extra)
{
    (void)type;
    (void)keyval;
    (void)value;
    (void)extra;
    CALL(MPI_Type_free)(&inner);
    return MPI_SUCCESS;
}

/* A free that fails keeps the object: its time, its name, and one death in the end. */
static void failed(void)
{
    int key, type_key, size;
    MPI_Comm comm;
    MPI_Datatype type;
    CALL(MPI_Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, may_refuse, &key, NULL);
    CALL(MPI_Type_create_keyval)(MPI_TYPE_NULL_COPY_FN, may_refuse_type, &type_key, NULL);
    CALL(MPI_Comm_dup)(MPI_COMM_SELF, &comm);
    CALL(MPI_Comm_set_name)(comm, "stays");
    CALL(MPI_Comm_set_errhandler)(comm, MPI_ERRORS_RETURN);
    CALL(MPI_Comm_set_attr)(comm, key, NULL);
    CALL(MPI_Type_contiguous)(3, MPI_INT, &type);
    CALL(MPI_Type_set_name)(type, "stays too");
    CALL(MPI_Type_set_attr)(type, type_key, NULL);
    check_made("communicator", "MPI_Comm_dup", 1);
    check_made("datatype", "MPI_Type_contiguous", 1);
    refuses = true;
    MPI_Comm handle = comm;
    int result = CALL(MPI_Comm_free)(&handle);
    check_say("rank %d: refused communicator: %d", rank, result != MPI_SUCCESS);
    MPI_Datatype type_handle = type;
    result = CALL(MPI_Type_free)(&type_handle);
    check_say("rank %d: refused datatype: %d", rank, result != MPI_SUCCESS);
    refuses = false;
    CALL(MPI_Comm_size)(comm, &size);
    CALL(MPI_Comm_free)(&comm);
    if (result != MPI_SUCCESS) /* MPICH frees the datatype all the same */
        CALL(MPI_Type_free)(&type);
    check_freed("communicator", "MPI_Comm_free", 1);
    check_freed("datatype", "MPI_Type_free", 1);
    CALL(MPI_Comm_free_keyval)(&key);
    CALL(MPI_Type_free_keyval)(&type_key);
    check_sql("SELECT total(calls) = 1 FROM calls WHERE communicator = 'stays' AND function = 'MPI_Comm_size'");
    check_sql("SELECT count(*) = 1 FROM object WHERE name = 'stays too' AND freed_ns IS NOT NULL");
}

/* Handles that are no objects any more, or never were: the MPI reports an error, and nothing dies twice. */
static void gone(void)
{
    MPI_Comm null = MPI_COMM_NULL;
    MPI_Datatype no_type = MPI_DATATYPE_NULL;
    MPI_Group no_group = MPI_GROUP_NULL;
    MPI_Info no_info = MPI_INFO_NULL;
    MPI_Op no_op = MPI_OP_NULL;
    int key = MPI_KEYVAL_INVALID;
    check_say("rank %d: nulls: %d %d %d %d %d %d", rank, class_of(CALL(MPI_Comm_free)(&null)),
              class_of(CALL(MPI_Type_free)(&no_type)), class_of(CALL(MPI_Group_free)(&no_group)),
              class_of(CALL(MPI_Info_free)(&no_info)), class_of(CALL(MPI_Op_free)(&no_op)),
              class_of(CALL(MPI_Comm_free_keyval)(&key)));
    no_type = MPI_INT;
    no_op = MPI_SUM;
    check_say("rank %d: predefined: %d %d", rank, class_of(CALL(MPI_Type_free)(&no_type)),
              class_of(CALL(MPI_Op_free)(&no_op)));
}

/* Twice through copies of the handle. Open MPI's handles are addresses of memory that is gone then: only MPICH can
   tell, of these kinds; of an info from version 4.2 no more. */
static void twice(void)
{
#ifdef MPICH_VERSION
    MPI_Comm comm, comm_copy;
    int key, key_copy;
    CALL(MPI_Comm_dup)(MPI_COMM_SELF, &comm);
    CALL(MPI_Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, may_refuse, &key, NULL);
    comm_copy = comm;
    key_copy = key;
    CALL(MPI_Comm_free)(&comm);
    CALL(MPI_Comm_free_keyval)(&key);
    check_made("communicator", "MPI_Comm_dup", 1);
    check_freed("communicator", "MPI_Comm_free", 1);
    check_say("rank %d: twice: %d %d", rank, class_of(CALL(MPI_Comm_free)(&comm_copy)),
              class_of(CALL(MPI_Comm_free_keyval)(&key_copy)));
#endif
}

static void inside_callbacks(void)
{
    int key, type_key;
    MPI_Comm comm;
    MPI_Datatype type;
    CALL(MPI_Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, free_the_rest, &key, NULL);
    CALL(MPI_Type_create_keyval)(MPI_TYPE_NULL_COPY_FN, free_with_the_type, &type_key, NULL);
    CALL(MPI_Comm_dup)(MPI_COMM_SELF, &comm);
    CALL(MPI_Comm_dup)(MPI_COMM_SELF, &hanging);
    CALL(MPI_Type_contiguous)(3, MPI_INT, &inner);
    CALL(MPI_Info_create)(&info);
    CALL(MPI_Comm_group)(comm, &group);
    CALL(MPI_Comm_set_attr)(comm, key, NULL);
    CALL(MPI_Comm_free)(&comm);
    CHECK(hanging == MPI_COMM_NULL && inner == MPI_DATATYPE_NULL && info == MPI_INFO_NULL && group == MPI_GROUP_NULL);
    CALL(MPI_Type_contiguous)(4, MPI_INT, &inner);
    CALL(MPI_Type_contiguous)(5, MPI_INT, &type);
    CALL(MPI_Type_set_attr)(type, type_key, NULL);
    CALL(MPI_Type_free)(&type);
    CHECK(inner == MPI_DATATYPE_NULL);
    CALL(MPI_Comm_free_keyval)(&key);
    CALL(MPI_Type_free_keyval)(&type_key);
    check_made("communicator", "MPI_Comm_dup", 2);
    check_freed("communicator", "MPI_Comm_free", 2);
    check_made("datatype", "MPI_Type_contiguous", 3);
    check_freed("datatype", "MPI_Type_free", 3);
}

int main(int argc, char **argv)
{
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_set_errhandler)(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CALL(MPI_Comm_set_errhandler)(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    failed();
    gone();
    twice();
    inside_callbacks();
    check_sql("SELECT count(*) = 0 FROM leaks");
    check_sql("SELECT count(*) = 0 FROM object WHERE freed_ns IS NOT NULL AND freed_function IS NULL");
    CALL(MPI_Finalize)();
    return check_write();
}
