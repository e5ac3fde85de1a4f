/* 2016 MPI_Request_free request on-request:1 frees-request forgets-request */
CS_EXPORT int MPI_Request_free(MPI_Request *request)
{
    struct cs_call cs_call;
    struct cs_request_list cs_list;

    if (!cs_enter(&cs_call, CS_MPI_Request_free, __builtin_return_address(0)))
        return cs_next.MPI_Request_free(request);
    cs_on_requests(&cs_call, &cs_list, 1, cs_requests_c(request));
    cs_begin_free_request(&cs_call, &cs_list);
    cs_start(&cs_call);
    int cs_result = cs_next.MPI_Request_free(request);
    cs_stop(&cs_call);
    CS_KEEP_ERRNO;
    cs_note_failure(&cs_call, cs_result);
    cs_end_free(&cs_call, cs_result);
    if (cs_succeeded(&cs_call, cs_result))
        cs_forget_request(&cs_call, &cs_list);
    cs_leave(&cs_call);
    return cs_result;
}
