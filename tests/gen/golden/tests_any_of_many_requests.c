/* 2010 MPI_Testany completion on-requests:1,2 status:5 completes-any:3,4 */
CS_EXPORT int MPI_Testany(int count, MPI_Request array_of_requests[], int *index, int *flag, MPI_Status *status)
{
    struct cs_call cs_call;
    struct cs_request_list cs_list;

    if (!cs_enter(&cs_call, CS_MPI_Testany, __builtin_return_address(0)))
        return cs_next.MPI_Testany(count, array_of_requests, index, flag, status);
    cs_on_requests(&cs_call, &cs_list, count, cs_requests_c(array_of_requests));
    status = cs_statuses_needed(&cs_call, &cs_list, cs_statuses_c(status));
    cs_start(&cs_call);
    int cs_result = cs_next.MPI_Testany(count, array_of_requests, index, flag, status);
    cs_stop(&cs_call);
    cs_note_failure(&cs_call, cs_result);
    if (cs_result != MPI_SUCCESS || *flag)
        cs_any_completed(&cs_call, &cs_list, index, cs_result);
    cs_leave(&cs_call);
    return cs_result;
}
