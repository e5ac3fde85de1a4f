/* 1036 MPI_Mrecv point-to-point message:4 status:5 received:5 */
CS_EXPORT int MPI_Mrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message *message, MPI_Status *status)
{
    struct cs_call cs_call;
    MPI_Status cs_status;

    if (!cs_enter(&cs_call, CS_MPI_Mrecv, __builtin_return_address(0)))
        return cs_next.MPI_Mrecv(buf, count, datatype, message, status);
    cs_on_message(&cs_call, message);
    if (status == MPI_STATUS_IGNORE)
        status = &cs_status;
    cs_start(&cs_call);
    int cs_result = cs_next.MPI_Mrecv(buf, count, datatype, message, status);
    cs_stop(&cs_call);
    cs_note_failure(&cs_call, cs_result);
    if (cs_succeeded(&cs_call, cs_result))
        cs_bytes_received(&cs_call, status);
    cs_leave(&cs_call);
    return cs_result;
}
