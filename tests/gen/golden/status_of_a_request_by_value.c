/* 2018 MPI_Request_get_status request on-request:1 status:3 queries-all:2 */
CS_EXPORT int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
    struct cs_call cs_call;
    struct cs_request_list cs_list;

    if (!cs_enter(&cs_call, CS_MPI_Request_get_status, __builtin_return_address(0)))
        return cs_next.MPI_Request_get_status(request, flag, status);
    cs_on_requests(&cs_call, &cs_list, 1, cs_requests_c(&request));
    status = cs_statuses_needed(&cs_call, &cs_list, cs_statuses_c(status));
    cs_start(&cs_call);
    int cs_result = cs_next.MPI_Request_get_status(request, flag, status);
    cs_stop(&cs_call);
    cs_note_failure(&cs_call, cs_result);
    if (cs_succeeded(&cs_call, cs_result)) {
        if (*flag)
            cs_all_queried(&cs_call, &cs_list);
    }
    cs_leave(&cs_call);
    return cs_result;
}
