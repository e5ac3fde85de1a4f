/* More distinct attribute calls than a thread keeps apart: values and codes of callbacks are added up then, what the
   MPI itself refuses keeps its words. */
#include "check.h"

enum { VALUES = 5000, REFUSALS = 40, FIRST_CODE = 20000 };

/* A code of its own each time; NULL: the object may go. */
static int refuse(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)value;
    int *code = *(int **)extra;
    return code ? (*code)++ : MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    static char places[VALUES];
    MPI_Comm comm, strict;
    int key, code = FIRST_CODE, kept = 0, value = 1, class, result, *next = &code;
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_set_errhandler)(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CALL(MPI_Comm_dup)(MPI_COMM_SELF, &comm);
    CALL(MPI_Comm_dup)(MPI_COMM_SELF, &strict);
    check_made("communicator", "MPI_Comm_dup", 2);
    CALL(MPI_Comm_set_name)(comm, "holder");
    CALL(MPI_Comm_set_name)(strict, "strict");
    CALL(MPI_Comm_set_errhandler)(strict, MPI_ERRORS_RETURN);
    CALL(MPI_Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    for (int i = 0; i < VALUES; i++)
        CALL(MPI_Comm_set_attr)(comm, key, &places[i]);
    CALL(MPI_Comm_delete_attr)(comm, key);
    CALL(MPI_Comm_free_keyval)(&key);
    check_sql("SELECT sum(calls) = %d AND count(*) BETWEEN 4000 AND 4096 AND sum(value_kind = 'many') = 1 AND "
              "sum(CASE WHEN value_kind = 'many' THEN calls END) = %d - count(*) + 1 FROM attributes "
              "WHERE operation = 'set' AND name = 'holder'",
              VALUES, VALUES);

    CALL(MPI_Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, refuse, &key, &next);
    CALL(MPI_Comm_set_attr)(strict, key, &value);
    for (int i = 0; i < REFUSALS; i++) {
        result = CALL(MPI_Comm_delete_attr)(strict, key);
        CHECK(result != MPI_SUCCESS);
        kept += result == FIRST_CODE + i;
    }
    CHECK(kept == 0 || kept == REFUSALS); /* this MPI keeps what callbacks return, or makes one code of it */
    check_sql(
        "SELECT count(*) = 1 AND sum(calls) = %d AND min(error) = '%s' AND max(value_kind) = 'error' FROM attributes "
        "WHERE operation = 'delete' AND name = 'strict' AND error IS NOT NULL",
        REFUSALS, kept ? "other codes" : "MPI_ERR_OTHER");
    next = NULL;
    CALL(MPI_Comm_free)(&strict);
    CALL(MPI_Comm_free)(&comm);
    check_freed("communicator", "MPI_Comm_free", 2);
    CALL(MPI_Comm_free_keyval)(&key);

    for (int i = 0; i < 3; i++) {
        result = CALL(MPI_Comm_set_attr)(MPI_COMM_WORLD, MPI_TAG_UB, &value);
        CHECK(result != MPI_SUCCESS);
    }
    CALL(MPI_Error_class)(result, &class);
    check_sql("SELECT count(*) = 1 AND sum(calls) = 3 AND min(error) = '%s' FROM attributes "
              "WHERE operation = 'set' AND key = 'MPI_TAG_UB'",
              class == MPI_ERR_KEYVAL ? "MPI_ERR_KEYVAL" : "MPI_ERR_OTHER");
    check_say("done");
    CALL(MPI_Finalize)();
    return check_write();
}
