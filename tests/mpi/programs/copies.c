/* The attributes of a duplicate, queried by callsign without any effect on the program. */
#include <stdint.h>

#include "check.h"

enum { KEYS = 5 };

static int values[KEYS], replaced, copies, handled;

static int copy_other(MPI_Comm from, int key, void *extra, void *value, void *copy, int *flag)
{
    (void)from, (void)key, (void)extra, (void)value;
    copies++;
    *(void **)copy = &replaced;
    *flag = 1;
    return MPI_SUCCESS;
}

static int copy_none(MPI_Comm from, int key, void *extra, void *value, void *copy, int *flag)
{
    (void)from, (void)key, (void)extra, (void)value, (void)copy;
    copies++;
    *flag = 0;
    return MPI_SUCCESS;
}

static int copy_fails(MPI_Comm from, int key, void *extra, void *value, void *copy, int *flag)
{
    (void)from, (void)key, (void)extra, (void)value, (void)copy;
    copies++;
    *flag = 0;
    return MPI_ERR_OTHER;
}

static int copy_of_type(MPI_Datatype from, int key, void *extra, void *value, void *copy, int *flag)
{
    (void)from, (void)key, (void)extra, (void)value;
    *(void **)copy = &replaced;
    *flag = 1;
    return MPI_SUCCESS;
}

static void on_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    handled++;
}

/* The expected trace of a key's copy to the object with this name. NULL: none. */
static void expect(const char *name, int key, const void *value)
{
    check_sql("SELECT count(*) = 1 AND sum(a.calls) = 1 AND max(a.found) = %d AND max(a.value) = %ld AND "
              "max(a.value_kind) = '%s' AND max(a.error) IS NULL AND max(a.site) <> 0 "
              "FROM attribute a JOIN object o USING (object) WHERE o.name = '%s' AND a.keyval = %d AND "
              "a.operation = 'copy'",
              value != NULL, (long)(intptr_t)value, value ? "address" : "none", name, key);
}

/* The number of keys for which the duplicate with this name was queried, from the function that made it. */
static void expect_keys(const char *name, int keys, const char *caller)
{
    check_sql(
        "SELECT count(*) = %d AND count(DISTINCT a.site) = %d AND coalesce(min(f.module = g.module AND "
        "f.offset = g.offset), 1) FROM attribute a JOIN object o USING (object) LEFT JOIN site s ON s.site = a.site "
        "LEFT JOIN frame f USING (frame) LEFT JOIN site t ON t.site = o.site LEFT JOIN frame g ON g.frame = t.frame "
        "WHERE o.name = '%s' AND a.operation = 'copy'",
        keys, keys > 0, name);
    check_sql(
        "SELECT count(*) = 1 FROM object o JOIN function f USING (function) WHERE o.name = '%s' AND f.name = '%s'",
        name, caller);
}

static MPI_Comm duplicate(MPI_Comm comm, int how)
{
    static const char *const functions[] = {"MPI_Comm_dup", "MPI_Comm_dup_with_info", "MPI_Comm_idup", "MPI_Comm_idup"};
    MPI_Comm made;
    MPI_Request request;
    int done = 0;
    if (how == 0)
        CALL(MPI_Comm_dup)(comm, &made);
    if (how == 1)
        CALL(MPI_Comm_dup_with_info)(comm, MPI_INFO_NULL, &made);
    if (how >= 2)
        CALL(MPI_Comm_idup)(comm, &made, &request);
    if (how == 2)
        CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
    while (how == 3 && !done)
        CALL(MPI_Testall)(1, &request, &done, MPI_STATUSES_IGNORE);
    check_made("communicator", functions[how], 1);
    return made;
}

/* The first key is copied, the second not, the third gets another value, the fourth none, the last one was deleted. */
static void of_communicators(MPI_Comm original, int key[KEYS])
{
    static const char *const functions[] = {"MPI_Comm_dup", "MPI_Comm_dup_with_info", "MPI_Comm_idup", "MPI_Comm_idup"};
    for (int how = 0; how < 4; how++) {
        char name[2][32];
        MPI_Comm made[2] = {duplicate(original, how), MPI_COMM_NULL};
        made[1] = duplicate(made[0], how);
        for (int i = 0; i < 2; i++) {
            snprintf(name[i], sizeof name[i], "%s %d", i ? "again" : "duplicate", how);
            CALL(MPI_Comm_set_name)(made[i], name[i]);
            expect(name[i], key[0], &values[0]);
            expect(name[i], key[2], &replaced);
            expect_keys(name[i], i ? 2 : 4, functions[how]);
        }
        expect(name[0], key[1], NULL);
        expect(name[0], key[3], NULL);
        for (int i = 0; i < 2; i++)
            CALL(MPI_Comm_free)(&made[i]);
        check_freed("communicator", "MPI_Comm_free", 2);
    }
}

