#include "db/convert/detail_json.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "journal/detail.h"
#include "journal_words.h"

struct json {
    char *text;
    size_t length, room;
    bool failed;  /* no memory */
    bool corrupt; /* something was left out */
};

/* Makes room for this many more bytes and a NUL. */
static bool grow(struct json *json, size_t more)
{
    if (json->failed || json->length + more + 1 <= json->room)
        return !json->failed;
    size_t room = 2 * (json->length + more) + 64;
    char *grown = realloc(json->text, room);
    if (!grown) {
        json->failed = true;
        return false;
    }
    json->text = grown;
    json->room = room;
    return true;
}

static void json_put(struct json *json, const char *text, size_t length)
{
    if (!grow(json, length))
        return;
    memcpy(json->text + json->length, text, length);
    json->length += length;
    json->text[json->length] = 0;
}

static void print(struct json *json, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void print(struct json *json, const char *format, ...)
{
    char text[64]; /* numbers and short words only */
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length > 0)
        json_put(json, text, (size_t)length);
}

/* Writes a comma, unless a list or object has just begun. */
static void separate(struct json *json)
{
    if (json->length && !strchr("{[:", json->text[json->length - 1]))
        json_put(json, ",", 1);
}

static void put_number(struct json *json, int64_t number, bool logical)
{
    if (logical)
        print(json, "%s", number ? "true" : "false");
    else if (number == CS_DETAIL_DEFAULT)
        print(json, "null");
    else
        print(json, "%lld", (long long)number);
}

static void put_escaped(struct json *json, const char *text)
{
    json_put(json, "\"", 1);
    for (const char *at = text; *at; at++) {
        if (*at == '"' || *at == '\\')
            json_put(json, (const char[]){'\\', *at}, 2);
        else if ((unsigned char)*at < 0x20)
            print(json, "\\u%04x", (unsigned)(unsigned char)*at);
        else
            json_put(json, at, 1);
    }
    json_put(json, "\"", 1);
}

static void put_string(struct json *json, const char *text)
{
    char *converted;
    const char *valid = cs_utf8_of(text, &converted);
    if (valid)
        put_escaped(json, valid);
    else
        json->failed = true;
    free(converted);
}

static void put_name(struct json *json, uint16_t key, const char *suffix)
{
    const char *name = cs_name_of_detail_key(key);
    separate(json);
    if (name)
        print(json, "\"%s%s\":", name, suffix);
    else
        print(json, "\"key_%u%s\":", (unsigned)key, suffix);
}

/* An empty string ends a list: it is padding. */
static size_t put_strings(struct json *json, const struct cs_detail_item *item, bool pairs)
{
    size_t at = pairs ? 0 : sizeof(int64_t), count = 0;
    const char *text;
    json_put(json, pairs ? "{" : "[", 1);
    while ((text = cs_detail_next_string(item, &at)) && *text) {
        separate(json);
        put_string(json, text);
        if (pairs) {
            const char *value = cs_detail_next_string(item, &at);
            json_put(json, ":", 1);
            put_string(json, value ? value : "");
        }
        count++;
    }
    json_put(json, pairs ? "}" : "]", 1);
    return count;
}

static void put_count(struct json *json, uint16_t key, int64_t were, size_t here)
{
    if (were < 0 || (uint64_t)were == here)
        return;
    put_name(json, key, "_count");
    put_number(json, were, false);
}

static void put_list(struct json *json, const struct cs_detail_item *item, bool logical)
{
    int64_t were;
    size_t here;
    if (!cs_detail_list(item, &were, &here)) {
        json->corrupt = true;
        return;
    }
    put_name(json, item->key, "");
    json_put(json, "[", 1);
    for (size_t i = 0; i < here; i++) {
        separate(json);
        put_number(json, cs_detail_at(item, i), logical);
    }
    json_put(json, "]", 1);
    put_count(json, item->key, were, here);
}

static void put_texts(struct json *json, const struct cs_detail_item *item)
{
    int64_t were;
    if (item->bytes < sizeof were) {
        json->corrupt = true;
        return;
    }
    memcpy(&were, item->values, sizeof were);
    put_name(json, item->key, "");
    size_t here = put_strings(json, item, false);
    put_count(json, item->key, were, here);
}

static void put_text(struct json *json, const struct cs_detail_item *item)
{
    const char *text = cs_detail_string(item);
    if (!text) {
        json->corrupt = true;
        return;
    }
    put_name(json, item->key, "");
    put_string(json, text);
}

static void put_word(struct json *json, const struct cs_detail_word *word)
{
    if (!word->word)
        return;
    separate(json);
    print(json, "\"%s\":\"%s\"", word->key, word->word);
}

static void put_item(struct json *json, const struct cs_detail_item *item)
{
    bool logical = cs_detail_logical(item->key);
    int64_t number;
    switch (item->form) {
    case CS_DETAIL_INTEGER:
        if (!cs_detail_number(item, &number)) {
            json->corrupt = true;
            break;
        }
        put_name(json, item->key, "");
        put_number(json, number, logical);
        break;
    case CS_DETAIL_INTEGERS:
    case CS_DETAIL_OBJECTS:
        put_list(json, item, logical);
        break;
    case CS_DETAIL_TEXT:
        put_text(json, item);
        break;
    case CS_DETAIL_TEXTS:
        put_texts(json, item);
        break;
    case CS_DETAIL_PAIRS:
        put_name(json, item->key, "");
        put_strings(json, item, true);
        break;
    default: /* written by a newer callsign */
        break;
    }
}

enum cs_status cs_detail_json(const void *detail, size_t bytes, const struct cs_detail_word words[], size_t count,
                              char **text)
{
    struct json json = {0};
    struct cs_detail_item item;
    size_t at = 0;
    json_put(&json, "{", 1);
    while (cs_detail_next(detail, bytes, &at, &item))
        put_item(&json, &item);
    for (size_t i = 0; i < count; i++)
        put_word(&json, &words[i]);
    json_put(&json, "}", 1);
    if (json.failed) {
        free(json.text);
        json.text = NULL;
    }
    *text = json.text;
    return json.failed ? CS_NO_MEMORY : json.corrupt || at != bytes ? CS_CORRUPT : CS_OK;
}
