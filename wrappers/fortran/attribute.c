/* Attributes in Fortran, which is answered with the value itself, of its own kind of integer. */
#include "wrappers/fortran/attribute.h"

#include "wrappers/attribute/attribute.h"
#include "wrappers/fortran/decode.h"

static void count(struct cs_call *call, enum cs_attribute_operation operation, enum callsign_kind kind, uint64_t handle,
                  int fortran_keyval, const void *value, size_t bytes, bool found)
{
    if (!call->counted)
        return;
    int keyval = cs_attribute_keyval(kind, fortran_keyval);
    struct cs_attribute attribute = cs_attribute_of(call, operation, kind, handle, keyval, found);
    if (found) {
        /* The only one that is an address. */
        bool is_base = kind == CALLSIGN_WINDOW && keyval == MPI_WIN_BASE && bytes == sizeof(MPI_Aint);
        attribute.value_kind = is_base ? CS_VALUE_ADDRESS : CS_VALUE_INTEGER;
        attribute.value = (uint64_t)(bytes == sizeof(MPI_Fint) ? *(const MPI_Fint *)value : *(const MPI_Aint *)value);
    }
    cs_attribute_count(call->thread, &attribute);
}

void cs_got_attribute_fortran(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval,
                              const void *value, size_t bytes, const void *found)
{
    count(call, CS_ATTRIBUTE_GET, kind, handle, keyval, value, bytes, cs_fortran_integer(found));
}

void cs_set_attribute_fortran(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval,
                              const void *value, size_t bytes)
{
    count(call, CS_ATTRIBUTE_SET, kind, handle, keyval, value, bytes, true);
}
