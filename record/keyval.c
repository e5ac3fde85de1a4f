#include "record/keyval.h"

#include "record/module.h"
#include "record/recorder.h"

void cs_keyval_born(int keyval, enum callsign_kind kind, const char *name, uint16_t function, uint64_t site)
{
    cs_module_see(site);
    struct cs_fact_keyval fact = {
        .fact.ticks = 0, .keyval = keyval, .kind = (uint16_t)kind, .function = function, .site = site};
    cs_journal_append(cs_recorder.journal, CS_FACT_KEYVAL, &fact.fact, sizeof fact, (const char *const[]){name}, 1);
}

/* Where a return address would be, which is looked up by the byte before it. */
static uint64_t site_of(const struct cs_callback *callback)
{
    uint64_t site = callback->name ? 0 : callback->address + 1;
    cs_module_see(site);
    return site;
}

void cs_keyval_callbacks(const struct callsign_record *object, const struct cs_callbacks *callbacks)
{
    struct cs_fact_callbacks fact = {.fact.ticks = 0,
                                     .object = object->id,
                                     .keyval = (int32_t)(uint32_t)object->handle,
                                     .kind = (uint16_t)callbacks->kind,
                                     .language = (uint16_t)callbacks->language,
                                     .copy_site = site_of(&callbacks->copy),
                                     .delete_site = site_of(&callbacks->delete),
                                     .extra_state = callbacks->extra_state};
    cs_journal_append(cs_recorder.journal, CS_FACT_CALLBACKS, &fact.fact, sizeof fact,
                      (const char *const[]){callbacks->copy.name, callbacks->delete.name}, 2);
}

void cs_keyval_freed(uint32_t object, uint32_t holders)
{
    struct cs_fact_holders fact = {.fact.ticks = 0, .object = object, .holders = holders};
    cs_journal_append(cs_recorder.journal, CS_FACT_HOLDERS, &fact.fact, sizeof fact, NULL, 0);
}
