/* 3014 MPI_Psend_init point-to-point comm:7 peer:5,6 partitions-sent:2,3,4,5 persistent:8 */
CS_EXPORT int MPI_Psend_init(const void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                             MPI_Comm comm, MPI_Request *request)
{
    struct cs_call cs_call;

    if (!cs_enter(&cs_call, CS_MPI_Psend_init, __builtin_return_address(0)))
        return cs_next.MPI_Psend_init(buf, partitions, count, datatype, dest, tag, comm, request);
    cs_on_comm(&cs_call, comm);
    cs_on_peer(&cs_call, dest, tag);
    cs_start(&cs_call);
    int cs_result = cs_next.MPI_Psend_init(buf, partitions, count, datatype, dest, tag, comm, request);
    cs_stop(&cs_call);
    cs_note_failure(&cs_call, cs_result);
    if (cs_succeeded(&cs_call, cs_result)) {
        cs_adopt(&cs_call);
        cs_bytes_partitions_sent(&cs_call, partitions, count, datatype, dest);
        cs_made_persistent(&cs_call, *request);
    }
    cs_leave(&cs_call);
    return cs_result;
}
