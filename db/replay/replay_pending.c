#include "db/replay/replay_pending.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"

/* What waits at once may take so much, of each kind. */
enum { PENDING_BYTES_MOST = 80 << 20, MOMENTS_MOST = 2 };

enum kind { MESSAGES, COLLECTIVES, REQUESTS, KINDS };

struct item {
    UT_hash_handle hh;
    union { /* their first member is the key */
        struct cs_pending_message message;
        struct cs_pending_collective collective;
        struct cs_pending_request request;
    };
    int64_t at_ns[];
};

struct cs_pending {
    size_t words, most;
    struct item *items[KINDS];
};

struct cs_pending *cs_pending_new(size_t words)
{
    struct cs_pending *pending = calloc(1, sizeof *pending);
    if (pending) {
        pending->words = words;
        pending->most = PENDING_BYTES_MOST / (sizeof(struct item) + MOMENTS_MOST * words * sizeof(int64_t));
    }
    return pending;
}

static void drop(struct cs_pending *pending, enum kind kind, struct item *item)
{
    HASH_DELETE(hh, pending->items[kind], item);
    if (kind == COLLECTIVES && item->collective.lower)
        free(item->collective.lower->at_ns);
    if (kind == COLLECTIVES)
        free(item->collective.lower);
    for (struct cs_pending_awaited *each = kind == REQUESTS ? item->request.awaited : NULL, *next; each; each = next) {
        next = each->next;
        free(each);
    }
    free(item);
}

static struct item *find(struct cs_pending *pending, enum kind kind, const void *key, size_t bytes, bool add)
{
    struct item *item;
    HASH_FIND(hh, pending->items[kind], key, bytes, item);
    if (item || !add)
        return item;
    if (HASH_COUNT(pending->items[kind]) >= pending->most)
        drop(pending, kind, pending->items[kind]); /* the head is the oldest one */
    item = calloc(1, sizeof *item + MOMENTS_MOST * pending->words * sizeof *item->at_ns);
    if (!item)
        return NULL;
    memcpy(&item->message, key, bytes);
    struct cs_moment *moments[KINDS][MOMENTS_MOST] = {{&item->message.sent, &item->message.posted},
                                                      {&item->collective.last, &item->collective.root},
                                                      {&item->request.posted}};
    for (size_t i = 0; i < MOMENTS_MOST && moments[kind][i]; i++)
        moments[kind][i]->at_ns = item->at_ns + i * pending->words;
    CS_TABLE_ADD_UNDER(pending->items[kind], &item->message, bytes, item);
    return item;
}

/* The item that contains it. */
#define ITEM(pointer, member) ((struct item *)((char *)(pointer)-offsetof(struct item, member)))

struct cs_pending_message *cs_pending_message(struct cs_pending *pending, const struct cs_partner_message *key,
                                              bool add)
{
    struct item *item = find(pending, MESSAGES, key, sizeof *key, add);
    return item ? &item->message : NULL;
}

struct cs_pending_collective *cs_pending_collective(struct cs_pending *pending,
                                                    const struct cs_pending_collective_key *key, bool add)
{
    struct item *item = find(pending, COLLECTIVES, key, sizeof *key, add);
    return item ? &item->collective : NULL;
}

struct cs_pending_request *cs_pending_request(struct cs_pending *pending, const struct cs_pending_request_key *key,
                                              bool add)
{
    struct item *item = find(pending, REQUESTS, key, sizeof *key, add);
    return item ? &item->request : NULL;
}

void cs_pending_drop_message(struct cs_pending *pending, struct cs_pending_message *message)
{
    drop(pending, MESSAGES, ITEM(message, message));
}

void cs_pending_drop_collective(struct cs_pending *pending, struct cs_pending_collective *collective)
{
    drop(pending, COLLECTIVES, ITEM(collective, collective));
}

void cs_pending_drop_request(struct cs_pending *pending, struct cs_pending_request *request)
{
    drop(pending, REQUESTS, ITEM(request, request));
}

bool cs_pending_add_lower(struct cs_pending *pending, struct cs_pending_collective *collective)
{
    size_t members = (size_t)collective->members;
    if (collective->lower || !members)
        return true;
    struct cs_moment *lower = calloc(members, sizeof *lower);
    int64_t *at_ns = calloc(members * pending->words, sizeof *at_ns);
    if (!lower || !at_ns) {
        free(lower);
        free(at_ns);
        return false;
    }
    for (size_t i = 0; i < members; i++)
        lower[i].at_ns = at_ns + i * pending->words;
    collective->lower = lower;
    return true;
}

void cs_pending_free(struct cs_pending *pending)
{
    for (enum kind kind = 0; pending && kind < KINDS; kind++)
        while (pending->items[kind])
            drop(pending, kind, pending->items[kind]);
    free(pending);
}
