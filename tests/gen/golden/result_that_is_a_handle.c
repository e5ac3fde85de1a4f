/* 23002 MPI_Comm_f2c handle */
CS_EXPORT MPI_Comm MPI_Comm_f2c(MPI_Fint argument1)
{
    struct cs_call cs_call;

    if (!cs_enter_plain(&cs_call, CS_MPI_Comm_f2c, __builtin_return_address(0)))
        return cs_next.MPI_Comm_f2c(argument1);
    cs_start(&cs_call);
    MPI_Comm cs_result = cs_next.MPI_Comm_f2c(argument1);
    cs_stop(&cs_call);
    cs_leave_plain(&cs_call, CS_MPI_Comm_f2c);
    return cs_result;
}
