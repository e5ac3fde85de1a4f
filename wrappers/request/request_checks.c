#include "wrappers/request/request_checks.h"

#include <string.h>

#include "base/hash.h"
#include "wrappers/call/handles.h"

enum { LIST_MOST = 1024, LOOKED_UP_MOST = 64 };

static bool is_null(const struct cs_request_list *list, int i)
{
    return cs_request_is_null(list->handles, i);
}

/* What is known of a request, if its handle stands for no other one. */
static const struct cs_request *known_alone(const struct cs_request_list *list, int i)
{
    const struct cs_request *known = cs_request_at(list, i);
    return known->references == 1 && !(known->flags & (CS_REQUEST_SHARED | CS_REQUEST_INTERNAL)) ? known : NULL;
}

/* A handle that is not in the table, and surely no request. Numbers of Fortran say nothing. */
static void check_unknown(struct cs_call *call, const struct cs_request_list *list, int i)
{
    if (cs_are_numbers(list->handles) || is_null(list, i) || cs_request_at(list, i)->references)
        return;
    if (!cs_handle_may_be(CALLSIGN_REQUEST, CS_KEY(((const MPI_Request *)list->handles.handles)[i])))
        cs_misuse_note(call, CS_MISUSE_NO_HANDLE, 0, 0);
}

void cs_checks_started_requests(struct cs_call *call, const struct cs_request_list *list)
{
    for (int i = 0; list->known && i < list->count; i++) {
        const struct cs_request *known = is_null(list, i) ? NULL : known_alone(list, i);
        if (is_null(list, i))
            cs_misuse_note(call, CS_MISUSE_NULL_REQUEST, 0, 0);
        else if (!known)
            check_unknown(call, list, i);
        else if (!(known->flags & CS_REQUEST_PERSISTENT))
            cs_misuse_note(call, CS_MISUSE_NOT_PERSISTENT, 0, known->started.site);
        else if (known->flags & CS_REQUEST_ACTIVE)
            cs_misuse_note(call, CS_MISUSE_ACTIVE_REQUEST, 0, known->started.site);
    }
}

/* Handles that are there twice; null ones and those of completed sends are shared. */
static void check_same(struct cs_call *call, const struct cs_request_list *list)
{
    uint16_t seen[2 * LIST_MOST];
    uint32_t slots = 4;
    while (slots < 2 * (uint32_t)list->count)
        slots *= 2;
    memset(seen, 0, slots * sizeof *seen);
    for (int i = 0; i < list->count; i++) {
        uint64_t key = list->keys ? list->keys[i] : list->known[i].references ? list->known[i].handle : 0;
        uint32_t at = (uint32_t)cs_hash_mix(0, key) & (slots - 1);
        if (!key || is_null(list, i))
            continue;
        while (seen[at] && (list->keys ? list->keys[seen[at] - 1] : list->known[seen[at] - 1].handle) != key)
            at = (at + 1) & (slots - 1);
        const struct cs_request *known = seen[at] ? known_alone(list, i) : NULL;
        if (known && cs_request_is_active(known))
            cs_misuse_note(call, CS_MISUSE_SAME_REQUEST, i, known->started.site);
        seen[at] = (uint16_t)(i + 1);
    }
}

void cs_checks_awaited_requests(struct cs_call *call, const struct cs_request_list *list)
{
    if (!list->known)
        return;
    if (list->count > 1 && list->count <= LIST_MOST)
        check_same(call, list);
    for (int i = 0; i < list->count && i < LOOKED_UP_MOST; i++)
        check_unknown(call, list, i);
}

void cs_checks_request(struct cs_call *call, const struct cs_request_list *list)
{
    if (!list->known || list->count != 1)
        return;
    if (is_null(list, 0))
        cs_misuse_note(call, CS_MISUSE_NULL_REQUEST, 0, 0);
    else
        check_unknown(call, list, 0);
}
