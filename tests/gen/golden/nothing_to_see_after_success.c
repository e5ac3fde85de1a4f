/* 4000 MPI_Barrier collective comm:1 */
CS_EXPORT int MPI_Barrier(MPI_Comm comm)
{
    struct cs_call cs_call;

    if (!cs_enter_plain(&cs_call, CS_MPI_Barrier, __builtin_return_address(0)))
        return cs_next.MPI_Barrier(comm);
    cs_on_comm(&cs_call, comm);
    cs_start(&cs_call);
    int cs_result = cs_next.MPI_Barrier(comm);
    cs_stop(&cs_call);
    cs_note_failure(&cs_call, cs_result);
    if (cs_succeeded(&cs_call, cs_result))
        cs_adopt(&cs_call);
    cs_leave_plain(&cs_call, CS_MPI_Barrier);
    return cs_result;
}
