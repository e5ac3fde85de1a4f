/* 16000 MPI_Comm_set_name name comm:1 names:1,2 */
CS_EXPORT int MPI_Comm_set_name(MPI_Comm comm, const char *comm_name)
{
    struct cs_call cs_call;

    if (!cs_enter(&cs_call, CS_MPI_Comm_set_name, __builtin_return_address(0)))
        return cs_next.MPI_Comm_set_name(comm, comm_name);
    cs_on_comm(&cs_call, comm);
    cs_start(&cs_call);
    int cs_result = cs_next.MPI_Comm_set_name(comm, comm_name);
    cs_stop(&cs_call);
    cs_record_name(&cs_call, CALLSIGN_COMMUNICATOR, CS_KEY(comm), comm_name, cs_result);
    if (cs_succeeded(&cs_call, cs_result))
        cs_adopt(&cs_call);
    cs_leave_alone(&cs_call);
    return cs_result;
}
