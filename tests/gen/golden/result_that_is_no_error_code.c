/* 23000 MPI_Comm_c2f handle ignores:1 */
static __attribute__((noinline)) MPI_Fint MPI_Comm_c2f_otherwise(struct cs_call *cs_call, const void *cs_site,
                                                                 const void *cs_frame, MPI_Comm comm)
{
    if (!cs_enter_of_frame(cs_call, CS_MPI_Comm_c2f, cs_site, cs_frame))
        return cs_next.MPI_Comm_c2f(comm);
    cs_start(cs_call);
    MPI_Fint cs_result = cs_next.MPI_Comm_c2f(comm);
    cs_stop(cs_call);
    cs_leave_alone(cs_call);
    return cs_result;
}

CS_EXPORT MPI_Fint MPI_Comm_c2f(MPI_Comm comm)
{
    struct cs_call cs_call;

    if (!cs_begin_plain(&cs_call, CS_MPI_Comm_c2f, 0, 0, __builtin_return_address(0))) {
        MPI_Fint cs_result =
            MPI_Comm_c2f_otherwise(&cs_call, __builtin_return_address(0), __builtin_frame_address(0), comm);
        __asm__("" : "+r"(cs_result));
        return cs_result;
    }
    MPI_Fint cs_result = cs_next.MPI_Comm_c2f(comm);
    cs_end_plain(&cs_call, MPI_SUCCESS);
    return cs_result;
}
