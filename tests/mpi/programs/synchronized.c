/* Calls synchronizing collectives, and what is none, and says which of them the trace must have. The launcher says that
   all ranks are on one node, where nothing is kept: that is hidden from callsign. */
#include "check.h"

#include <pthread.h>

static int rank, size;

/* The trace has these calls on the communicator of that name, in order: "1,2,4". */
static void check_kept(const char *name, const char *calls)
{
    check_sql(
        "SELECT coalesce(group_concat(nth), '') = '%s' FROM (SELECT s.nth FROM object o LEFT JOIN synchronization s"
        " ON s.rank = o.rank AND s.communicator = o.object WHERE o.name = '%s' ORDER BY 1)",
        calls, name);
}

static MPI_Comm made(MPI_Comm comm, const char *name)
{
    CALL(MPI_Comm_set_name)(comm, name);
    CALL(MPI_Comm_set_errhandler)(comm, MPI_ERRORS_RETURN);
    return comm;
}

static MPI_Comm duplicate(const char *name)
{
    MPI_Comm comm;
    CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &comm);
    check_made("communicator", "MPI_Comm_dup", 1);
    return made(comm, name);
}

static void done(MPI_Comm comm)
{
    CALL(MPI_Comm_free)(&comm);
    check_freed("communicator", "MPI_Comm_free", 1);
}

static void barriers(MPI_Comm comm, int count)
{
    for (int i = 0; i < count; i++)
        CALL(MPI_Barrier)(comm);
}

/* Twelve calls: 1, 2, 4, 8, and the last 16, which begin to be kept with the fifth. */
static void each_with_data(void)
{
    MPI_Comm comm = duplicate("data");
    int values[16] = {0}, sums[16], counts[] = {1, 0, 2, 1}, places[] = {0, 1, 1, 3};
    int in_turn[] = {1, 1, 1, 1}, mine[4] = {0}, others[4];
    CALL(MPI_Allreduce)(values, sums, 2, MPI_INT, MPI_SUM, comm);                                  /* 1 */
    CALL(MPI_Allreduce)(MPI_IN_PLACE, sums, 2, MPI_INT, MPI_SUM, comm);                            /* 2 */
    CALL(MPI_Allgather)(values, 1, MPI_INT, sums, 1, MPI_INT, comm);                               /* 3 */
    CALL(MPI_Allgatherv)(values, counts[rank], MPI_INT, sums, counts, places, MPI_INT, comm);      /* 4 */
    CALL(MPI_Alltoall)(values, 1, MPI_INT, sums, 1, MPI_INT, comm);                                /* 5 */
    CALL(MPI_Reduce_scatter_block)(values, sums, 1, MPI_INT, MPI_SUM, comm);                       /* 6 */
    CALL(MPI_Barrier)(comm);                                                                       /* 7 */
    CALL(MPI_Reduce_scatter)(values, sums, counts, MPI_INT, MPI_SUM, comm);                        /* 8 */
    CALL(MPI_Allgatherv)(MPI_IN_PLACE, 0, MPI_INT, sums, counts, places, MPI_INT, comm);           /* 9 */
    CALL(MPI_Alltoallv)(mine, in_turn, in_turn, MPI_INT, others, in_turn, in_turn, MPI_INT, comm); /* none */
    CALL(MPI_Scan)(values, sums, 1, MPI_INT, MPI_SUM, comm);                                       /* none */
    CALL(MPI_Bcast)(values, 1, MPI_INT, 0, comm);                                                  /* none */
    barriers(comm, 3);                                                                             /* 10, 11, 12 */
    check_kept("data", "1,2,4,5,6,7,8,9,10,11,12");
    /* In the fourth and ninth call, no rank needs data from rank 1; in the eighth, rank 1 needs none. */
    check_sql("SELECT coalesce(group_concat(nth), '') = '%s' FROM synchronization WHERE entered_ns IS NULL",
              rank == 1 ? "4,9" : "");
    check_sql("SELECT coalesce(group_concat(nth), '') = '%s' FROM synchronization WHERE left_ns IS NULL",
              rank == 1 ? "8" : "");
    done(comm);
}

static void without_data(void)
{
    MPI_Comm comm = duplicate("empty");
    MPI_Datatype empty;
    int values[4] = {0}, sums[4], none[4] = {0};
    CALL(MPI_Type_contiguous)(0, MPI_INT, &empty);
    CALL(MPI_Type_commit)(&empty);
    check_made("datatype", "MPI_Type_contiguous", 1);
    CALL(MPI_Allreduce)(values, sums, 0, MPI_INT, MPI_SUM, comm);
    CALL(MPI_Allgather)(values, 1, empty, sums, 1, empty, comm);
    CALL(MPI_Allgatherv)(values, 0, MPI_INT, sums, none, none, MPI_INT, comm);
    CALL(MPI_Reduce_scatter)(values, sums, none, MPI_INT, MPI_SUM, comm);
    CALL(MPI_Barrier)(comm);
    CALL(MPI_Alltoall)(values, 0, MPI_INT, sums, 0, MPI_INT, comm);
    CALL(MPI_Barrier)(comm);
    check_kept("empty", "1,2");
    CALL(MPI_Type_free)(&empty);
    check_freed("datatype", "MPI_Type_free", 1);
    done(comm);
}

