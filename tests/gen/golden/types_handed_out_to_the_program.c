/* 9022 MPI_File_get_view io file:1 hands-out-type:3 hands-out-type:4 */
CS_EXPORT int MPI_File_get_view(MPI_File fh, MPI_Aint *disp, MPI_Datatype *etype, MPI_Datatype *filetype, char *datarep)
{
    struct cs_call cs_call;

    if (!cs_enter(&cs_call, CS_MPI_File_get_view, __builtin_return_address(0)))
        return cs_next.MPI_File_get_view(fh, disp, etype, filetype, datarep);
    cs_on_file(&cs_call, fh);
    cs_start(&cs_call);
    int cs_result = cs_next.MPI_File_get_view(fh, disp, etype, filetype, datarep);
    cs_stop(&cs_call);
    CS_KEEP_ERRNO;
    cs_note_failure(&cs_call, cs_result);
    if (cs_succeeded(&cs_call, cs_result)) {
        cs_adopt(&cs_call);
        cs_handed_out_types(&cs_call, 1, cs_types_c(etype));
        cs_handed_out_types(&cs_call, 1, cs_types_c(filetype));
    }
    cs_leave_alone(&cs_call);
    return cs_result;
}
