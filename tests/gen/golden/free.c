/* 10024 MPI_Comm_free communicator frees:1 */
CS_EXPORT int MPI_Comm_free(MPI_Comm *comm)
{
    struct cs_call cs_call;

    if (!cs_enter(&cs_call, CS_MPI_Comm_free, __builtin_return_address(0)))
        return cs_next.MPI_Comm_free(comm);
    if (comm)
        cs_begin_free(&cs_call, CALLSIGN_COMMUNICATOR, CS_KEY(*comm));
    cs_start(&cs_call);
    int cs_result = cs_next.MPI_Comm_free(comm);
    cs_stop(&cs_call);
    CS_KEEP_ERRNO;
    cs_note_failure(&cs_call, cs_result);
    cs_end_free(&cs_call, cs_result);
    cs_leave_alone(&cs_call);
    return cs_result;
}
