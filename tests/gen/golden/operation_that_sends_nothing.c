/* 8028 MPI_Get_accumulate one-sided win:12 peer:7 get-accumulate:2,3,5,6,7,11 */
CS_EXPORT int MPI_Get_accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype,
                                 void *result_addr, int result_count, MPI_Datatype result_datatype, int target_rank,
                                 MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op,
                                 MPI_Win win)
{
    struct cs_call cs_call;

    if (!cs_enter(&cs_call, CS_MPI_Get_accumulate, __builtin_return_address(0)))
        return cs_next.MPI_Get_accumulate(origin_addr, origin_count, origin_datatype, result_addr, result_count,
                                          result_datatype, target_rank, target_disp, target_count, target_datatype, op,
                                          win);
    cs_on_win(&cs_call, win);
    cs_on_peer(&cs_call, target_rank, CS_NO_TAG);
    cs_start(&cs_call);
    int cs_result =
        cs_next.MPI_Get_accumulate(origin_addr, origin_count, origin_datatype, result_addr, result_count,
                                   result_datatype, target_rank, target_disp, target_count, target_datatype, op, win);
    cs_stop(&cs_call);
    cs_note_failure(&cs_call, cs_result);
    if (cs_succeeded(&cs_call, cs_result)) {
        cs_adopt(&cs_call);
        cs_bytes_get_accumulate(&cs_call, op == MPI_NO_OP ? 0 : origin_count, origin_datatype, result_count,
                                result_datatype, target_rank);
    }
    cs_leave(&cs_call);
    return cs_result;
}
