/* Delete callbacks that use the very object that is being freed: it is itself as long as the MPI has it, and itself
   again when a callback refuses. The MPI answers what it answers without callsign. */
#include "check.h"

#include <pthread.h>

enum { ROUNDS = 200, THREADS = 3, ROUNDS_OF_THREAD = 100 };

static int rank;
static int kept_key; /* asked for in callbacks: only some objects have it */
static bool refuses, renames;
static int uses; /* how often the callback of communicators ran */

static void say_name(const char *what, int result, const char *name, int length)
{
    check_say("rank %d: %s: %d [%s] %d", rank, what, result, name, length);
}

/* ---- communicators ---- */

static int use_comm(MPI_Comm comm, int key, void *value, void *extra)
{
    char name[MPI_MAX_OBJECT_NAME] = "?";
    int length = -1, own, sum, found, one = 1;
    void *answer;
    MPI_Comm twin;
    (void)key;
    (void)extra;
    uses++;
    int result = CALL(MPI_Comm_get_name)(comm, name, &length);
    if (value)
        say_name(value, result, name, length);
    CALL(MPI_Comm_rank)(comm, &own);
    CALL(MPI_Allreduce)(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    CALL(MPI_Comm_get_attr)(comm, kept_key, &answer, &found);
    if (value) { /* with objects that come and go inside */
        CALL(MPI_Comm_dup)(comm, &twin);
        CALL(MPI_Comm_free)(&twin);
        check_made("communicator", "MPI_Comm_dup", 1);
        check_freed("communicator", "MPI_Comm_free", 1);
    }
    if (renames)
        CALL(MPI_Comm_set_name)(comm, "renamed");
    return refuses ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static void communicators(void)
{
    int key, length;
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Comm comm;
    CALL(MPI_Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, use_comm, &key, NULL);
    for (int i = 0; i < ROUNDS; i++) {
        CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &comm);
        CALL(MPI_Comm_set_attr)(comm, key, NULL);
        if (i % 2)
            CALL(MPI_Comm_free)(&comm);
        else
            CALL(MPI_Comm_disconnect)(&comm);
    }
    check_made("communicator", "MPI_Comm_dup", ROUNDS);
    check_freed("communicator", "MPI_Comm_free", ROUNDS / 2);
    check_freed("communicator", "MPI_Comm_disconnect", ROUNDS / 2);
    check_bytes("MPI_Allreduce", NULL, 4 * ROUNDS, 4 * ROUNDS);
    check_sql("SELECT count(*) = %d AND count(DISTINCT p.communicator) = %d FROM profile p JOIN object o ON "
              "o.object = p.communicator JOIN function f ON f.function = p.function WHERE f.name = 'MPI_Allreduce' AND "
              "o.freed_ns IS NOT NULL AND o.name LIKE 'MPI_COMM_WORLD.dup%%'",
              ROUNDS + 1, ROUNDS + 1);

    CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &comm);
    CALL(MPI_Comm_set_attr)(comm, key, (void *)"a communicator without a name");
    CALL(MPI_Comm_free)(&comm);

    CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &comm);
    CALL(MPI_Comm_set_name)(comm, "named");
    CALL(MPI_Comm_set_attr)(comm, key, (void *)"a named communicator");
    renames = true;
    CALL(MPI_Comm_disconnect)(&comm);
    renames = false;
    check_sql("SELECT group_concat(name, ' ') = 'named renamed' FROM (SELECT n.name FROM naming n JOIN object o "
              "USING (object) WHERE o.name = 'renamed' AND n.origin = 'program' ORDER BY n.at_ns)");

    /* A free that is refused: the communicator is as before. Once, and with one attribute: MPICH forgets to count a
       reference back, and refusals that others follow. */
    CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &comm);
    CALL(MPI_Comm_set_errhandler)(comm, MPI_ERRORS_RETURN);
    CALL(MPI_Comm_set_attr)(comm, key, NULL);
    uses = 0;
    refuses = true;
    MPI_Comm handle = comm;
    int same, result = CALL(MPI_Comm_free)(&handle);
    refuses = false;
    CALL(MPI_Comm_compare)(comm, comm, &same);
    check_say("rank %d: refused: %d, still there: %d", rank, result != MPI_SUCCESS, same == MPI_IDENT);
    result = CALL(MPI_Comm_get_name)(comm, name, &length);
    say_name("after the refusal", result, name, length);
    CALL(MPI_Comm_set_name)(comm, "refused");
    CALL(MPI_Comm_free)(&comm);
    CHECK(comm == MPI_COMM_NULL);
    check_bytes("MPI_Allreduce", NULL, 4, 4);
    check_bytes("MPI_Allreduce", "renamed", 4, 4);
    check_bytes("MPI_Allreduce", "refused", 4 * uses, 4 * uses);
    check_sql("SELECT sum(calls) = %d FROM attributes WHERE name = 'refused' AND operation = 'get' AND NOT found",
              uses);
    check_made("communicator", "MPI_Comm_dup", 3);
    check_freed("communicator", "MPI_Comm_free", 2);
    check_freed("communicator", "MPI_Comm_disconnect", 1);
    CALL(MPI_Comm_free_keyval)(&key);
}

