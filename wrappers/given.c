/* Functions that hand out several datatypes at once. */
#include <stdlib.h>

#include "functions.h"
#include "next.h"
#include "wrappers/roles.h"

CS_EXPORT int MPI_Type_get_contents(MPI_Datatype datatype, int max_integers, int max_addresses, int max_datatypes,
                                    int integers[], MPI_Aint addresses[], MPI_Datatype datatypes[])
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Type_get_contents, __builtin_return_address(0));
    cs_start(&call);
    int result = cs_next.MPI_Type_get_contents(datatype, max_integers, max_addresses, max_datatypes, integers,
                                               addresses, datatypes);
    cs_stop(&call);
    if (cs_succeeded(&call, result)) {
        int has_integers = 0, has_addresses = 0, given = 0, combiner;
        PMPI_Type_get_envelope(datatype, &has_integers, &has_addresses, &given, &combiner);
        cs_given_types(&call, given < max_datatypes ? given : max_datatypes, datatypes);
    }
    cs_leave(&call);
    return result;
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
    if (cs_succeeded(&call, result)) {
        MPI_Count has_integers = 0, has_addresses = 0, has_counts = 0, given = 0;
        int combiner;
        PMPI_Type_get_envelope_c(datatype, &has_integers, &has_addresses, &has_counts, &given, &combiner);
        cs_given_types(&call, given < max_datatypes ? given : max_datatypes, datatypes);
    }
    cs_leave(&call);
    return result;
}
#endif
