/* Functions that hand out several datatypes at once: by hand, because the MPI must be asked how many there are. */
#include "functions.h"
#include "next.h"
#include "wrappers/object/look_up.h"
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
    if (cs_succeeded(&call, result))
        cs_type_contents(&call, datatype, max_datatypes, cs_types_c(datatypes));
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
    if (cs_succeeded(&call, result))
        cs_type_contents(&call, datatype, max_datatypes, cs_types_c(datatypes));
    cs_leave(&call);
    return result;
}
#endif