/* ---- datatypes ---- */

static int use_type(MPI_Datatype type, int key, void *value, void *extra)
{
    char name[MPI_MAX_OBJECT_NAME] = "?";
    int length = -1, bytes, found;
    void *answer;
    (void)extra;
    say_name(value, CALL(MPI_Type_get_name)(type, name, &length), name, length);
    CALL(MPI_Type_size)(type, &bytes);
    CALL(MPI_Type_get_attr)(type, key, &answer, &found);
    CALL(MPI_Type_set_name)(type, "a type at its end");
    return MPI_SUCCESS;
}

static void datatypes(void)
{
    int key;
    MPI_Datatype type;
    CALL(MPI_Type_create_keyval)(MPI_TYPE_NULL_COPY_FN, use_type, &key, NULL);
    CALL(MPI_Type_vector)(3, 1, 2, MPI_INT, &type);
    CALL(MPI_Type_set_attr)(type, key, (void *)"a datatype");
    CALL(MPI_Type_free)(&type);
    CALL(MPI_Type_free_keyval)(&key);
    check_made("datatype", "MPI_Type_vector", 1);
    check_freed("datatype", "MPI_Type_free", 1);
    check_sql("SELECT count(*) = 2 AND sum(freed_ns IS NOT NULL) = 2 FROM object WHERE name = 'a type at its end'");
    check_sql("SELECT sum(calls) = 2 FROM attributes WHERE name = 'a type at its end' AND operation = 'get'");
}

/* ---- windows ---- */

static int use_win(MPI_Win win, int key, void *value, void *extra)
{
    char name[MPI_MAX_OBJECT_NAME] = "?";
    int length = -1, found;
    MPI_Aint *bytes;
    MPI_Group group;
    (void)key;
    (void)extra;
    int result = CALL(MPI_Win_get_name)(win, name, &length);
    if (!strstr(name, "window")) /* Open MPI's own names have a number that differs from run to run */
        say_name(value, result, name, length);
    CALL(MPI_Win_get_attr)(win, MPI_WIN_SIZE, &bytes, &found);
    CALL(MPI_Win_get_group)(win, &group);
    CALL(MPI_Group_free)(&group);
    CALL(MPI_Win_set_name)(win, "a board at its end");
    return MPI_SUCCESS;
}

