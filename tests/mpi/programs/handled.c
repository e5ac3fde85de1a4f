/* Calls that fail, with an error handler of the program's own that returns: it is called once for each. MPICH 5 then
   says that the call succeeded, and leaves in the handle what stood there. */
#include "check.h"

#include <stdint.h>

static int handled;

static void on_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    handled++;
}

#define TRY(name, ...)                                                                                                 \
    do {                                                                                                               \
        handled = 0;                                                                                                   \
        CALL(name)(__VA_ARGS__);                                                                                       \
        check_say(#name ": handled %d", handled);                                                                      \
    } while (0)

/* Handles that were never set, and one that was freed. */
static void datatypes(void)
{
    const uint32_t patterns[] = {0, 1, 0x01010101, 0x12345678, 0x7fffffff, 0xdeadbeef, 0xffffffff};
    MPI_Datatype type;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        memset(&type, 0, sizeof type);
        memcpy(&type, &patterns[i], sizeof patterns[i]);
        TRY(MPI_Type_contiguous, -1, MPI_INT, &type);
        TRY(MPI_Type_vector, 1, -1, 1, MPI_INT, &type);
        TRY(MPI_Type_create_resized, MPI_DATATYPE_NULL, 0, 8, &type);
    }
    CALL(MPI_Type_contiguous)(2, MPI_INT, &type);
    CALL(MPI_Type_free)(&type);
    TRY(MPI_Type_contiguous, -1, MPI_INT, &type);
    check_made("datatype", "MPI_Type_contiguous", 1);
    check_freed("datatype", "MPI_Type_free", 1);
}

static void communicators(void)
{
    int dims[1] = {4711}, periods[1] = {0}, value = 0;
    MPI_Comm comm = MPI_COMM_WORLD;
    TRY(MPI_Cart_create, MPI_COMM_WORLD, 1, dims, periods, 0, &comm);
    comm = MPI_COMM_NULL; /* which of two good handles is new nobody can tell */
    TRY(MPI_Comm_create, MPI_COMM_WORLD, MPI_GROUP_NULL, &comm);
    TRY(MPI_Bcast, &value, 1, MPI_INT, 4711, MPI_COMM_WORLD);
    TRY(MPI_Send, &value, 1, MPI_INT, 9999, 0, MPI_COMM_WORLD);
    TRY(MPI_Comm_set_name, MPI_COMM_NULL, "nobody");
}

int main(int argc, char **argv)
{
    MPI_Errhandler handler;
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_create_errhandler)(on_error, &handler);
    CALL(MPI_Comm_set_errhandler)(MPI_COMM_WORLD, handler);
    CALL(MPI_Comm_set_errhandler)(MPI_COMM_SELF, handler);
    datatypes();
    communicators();
    CALL(MPI_Errhandler_free)(&handler);
    CALL(MPI_Finalize)();
    check_skip("bytes");
    check_outcome("finalized");
    check_sql("SELECT count(*) = 0 FROM object WHERE adopted");
    return check_write();
}
