/* Functions that hand out several datatypes at once. */
#include "functions.h"
#include "next.h"
#include "wrappers/fortran/fortran.h"
#include "wrappers/roles.h"

/* How many of them the MPI has filled in. */
static void given(struct cs_call *call, MPI_Datatype type, MPI_Count room, struct cs_types types)
{
#if MPI_VERSION >= 4
    /* The older function fails, loudly, on types that were made with large counts. */
    MPI_Count integers = 0, addresses = 0, counts = 0, there = 0;
    int combiner;
    PMPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &there, &combiner);
#else
    int integers = 0, addresses = 0, there = 0, combiner;
    PMPI_Type_get_envelope(type, &integers, &addresses, &there, &combiner);
#endif
    cs_given_types(call, there < room ? there : room, types);
}

CS_EXPORT int MPI_Type_get_contents(MPI_Datatype datatype, int max_integers, int max_addresses, int max_datatypes,
                                    int integers[], MPI_Aint addresses[], MPI_Datatype datatypes[])
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Type_get_contents, __builtin_return_address(0));
    cs_start(&call);
    int result = cs_next.MPI_Type_get_contents(datatype, max_integers, max_addresses, max_datatypes, integers,
                                               addresses, datatypes);
    cs_stop(&call);
    if (cs_succeeded(&call, result))
        given(&call, datatype, max_datatypes, cs_types_c(datatypes));
    cs_leave(&call);
    return result;
}

void cs_fortran_type_get_contents(void *twin, const void *site, void *type, void *max_integers, void *max_addresses,
                                  void *max_types, void *integers, void *addresses, void *types, void *error)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Type_get_contents, site);
    cs_start(&call);
    ((cs_fortran_8)twin)(type, max_integers, max_addresses, max_types, integers, addresses, types, error);
    cs_stop(&call);
    if (cs_succeeded(&call, cs_fortran_integer(error)))
        given(&call, cs_fortran_type(type), cs_fortran_integer(max_types), cs_types_fortran(types));
    cs_leave(&call);
}

#if MPI_VERSION >= 4
CS_EXPORT int MPI_Type_get_contents_c(MPI_Datatype datatype, MPI_Count max_integers, MPI_Count max_addresses,
                                      MPI_Count max_large_counts, MPI_Count max_datatypes, int integers[],
                                      MPI_Aint addresses[], MPI_Count large_counts[], MPI_Datatype datatypes[])
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Type_get_contents_c, __builtin_return_address(0));
    cs_start(&call);
    int result = cs_next.MPI_Type_get_contents_c(datatype, max_integers, max_addresses, max_large_counts, max_datatypes,
                                                 integers, addresses, large_counts, datatypes);
    cs_stop(&call);
    if (cs_succeeded(&call, result))
        given(&call, datatype, max_datatypes, cs_types_c(datatypes));
    cs_leave(&call);
    return result;
}

void cs_fortran_type_get_contents_c(void *twin, const void *site, void *type, void *max_integers, void *max_addresses,
                                    void *max_counts, void *max_types, void *integers, void *addresses, void *counts,
                                    void *types, void *error)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Type_get_contents_c, site);
    cs_start(&call);
    ((cs_fortran_10)twin)(type, max_integers, max_addresses, max_counts, max_types, integers, addresses, counts, types,
                          error);
    cs_stop(&call);
    if (cs_succeeded(&call, cs_fortran_integer(error)))
        given(&call, cs_fortran_type(type), cs_fortran_count(max_types), cs_types_fortran(types));
    cs_leave(&call);
}
#endif