/* An object without attributes is not queried. */
static void of_nothing(const char *name)
{
    MPI_Comm made = duplicate(MPI_COMM_WORLD, 0);
    CALL(MPI_Comm_set_name)(made, name);
    expect_keys(name, 0, "MPI_Comm_dup");
    CALL(MPI_Comm_free)(&made);
    check_freed("communicator", "MPI_Comm_free", 1);
}

/* A key that is freed may not be asked about any more, although the value is still there and copied. */
static void of_a_freed_key(MPI_Comm original, int *key)
{
    CALL(MPI_Comm_free_keyval)(key);
    MPI_Comm made = duplicate(original, 0);
    CALL(MPI_Comm_set_name)(made, "fewer");
    expect_keys("fewer", 3, "MPI_Comm_dup");
    CALL(MPI_Comm_free)(&made);
    check_freed("communicator", "MPI_Comm_free", 1);
}

static void of_what_fails(MPI_Comm original)
{
    int key;
    MPI_Comm made = MPI_COMM_NULL;
    CALL(MPI_Comm_create_keyval)(copy_fails, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    CALL(MPI_Comm_set_attr)(original, key, &values[0]);
    /* With a handler of the program's own, MPICH 5 says that all is well. */
    CHECK(CALL(MPI_Comm_dup)(original, &made) != MPI_SUCCESS || made == MPI_COMM_NULL);
    check_sql("SELECT count(*) = 0 FROM attribute WHERE keyval = %d AND operation = 'copy' AND first_ns > (SELECT "
              "max(created_ns) FROM created_keyval JOIN object USING (object) WHERE keyval = %d)",
              key, key);
    CALL(MPI_Comm_delete_attr)(original, key);
    CALL(MPI_Comm_free_keyval)(&key);
}

static void of_datatypes(void)
{
    MPI_Datatype original, made, bare;
    int key[3];
    CALL(MPI_Type_create_keyval)(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &key[0], NULL);
    CALL(MPI_Type_create_keyval)(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key[1], NULL);
    CALL(MPI_Type_create_keyval)(copy_of_type, MPI_TYPE_NULL_DELETE_FN, &key[2], NULL);
    CALL(MPI_Type_contiguous)(3, MPI_INT, &original);
    check_made("datatype", "MPI_Type_contiguous", 1);
    for (int i = 0; i < 3; i++)
        CALL(MPI_Type_set_attr)(original, key[i], &values[i]);
    CALL(MPI_Type_dup)(original, &made);
    CALL(MPI_Type_set_name)(made, "twin");
    CALL(MPI_Type_dup)(MPI_INT, &bare);
    CALL(MPI_Type_set_name)(bare, "bare type");
    check_made("datatype", "MPI_Type_dup", 2);
    expect("twin", key[0], &values[0]);
    expect("twin", key[1], NULL);
    expect("twin", key[2], &replaced);
    expect_keys("twin", 3, "MPI_Type_dup");
    expect_keys("bare type", 0, "MPI_Type_dup");
    CALL(MPI_Type_free)(&made);
    CALL(MPI_Type_free)(&bare);
    CALL(MPI_Type_free)(&original);
    check_freed("datatype", "MPI_Type_free", 3);
    for (int i = 0; i < 3; i++)
        CALL(MPI_Type_free_keyval)(&key[i]);
}

int main(int argc, char **argv)
{
    MPI_Comm original;
    MPI_Errhandler handler;
    int key[KEYS];
    MPI_Comm_copy_attr_function *const copy[KEYS] = {MPI_COMM_DUP_FN, MPI_COMM_NULL_COPY_FN, copy_other, copy_none,
                                                     MPI_COMM_DUP_FN};
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_create_errhandler)(on_error, &handler);
    CALL(MPI_Comm_set_errhandler)(MPI_COMM_WORLD, handler);
    CALL(MPI_Comm_set_errhandler)(MPI_COMM_SELF, handler);
    of_nothing("before any");
    CALL(MPI_Comm_split)(MPI_COMM_WORLD, 0, 0, &original);
    check_made("communicator", "MPI_Comm_split", 1);
    CALL(MPI_Comm_set_errhandler)(original, handler);
    for (int i = 0; i < KEYS; i++) {
        CALL(MPI_Comm_create_keyval)(copy[i], MPI_COMM_NULL_DELETE_FN, &key[i], NULL);
        CALL(MPI_Comm_set_attr)(original, key[i], &values[i]);
    }
    CALL(MPI_Comm_delete_attr)(original, key[KEYS - 1]);
    of_communicators(original, key);
    of_nothing("bare");
    of_datatypes();
    of_a_freed_key(original, &key[0]);
    CHECK(handled == 0);
    check_say("%d copies", copies);
    of_what_fails(original);
    CALL(MPI_Comm_free)(&original);
    check_freed("communicator", "MPI_Comm_free", 1);
    for (int i = 1; i < KEYS; i++)
        CALL(MPI_Comm_free_keyval)(&key[i]);
    CALL(MPI_Errhandler_free)(&handler);
    CALL(MPI_Finalize)();
    return check_write();
}
