/* 22030 MPI_Free_mem environment frees-memory:1 */
CS_EXPORT int MPI_Free_mem(void *base)
{
    struct cs_call cs_call;

    if (!cs_enter(&cs_call, CS_MPI_Free_mem, __builtin_return_address(0)))
        return cs_next.MPI_Free_mem(base);
    if (base)
        cs_begin_free(&cs_call, CALLSIGN_MEMORY, CS_KEY(base));
    cs_start(&cs_call);
    int cs_result = cs_next.MPI_Free_mem(base);
    cs_stop(&cs_call);
    CS_KEEP_ERRNO;
    cs_end_free(&cs_call, cs_result);
    cs_leave_alone(&cs_call);
    return cs_result;
}
