/* 4021 MPI_Alltoallw_c collective comm:9 alltoallw:1,2,4,6,8 */
CS_EXPORT int MPI_Alltoallw_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                              const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
                              const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm)
{
    struct cs_call cs_call;

    if (!cs_enter(&cs_call, CS_MPI_Alltoallw_c, __builtin_return_address(0)))
        return cs_next.MPI_Alltoallw_c(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,
                                       comm);
    cs_on_comm(&cs_call, comm);
    cs_start(&cs_call);
    int cs_result =
        cs_next.MPI_Alltoallw_c(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);
    cs_stop(&cs_call);
    cs_note_failure(&cs_call, cs_result);
    if (cs_succeeded(&cs_call, cs_result)) {
        cs_adopt(&cs_call);
        cs_bytes_alltoallw(&cs_call, sendbuf, cs_counts_large(sendcounts), cs_types_c(sendtypes),
                           cs_counts_large(recvcounts), cs_types_c(recvtypes));
    }
    cs_leave(&cs_call);
    return cs_result;
}
