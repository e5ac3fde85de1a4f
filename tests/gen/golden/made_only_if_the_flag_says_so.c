/* 1034 MPI_Improbe point-to-point comm:3 peer:1,2 makes-message:5,4 */
CS_EXPORT int MPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status)
{
    struct cs_call cs_call;

    if (!cs_enter(&cs_call, CS_MPI_Improbe, __builtin_return_address(0)))
        return cs_next.MPI_Improbe(source, tag, comm, flag, message, status);
    cs_on_comm(&cs_call, comm);
    cs_on_peer(&cs_call, source, tag);
    cs_start(&cs_call);
    int cs_result = cs_next.MPI_Improbe(source, tag, comm, flag, message, status);
    cs_stop(&cs_call);
    CS_KEEP_ERRNO;
    cs_note_failure(&cs_call, cs_result);
    if (cs_succeeded(&cs_call, cs_result)) {
        cs_adopt(&cs_call);
        if (*flag)
            cs_made_message(&cs_call, *message);
    }
    cs_leave(&cs_call);
    return cs_result;
}
