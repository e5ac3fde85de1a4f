/* 22018 MPI_Wtime environment */
static __attribute__((noinline)) double MPI_Wtime_otherwise(struct cs_call *cs_call, const void *cs_site,
                                                            const void *cs_frame)
{
    if (!cs_enter_of_frame(cs_call, CS_MPI_Wtime, cs_site, cs_frame))
        return cs_next.MPI_Wtime();
    cs_start(cs_call);
    double cs_result = cs_next.MPI_Wtime();
    cs_stop(cs_call);
    cs_leave_alone(cs_call);
    return cs_result;
}

CS_EXPORT double MPI_Wtime(void)
{
    struct cs_call cs_call;

    if (!cs_begin_plain(&cs_call, CS_MPI_Wtime, 0, 0, __builtin_return_address(0))) {
        double cs_result = MPI_Wtime_otherwise(&cs_call, __builtin_return_address(0), __builtin_frame_address(0));
        __asm__("" : "+r"(cs_result));
        return cs_result;
    }
    double cs_result = cs_next.MPI_Wtime();
    cs_end_plain(&cs_call, MPI_SUCCESS);
    return cs_result;
}
