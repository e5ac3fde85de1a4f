/* 4000 MPI_Barrier collective comm:1 */
static __attribute__((noinline)) int MPI_Barrier_otherwise(struct cs_call *cs_call, const void *cs_site,
                                                           const void *cs_frame, MPI_Comm comm)
{
    if (!cs_enter_of_frame(cs_call, CS_MPI_Barrier, cs_site, cs_frame))
        return cs_next.MPI_Barrier(comm);
    cs_on_comm(cs_call, comm);
    cs_start(cs_call);
    int cs_result = cs_next.MPI_Barrier(comm);
    cs_stop(cs_call);
    cs_note_failure(cs_call, cs_result);
    if (cs_succeeded(cs_call, cs_result))
        cs_adopt(cs_call);
    cs_leave_alone(cs_call);
    return cs_result;
}

CS_EXPORT int MPI_Barrier(MPI_Comm comm)
{
    struct cs_call cs_call;

    if (!cs_begin_plain(&cs_call, CS_MPI_Barrier, CALLSIGN_COMMUNICATOR, CS_KEY(comm), __builtin_return_address(0))) {
        int cs_result = MPI_Barrier_otherwise(&cs_call, __builtin_return_address(0), __builtin_frame_address(0), comm);
        __asm__("" : "+r"(cs_result));
        return cs_result;
    }
    int cs_result = cs_next.MPI_Barrier(comm);
    return cs_end_plain(&cs_call, cs_result);
}
