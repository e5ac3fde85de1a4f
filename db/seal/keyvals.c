#include "db/seal/keyvals.h"

#include "db/journal/format.h"
#include "db/journal/names.h"
#include "db/journal/reader.h"
#include "db/seal/sites.h"

static const char *kind_of(uint16_t number)
{
    const char *kind = cs_name_of_kind(number);
    return kind ? kind : "unknown";
}

enum cs_status cs_keyvals_load(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_keyval *it = (const void *)fact;
    const char *name = cs_fact_string(fact, sizeof *it, 0);
    if (!name)
        return CS_CORRUPT;
    int64_t site;
    enum cs_status status = cs_sites_find(sealing->sites, it->site, fact->ticks, &site);
    if (status != CS_OK)
        return status;
    return CS_WRITE(sealing->rows, CS_ROW_KEYVAL, cs_int(sealing->rank), cs_text(kind_of(it->kind)), cs_int(it->keyval),
                    cs_text(*name ? name : NULL), cs_sealing_function(sealing, it->function), cs_int_unless(site, 0),
                    cs_int(cs_sealing_instant(sealing, fact->ticks)));
}

enum cs_status cs_keyvals_load_callbacks(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_callbacks *it = (const void *)fact;
    const char *copy = cs_fact_string(fact, sizeof *it, 0);
    const char *delete = cs_fact_string(fact, sizeof *it, 1);
    int64_t copy_site = 0, delete_site = 0;
    if (!copy || !delete)
        return CS_CORRUPT;
    enum cs_status status = cs_sites_find(sealing->sites, it->copy_site, fact->ticks, &copy_site);
    if (status == CS_OK)
        status = cs_sites_find(sealing->sites, it->delete_site, fact->ticks, &delete_site);
    if (status != CS_OK)
        return status;
    return CS_WRITE(sealing->rows, CS_ROW_CREATED_KEYVAL, cs_int(sealing->rank), cs_int(it->object),
                    cs_text(kind_of(it->kind)), cs_int(it->keyval), cs_text(cs_name_of_language(it->language)),
                    cs_text(*copy ? copy : NULL), cs_int_unless(copy_site, 0), cs_text(*delete ? delete : NULL),
                    cs_int_unless(delete_site, 0), cs_int(it->extra_state));
}

enum cs_status cs_keyvals_load_holders(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_holders *it = (const void *)fact;
    return CS_WRITE(sealing->rows, CS_ROW_HOLDERS, cs_int(sealing->rank), cs_int(it->object), cs_int(it->holders));
}
