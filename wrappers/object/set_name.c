#include "wrappers/object/set_name.h"

#include <string.h>

#include "record/object.h"
#include "wrappers/call/error_words.h"
#include "wrappers/object/adopt.h"
#include "wrappers/object/apply.h"

/* The handle may be anything, and so may the name. */
static void refused(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int result)
{
    if (call->counted)
        cs_object_refused_name(kind, cs_object_look_up(kind, handle), cs_error_words(result).words, call->stop,
                               cs_call_site(call));
}

void cs_named(struct cs_call *call, enum callsign_kind kind, uint64_t handle, const char *name, int result)
{
    CS_KEEP_ERRNO;
    if (!call->thread)
        return;
    if (result != MPI_SUCCESS) {
        refused(call, kind, handle, result);
        return;
    }
    const struct callsign_record *object = cs_record_of(call, kind, handle);
    char fitting[MPI_MAX_OBJECT_NAME]; /* the MPI has no room for more */
    if (!object || !name)
        return;
    size_t length = strnlen(name, sizeof fitting - 1);
    memcpy(fitting, name, length);
    fitting[length] = '\0';
    cs_apply_replaced(object, fitting, cs_call_site(call));
}
