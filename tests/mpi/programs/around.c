/* Calls that the standard allows before MPI_Init and after MPI_Finalize. */
#include "check.h"

static void ask(const char *when)
{
    int initialized, finalized, version, subversion, length;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    CALL(MPI_Initialized)(&initialized);
    CALL(MPI_Finalized)(&finalized);
    CALL(MPI_Get_version)(&version, &subversion);
    CALL(MPI_Get_library_version)(text, &length);
    check_say("%s: initialized %d finalized %d version %d.%d", when, initialized, finalized, version, subversion);
}

int main(int argc, char **argv)
{
    int rank, provided, level, main_thread;
    ask("before");
    CALL(MPI_Init_thread)(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Query_thread)(&level);
    CALL(MPI_Is_thread_main)(&main_thread);
    CHECK(level == provided && main_thread);
    check_sql("SELECT lower(thread_level) LIKE '%%%s%%' FROM process", provided == MPI_THREAD_SINGLE     ? "single"
                                                                       : provided == MPI_THREAD_FUNNELED ? "funneled"
                                                                       : provided == MPI_THREAD_SERIALIZED
                                                                           ? "serialized"
                                                                           : "multiple");
    ask("between");
    CALL(MPI_Finalize)();
    ask("after");
    /* The trace is complete when MPI_Finalize returns; what is called after it need not be in it. */
    check_skip("calls");
    check_sql("SELECT sum(calls) BETWEEN 2 AND 3 FROM calls WHERE function = 'MPI_Initialized'");
    check_outcome("finalized");
    return check_write();
}
