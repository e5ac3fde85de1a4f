#include "wrappers/fallback/keyval_table.h"

#include <stdlib.h>

enum { FIRST = 0x3C000000, LAST = 0x3FFFFFFE };

static struct cs_own_keyval *keyvals;
static int last = FIRST - 1;

bool cs_own_keyval_is(int number)
{
    return number >= FIRST && number <= LAST;
}

static struct cs_own_keyval *numbered(int number)
{
    struct cs_own_keyval *found;
    HASH_FIND_INT(keyvals, &number, found);
    return found;
}

/* A number is not given out again before all others were: who still holds a freed one is told so. */
static bool next_number(int *number)
{
    if (HASH_COUNT(keyvals) > (unsigned)(LAST - FIRST))
        return false;
    do
        last = last == LAST ? FIRST : last + 1;
    while (numbered(last));
    *number = last;
    return true;
}

struct cs_own_keyval *cs_own_keyval_make(enum callsign_kind kind, const struct cs_own_callbacks *callbacks)
{
    struct cs_own_keyval *made = calloc(1, sizeof *made);
    if (!made || !next_number(&made->number)) {
        free(made);
        return NULL;
    }
    made->kind = kind;
    made->references = 1;
    made->callbacks = *callbacks;
    HASH_ADD_INT(keyvals, number, made);
    if (!made->hh.tbl) {
        free(made);
        return NULL;
    }
    return made;
}

struct cs_own_keyval *cs_own_keyval_find(enum callsign_kind kind, int number)
{
    struct cs_own_keyval *found = cs_own_keyval_is(number) ? numbered(number) : NULL;
    return found && found->kind == kind ? found : NULL;
}

void cs_own_keyval_release(struct cs_own_keyval *keyval)
{
    if (--keyval->references)
        return;
    HASH_DELETE(hh, keyvals, keyval);
    free(keyval);
}
