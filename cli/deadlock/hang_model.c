#include "cli/deadlock/hang_model.h"

#include <stdlib.h>

#include "base/array.h"

/* ---- looking up ---- */

static int compare_objects(const void *item, const void *key)
{
    const struct cs_hang_object *a = item, *b = key;
    int order = cs_compare(a->rank, b->rank);
    return order ? order : cs_compare(a->object, b->object);
}

const struct cs_hang_object *cs_hang_object_of(const struct cs_hang *hang, int rank, uint32_t object)
{
    const struct cs_hang_object key = {.rank = rank, .object = object};
    size_t at = cs_array_lower_bound(hang->object, hang->objects, sizeof key, &key, compare_objects);
    return at < hang->objects && compare_objects(&hang->object[at], &key) == 0 ? &hang->object[at] : NULL;
}

struct uid_key {
    const struct cs_hang_object *object;
    uint64_t uid;
};

static int compare_member(const void *item, const void *key)
{
    const struct uid_key *wanted = key;
    uint64_t uid = wanted->object[*(const int *)item].uid;
    return uid < wanted->uid ? -1 : uid > wanted->uid;
}

const int *cs_hang_members(const struct cs_hang *hang, uint64_t uid, size_t *count)
{
    const struct uid_key key = {.object = hang->object, .uid = uid};
    size_t at = cs_array_lower_bound(hang->member, hang->objects, sizeof *hang->member, &key, compare_member);
    size_t end = at;
    while (uid && end < hang->objects && hang->object[hang->member[end]].uid == uid)
        end++;
    *count = end - at;
    return hang->member + at;
}

bool cs_hang_is_inside(const struct cs_hang *hang, const struct cs_hang_rank *rank)
{
    for (size_t i = 0; i < rank->threads; i++)
        if (hang->thread[rank->thread + i].doing == CS_THREAD_INSIDE)
            return true;
    return false;
}

static int compare_ranks(const void *item, const void *key)
{
    return cs_compare(((const struct cs_hang_rank *)item)->rank, *(const int *)key);
}

int cs_hang_number_of(const struct cs_hang *hang, int rank)
{
    size_t at = cs_array_lower_bound(hang->rank, hang->ranks, sizeof *hang->rank, &rank, compare_ranks);
    return at < hang->ranks && hang->rank[at].rank == rank ? (int)at : CS_HANG_NONE;
}

const struct cs_hang_object *cs_hang_peer_object(const struct cs_hang *hang, const struct cs_hang_object *object,
                                                 int32_t peer)
{
    if (!object || peer < 0)
        return NULL;
    if (object->remote_size < 0 && object->own == peer)
        return object;
    size_t count;
    const int *member = cs_hang_members(hang, object->uid, &count);
    const struct cs_hang_object *found = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct cs_hang_object *it = &hang->object[member[i]];
        bool fits = it->own == peer && (object->remote_size < 0 || it->side != object->side);
        if (fits && found)
            return NULL; /* the two groups look alike */
        if (fits)
            found = it;
    }
    return found;
}

int cs_hang_peer(const struct cs_hang *hang, const struct cs_hang_object *object, int32_t peer)
{
    const struct cs_hang_object *it = cs_hang_peer_object(hang, object, peer);
    if (it)
        return cs_hang_number_of(hang, it->rank);
    return object && object->world && peer >= 0 ? cs_hang_number_of(hang, peer) : CS_HANG_NONE;
}

static int compare_traffic(const void *item, const void *key)
{
    const struct cs_hang_traffic *a = item, *b = key;
    int order = cs_compare(a->rank, b->rank);
    return order ? order : cs_compare(a->object, b->object);
}

int64_t cs_hang_messages(const struct cs_hang *hang, const struct cs_hang_object *object, bool sent, int32_t peer)
{
    const struct cs_hang_traffic key = {.rank = object->rank, .object = object->object};
    int64_t count = 0;
    size_t at = cs_array_lower_bound(hang->traffic, hang->traffics, sizeof key, &key, compare_traffic);
    for (; at < hang->traffics; at++) {
        const struct cs_hang_traffic *it = &hang->traffic[at];
        if (it->rank != object->rank || it->object != object->object)
            break;
        if (it->sent == sent && !it->one_sided && it->peer == CS_PEER_OTHERS)
            return -1;
        if (it->sent == sent && !it->one_sided && it->peer == peer)
            count += it->messages;
    }
    return count;
}

bool cs_hang_has_operated(const struct cs_hang *hang, const struct cs_hang_object *object, int32_t peer)
{
    const struct cs_hang_traffic key = {.rank = object->rank, .object = object->object};
    size_t at = cs_array_lower_bound(hang->traffic, hang->traffics, sizeof key, &key, compare_traffic);
    for (; at < hang->traffics && compare_traffic(&hang->traffic[at], &key) == 0; at++) {
        const struct cs_hang_traffic *it = &hang->traffic[at];
        if (it->one_sided && (it->peer == peer || it->peer == CS_PEER_OTHERS))
            return true;
    }
    return false;
}

/* ---- needs ---- */

struct cs_hang_need *cs_hang_add_need(struct cs_hang *hang, enum cs_hang_state state)
{
    static struct cs_hang_need lost;
    if (!cs_array_grow(&hang->need, hang->needs, &hang->needs_room, sizeof *hang->need)) {
        hang->failed = true;
        return &lost;
    }
    struct cs_hang_need *need = &hang->need[hang->needs++];
    *need = (struct cs_hang_need){.state = state, .request = CS_HANG_NONE};
    return need;
}

void cs_hang_add_giver(struct cs_hang *hang, struct cs_hang_need *need, int giver)
{
    if ((need->givers & (need->givers - 1)) == 0) {
        size_t room = need->givers ? 2 * need->givers : 1;
        int *grown = realloc(need->giver, room * sizeof *grown);
        if (!grown) {
            hang->failed = true;
            return;
        }
        need->giver = grown;
    }
    need->giver[need->givers++] = giver;
}

void cs_hang_need_of(struct cs_hang *hang, enum cs_hang_state state, int giver, int request)
{
    struct cs_hang_need *need = cs_hang_add_need(hang, state);
    need->request = request;
    if (giver != CS_HANG_NONE)
        cs_hang_add_giver(hang, need, giver);
}

void cs_hang_free_conclusions(struct cs_hang *hang)
{
    for (size_t i = 0; i < hang->needs; i++)
        free(hang->need[i].giver);
    free(hang->need);
    free(hang->member);
    free(hang->mismatch);
}
