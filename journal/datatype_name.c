#include "journal/datatype_name.h"

#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "base/utf8.h"
#include "functions.h"
#include "journal/detail.h"
#include "journal_words.h"

enum { SHOWN = 4 }; /* items shown of a list */

struct text {
    char *at; /* CS_DATATYPE_NAME_BYTES */
    size_t length;
    bool cut;
};

static void put_some(struct text *text, const char *what, size_t length)
{
    size_t room = CS_DATATYPE_NAME_BYTES - 1 - text->length;
    if (length > room) {
        length = room;
        text->cut = true;
    }
    memcpy(text->at + text->length, what, length);
    text->length += length;
    text->at[text->length] = 0;
}

static void name_put(struct text *text, const char *what)
{
    put_some(text, what, strlen(what));
}

static void finish(struct text *text)
{
    static const char dots[] = "...";
    if (text->cut)
        strcpy(text->at + cs_utf8_cut(text->at, CS_DATATYPE_NAME_BYTES - sizeof dots), dots);
}

static void put_number(struct text *text, int64_t number)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%lld", (long long)number);
    name_put(text, digits);
}

static void put_numbers(struct text *text, const struct cs_detail_item *item, int64_t were, size_t here)
{
    name_put(text, "[");
    for (size_t i = 0; i < here && i < SHOWN; i++) {
        name_put(text, i ? "," : "");
        put_number(text, cs_detail_at(item, i));
    }
    name_put(text, were > SHOWN ? ",...]" : "]");
}

static void put_words(struct text *text, const struct cs_detail_item *item)
{
    size_t at = sizeof(int64_t);
    const char *one;
    name_put(text, "[");
    for (size_t i = 0; (one = cs_detail_next_string(item, &at)) && *one; i++) {
        name_put(text, i ? "," : "");
        name_put(text, i < SHOWN ? one : "...");
        if (i == SHOWN)
            break;
    }
    name_put(text, "]");
}

static void put_argument(struct text *text, const void *detail, size_t bytes, enum cs_detail_key key)
{
    struct cs_detail_item item;
    int64_t number;
    size_t here;
    if (!cs_detail_find(detail, bytes, key, &item))
        name_put(text, "?");
    else if (cs_detail_number(&item, &number))
        put_number(text, number);
    else if (cs_detail_list(&item, &number, &here))
        put_numbers(text, &item, number, here);
    else if (item.form == CS_DETAIL_TEXTS)
        put_words(text, &item);
    else
        name_put(text, "?");
}

/* 0: no such argument. */
static uint16_t key_of(const char *name, size_t length)
{
    const char *known;
    for (uint16_t key = 1; (known = cs_name_of_detail_key(key)); key++)
        if (*known == *name && strncmp(known, name, length) == 0 && !known[length])
            return key;
    return 0;
}

/* A shape is a word and the names of arguments, as in struct cs_function: "vector,count,blocklength,stride". */
static void put_shape(struct text *text, const char *shape, const void *detail, size_t bytes)
{
    size_t length = strcspn(shape, ",");
    put_some(text, shape, length);
    if (!shape[length])
        return;
    for (const char *before = "("; shape[length]; before = ",") {
        shape += length + 1;
        length = strcspn(shape, ",");
        name_put(text, before);
        put_argument(text, detail, bytes, key_of(shape, length));
    }
    name_put(text, ")");
}

/* Writes the types of a struct; a run of equal ones appears once. */
static bool put_types(struct text *text, const void *detail, size_t bytes, const struct cs_datatype_name_context *names)
{
    struct cs_detail_item item;
    int64_t were, former = 0;
    size_t here, shown = 0;
    if (!cs_detail_find(detail, bytes, CS_DETAIL_TYPES, &item) || !cs_detail_list(&item, &were, &here))
        return false;
    for (size_t i = 0; i < here; i++) {
        int64_t type = cs_detail_at(&item, i);
        const char *name = type > 0 && type <= UINT32_MAX ? names->name_of(names->context, (uint32_t)type) : NULL;
        if (type == former || !name || !*name)
            continue;
        former = type;
        name_put(text, shown ? ", " : " of ");
        if (shown++ == SHOWN) {
            name_put(text, "...");
            break;
        }
        name_put(text, name);
    }
    return true;
}

bool cs_datatype_name(uint16_t function, uint32_t parent, const void *detail, size_t bytes,
                      const struct cs_datatype_name_context *names, char name[CS_DATATYPE_NAME_BYTES])
{
    const struct cs_function *it = cs_function_find(function);
    if (!it || !it->shape || (!bytes && strchr(it->shape, ',')))
        return false;
    struct text text = {.at = name};
    put_shape(&text, it->shape, detail, bytes);
    if (!put_types(&text, detail, bytes, names)) {
        const char *of = parent ? names->name_of(names->context, parent) : NULL;
        if (of && *of) {
            name_put(&text, " of ");
            name_put(&text, of);
        }
    }
    finish(&text);
    return true;
}

bool cs_file_name(const void *detail, size_t bytes, char name[CS_DATATYPE_NAME_BYTES])
{
    struct cs_detail_item item;
    const char *path = NULL;
    if (cs_detail_find(detail, bytes, CS_DETAIL_FILENAME, &item))
        path = cs_detail_string(&item);
    if (!path || !*path)
        return false;
    struct text text = {.at = name};
    name_put(&text, cs_path_name(path));
    finish(&text);
    return true;
}
