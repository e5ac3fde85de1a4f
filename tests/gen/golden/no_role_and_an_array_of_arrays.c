/* 11018 MPI_Group_range_incl group */
CS_EXPORT int MPI_Group_range_incl(int group, int n, int ranges[][3], int *newgroup)
{
    struct cs_call cs_call;

    if (!cs_enter_plain(&cs_call, CS_MPI_Group_range_incl, __builtin_return_address(0)))
        return cs_next.MPI_Group_range_incl(group, n, ranges, newgroup);
    cs_start(&cs_call);
    int cs_result = cs_next.MPI_Group_range_incl(group, n, ranges, newgroup);
    cs_stop(&cs_call);
    cs_note_failure(&cs_call, cs_result);
    cs_leave_plain(&cs_call, CS_MPI_Group_range_incl);
    return cs_result;
}
