/* 15002 MPI_Comm_free_keyval attribute frees-keyval:1 */
CS_EXPORT int MPI_Comm_free_keyval(int *comm_keyval)
{
    struct cs_call cs_call;

    if (!cs_enter(&cs_call, CS_MPI_Comm_free_keyval, __builtin_return_address(0)))
        return cs_next.MPI_Comm_free_keyval(comm_keyval);
    if (comm_keyval)
        cs_begin_free_keyval(&cs_call, *comm_keyval);
    cs_start(&cs_call);
    int cs_result = cs_next.MPI_Comm_free_keyval(comm_keyval);
    cs_stop(&cs_call);
    CS_KEEP_ERRNO;
    cs_end_free_keyval(&cs_call, cs_result);
    cs_leave_alone(&cs_call);
    return cs_result;
}
