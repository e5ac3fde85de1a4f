/* 4000 MPI_Barrier collective comm:1 synchronizes */
CS_EXPORT int MPI_Barrier(MPI_Comm comm)
{
    struct cs_call cs_call;

    if (!cs_enter(&cs_call, CS_MPI_Barrier, __builtin_return_address(0)))
        return cs_next.MPI_Barrier(comm);
    cs_on_comm(&cs_call, comm);
    cs_synchronizing(&cs_call);
    cs_start(&cs_call);
    int cs_result = cs_next.MPI_Barrier(comm);
    cs_stop(&cs_call);
    cs_note_failure(&cs_call, cs_result);
    if (cs_succeeded(&cs_call, cs_result)) {
        cs_adopt(&cs_call);
        cs_synchronized(&cs_call);
    }
    cs_leave(&cs_call);
    return cs_result;
}
