#include "wrappers/object/derived_name.h"

#include <string.h>

#include "base/utf8.h"

static char *put(char *at, const char *end, const char *text)
{
    size_t length = strnlen(text, (size_t)(end - at));
    memcpy(at, text, length);
    at[length] = '\0';
    return at + length;
}

static char *put_number(char *at, const char *end, int64_t number)
{
    char digits[24], *first = digits + sizeof digits - 1;
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    *first = '\0';
    do
        *--first = (char)('0' + rest % 10);
    while (rest /= 10);
    if (number < 0)
        *--first = '-';
    return put(at, end, first);
}

/* Of a long line of ancestors the last ones say most. */
static char *put_ancestors(char *at, const char *end, const char *name, size_t room)
{
    size_t length = strlen(name);
    if (length <= room)
        return put(at, end, name);
    const char *tail = name + length - (room - 3);
    return put(put(at, end, "..."), end, cs_utf8_next(tail));
}

void cs_derive(const char *ancestors, enum cs_verb verb, uint32_t number, const char *part, char name[CS_NAME_BYTES])
{
    const char *end = name + CS_NAME_BYTES - 1;
    char *at = name;
    if (*ancestors)
        at = put(put_ancestors(at, end, ancestors, CS_DERIVED_BYTES - CS_PART_BYTES), end, ".");
    at = put_number(put(at, end, cs_verb_words[verb]), end, number);
    put(at, end, part);
}

void cs_derive_from(const struct callsign_record *parent, enum cs_verb verb, uint32_t number, const char *part,
                    char name[CS_NAME_BYTES])
{
    char ancestors[CS_NAME_BYTES];
    ancestors[0] = '\0';
    if (parent) {
        cs_object_copy_name(parent, ancestors, sizeof ancestors);
        if (!*ancestors)
            strcpy(ancestors, "?");
    }
    cs_derive(ancestors, verb, number, part, name);
}
