/* 22018 MPI_Wtime environment */
CS_EXPORT double MPI_Wtime(void)
{
    struct cs_call cs_call;

    if (!cs_enter_plain(&cs_call, CS_MPI_Wtime, __builtin_return_address(0)))
        return cs_next.MPI_Wtime();
    cs_start(&cs_call);
    double cs_result = cs_next.MPI_Wtime();
    cs_stop(&cs_call);
    cs_leave_plain(&cs_call, CS_MPI_Wtime);
    return cs_result;
}
