/* Attributes on communicators, datatypes and windows: each question, its answer and how often. */
#include "check.h"

static int rank;

/* The rows of one object and key: operation, found, value and how often. */
static void expect(const char *object, int keyval, const char *operation, int found, int calls)
{
    check_sql("SELECT coalesce(sum(a.calls), 0) = %d FROM attribute a JOIN object o USING (object) WHERE o.name = '%s' "
              "AND a.keyval = %d AND a.operation = '%s' AND a.found = %d",
              calls, object, keyval, operation, found);
}

static void predefined(void)
{
    int *value, flag;
    for (int i = 0; i < 3; i++) {
        CALL(MPI_Comm_get_attr)(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag);
        CHECK(flag && *value >= 32767);
    }
    check_sql("SELECT max(calls) = 3 AND min(value) = %d AND max(value) = %d AND min(found) = 1 FROM attributes "
              "WHERE key = 'MPI_TAG_UB' AND operation = 'get' AND name = 'MPI_COMM_WORLD'",
              *value, *value);
    CALL(MPI_Comm_get_attr)(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &flag);
    check_sql("SELECT max(calls) = 1 AND max(answer) = '%s' FROM attributes WHERE key = 'MPI_WTIME_IS_GLOBAL' "
              "AND operation = 'get'",
              *value ? "true" : "false");
}

/* The expected trace of an attribute that the program found. */
static void answers(int keyval, const char *key, int surveyed)
{
    int *value, flag;
    char words[32];
    CALL(MPI_Comm_get_attr)(MPI_COMM_WORLD, keyval, &value, &flag);
    snprintf(words, sizeof words, "%d", flag ? *value : 0);
    const char *answer = !flag                                    ? "not set"
                         : keyval == MPI_WTIME_IS_GLOBAL          ? *value ? "true" : "false"
                         : keyval != MPI_HOST && keyval != MPI_IO ? words
                         : *value == MPI_PROC_NULL                ? "MPI_PROC_NULL"
                         : *value == MPI_ANY_SOURCE               ? "MPI_ANY_SOURCE"
                                                                  : words;
    /* Asked by the program and, if surveyed, by callsign when MPI had begun. */
    check_sql("SELECT count(*) BETWEEN %d AND %d AND min(answer) = '%s' AND max(answer) = '%s' AND sum(operation = "
              "'survey' AND calls = 1 "
              "AND location IS NULL AND first_ns < 1000000000) = %d FROM attributes "
              "WHERE name = 'MPI_COMM_WORLD' AND key = '%s' AND operation IN ('survey', 'get')",
              1 + surveyed, 2 + surveyed, answer, answer, surveyed, key);
}

static void in_words(void)
{
    answers(MPI_TAG_UB, "MPI_TAG_UB", 1);
    answers(MPI_HOST, "MPI_HOST", 1);
    answers(MPI_IO, "MPI_IO", 1);
    answers(MPI_WTIME_IS_GLOBAL, "MPI_WTIME_IS_GLOBAL", 1);
    answers(MPI_UNIVERSE_SIZE, "MPI_UNIVERSE_SIZE", 0);
    answers(MPI_APPNUM, "MPI_APPNUM", 1);
    answers(MPI_LASTUSEDCODE, "MPI_LASTUSEDCODE", 1);
}

