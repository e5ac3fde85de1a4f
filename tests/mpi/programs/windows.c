/* Windows of every flavour: birth, size, flavour, name, death. Where this MPI refuses a flavour, no window was made. */
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
        release(&win, "created", "create", sizeof memory);
    result = CALL(MPI_Win_allocate)(32, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    if (made(result, "MPI_Win_allocate", win, "allocated"))
        release(&win, "allocated", "allocate", 32);
    result = CALL(MPI_Win_allocate_shared)(48, 1, MPI_INFO_NULL, node, &base, &win);
    if (made(result, "MPI_Win_allocate_shared", win, "shared"))
        release(&win, "shared", "shared", 48);
    result = CALL(MPI_Win_create_dynamic)(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (made(result, "MPI_Win_create_dynamic", win, "dynamic")) {
        CALL(MPI_Win_attach)(win, memory, sizeof memory);
        CALL(MPI_Win_detach)(win, memory);
        release(&win, "dynamic", "dynamic", 0);
    }
    CALL(MPI_Comm_free)(&node);
    check_freed("communicator", "MPI_Comm_free", 1);
    check_say("rank %d done", rank);
    CALL(MPI_Finalize)();
    return check_write();
}
