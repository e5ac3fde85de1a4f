/* 1010 MPI_Isend point-to-point comm:6 peer:4,5 sent:2,3,4 sends-message request:7 */
CS_EXPORT int MPI_Isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                        MPI_Request *request)
{
    struct cs_call cs_call;

    if (!cs_enter(&cs_call, CS_MPI_Isend, __builtin_return_address(0)))
        return cs_next.MPI_Isend(buf, count, datatype, dest, tag, comm, request);
    cs_on_comm(&cs_call, comm);
    cs_on_peer(&cs_call, dest, tag);
    cs_start(&cs_call);
    int cs_result = cs_next.MPI_Isend(buf, count, datatype, dest, tag, comm, request);
    cs_stop(&cs_call);
    cs_note_failure(&cs_call, cs_result);
    if (cs_succeeded(&cs_call, cs_result)) {
        cs_adopt(&cs_call);
        cs_bytes_sent(&cs_call, count, datatype, dest);
        cs_leave_with_send(&cs_call, *request);
    } else {
        cs_leave(&cs_call);
    }
    return cs_result;
}
