/* 13014 MPI_Type_create_struct datatype makes-type-of:5,1,4,2 */
CS_EXPORT int MPI_Type_create_struct(int count, const int array_of_blocklengths[],
                                     const MPI_Aint array_of_displacements[], const MPI_Datatype array_of_types[],
                                     MPI_Datatype *newtype)
{
    struct cs_call cs_call;

    if (!cs_enter(&cs_call, CS_MPI_Type_create_struct, __builtin_return_address(0)))
        return cs_next.MPI_Type_create_struct(count, array_of_blocklengths, array_of_displacements, array_of_types,
                                              newtype);
    cs_start(&cs_call);
    int cs_result =
        cs_next.MPI_Type_create_struct(count, array_of_blocklengths, array_of_displacements, array_of_types, newtype);
    cs_stop(&cs_call);
    CS_KEEP_ERRNO;
    cs_note_failure(&cs_call, cs_result);
    if (cs_succeeded(&cs_call, cs_result))
        cs_made_type_of(&cs_call, *newtype, count, cs_types_c(array_of_types), cs_counts_int(array_of_blocklengths));
    cs_leave_alone(&cs_call);
    return cs_result;
}
