#include "roles.h"

static void free_comm(MPI_Comm made)
{
    CHECK(made != MPI_COMM_NULL);
    if (made != MPI_COMM_NULL)
        CALL(MPI_Comm_free)(&made);
}

static void plain(void)
{
    MPI_Comm made;
    MPI_Request request;
    MPI_Group group;
    CALL(MPI_Comm_dup)(comm, &made);
    free_comm(made);
    CALL(MPI_Comm_dup_with_info)(comm, MPI_INFO_NULL, &made);
    free_comm(made);
    CALL(MPI_Comm_idup)(comm, &made, &request);
    CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
    free_comm(made);
#ifdef HAS_MPI_4
    CALL(MPI_Comm_idup_with_info)(comm, MPI_INFO_NULL, &made, &request);
    CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
    free_comm(made);
#endif
    CALL(MPI_Comm_split)(comm, 0, rank, &made);
    free_comm(made);
    CALL(MPI_Comm_split_type)(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &made);
    free_comm(made);
    CALL(MPI_Comm_group)(comm, &group);
    CALL(MPI_Comm_create)(comm, group, &made);
    free_comm(made);
    CALL(MPI_Comm_create_group)(comm, group, 7, &made);
    free_comm(made);
#ifdef HAS_MPI_4
    CALL(MPI_Comm_create_from_group)(group, "roles", MPI_INFO_NULL, MPI_ERRORS_RETURN, &made);
    free_comm(made);
#endif
    free_group(group);
}

/* Functions for communicators with failed processes; here none failed. */
#ifdef OMPI_HAVE_MPI_EXT_FTMPI
static void without_the_failed(void)
{
    MPI_Comm made;
    MPI_Group group;
    MPI_Request request;
    int flag = 1;
    CALL(MPIX_Comm_failure_ack)(comm);
    CALL(MPIX_Comm_failure_get_acked)(comm, &group);
    free_group(group);
    CALL(MPIX_Comm_get_failed)(comm, &group);
    free_group(group);
    CALL(MPIX_Comm_iagree)(comm, &flag, &request);
    CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
    CALL(MPIX_Comm_shrink)(comm, &made);
    free_comm(made);
}
#endif

#ifdef HAS_STREAMS
static void of_streams(void)
{
    MPI_Comm made;
    CALL(MPIX_Stream_comm_create)(comm, MPIX_STREAM_NULL, &made);
    free_comm(made);
    CALL(MPIX_Threadcomm_init)(comm, 1, &made);
    CHECK(made != MPI_COMM_NULL);
    CALL(MPIX_Threadcomm_free)(&made);
}
#endif

static void between(void)
{
    MPI_Comm inter, merged;
    MPI_Group group;
    CALL(MPI_Intercomm_create)(own, 0, comm, 1 - rank, 8, &inter);
    CALL(MPI_Comm_remote_group)(inter, &group);
    free_group(group);
    CALL(MPI_Intercomm_merge)(inter, rank, &merged);
    free_comm(merged);
    CALL(MPI_Comm_disconnect)(&inter);
#ifdef HAS_MPI_4
    MPI_Group whole, here, there;
    int other = 1 - rank;
    CALL(MPI_Comm_group)(comm, &whole);
    CALL(MPI_Group_incl)(whole, 1, &rank, &here);
    CALL(MPI_Group_incl)(whole, 1, &other, &there);
    CALL(MPI_Intercomm_create_from_groups)(here, 0, there, 0, "between", MPI_INFO_NULL, MPI_ERRORS_RETURN, &inter);
    free_comm(inter);
    free_group(there);
    free_group(here);
    free_group(whole);
#endif
}

static void topologies(void)
{
    MPI_Comm made, sub, fresh;
    int dims[2] = {1, 2}, periods[2] = {0, 1}, keep[2] = {0, 1}, index[2] = {1, 2}, edges[2] = {1, 0};
    int other = 1 - rank, one = 1;
    CALL(MPI_Cart_create)(comm, 2, dims, periods, 0, &made);
    CALL(MPI_Cart_sub)(made, keep, &sub);
    free_comm(sub);
    free_comm(made);
    CALL(MPI_Graph_create)(comm, 2, index, edges, 0, &made);
    free_comm(made);
    DUP_FOR_DIST_GRAPH(comm, &fresh);
    CALL(MPI_Dist_graph_create)(fresh, 1, &rank, &one, &other, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
    free_comm(made);
    free_comm(fresh);
    CALL(MPI_Dist_graph_create_adjacent)
    (comm, 1, &other, MPI_UNWEIGHTED, 1, &other, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
    free_comm(made);
}

void communicators(void)
{
    plain();
    between();
    topologies();
#ifdef OMPI_HAVE_MPI_EXT_FTMPI
    without_the_failed();
#endif
#ifdef HAS_STREAMS
    of_streams();
#endif
}
