/* 23002 MPI_Comm_f2c handle */
static __attribute__((noinline)) MPI_Comm MPI_Comm_f2c_otherwise(struct cs_call *cs_call, const void *cs_site,
                                                                 const void *cs_frame, MPI_Fint argument1)
{
    if (!cs_enter_of_frame(cs_call, CS_MPI_Comm_f2c, cs_site, cs_frame))
        return cs_next.MPI_Comm_f2c(argument1);
    cs_start(cs_call);
    MPI_Comm cs_result = cs_next.MPI_Comm_f2c(argument1);
    cs_stop(cs_call);
    cs_leave_alone(cs_call);
    return cs_result;
}

CS_EXPORT MPI_Comm MPI_Comm_f2c(MPI_Fint argument1)
{
    struct cs_call cs_call;

    if (!cs_begin_plain(&cs_call, CS_MPI_Comm_f2c, 0, 0, __builtin_return_address(0))) {
        MPI_Comm cs_result =
            MPI_Comm_f2c_otherwise(&cs_call, __builtin_return_address(0), __builtin_frame_address(0), argument1);
        __asm__("" : "+r"(cs_result));
        return cs_result;
    }
    MPI_Comm cs_result = cs_next.MPI_Comm_f2c(argument1);
    cs_end_plain(&cs_call, MPI_SUCCESS);
    return cs_result;
}
