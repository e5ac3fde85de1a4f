/* 15000 MPI_Comm_create_keyval attribute makes-keyval:1,2,3,4 */
CS_EXPORT int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function *comm_copy_attr_fn,
                                     MPI_Comm_delete_attr_function *comm_delete_attr_fn, int *comm_keyval,
                                     void *extra_state)
{
    struct cs_call cs_call;

    if (!cs_enter(&cs_call, CS_MPI_Comm_create_keyval, __builtin_return_address(0)))
        return cs_next.MPI_Comm_create_keyval(comm_copy_attr_fn, comm_delete_attr_fn, comm_keyval, extra_state);
    cs_start(&cs_call);
    int cs_result = cs_next.MPI_Comm_create_keyval(comm_copy_attr_fn, comm_delete_attr_fn, comm_keyval, extra_state);
    cs_stop(&cs_call);
    CS_KEEP_ERRNO;
    if (cs_succeeded(&cs_call, cs_result)) {
        cs_made_keyval(&cs_call, CALLSIGN_COMMUNICATOR, (uint64_t)(uintptr_t)comm_copy_attr_fn,
                       (uint64_t)(uintptr_t)comm_delete_attr_fn, *comm_keyval, (int64_t)(intptr_t)extra_state);
    }
    cs_leave_alone(&cs_call);
    return cs_result;
}
