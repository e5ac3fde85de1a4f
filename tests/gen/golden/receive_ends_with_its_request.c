/* 1018 MPI_Irecv point-to-point comm:6 peer:4,5 posted:2,3 request:7 */
CS_EXPORT int MPI_Irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                        MPI_Request *request)
{
    struct cs_call cs_call;

    if (!cs_enter(&cs_call, CS_MPI_Irecv, __builtin_return_address(0)))
        return cs_next.MPI_Irecv(buf, count, datatype, source, tag, comm, request);
    cs_on_comm(&cs_call, comm);
    cs_on_peer(&cs_call, source, tag);
    cs_start(&cs_call);
    int cs_result = cs_next.MPI_Irecv(buf, count, datatype, source, tag, comm, request);
    cs_stop(&cs_call);
    cs_note_failure(&cs_call, cs_result);
    if (cs_succeeded(&cs_call, cs_result)) {
        cs_adopt(&cs_call);
        cs_bytes_posted(&cs_call, count, datatype);
        cs_leave_with_receive(&cs_call, *request);
    } else {
        cs_leave(&cs_call);
    }
    return cs_result;
}
