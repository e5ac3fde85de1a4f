/* 2006 MPI_Waitsome completion on-requests:1,2 statuses:5 completes-some:3,4 waits:any-request */
CS_EXPORT int MPI_Waitsome(int incount, MPI_Request array_of_requests[], int *outcount, int array_of_indices[],
                           MPI_Status array_of_statuses[])
{
    struct cs_call cs_call;
    struct cs_request_list cs_list;

    if (!cs_enter(&cs_call, CS_MPI_Waitsome, __builtin_return_address(0)))
        return cs_next.MPI_Waitsome(incount, array_of_requests, outcount, array_of_indices, array_of_statuses);
    cs_on_awaited_requests(&cs_call, &cs_list, incount, cs_requests_c(array_of_requests));
    array_of_statuses = cs_statuses_needed(&cs_call, &cs_list, cs_statuses_c(array_of_statuses));
    cs_start(&cs_call);
    int cs_result = cs_next.MPI_Waitsome(incount, array_of_requests, outcount, array_of_indices, array_of_statuses);
    cs_stop(&cs_call);
    cs_note_failure(&cs_call, cs_result);
    cs_some_completed(&cs_call, &cs_list, outcount, array_of_indices, cs_result);
    cs_leave(&cs_call);
    return cs_result;
}
