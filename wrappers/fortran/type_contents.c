/* Functions that hand out several datatypes at once, called from Fortran; see wrappers/object/type_contents.c. */
#include "functions.h"
#include "wrappers/fortran/fortran.h"
#include "wrappers/object/look_up.h"

void cs_fortran_type_get_contents(void *twin, const void *site, void *type, void *max_integers, void *max_addresses,
                                  void *max_types, void *integers, void *addresses, void *types, void *error)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Type_get_contents, site);
    cs_start(&call);
    ((cs_fortran_8)twin)(type, max_integers, max_addresses, max_types, integers, addresses, types, error);
    cs_stop(&call);
    if (cs_succeeded(&call, cs_fortran_integer(error)))
        cs_type_contents(&call, cs_fortran_type(type), cs_fortran_integer(max_types), cs_types_fortran(types));
    cs_leave(&call);
}

#if MPI_VERSION >= 4
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
        cs_type_contents(&call, cs_fortran_type(type), cs_fortran_count(max_types), cs_types_fortran(types));
    cs_leave(&call);
}
#endif
