/* How objects were made, and the names of datatypes that follow from it: those of other kinds are made in the program.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callsign/debug.h"
#include "db/detail.h"
#include "db/names.h"
#include "db/seal_load.h"

struct naming {
    struct cs_sealing *sealing;
    enum cs_status status;
    char name[CS_LINEAGE_BYTES];
};

/* The name that an object has by now. */
static const char *name_of(void *context, uint32_t object)
{
    struct naming *naming = context;
    naming->status =
        cs_rows_object_name(naming->sealing->rows, naming->sealing->rank, object, naming->name, sizeof naming->name);
    return naming->status == CS_OK ? naming->name : NULL;
}

enum cs_status cs_seal_detail(struct cs_sealing *sealing, const struct cs_fact_object *it, char **json)
{
    *json = NULL;
    if (!it->detail_bytes)
        return CS_OK;
    enum cs_status status = cs_detail_json(it + 1, it->detail_bytes, json);
    if (status != CS_CORRUPT)
        return status;
    sealing->damaged = true;
    return CS_OK;
}

enum cs_status cs_seal_derived(struct cs_sealing *sealing, const struct cs_fact_object *it, char name[CS_LINEAGE_BYTES])
{
    struct naming naming = {.sealing = sealing};
    const struct cs_lineage_names names = {name_of, &naming};
    bool derived = false;
    if (it->kind == CALLSIGN_DATATYPE)
        derived = cs_lineage_datatype(it->function, it->parent, it + 1, it->detail_bytes, &names, name);
    if (!derived)
        name[0] = '\0';
    return naming.status;
}

/* What the MPI says of a window stands beside its arguments. */
enum cs_status cs_seal_window_detail(struct cs_sealing *sealing, const struct cs_fact_window *it)
{
    const char *flavor = cs_name_of_flavor(it->flavor), *model = cs_name_of_model(it->model);
    char members[80];
    if (!flavor && !model)
        return CS_OK;
    snprintf(members, sizeof members, "%s%s%s%s%s%s%s", flavor ? "\"flavor\":\"" : "", flavor ? flavor : "",
             flavor ? "\"" : "", flavor && model ? "," : "", model ? "\"model\":\"" : "", model ? model : "",
             model ? "\"" : "");
    return CS_WRITE(sealing->rows, CS_ROW_OBJECT_DETAIL, cs_int(sealing->rank), cs_int(it->object), cs_text(members));
}
