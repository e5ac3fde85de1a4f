/* 21008 MPI_Close_port process frees-port:1 */
CS_EXPORT int MPI_Close_port(const char *port_name)
{
    struct cs_call cs_call;

    if (!cs_enter(&cs_call, CS_MPI_Close_port, __builtin_return_address(0)))
        return cs_next.MPI_Close_port(port_name);
    if (port_name)
        cs_begin_free_port(&cs_call, port_name, MPI_MAX_PORT_NAME);
    cs_start(&cs_call);
    int cs_result = cs_next.MPI_Close_port(port_name);
    cs_stop(&cs_call);
    CS_KEEP_ERRNO;
    cs_note_failure(&cs_call, cs_result);
    cs_end_free(&cs_call, cs_result);
    cs_leave_alone(&cs_call);
    return cs_result;
}
