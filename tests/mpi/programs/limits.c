/* After MPI_Init this program is allowed little more. argv[1]: size (files end at 256 KiB), files (no more file
   descriptors), moment (likewise, for its first half), none. Then it makes argv[2] named objects, so that a recorder
   needs room. It must come to its normal end. */
#include "check.h"

#include <stdbool.h>
#include <sys/resource.h>
#include <unistd.h>

static void limit_size(void)
{
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = 256 * 1024;
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
}

static void limit_files(rlim_t files)
{
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = files; /* what is open stays open */
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
}

int main(int argc, char **argv)
{
    int rank, value = 1, sum = 0, objects = argc > 2 ? atoi(argv[2]) : 1000;
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    if (argc > 1 && strcmp(argv[1], "size") == 0)
        limit_size();
    bool moment = argc > 1 && strcmp(argv[1], "moment") == 0;
    if (moment || (argc > 1 && strcmp(argv[1], "files") == 0))
        limit_files(0);
    for (int i = 0; i < objects; i++) {
        if (moment && i == objects / 2) {
            limit_files(64);
            usleep(1500000);
        }
        MPI_Datatype type;
        char name[MPI_MAX_OBJECT_NAME];
        int length;
        snprintf(name, sizeof name, "a datatype with quite a long name, %d", i);
        CALL(MPI_Type_contiguous)(i + 1, MPI_INT, &type);
        CALL(MPI_Type_set_name)(type, name);
        CALL(MPI_Type_get_name)(type, name, &length);
        CHECK(length > 30);
        CALL(MPI_Type_free)(&type);
    }
    CALL(MPI_Allreduce)(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check_say("rank %d: %d objects, sum %d", rank, objects, sum);
    CALL(MPI_Finalize)();
    return 0;
}
