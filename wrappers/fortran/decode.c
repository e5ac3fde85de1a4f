#include "wrappers/fortran/decode.h"

#include "pmpi_queries.h"
#include "record/object/object.h"

_Atomic(MPI_Datatype) cs_fortran_types[CS_FORTRAN_TYPES];

MPI_Datatype cs_fortran_type_find(MPI_Fint handle)
{
    MPI_Datatype type = cs_mpi_Type_f2c(handle);
    const struct callsign_record *known = cs_object_find(CALLSIGN_DATATYPE, CS_KEY(type));
    if (known && known->flags & CS_OBJECT_PREDEFINED && (unsigned)handle < CS_FORTRAN_TYPES)
        atomic_store_explicit(&cs_fortran_types[handle], type, memory_order_relaxed);
    return type;
}
