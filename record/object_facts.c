#include "record/object_facts.h"

#include <stddef.h>
#include <string.h>

#include "db/journal/detail.h"
#include "db/journal/format.h"
#include "record/module.h"
#include "record/recorder.h"

void cs_object_facts_birth(const struct callsign_record *record, const struct cs_birth *birth)
{
    struct {
        struct cs_fact_object head;
        uint64_t detail[CS_DETAIL_WORDS];
    } fact;
    size_t detail_bytes = birth->detail_bytes <= sizeof fact.detail ? birth->detail_bytes : 0;
    fact.head = (struct cs_fact_object){.fact.ticks = birth->ticks,
                                        .object = record->id,
                                        .parent = birth->parent,
                                        .kind = birth->kind,
                                        .function = birth->function,
                                        .flags = birth->flags,
                                        .handle = birth->handle,
                                        .fortran_handle = birth->fortran_handle,
                                        .site = birth->site,
                                        .uid = birth->uid,
                                        .family = birth->family,
                                        .rule = birth->rule,
                                        .origin = birth->name ? birth->origin : CALLSIGN_UNNAMED,
                                        .detail_bytes = (uint16_t)detail_bytes};
    if (detail_bytes)
        memcpy(fact.detail, birth->detail, detail_bytes);
    cs_journal_append(cs_recorder.journal, CS_FACT_OBJECT, &fact.head.fact, sizeof fact.head + detail_bytes,
                      (const char *const[]){birth->name}, 1);
}

void cs_object_facts_kind(const struct callsign_record *record, struct cs_birth *birth)
{
    struct cs_fact *fact = &birth->communicator.fact;
    size_t bytes = birth->facts == CS_FACT_COMMUNICATOR ? sizeof birth->communicator
                   : birth->facts == CS_FACT_DATATYPE   ? sizeof birth->datatype
                                                        : sizeof birth->window;
    fact->ticks = birth->ticks;
    birth->communicator.object = record->id;
    cs_journal_append(cs_recorder.journal, birth->facts, fact, bytes, (const char *const[]){birth->members},
                      birth->facts == CS_FACT_COMMUNICATOR);
}

static_assert(offsetof(struct cs_fact_communicator, object) == offsetof(struct cs_fact_datatype, object) &&
                  offsetof(struct cs_fact_communicator, object) == offsetof(struct cs_fact_window, object),
              "facts of all kinds begin with the number of their object");

void cs_object_committed(const struct callsign_record *object, uint64_t ticks)
{
    struct cs_fact_commit fact = {.fact.ticks = ticks, .object = object->id};
    cs_journal_append(cs_recorder.journal, CS_FACT_COMMIT, &fact.fact, sizeof fact, NULL, 0);
}

void cs_object_ready(uint32_t id, uint64_t ticks)
{
    struct cs_fact_ready fact = {.fact.ticks = ticks, .object = id};
    cs_journal_append(cs_recorder.journal, CS_FACT_READY, &fact.fact, sizeof fact, NULL, 0);
}

void cs_object_refused_name(enum callsign_kind kind, const struct callsign_record *object, const char *why,
                            uint64_t ticks, uint64_t site)
{
    struct cs_fact_refused_name fact = {
        .fact.ticks = ticks, .object = object ? object->id : 0, .kind = (uint32_t)kind, .site = site};
    cs_module_see(site);
    cs_journal_append(cs_recorder.journal, CS_FACT_REFUSED_NAME, &fact.fact, sizeof fact, (const char *const[]){why},
                      1);
}

void cs_object_excluded(const struct cs_exclusion *exclusion)
{
    struct cs_fact_excluded fact = {.fact.ticks = exclusion->ticks,
                                    .parent = exclusion->parent,
                                    .number = exclusion->number,
                                    .site = exclusion->site,
                                    .family = exclusion->family,
                                    .function = exclusion->function};
    cs_module_see(exclusion->site);
    cs_journal_append(cs_recorder.journal, CS_FACT_EXCLUDED, &fact.fact, sizeof fact, NULL, 0);
}
