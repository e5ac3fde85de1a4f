#include "wrappers/object/set_name.h"

#include <string.h>

#include "wrappers/object/apply.h"
#include "wrappers/object/look_up.h"

/* The MPI keeps no more than it has room for. */
void cs_named(struct cs_call *call, enum callsign_kind kind, uint64_t handle, const char *name)
{
    const struct callsign_record *object = cs_record_of(call, kind, handle);
    char kept[MPI_MAX_OBJECT_NAME];
    if (!object || !name)
        return;
    size_t length = strnlen(name, sizeof kept - 1);
    memcpy(kept, name, length);
    kept[length] = '\0';
    cs_apply_replaced(object);
    cs_object_name(object, kept, CALLSIGN_PROGRAM, cs_call_site(call));
}
