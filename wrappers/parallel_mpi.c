/* libcallsign-parallel-<flavour>.so: connects the processes of `mpirun callsign merge`. It calls the PMPI_ names, so
   that no tool records it, and callsign neither. */
#include <mpi.h>
#include <sched.h>
#include <time.h>

#include "base/parallel.h"

/* Several processes may share a processor: one that waits gives it to the others. */
enum { YIELDS = 200, PAUSE_NS = 50000 };

static void pause_after(unsigned attempts)
{
    const struct timespec pause = {.tv_nsec = PAUSE_NS};
    if (attempts < YIELDS)
        sched_yield();
    else
        nanosleep(&pause, NULL);
}

static bool begin(int *rank, int *size)
{
    int provided;
    return PMPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) == MPI_SUCCESS &&
           PMPI_Comm_rank(MPI_COMM_WORLD, rank) == MPI_SUCCESS && PMPI_Comm_size(MPI_COMM_WORLD, size) == MPI_SUCCESS;
}

static bool send(int to, const void *bytes, size_t length)
{
    MPI_Request request;
    int done = 0;
    bool good = PMPI_Isend((void *)bytes, (int)length, MPI_BYTE, to, 0, MPI_COMM_WORLD, &request) == MPI_SUCCESS;
    for (unsigned i = 0; good && !done; i++) {
        good = PMPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS;
        if (!done)
            pause_after(i);
    }
    return good;
}

static bool wait_for(int from, size_t *length)
{
    MPI_Status status;
    int found = 0, count = 0;
    bool good = true;
    for (unsigned i = 0; good && !found; i++) {
        good = PMPI_Iprobe(from, 0, MPI_COMM_WORLD, &found, &status) == MPI_SUCCESS;
        if (!found)
            pause_after(i);
    }
    good = good && PMPI_Get_count(&status, MPI_BYTE, &count) == MPI_SUCCESS;
    *length = (size_t)count;
    return good;
}

static bool take(int from, void *bytes, size_t length)
{
    return PMPI_Recv(bytes, (int)length, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS;
}

static bool end(void)
{
    return PMPI_Finalize() == MPI_SUCCESS;
}

static void abort_all(int code)
{
    PMPI_Abort(MPI_COMM_WORLD, code);
}

extern const struct cs_parallel callsign_parallel;
__attribute__((visibility("default"))) const struct cs_parallel callsign_parallel = {
    .version = CS_PARALLEL_VERSION,
    .begin = begin,
    .send = send,
    .wait = wait_for,
    .take = take,
    .end = end,
    .abort = abort_all,
};
