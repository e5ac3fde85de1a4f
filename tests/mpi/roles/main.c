#include "roles.h"

int rank, size;
MPI_Comm comm, own;
const char *folder;

void free_group(MPI_Group group)
{
    CALL(MPI_Group_free)(&group);
}

void free_info(MPI_Info info)
{
    if (info != MPI_INFO_NULL)
        CALL(MPI_Info_free)(&info);
}

void free_handler(MPI_Errhandler handler)
{
    CALL(MPI_Errhandler_free)(&handler);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } chapters[] = {
        {"communicators", communicators}, {"processes", processes},     {"groups", groups}, {"handlers", handlers},
        {"datatypes", datatypes},         {"windows", windows},         {"files", files},   {"transfers", transfers},
        {"collectives", collectives},     {"environment", environment},
    };
    folder = argc > 1 ? argv[1] : ".";
    CALL(MPI_Init)(&argc, &argv);
    if (is_child()) {
        CALL(MPI_Finalize)();
        return 0;
    }
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_size)(MPI_COMM_WORLD, &size);
    CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &comm);
    CALL(MPI_Comm_set_errhandler)(comm, MPI_ERRORS_RETURN);
    CALL(MPI_Comm_dup)(MPI_COMM_SELF, &own);
    CALL(MPI_Comm_set_errhandler)(own, MPI_ERRORS_RETURN);
    for (size_t i = 0; i < sizeof chapters / sizeof *chapters; i++)
        if (argc < 3 || strcmp(argv[2], chapters[i].name) == 0) {
            chapters[i].run();
            check_say("rank %d: %s", rank, chapters[i].name);
        }
    CALL(MPI_Comm_free)(&own);
    CALL(MPI_Comm_free)(&comm);
    CALL(MPI_Finalize)();
    return check_write();
}
