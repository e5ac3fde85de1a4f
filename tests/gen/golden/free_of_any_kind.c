/* 11024 MPI_Group_free group frees:1 */
CS_EXPORT int MPI_Group_free(MPI_Group *group)
{
    struct cs_call cs_call;

    if (!cs_enter(&cs_call, CS_MPI_Group_free, __builtin_return_address(0)))
        return cs_next.MPI_Group_free(group);
    if (group)
        cs_begin_free(&cs_call, CALLSIGN_GROUP, CS_KEY(*group));
    cs_start(&cs_call);
    int cs_result = cs_next.MPI_Group_free(group);
    cs_stop(&cs_call);
    CS_KEEP_ERRNO;
    cs_note_failure(&cs_call, cs_result);
    cs_end_free(&cs_call, cs_result);
    cs_leave_alone(&cs_call);
    return cs_result;
}
