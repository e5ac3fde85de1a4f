/* 4006 MPI_Gatherv collective comm:9 peer:8 gatherv:1,2,3,5,7,8 */
CS_EXPORT int MPI_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                          const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct cs_call cs_call;

    if (!cs_enter(&cs_call, CS_MPI_Gatherv, __builtin_return_address(0)))
        return cs_next.MPI_Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm);
    cs_on_comm(&cs_call, comm);
    cs_on_peer(&cs_call, root, CS_NO_TAG);
    cs_start(&cs_call);
    int cs_result =
        cs_next.MPI_Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm);
    cs_stop(&cs_call);
    cs_note_failure(&cs_call, cs_result);
    if (cs_succeeded(&cs_call, cs_result)) {
        cs_adopt(&cs_call);
        cs_bytes_gatherv(&cs_call, sendbuf, sendcount, sendtype, cs_counts_int(recvcounts), recvtype, root);
    }
    cs_leave(&cs_call);
    return cs_result;
}
