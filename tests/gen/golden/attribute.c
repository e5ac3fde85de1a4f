/* 15006 MPI_Comm_get_attr attribute comm:1 got-attribute:1,2,3,4 */
CS_EXPORT int MPI_Comm_get_attr(MPI_Comm comm, int comm_keyval, void *attribute_val, int *flag)
{
    struct cs_call cs_call;

    if (!cs_enter(&cs_call, CS_MPI_Comm_get_attr, __builtin_return_address(0)))
        return cs_next.MPI_Comm_get_attr(comm, comm_keyval, attribute_val, flag);
    cs_on_comm(&cs_call, comm);
    cs_start(&cs_call);
    int cs_result = cs_next.MPI_Comm_get_attr(comm, comm_keyval, attribute_val, flag);
    cs_stop(&cs_call);
    cs_got_attribute(&cs_call, CALLSIGN_COMMUNICATOR, CS_KEY(comm), comm_keyval, attribute_val, flag, cs_result);
    if (cs_succeeded(&cs_call, cs_result))
        cs_adopt(&cs_call);
    cs_leave_alone(&cs_call);
    return cs_result;
}
