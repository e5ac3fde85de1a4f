/* The calls that entries of events stand for: function, object and call site are in a cell of the profile, and an entry
 * has the place of the cell. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/convert/conversion.h"

struct cs_event_place {
    uint32_t thread, place;
    uint32_t object;
    uint16_t function;
    bool posts;         /* a receive that another call completes */
    bool takes_matched; /* a message of a matched probe: these take messages out of the order */
    int64_t site;
};

enum { CS_EVENT_PLACES_RECENT = 1024 };

struct cs_event_places {
    struct cs_event_place *place; /* sorted */
    size_t places, room;
    const struct cs_event_place *recent[CS_EVENT_PLACES_RECENT];
    struct cs_conversion *conversion;
};

/* Finds the cells. The structure must be zeroed; free it even after a failure. */
enum cs_status cs_event_places_find(struct cs_event_places *places, struct cs_conversion *conversion);

void cs_event_places_free(struct cs_event_places *places);

/* The call of an entry; an empty one: unknown. */
const struct cs_event_place *cs_event_places_at(struct cs_event_places *places, uint32_t thread, uint32_t place);