static void windows(void)
{
    int key;
    int *memory;
    MPI_Win win;
    CALL(MPI_Win_create_keyval)(MPI_WIN_NULL_COPY_FN, use_win, &key, NULL);
    CALL(MPI_Win_allocate)(40, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    CALL(MPI_Win_set_attr)(win, key, (void *)"a window");
    CALL(MPI_Win_free)(&win);
    CALL(MPI_Win_free_keyval)(&key);
    check_made("window", "MPI_Win_allocate", 1);
    check_freed("window", "MPI_Win_free", 1);
    check_sql("SELECT count(*) = 1 AND freed_ns IS NOT NULL FROM object WHERE name = 'a board at its end'");
    check_sql("SELECT sum(calls) = 1 FROM attributes WHERE name = 'a board at its end' AND key = 'MPI_WIN_SIZE'");
    check_sql("SELECT p.name = 'a board at its end' FROM object o JOIN object p ON p.object = o.parent "
              "WHERE o.kind = 'group' AND p.kind = 'window'");
}

/* ---- freed while transfers use it: the MPI may call back when they are complete ---- */

static const char *where;

static int use_late(MPI_Comm comm, int key, void *value, void *extra)
{
    char name[MPI_MAX_OBJECT_NAME] = "?";
    int length = -1, size;
    (void)key;
    (void)value;
    (void)extra;
    int result = CALL(MPI_Comm_get_name)(comm, name, &length);
    say_name(where, result, name, length);
    CALL(MPI_Comm_size)(comm, &size);
    return MPI_SUCCESS;
}

static void late(void)
{
    int key, type_key, value = 7, in[4];
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Request requests[4];
    CALL(MPI_Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, use_late, &key, NULL);
    CALL(MPI_Type_create_keyval)(MPI_TYPE_NULL_COPY_FN, use_type, &type_key, NULL);
    CALL(MPI_Comm_dup)(MPI_COMM_SELF, &comm);
    CALL(MPI_Comm_set_attr)(comm, key, NULL);
    CALL(MPI_Type_vector)(2, 1, 2, MPI_INT, &type);
    CALL(MPI_Type_commit)(&type);
    CALL(MPI_Type_set_attr)(type, type_key, (void *)"a datatype in use");
    CALL(MPI_Irecv)(in, 1, MPI_INT, 0, 0, comm, &requests[0]);
    CALL(MPI_Irecv)(in + 1, 1, type, 0, 0, MPI_COMM_SELF, &requests[1]);
    CALL(MPI_Isend)(&value, 1, MPI_INT, 0, 0, comm, &requests[2]);
    where = "a communicator in its free";
    CALL(MPI_Type_free)(&type);
    CALL(MPI_Comm_free)(&comm);
    where = "a communicator in use";
    CALL(MPI_Isend)(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[3]);
    CALL(MPI_Waitall)(4, requests, MPI_STATUSES_IGNORE);
    CALL(MPI_Comm_free_keyval)(&key);
    CALL(MPI_Type_free_keyval)(&type_key);
    check_bytes("MPI_Irecv", NULL, 0, 4);
    check_bytes("MPI_Isend", NULL, 4, 0);
    check_bytes("MPI_Irecv", "MPI_COMM_SELF", 0, 4);
    check_bytes("MPI_Isend", "MPI_COMM_SELF", 4, 0);
    check_made("communicator", "MPI_Comm_dup", 1);
    check_freed("communicator", "MPI_Comm_free", 1);
    check_made("datatype", "MPI_Type_vector", 1);
    check_freed("datatype", "MPI_Type_free", 1);
    check_sql("SELECT total(calls) = 1 FROM calls WHERE function = 'MPI_Comm_size' AND communicator LIKE "
              "'MPI_COMM_SELF.dup%%'");
}

/* ---- threads: a handle is the next owner's as soon as the MPI has let go of it ---- */

static int thread_key;

static int use_in_thread(MPI_Comm comm, int key, void *value, void *extra)
{
    char name[MPI_MAX_OBJECT_NAME];
    int length, own;
    (void)key;
    (void)value;
    (void)extra;
    CALL(MPI_Comm_rank)(comm, &own);
    CALL(MPI_Comm_get_name)(comm, name, &length);
    CHECK(!strstr(name, ".dup")); /* callsign's */
    return MPI_SUCCESS;
}

static void *run_thread(void *argument)
{
    MPI_Comm own = *(MPI_Comm *)argument, comm;
    for (int i = 0; i < ROUNDS_OF_THREAD; i++) {
        CALL(MPI_Comm_dup)(own, &comm);
        CALL(MPI_Comm_set_attr)(comm, thread_key, NULL);
        CALL(MPI_Comm_free)(&comm);
    }
    return NULL;
}

static void in_threads(void)
{
    pthread_t threads[THREADS];
    MPI_Comm own[THREADS];
    CALL(MPI_Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, use_in_thread, &thread_key, NULL);
    for (int i = 0; i < THREADS; i++)
        CALL(MPI_Comm_dup)(MPI_COMM_SELF, &own[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run_thread, &own[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        CALL(MPI_Comm_free)(&own[i]);
    CALL(MPI_Comm_free_keyval)(&thread_key);
    check_made("communicator", "MPI_Comm_dup", THREADS * (ROUNDS_OF_THREAD + 1));
    check_freed("communicator", "MPI_Comm_free", THREADS * (ROUNDS_OF_THREAD + 1));
}

int main(int argc, char **argv)
{
    int provided;
    CALL(MPI_Init_thread)(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_set_errhandler)(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CALL(MPI_Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &kept_key, NULL);
    communicators();
    datatypes();
    windows();
    late();
    in_threads();
    CALL(MPI_Comm_free_keyval)(&kept_key);
    check_sql("SELECT count(*) = 0 FROM object WHERE adopted");
    check_sql("SELECT count(*) = 0 FROM leaks");
    check_sql("SELECT count(*) = 0 FROM object WHERE freed_ns IS NOT NULL AND freed_function IS NULL");
    CALL(MPI_Finalize)();
    return check_write();
}
