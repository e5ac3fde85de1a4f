#include "record/pending.h"

#include <stddef.h>

#include "db/journal/format_communicator.h"
#include "record/module.h"
#include "record/recorder.h"
#include "record/request.h"

enum { PLACES_MAX = 32 };

struct places {
    uint32_t count;
    struct cs_fact_pending place[PLACES_MAX + 1]; /* the last one: all others */
};

static struct cs_fact_pending *place_of(struct places *places, uint64_t site, uint16_t function)
{
    uint32_t i = 0;
    while (i < places->count && (places->place[i].site != site || places->place[i].function != function))
        i++;
    if (i == places->count && i < PLACES_MAX) {
        places->count++;
        places->place[i].site = site;
        places->place[i].function = function;
    }
    return &places->place[i];
}

/* One handle that stands for several transfers, begun here and there, is of some that are complete: see
   wrappers/request/never_completed.c. */
static void add(const struct cs_request *request, void *context)
{
    if (!(request->flags & (CS_REQUEST_MIXED | CS_REQUEST_INTERNAL)))
        place_of(context, request->started.site, cs_profile_function(request->started))->requests +=
            request->references;
}

void cs_pending_tell(uint32_t object, uint64_t ticks)
{
    struct places places = {.count = 0};
    cs_request_each_on(&cs_requests, object, add, &places);
    for (uint32_t i = 0; i <= PLACES_MAX; i++) {
        struct cs_fact_pending *fact = &places.place[i];
        if (!fact->requests)
            continue;
        fact->fact.ticks = ticks;
        fact->object = object;
        cs_module_see(fact->site);
        cs_journal_append(cs_recorder.journal, CS_FACT_PENDING, &fact->fact, sizeof *fact, NULL, 0);
    }
}