static void on_communicators(void)
{
    static int first = 11, second = 22;
    MPI_Comm comm;
    int key, other, flag, *value = NULL;
    CALL(MPI_Comm_dup)(MPI_COMM_SELF, &comm);
    check_made("communicator", "MPI_Comm_dup", 1);
    CALL(MPI_Comm_set_name)(comm, "holder");
    CALL(MPI_Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    CALL(MPI_Comm_create_keyval)(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &other, NULL);
    CALL(MPI_Comm_get_attr)(comm, key, &value, &flag);
    CHECK(!flag);
    CALL(MPI_Comm_set_attr)(comm, key, &first);
    CALL(MPI_Comm_set_attr)(comm, key, &second);
    CALL(MPI_Comm_set_attr)(comm, other, NULL); /* a null value is a value */
    for (int i = 0; i < 5; i++) {
        CALL(MPI_Comm_get_attr)(comm, key, &value, &flag);
        CHECK(flag && value == &second);
    }
    CALL(MPI_Comm_get_attr)(comm, other, &value, &flag);
    CHECK(flag && value == NULL);
    CALL(MPI_Comm_delete_attr)(comm, key);
    CALL(MPI_Comm_get_attr)(comm, key, &value, &flag);
    CHECK(!flag);
    expect("holder", key, "set", 1, 2);
    expect("holder", key, "get", 1, 5);
    expect("holder", key, "get", 0, 2);
    expect("holder", key, "delete", 1, 1);
    expect("holder", other, "get", 1, 1);
    CALL(MPI_Comm_free_keyval)(&key);
    CHECK(key == MPI_KEYVAL_INVALID);
    CALL(MPI_Comm_free_keyval)(&other);
    CALL(MPI_Comm_free)(&comm);
    check_freed("communicator", "MPI_Comm_free", 1);
}

static void on_datatypes(void)
{
    MPI_Datatype type;
    int key, flag;
    void *value;
    CALL(MPI_Type_contiguous)(2, MPI_INT, &type);
    check_made("datatype", "MPI_Type_contiguous", 1);
    CALL(MPI_Type_set_name)(type, "couple");
    CALL(MPI_Type_create_keyval)(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key, NULL);
    CALL(MPI_Type_set_attr)(type, key, &rank);
    CALL(MPI_Type_get_attr)(type, key, &value, &flag);
    CHECK(flag && value == &rank);
    CALL(MPI_Type_delete_attr)(type, key);
    expect("couple", key, "set", 1, 1);
    expect("couple", key, "get", 1, 1);
    expect("couple", key, "delete", 1, 1);
    CALL(MPI_Type_free_keyval)(&key);
    CALL(MPI_Type_free)(&type);
    check_freed("datatype", "MPI_Type_free", 1);
}

/* Those of the MPI are met when they are first used, whatever for, and each is one of its own. */
static void on_predefined_datatypes(void)
{
    int key, flag;
    void *value;
    CALL(MPI_Type_create_keyval)(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key, NULL);
    CALL(MPI_Type_set_attr)(MPI_LONG_INT, key, &rank);
    CALL(MPI_Type_get_attr)(MPI_LONG_INT, key, &value, &flag);
    CALL(MPI_Type_get_attr)(MPI_SHORT_INT, key, &value, &flag);
    CALL(MPI_Type_get_attr)(MPI_SHORT_INT, key, &value, &flag);
    CALL(MPI_Type_delete_attr)(MPI_LONG_INT, key);
    expect("MPI_LONG_INT", key, "set", 1, 1);
    expect("MPI_LONG_INT", key, "get", 1, 1);
    expect("MPI_SHORT_INT", key, "get", 0, 2);
    CALL(MPI_Type_free_keyval)(&key);
}

static void on_windows(void)
{
    MPI_Win win;
    MPI_Aint *bytes;
    int *memory, flag;
    CALL(MPI_Win_allocate)(40, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    check_made("window", "MPI_Win_allocate", 1);
    CALL(MPI_Win_set_name)(win, "board");
    CALL(MPI_Win_get_attr)(win, MPI_WIN_SIZE, &bytes, &flag);
    CHECK(flag && *bytes == 40);
    check_sql(
        "SELECT sum(calls) = 1 AND max(value) = 40 FROM attributes WHERE name = 'board' AND key = 'MPI_WIN_SIZE'");
    CALL(MPI_Win_free)(&win);
    check_freed("window", "MPI_Win_free", 1);
}

enum { OWN_CODE = 9999 };

static int refuse_once(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)value;
    return (*(int *)extra)++ == 0 ? OWN_CODE : MPI_SUCCESS;
}

/* The call failed, and the trace says with what. object: its name, or NULL for a handle that is none. */
static void refused(const char *object, const char *operation, const char *key, int keyval, int result)
{
    int class = result;
    CHECK(result != MPI_SUCCESS);
    if (result != OWN_CODE)
        CALL(MPI_Error_class)(result, &class);
    const char *error = result == OWN_CODE        ? "code 9999"
                        : class == MPI_ERR_KEYVAL ? "MPI_ERR_KEYVAL"
                        : class == MPI_ERR_COMM   ? "MPI_ERR_COMM"
                        : class == MPI_ERR_TYPE   ? "MPI_ERR_TYPE"
                        : class == MPI_ERR_ARG    ? "MPI_ERR_ARG"
                                                  : "MPI_ERR_OTHER";
    CHECK(class == MPI_ERR_OTHER || strcmp(error, "MPI_ERR_OTHER") != 0);
    check_sql(
        "SELECT count(*) = 1 AND sum(calls) = 1 AND max(answer) IS NULL AND max(found) IS NULL AND max(location) "
        "IS NOT NULL "
        "FROM attributes WHERE coalesce(name, '') = '%s' AND operation = '%s' AND key GLOB '%s*' AND error = '%s'",
        object ? object : "", operation, key, error);
    check_sql("SELECT count(*) > 0 FROM attribute WHERE keyval = %d AND operation = '%s' AND value_kind = 'error'",
              keyval, operation);
}

/* Calls that the MPI refuses, and results of callbacks. */
static void errors(void)
{
    MPI_Comm comm;
    char other[32];
    void *answer;
    int value = 5, asked = 0, flag, own, of_types, keyval = MPI_TAG_UB, result;
    CALL(MPI_Comm_set_errhandler)(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CALL(MPI_Comm_set_errhandler)(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CALL(MPI_Comm_dup)(MPI_COMM_SELF, &comm);
    check_made("communicator", "MPI_Comm_dup", 1);
    CALL(MPI_Comm_set_errhandler)(comm, MPI_ERRORS_RETURN);
    CALL(MPI_Comm_set_name)(comm, "strict");
    refused("MPI_COMM_WORLD", "set", "MPI_TAG_UB", MPI_TAG_UB,
            CALL(MPI_Comm_set_attr)(MPI_COMM_WORLD, MPI_TAG_UB, &value));
    refused("MPI_COMM_WORLD", "delete", "MPI_TAG_UB", MPI_TAG_UB,
            CALL(MPI_Comm_delete_attr)(MPI_COMM_WORLD, MPI_TAG_UB));
    result = CALL(MPI_Comm_free_keyval)(&keyval);
    refused(NULL, "free", "MPI_TAG_UB", MPI_TAG_UB, result);
    /* A key of the wrong kind; and no communicator at all. */
    CALL(MPI_Type_create_keyval)(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &of_types, NULL);
    snprintf(other, sizeof other, "key %d", of_types);
    refused("strict", "set", other, of_types, CALL(MPI_Comm_set_attr)(comm, of_types, &value));
    refused(NULL, "get", "MPI_TAG_UB", MPI_TAG_UB, CALL(MPI_Comm_get_attr)(MPI_COMM_NULL, MPI_TAG_UB, &answer, &flag));
    CALL(MPI_Type_free_keyval)(&of_types);
    /* A callback's own code, as far as the MPI tells it; then it is content. */
    CALL(MPI_Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, refuse_once, &own, &asked);
    CALL(MPI_Comm_set_attr)(comm, own, &value);
    result = CALL(MPI_Comm_delete_attr)(comm, own);
    check_sql(
        "SELECT count(*) = 1 FROM attribute WHERE keyval = %d AND operation = 'delete' AND found = 0 AND error = '%s'",
        own, result == OWN_CODE ? "code 9999" : "MPI_ERR_OTHER");
    check_say("rank %d: what a callback returned is %s", rank, result == OWN_CODE ? "kept" : "lost");
    CALL(MPI_Comm_free_keyval)(&own);
    CALL(MPI_Comm_free)(&comm);
    check_freed("communicator", "MPI_Comm_free", 1);
}

int main(int argc, char **argv)
{
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    predefined();
    on_communicators();
    on_datatypes();
    on_predefined_datatypes();
    on_windows();
    in_words();
    errors();
    check_say("rank %d done", rank);
    CALL(MPI_Finalize)();
    return check_write();
}
