#include "record/object/identity.h"

#include <stdlib.h>

#include "base/guard.h"
#include "base/hash_table.h"

/* Counts with the same owner are linked, so that they are removed together. */
struct count {
    struct {
        uint64_t key;
        uint64_t owner;
    } of;
    uint32_t count;
    struct count *sibling; /* next count of the same owner */
    UT_hash_handle hh;
};

struct owner {
    uint32_t id;
    struct count *first;
    UT_hash_handle hh;
};

static struct cs_lock lock;
static struct count *counts;
static struct owner *owners;
static struct count *last; /* usually the next one to be counted; NULL: none */

uint64_t cs_identity_of_text(const char *text)
{
    uint64_t hash = 0;
    for (; text && *text; text++)
        hash = cs_identity_join(hash, (unsigned char)*text);
    return cs_identity_join(hash, 0);
}

static struct owner *owner_of(uint32_t id)
{
    struct owner *owner;
    HASH_FIND(hh, owners, &id, sizeof id, owner);
    if (owner)
        return owner;
    owner = calloc(1, sizeof *owner);
    if (!owner)
        return NULL;
    owner->id = id;
    CS_TABLE_ADD(owners, id, owner);
    return owner;
}

static struct count *count_new(uint32_t owner_id, uint64_t key)
{
    struct count *made = calloc(1, sizeof *made);
    struct owner *owner = made && owner_id ? owner_of(owner_id) : NULL;
    if (!made || (owner_id && !owner)) {
        free(made);
        return NULL;
    }
    made->of.key = key;
    made->of.owner = owner_id;
    CS_TABLE_ADD(counts, of, made);
    if (!made)
        return NULL;
    if (owner) {
        made->sibling = owner->first;
        owner->first = made;
    }
    return made;
}

uint32_t cs_identity_count(uint32_t owner, uint64_t key)
{
    struct count wanted = {.of = {key, owner}}, *found;
    const bool locked = cs_guard_enter(&lock);
    found = last;
    if (!found || found->of.owner != owner || found->of.key != key)
        HASH_FIND(hh, counts, &wanted.of, sizeof wanted.of, found);
    if (!found)
        found = count_new(owner, key);
    last = found;
    uint32_t before = found ? found->count++ : 0;
    cs_guard_leave(&lock, locked);
    return before;
}

void cs_identity_drop(uint32_t id)
{
    struct owner *owner;
    const bool locked = cs_guard_enter(&lock);
    HASH_FIND(hh, owners, &id, sizeof id, owner);
    if (owner) {
        last = NULL;
        for (struct count *next, *one = owner->first; one; one = next) {
            next = one->sibling;
            HASH_DELETE(hh, counts, one);
            free(one);
        }
        HASH_DELETE(hh, owners, owner);
        free(owner);
    }
    cs_guard_leave(&lock, locked);
}

void cs_identity_forget(void)
{
    lock = (struct cs_lock){CS_LOCK_FREE};
}
