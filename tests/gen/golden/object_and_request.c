/* 10010 MPI_Comm_idup communicator comm:1 makes-comm:2 request:3 */
CS_EXPORT int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request)
{
    struct cs_call cs_call;

    if (!cs_enter(&cs_call, CS_MPI_Comm_idup, __builtin_return_address(0)))
        return cs_next.MPI_Comm_idup(comm, newcomm, request);
    cs_on_comm(&cs_call, comm);
    cs_start(&cs_call);
    int cs_result = cs_next.MPI_Comm_idup(comm, newcomm, request);
    cs_stop(&cs_call);
    CS_KEEP_ERRNO;
    cs_note_failure(&cs_call, cs_result);
    if (cs_succeeded(&cs_call, cs_result)) {
        cs_adopt(&cs_call);
        cs_made_comm(&cs_call, *newcomm);
        cs_made_request(&cs_call, *request);
    }
    cs_leave(&cs_call);
    return cs_result;
}
