/* 11018 MPI_Group_range_incl group */
static __attribute__((noinline)) int MPI_Group_range_incl_otherwise(struct cs_call *cs_call, const void *cs_site,
                                                                    const void *cs_frame, int group, int n,
                                                                    int ranges[][3], int *newgroup)
{
    if (!cs_enter_of_frame(cs_call, CS_MPI_Group_range_incl, cs_site, cs_frame))
        return cs_next.MPI_Group_range_incl(group, n, ranges, newgroup);
    cs_start(cs_call);
    int cs_result = cs_next.MPI_Group_range_incl(group, n, ranges, newgroup);
    cs_stop(cs_call);
    cs_note_failure(cs_call, cs_result);
    cs_leave_alone(cs_call);
    return cs_result;
}

CS_EXPORT int MPI_Group_range_incl(int group, int n, int ranges[][3], int *newgroup)
{
    struct cs_call cs_call;

    if (!cs_begin_plain(&cs_call, CS_MPI_Group_range_incl, 0, 0, __builtin_return_address(0))) {
        int cs_result = MPI_Group_range_incl_otherwise(&cs_call, __builtin_return_address(0),
                                                       __builtin_frame_address(0), group, n, ranges, newgroup);
        __asm__("" : "+r"(cs_result));
        return cs_result;
    }
    int cs_result = cs_next.MPI_Group_range_incl(group, n, ranges, newgroup);
    return cs_end_plain(&cs_call, cs_result);
}