/* While the profile rests calls count as ever: other members may not rest. */
static void paused(void)
{
    MPI_Comm comm = duplicate("paused");
    barriers(comm, 1);
    if (rank % 2)
        MPI_Pcontrol(0);
    for (int i = 0; i < 39; i++)
        MPI_Barrier(comm);
    if (rank % 2)
        CALL(MPI_Pcontrol)(1);
    else
        check_count("MPI_Barrier", 39);
    check_kept("paused", "1,2,4,8,16,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40");
    done(comm);
}

/* One after the other, under the same handle. */
static void used_again(void)
{
    MPI_Comm first = duplicate("first");
    barriers(first, 3);
    done(first);
    MPI_Comm second = duplicate("second");
    barriers(second, 1);
    done(second);
    check_kept("first", "1,2");
    check_kept("second", "1");
}

static void made_without_waiting(void)
{
    MPI_Comm comm;
    MPI_Request request;
    int value = 1, sum;
    CALL(MPI_Comm_idup)(MPI_COMM_WORLD, &comm, &request);
    check_made("communicator", "MPI_Comm_idup", 1);
    CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
    made(comm, "later");
    CALL(MPI_Allreduce)(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
    check_kept("later", "1");
    done(comm);
}

static void parts(void)
{
    MPI_Comm half, pairs, near, alone;
    CALL(MPI_Comm_split)(MPI_COMM_WORLD, rank % 2, 0, &half);
    made(half, "half");
    barriers(half, 4);
    check_kept("half", "1,2,4");
    CALL(MPI_Intercomm_create)(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &pairs);
    made(pairs, "pairs");
    barriers(pairs, 2);
    check_kept("pairs", "");
    check_made("communicator", "MPI_Intercomm_create", 1);
    CALL(MPI_Comm_split_type)(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &near);
    made(near, "near");
    barriers(near, 2);
    check_kept("near", "");
    check_made("communicator", "MPI_Comm_split_type", 1);
    CALL(MPI_Comm_split)(MPI_COMM_WORLD, rank, 0, &alone);
    made(alone, "alone");
    barriers(alone, 2);
    check_kept("alone", "");
    check_made("communicator", "MPI_Comm_split", 2);
    done(alone);
    done(near);
    done(pairs);
    done(half);
}

/* Whoever cannot know whether a call of his counts for the others tells no more of that communicator. */
static void failing(void)
{
    MPI_Comm comm = duplicate("failing");
    int value = 0, sum;
    barriers(comm, 1);
    if (rank == 0)
        CHECK(CALL(MPI_Allreduce)(&value, &sum, 1, MPI_INT, MPI_OP_NULL, comm) != MPI_SUCCESS);
    barriers(comm, 3);
    check_kept("failing", rank == 0 ? "1" : "1,2,4");
    done(comm);
}

static void *barrier_of_thread(void *comm)
{
    CALL(MPI_Barrier)(*(MPI_Comm *)comm);
    return NULL;
}

static void from_threads(void)
{
    MPI_Comm comm = duplicate("threads");
    pthread_t thread;
    for (int i = 0; i < 2; i++) {
        barriers(comm, 1);
        pthread_create(&thread, NULL, barrier_of_thread, &comm);
        pthread_join(thread, NULL);
    }
    check_kept("threads", "1,2,4");
    done(comm);
}

#ifdef HAS_MPI_4
/* Made without a parent; members know it as the same by who they are. */
static void from_a_session(void)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    CALL(MPI_Session_init)(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    CALL(MPI_Group_from_session_pset)(session, "mpi://WORLD", &group);
    CALL(MPI_Comm_create_from_group)(group, "synchronized", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    check_made("communicator", "MPI_Comm_create_from_group", 1);
    made(comm, "of a session");
    barriers(comm, 6);
    check_kept("of a session", "1,2,4,5,6");
    done(comm);
    CALL(MPI_Group_free)(&group);
    CALL(MPI_Session_finalize)(&session);
}
#endif

int main(int argc, char **argv)
{
    int level;
    unsetenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    unsetenv("MPI_LOCALNRANKS");
    CALL(MPI_Init_thread)(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_size)(MPI_COMM_WORLD, &size);
    check_skip("bytes");
    CHECK(size == 4);
    each_with_data();
    without_data();
    paused();
    used_again();
    made_without_waiting();
    parts();
    failing();
    if (level >= MPI_THREAD_SERIALIZED)
        from_threads();
#ifdef HAS_MPI_4
    from_a_session();
#endif
    CALL(MPI_Finalize)();
    return check_write();
}
