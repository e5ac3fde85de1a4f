#include "journal/detail.h"

#include <string.h>

bool cs_detail_next(const void *detail, size_t bytes, size_t *at, struct cs_detail_item *item)
{
    struct cs_detail head;
    if (bytes - *at < sizeof head)
        return false;
    memcpy(&head, (const char *)detail + *at, sizeof head);
    size_t rest = bytes - *at - sizeof head;
    if (head.bytes > rest || head.bytes % 8)
        return false;
    *item = (struct cs_detail_item){
        .key = head.key, .form = head.form, .values = (const char *)detail + *at + sizeof head, .bytes = head.bytes};
    *at += sizeof head + head.bytes;
    return true;
}

bool cs_detail_find(const void *detail, size_t bytes, enum cs_detail_key key, struct cs_detail_item *item)
{
    size_t at = 0;
    while (cs_detail_next(detail, bytes, &at, item))
        if (item->key == key)
            return true;
    return false;
}

static int64_t word(const struct cs_detail_item *item, size_t i)
{
    int64_t value;
    memcpy(&value, item->values + i * sizeof value, sizeof value);
    return value;
}

bool cs_detail_number(const struct cs_detail_item *item, int64_t *number)
{
    if (item->form != CS_DETAIL_INTEGER || item->bytes < sizeof *number)
        return false;
    *number = word(item, 0);
    return true;
}

bool cs_detail_find_number(const void *detail, size_t bytes, enum cs_detail_key key, int64_t *number)
{
    struct cs_detail_item item;
    return cs_detail_find(detail, bytes, key, &item) && cs_detail_number(&item, number);
}

bool cs_detail_list(const struct cs_detail_item *item, int64_t *were, size_t *here)
{
    if ((item->form != CS_DETAIL_INTEGERS && item->form != CS_DETAIL_OBJECTS) || item->bytes < sizeof *were)
        return false;
    *were = word(item, 0);
    *here = item->bytes / sizeof *were - 1;
    if (*were < 0)
        *here = 0;
    else if ((uint64_t)*were < *here)
        *here = (size_t)*were;
    return true;
}

int64_t cs_detail_at(const struct cs_detail_item *item, size_t i)
{
    return word(item, i + 1);
}

const char *cs_detail_string(const struct cs_detail_item *item)
{
    return item->form == CS_DETAIL_TEXT && memchr(item->values, 0, item->bytes) ? item->values : NULL;
}

const char *cs_detail_next_string(const struct cs_detail_item *item, size_t *at)
{
    if (*at >= item->bytes)
        return NULL;
    const char *text = item->values + *at;
    const char *end = memchr(text, 0, item->bytes - *at);
    if (!end)
        return NULL;
    *at += (size_t)(end - text) + 1;
    return text;
}

bool cs_detail_logical(uint16_t key)
{
    return key == CS_DETAIL_HIGH || key == CS_DETAIL_PERIODS || key == CS_DETAIL_REORDER ||
           key == CS_DETAIL_REMAIN_DIMS || key == CS_DETAIL_COMMUTE;
}
