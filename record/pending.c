#include "record/pending.h"

#include <stddef.h>

#include "db/journal/format.h"
#include "record/module.h"
#include "record/recorder.h"
#include "record/request.h"

enum { SITES_MAX = 32 };

/* Requests by call site and function. What no request stands for is not even cleared: mostly there is none. */
struct beginnings {
    uint32_t count;
    struct cs_fact_pending fact[SITES_MAX + 1]; /* the last one: all others */
};

static struct cs_fact_pending *beginning_of(struct beginnings *all, uint64_t site, uint16_t function)
{
    uint32_t i = 0;
    while (i < all->count && i < SITES_MAX && (all->fact[i].site != site || all->fact[i].function != function))
        i++;
    if (i == all->count) {
        all->count++;
        all->fact[i] =
            (struct cs_fact_pending){.site = i < SITES_MAX ? site : 0, .function = i < SITES_MAX ? function : 0};
    }
    return &all->fact[i];
}

/* One handle that stands for several transfers, begun here and there, is of some that are complete: see
   wrappers/request/never_completed.c. */
static void add(const struct cs_request *request, void *context)
{
    if (!(request->flags & (CS_REQUEST_MIXED | CS_REQUEST_INTERNAL)))
        beginning_of(context, request->started.site, cs_profile_function(request->started))->requests +=
            request->references;
}

void cs_pending_tell(uint32_t object, uint64_t ticks)
{
    struct beginnings all;
    all.count = 0;
    cs_request_each_on(&cs_requests, object, add, &all);
    for (uint32_t i = 0; i < all.count; i++) {
        struct cs_fact_pending *fact = &all.fact[i];
        if (!fact->requests)
            continue;
        fact->fact.ticks = ticks;
        fact->object = object;
        cs_module_see(fact->site);
        cs_journal_append(cs_recorder.journal, CS_FACT_PENDING, &fact->fact, sizeof *fact, NULL, 0);
    }
}
