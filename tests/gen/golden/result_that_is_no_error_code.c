/* 23000 MPI_Comm_c2f handle ignores:1 */
CS_EXPORT MPI_Fint MPI_Comm_c2f(MPI_Comm comm)
{
    struct cs_call cs_call;

    if (!cs_enter_plain(&cs_call, CS_MPI_Comm_c2f, __builtin_return_address(0)))
        return cs_next.MPI_Comm_c2f(comm);
    cs_start(&cs_call);
    MPI_Fint cs_result = cs_next.MPI_Comm_c2f(comm);
    cs_stop(&cs_call);
    cs_leave_plain(&cs_call, CS_MPI_Comm_c2f);
    return cs_result;
}
