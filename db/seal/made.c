/* How objects were made, and the names of datatypes that follow from it: those of other kinds are made in the program.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callsign/debug.h"
#include "db/journal/detail.h"
#include "db/journal/names.h"
#include "db/seal/load.h"

/* The name that an object has by now. */
static const char *name_of(void *objects, uint32_t object)
{
    const struct cs_made *made = cs_objects_find(objects, object);
    return made ? made->name : NULL;
}

bool cs_seal_derived(struct cs_sealing *sealing, const struct cs_fact_object *it, char name[CS_DATATYPE_NAME_BYTES])
{
    const struct cs_datatype_name_context names = {name_of, sealing->objects};
    return it->kind == CALLSIGN_DATATYPE &&
           cs_datatype_name(it->function, it->parent, it + 1, it->detail_bytes, &names, name);
}

/* What the MPI says of a window stands beside its arguments. */
static enum cs_status add_window(const struct cs_fact_window *it, char **json)
{
    const char *flavor = cs_name_of_flavor(it->flavor), *model = cs_name_of_model(it->model);
    if (!flavor && !model)
        return CS_OK;
    size_t length = *json ? strlen(*json) - 1 : 0; /* without the brace that closes it */
    char *joined;
    int made = asprintf(&joined, "%.*s%s%s%s%s%s%s%s%s}", (int)length, *json ? *json : "",
                        length > 1 ? ","
                        : length   ? ""
                                   : "{",
                        flavor ? "\"flavor\":\"" : "", flavor ? flavor : "", flavor ? "\"" : "",
                        flavor && model ? "," : "", model ? "\"model\":\"" : "", model ? model : "", model ? "\"" : "");
    if (made < 0)
        return CS_NO_MEMORY;
    free(*json);
    *json = joined;
    return CS_OK;
}

enum cs_status cs_seal_detail(struct cs_sealing *sealing, const struct cs_made *made, char **json)
{
    *json = NULL;
    enum cs_status status = CS_OK;
    if (made->born && made->born->detail_bytes)
        status = cs_detail_json(made->born + 1, made->born->detail_bytes, json);
    if (status == CS_CORRUPT) {
        sealing->damaged = true;
        status = CS_OK;
    }
    return status == CS_OK && made->window ? add_window(made->window, json) : status;
}
