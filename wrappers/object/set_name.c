#include "wrappers/object/set_name.h"

#include <string.h>

#include "wrappers/object/adopt.h"
#include "wrappers/object/apply.h"

void cs_named(struct cs_call *call, enum callsign_kind kind, uint64_t handle, const char *name)
{
    const struct callsign_record *object = cs_record_of(call, kind, handle);
    char fitting[MPI_MAX_OBJECT_NAME]; /* the MPI has no room for more */
    if (!object || !name)
        return;
    size_t length = strnlen(name, sizeof fitting - 1);
    memcpy(fitting, name, length);
    fitting[length] = '\0';
    cs_apply_replaced(object);
    cs_object_name(object, fitting, CALLSIGN_PROGRAM, cs_call_site(call));
}
