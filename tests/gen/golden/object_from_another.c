/* 11014 MPI_Group_incl group of:1 makes:4 */
CS_EXPORT int MPI_Group_incl(MPI_Group group, int n, const int ranks[], MPI_Group *newgroup)
{
    struct cs_call cs_call;

    if (!cs_enter(&cs_call, CS_MPI_Group_incl, __builtin_return_address(0)))
        return cs_next.MPI_Group_incl(group, n, ranks, newgroup);
    cs_on(&cs_call, CALLSIGN_GROUP, CS_KEY(group));
    cs_start(&cs_call);
    int cs_result = cs_next.MPI_Group_incl(group, n, ranks, newgroup);
    cs_stop(&cs_call);
    CS_KEEP_ERRNO;
    cs_note_failure(&cs_call, cs_result);
    if (cs_succeeded(&cs_call, cs_result))
        cs_made(&cs_call, CALLSIGN_GROUP, CS_KEY(*newgroup));
    cs_leave_alone(&cs_call);
    return cs_result;
}
