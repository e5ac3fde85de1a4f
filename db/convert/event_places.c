#include "db/convert/event_places.h"

#include <stdlib.h>

#include "base/array.h"
#include "db/convert/sites.h"
#include "functions.h"
#include "journal/reader.h"

static enum cs_status visit_profile(void *context, uint32_t thread, uint32_t place, const void *cell)
{
    struct cs_event_places *places = context;
    const struct cs_profile_cell *profile = cell;
    if (!cs_array_grow(&places->place, places->places, &places->room, sizeof *places->place))
        return CS_NO_MEMORY;
    struct cs_event_place *added = &places->place[places->places++];
    const struct cs_function *function = cs_function_find(profile->function);
    *added = (struct cs_event_place){
        .thread = thread,
        .place = place,
        .object = profile->object,
        .function = profile->function,
        .posts = function && function->mode == CS_MODE_NONBLOCKING &&
                 (function->transfer == CS_TRANSFER_RECEIVE || function->transfer == CS_TRANSFER_BOTH),
        .takes_matched = function && function->wait == CS_WAIT_MESSAGE,
    };
    return cs_sites_find(places->conversion->sites, profile->site, CS_SITES_COUNTED, &added->site);
}

static int by_place(const void *left, const void *right)
{
    const struct cs_event_place *a = left, *b = right;
    int order = cs_compare(a->thread, b->thread);
    return order ? order : cs_compare(a->place, b->place);
}

enum cs_status cs_event_places_find(struct cs_event_places *places, struct cs_conversion *conversion)
{
    places->conversion = conversion;
    enum cs_status status = cs_journal_read_placed_cells(conversion->reader, CS_BLOCK_PROFILE, visit_profile, places);
    if (status == CS_OK && places->places)
        qsort(places->place, places->places, sizeof *places->place, by_place);
    return status;
}

void cs_event_places_free(struct cs_event_places *places)
{
    free(places->place);
}

const struct cs_event_place *cs_event_places_at(struct cs_event_places *places, uint32_t thread, uint32_t place)
{
    static const struct cs_event_place unknown;
    const struct cs_event_place key = {.thread = thread, .place = place};
    const struct cs_event_place **recent = &places->recent[(place + thread * 61u) % CS_EVENT_PLACES_RECENT];
    if (!*recent || (*recent)->place != place || (*recent)->thread != thread) {
        const struct cs_event_place *found =
            places->places && place ? bsearch(&key, places->place, places->places, sizeof key, by_place) : NULL;
        if (!found)
            return &unknown;
        *recent = found;
    }
    return *recent;
}
