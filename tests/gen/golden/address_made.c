/* 22028 MPI_Alloc_mem environment makes-memory:3,1 */
CS_EXPORT int MPI_Alloc_mem(MPI_Aint size, MPI_Info info, void *baseptr)
{
    struct cs_call cs_call;

    if (!cs_enter(&cs_call, CS_MPI_Alloc_mem, __builtin_return_address(0)))
        return cs_next.MPI_Alloc_mem(size, info, baseptr);
    cs_start(&cs_call);
    int cs_result = cs_next.MPI_Alloc_mem(size, info, baseptr);
    cs_stop(&cs_call);
    CS_KEEP_ERRNO;
    if (cs_succeeded(&cs_call, cs_result))
        cs_made_memory(&cs_call, baseptr, size);
    cs_leave_alone(&cs_call);
    return cs_result;
}
