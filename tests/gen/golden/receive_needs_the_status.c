/* 1016 MPI_Recv point-to-point comm:6 peer:4,5 status:7 received:7 */
CS_EXPORT int MPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                       MPI_Status *status)
{
    struct cs_call cs_call;
    MPI_Status cs_status;

    if (!cs_enter(&cs_call, CS_MPI_Recv, __builtin_return_address(0)))
        return cs_next.MPI_Recv(buf, count, datatype, source, tag, comm, status);
    cs_on_comm(&cs_call, comm);
    cs_on_peer(&cs_call, source, tag);
    if (status == MPI_STATUS_IGNORE)
        status = &cs_status;
    cs_start(&cs_call);
    int cs_result = cs_next.MPI_Recv(buf, count, datatype, source, tag, comm, status);
    cs_stop(&cs_call);
    cs_note_failure(&cs_call, cs_result);
    if (cs_succeeded(&cs_call, cs_result)) {
        cs_adopt(&cs_call);
        cs_bytes_received(&cs_call, status);
    }
    cs_leave(&cs_call);
    return cs_result;
}
