/* 2000 MPI_Wait completion on-request:1 status:2 completes-all waits:all-requests */
CS_EXPORT int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    struct cs_call cs_call;
    struct cs_request_list cs_list;

    if (!cs_enter(&cs_call, CS_MPI_Wait, __builtin_return_address(0)))
        return cs_next.MPI_Wait(request, status);
    cs_on_awaited_requests(&cs_call, &cs_list, 1, cs_requests_c(request));
    status = cs_statuses_needed(&cs_call, &cs_list, cs_statuses_c(status));
    cs_start(&cs_call);
    int cs_result = cs_next.MPI_Wait(request, status);
    cs_stop(&cs_call);
    cs_note_failure(&cs_call, cs_result);
    cs_all_completed(&cs_call, &cs_list, cs_result);
    cs_leave(&cs_call);
    return cs_result;
}
