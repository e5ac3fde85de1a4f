/* 3012 MPI_Startall request on-requests:1,2 starts-requests */
CS_EXPORT int MPI_Startall(int count, MPI_Request array_of_requests[])
{
    struct cs_call cs_call;
    struct cs_request_list cs_list;

    if (!cs_enter(&cs_call, CS_MPI_Startall, __builtin_return_address(0)))
        return cs_next.MPI_Startall(count, array_of_requests);
    cs_on_requests(&cs_call, &cs_list, count, cs_requests_c(array_of_requests));
    cs_start(&cs_call);
    int cs_result = cs_next.MPI_Startall(count, array_of_requests);
    cs_stop(&cs_call);
    cs_note_failure(&cs_call, cs_result);
    if (cs_succeeded(&cs_call, cs_result))
        cs_requests_started(&cs_call, &cs_list);
    cs_leave(&cs_call);
    return cs_result;
}
