/* 21000 MPI_Comm_spawn process comm:6 peer:5 command-at-root:1,5 maxprocs-at-root:3,5 info-at-root:4,5 root:5 makes-comm:7 */
CS_EXPORT int MPI_Comm_spawn(const char *command, char *argv[], int maxprocs, MPI_Info info, int root, MPI_Comm comm,
                             MPI_Comm *intercomm, int array_of_errcodes[])
{
    struct cs_call cs_call;

    if (!cs_enter(&cs_call, CS_MPI_Comm_spawn, __builtin_return_address(0)))
        return cs_next.MPI_Comm_spawn(command, argv, maxprocs, info, root, comm, intercomm, array_of_errcodes);
    cs_on_comm(&cs_call, comm);
    cs_on_peer(&cs_call, root, CS_NO_TAG);
    cs_start(&cs_call);
    int cs_result = cs_next.MPI_Comm_spawn(command, argv, maxprocs, info, root, comm, intercomm, array_of_errcodes);
    cs_stop(&cs_call);
    CS_KEEP_ERRNO;
    cs_note_failure(&cs_call, cs_result);
    if (cs_succeeded(&cs_call, cs_result)) {
        cs_adopt(&cs_call);
        if (cs_at_root(&cs_call, root))
            cs_detail_text(&cs_call, CS_DETAIL_COMMAND, command);
        if (cs_at_root(&cs_call, root))
            cs_detail_integer(&cs_call, CS_DETAIL_MAXPROCS, maxprocs);
        if (cs_at_root(&cs_call, root))
            cs_detail_info(&cs_call, CS_DETAIL_INFO, info);
        cs_detail_integer(&cs_call, CS_DETAIL_ROOT, root);
        cs_made_comm(&cs_call, *intercomm);
    }
    cs_leave(&cs_call);
    return cs_result;
}
