/* Windows of every flavour: birth, size, flavour and model in words, name, death. Where this MPI refuses a flavour, no
   window was made. */
#include "check.h"

static int rank;
static int memory[8];

/* After a creation that may be refused: counts it, names it. */
static bool made(int result, const char *function, MPI_Win win, const char *name)
{
    if (result != MPI_SUCCESS)
        return false;
    check_made("window", function, 1);
    CALL(MPI_Win_set_name)(win, name);
    return true;
}

/* The trace has the answers to the program in the standard's terms, and as properties of the window. */
static void ask(MPI_Win win, const char *name, const char *flavor, int expected, const char *word)
{
    int *value, flag;
    CALL(MPI_Win_get_attr)(win, MPI_WIN_CREATE_FLAVOR, &value, &flag);
    CHECK(flag && *value == expected);
    CALL(MPI_Win_get_attr)(win, MPI_WIN_MODEL, &value, &flag);
    CHECK(flag && (*value == MPI_WIN_UNIFIED || *value == MPI_WIN_SEPARATE));
    const char *model = *value == MPI_WIN_UNIFIED ? "unified" : "separate";
    check_sql("SELECT count(*) = 2 AND sum(key = 'MPI_WIN_CREATE_FLAVOR' AND answer = '%s') = 1 AND "
              "sum(key = 'MPI_WIN_MODEL' AND answer = 'MPI_WIN_' || upper('%s')) = 1 FROM attributes WHERE name = '%s'",
              word, model, name);
    check_sql("SELECT model = '%s' AND json_extract(detail, '$.model') = model AND json_extract(detail, '$.flavor') = "
              "'%s' FROM object JOIN window USING (object) WHERE name = '%s'",
              model, flavor, name);
}

#define RELEASE(win, name, flavor, constant, bytes)                                                                    \
    (ask(win, name, flavor, constant, #constant), release(&(win), name, flavor, bytes))

static void release(MPI_Win *win, const char *name, const char *flavor, long bytes)
{
    check_sql("SELECT flavor = '%s' AND size_bytes = %ld FROM object JOIN window USING (object) WHERE name = '%s'",
              flavor, bytes, name);
    check_sql("SELECT freed_ns >= created_ns FROM object WHERE name = '%s'", name);
    CALL(MPI_Win_free)(win);
    check_freed("window", "MPI_Win_free", 1);
}

int main(int argc, char **argv)
{
    MPI_Win win;
    MPI_Comm node;
    void *base;
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_set_errhandler)(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CALL(MPI_Comm_split_type)(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    check_made("communicator", "MPI_Comm_split_type", 1);
    CALL(MPI_Comm_set_errhandler)(node, MPI_ERRORS_RETURN);

    int result = CALL(MPI_Win_create)(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (made(result, "MPI_Win_create", win, "created"))
        RELEASE(win, "created", "create", MPI_WIN_FLAVOR_CREATE, sizeof memory);
    result = CALL(MPI_Win_allocate)(32, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    if (made(result, "MPI_Win_allocate", win, "allocated"))
        RELEASE(win, "allocated", "allocate", MPI_WIN_FLAVOR_ALLOCATE, 32);
    result = CALL(MPI_Win_allocate_shared)(48, 1, MPI_INFO_NULL, node, &base, &win);
    if (made(result, "MPI_Win_allocate_shared", win, "shared"))
        RELEASE(win, "shared", "shared", MPI_WIN_FLAVOR_SHARED, 48);
    result = CALL(MPI_Win_create_dynamic)(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (made(result, "MPI_Win_create_dynamic", win, "dynamic")) {
        CALL(MPI_Win_attach)(win, memory, sizeof memory);
        CALL(MPI_Win_detach)(win, memory);
        RELEASE(win, "dynamic", "dynamic", MPI_WIN_FLAVOR_DYNAMIC, 0);
    }
    CALL(MPI_Comm_free)(&node);
    check_freed("communicator", "MPI_Comm_free", 1);
    check_say("rank %d done", rank);
    CALL(MPI_Finalize)();
    return check_write();
}
