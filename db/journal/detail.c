#include "db/journal/detail.h"

#include <string.h>

/* What a key is called. `logical`: its numbers are true or false, as the language has them: 0 is false. */
static const struct {
    const char *name;
    bool logical;
} keys[CS_DETAIL_KEYS] = {
    [CS_DETAIL_COLOR] = {"color", false},
    [CS_DETAIL_KEY] = {"key", false},
    [CS_DETAIL_SPLIT_TYPE] = {"split_type", false},
    [CS_DETAIL_INFO] = {"info", false},
    [CS_DETAIL_TAG] = {"tag", false},
    [CS_DETAIL_STRINGTAG] = {"stringtag", false},
    [CS_DETAIL_LOCAL_LEADER] = {"local_leader", false},
    [CS_DETAIL_REMOTE_LEADER] = {"remote_leader", false},
    [CS_DETAIL_HIGH] = {"high", true},
    [CS_DETAIL_DIMS] = {"dims", false},
    [CS_DETAIL_PERIODS] = {"periods", true},
    [CS_DETAIL_REORDER] = {"reorder", true},
    [CS_DETAIL_REMAIN_DIMS] = {"remain_dims", true},
    [CS_DETAIL_INDEX] = {"index", false},
    [CS_DETAIL_EDGES] = {"edges", false},
    [CS_DETAIL_INDEGREE] = {"indegree", false},
    [CS_DETAIL_OUTDEGREE] = {"outdegree", false},
    [CS_DETAIL_SOURCES] = {"sources", false},
    [CS_DETAIL_DEGREES] = {"degrees", false},
    [CS_DETAIL_DESTINATIONS] = {"destinations", false},
    [CS_DETAIL_COMMAND] = {"command", false},
    [CS_DETAIL_COMMANDS] = {"commands", false},
    [CS_DETAIL_MAXPROCS] = {"maxprocs", false},
    [CS_DETAIL_ROOT] = {"root", false},
    [CS_DETAIL_PORT_NAME] = {"port_name", false},
    [CS_DETAIL_FD] = {"fd", false},
    [CS_DETAIL_SIZE] = {"size", false},
    [CS_DETAIL_DISP_UNIT] = {"disp_unit", false},
    [CS_DETAIL_FILENAME] = {"filename", false},
    [CS_DETAIL_AMODE] = {"amode", false},
    [CS_DETAIL_COUNT] = {"count", false},
    [CS_DETAIL_BLOCKLENGTH] = {"blocklength", false},
    [CS_DETAIL_STRIDE] = {"stride", false},
    [CS_DETAIL_BLOCKLENGTHS] = {"blocklengths", false},
    [CS_DETAIL_DISPLACEMENTS] = {"displacements", false},
    [CS_DETAIL_TYPES] = {"types", false},
    [CS_DETAIL_SIZES] = {"sizes", false},
    [CS_DETAIL_SUBSIZES] = {"subsizes", false},
    [CS_DETAIL_STARTS] = {"starts", false},
    [CS_DETAIL_ORDER] = {"order", false},
    [CS_DETAIL_RANK] = {"rank", false},
    [CS_DETAIL_GSIZES] = {"gsizes", false},
    [CS_DETAIL_DISTRIBS] = {"distribs", false},
    [CS_DETAIL_DARGS] = {"dargs", false},
    [CS_DETAIL_PSIZES] = {"psizes", false},
    [CS_DETAIL_LB] = {"lb", false},
    [CS_DETAIL_EXTENT] = {"extent", false},
    [CS_DETAIL_P] = {"p", false},
    [CS_DETAIL_R] = {"r", false},
    [CS_DETAIL_COMMUTE] = {"commute", true},
    [CS_DETAIL_RANKS] = {"ranks", false},
    [CS_DETAIL_PSET_NAME] = {"pset_name", false},
};

/* ---- reading ---- */

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

const char *cs_detail_name(uint16_t key)
{
    return key < CS_DETAIL_KEYS ? keys[key].name : NULL;
}

bool cs_detail_logical(uint16_t key)
{
    return key < CS_DETAIL_KEYS && keys[key].logical;
}
