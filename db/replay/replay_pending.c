#include "db/replay/replay_pending.h"

#include <stdlib.h>

#include "base/hash_table.h"

/* What waits at once may take so much, of each kind. */
enum { PENDING_BYTES_MOST = 64 << 20 };

struct message {
    struct cs_pending_message content;
    UT_hash_handle hh;
    int64_t at_ns[];
};

struct collective {
    struct cs_pending_collective content;
    UT_hash_handle hh;
    int64_t at_ns[];
};

struct request {
    struct cs_pending_request content;
    UT_hash_handle hh;
    int64_t at_ns[];
};

struct cs_pending {
    size_t words, most;
    struct message *messages;
    struct collective *collectives;
    struct request *requests;
};

struct cs_pending *cs_pending_new(size_t words)
{
    struct cs_pending *pending = calloc(1, sizeof *pending);
    if (pending) {
        pending->words = words;
        pending->most = PENDING_BYTES_MOST / (sizeof(struct message) + 2 * words * sizeof(int64_t));
    }
    return pending;
}

/* ---- messages ---- */

void cs_pending_drop_message(struct cs_pending *pending, struct cs_pending_message *message)
{
    struct message *item = (void *)message; /* its first member */
    HASH_DELETE(hh, pending->messages, item);
    free(item);
}

struct cs_pending_message *cs_pending_message(struct cs_pending *pending, const struct cs_partner_message *key,
                                              bool add)
{
    struct message *item;
    HASH_FIND(hh, pending->messages, key, sizeof *key, item);
    if (item || !add)
        return item ? &item->content : NULL;
    if (HASH_COUNT(pending->messages) >= pending->most)
        cs_pending_drop_message(pending, &pending->messages->content); /* the head is the oldest one */
    item = calloc(1, sizeof *item + 2 * pending->words * sizeof *item->at_ns);
    if (!item)
        return NULL;
    item->content.key = *key;
    item->content.sent.at_ns = item->at_ns;
    item->content.posted.at_ns = item->at_ns + pending->words;
    CS_TABLE_ADD(pending->messages, content.key, item);
    return item ? &item->content : NULL;
}

/* ---- collective calls ---- */

void cs_pending_drop_collective(struct cs_pending *pending, struct cs_pending_collective *collective)
{
    struct collective *item = (void *)collective;
    HASH_DELETE(hh, pending->collectives, item);
    if (item->content.lower)
        free(item->content.lower->at_ns);
    free(item->content.lower);
    free(item);
}

struct cs_pending_collective *cs_pending_collective(struct cs_pending *pending,
                                                    const struct cs_pending_collective_key *key, bool add)
{
    struct collective *item;
    HASH_FIND(hh, pending->collectives, key, sizeof *key, item);
    if (item || !add)
        return item ? &item->content : NULL;
    if (HASH_COUNT(pending->collectives) >= pending->most)
        cs_pending_drop_collective(pending, &pending->collectives->content);
    item = calloc(1, sizeof *item + 2 * pending->words * sizeof *item->at_ns);
    if (!item)
        return NULL;
    item->content.key = *key;
    item->content.last.at_ns = item->at_ns;
    item->content.root.at_ns = item->at_ns + pending->words;
    CS_TABLE_ADD(pending->collectives, content.key, item);
    return item ? &item->content : NULL;
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

/* ---- requests ---- */

void cs_pending_drop_request(struct cs_pending *pending, struct cs_pending_request *request)
{
    struct request *item = (void *)request;
    HASH_DELETE(hh, pending->requests, item);
    for (struct cs_pending_awaited *each = item->content.awaited, *next; each; each = next) {
        next = each->next;
        free(each);
    }
    free(item);
}

struct cs_pending_request *cs_pending_request(struct cs_pending *pending, const struct cs_pending_request_key *key,
                                              bool add)
{
    struct request *item;
    HASH_FIND(hh, pending->requests, key, sizeof *key, item);
    if (item || !add)
        return item ? &item->content : NULL;
    if (HASH_COUNT(pending->requests) >= pending->most)
        cs_pending_drop_request(pending, &pending->requests->content);
    item = calloc(1, sizeof *item + pending->words * sizeof *item->at_ns);
    if (!item)
        return NULL;
    item->content.key = *key;
    item->content.posted.at_ns = item->at_ns;
    CS_TABLE_ADD(pending->requests, content.key, item);
    return item ? &item->content : NULL;
}

void cs_pending_free(struct cs_pending *pending)
{
    if (!pending)
        return;
    while (pending->messages)
        cs_pending_drop_message(pending, &pending->messages->content);
    while (pending->collectives)
        cs_pending_drop_collective(pending, &pending->collectives->content);
    while (pending->requests)
        cs_pending_drop_request(pending, &pending->requests->content);
    free(pending);
}
