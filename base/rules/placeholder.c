#include "base/rules/placeholder.h"

#include <stdio.h>
#include <string.h>

#include "base/symbols/signature.h"
#include "base/utf8.h"

const char *const cs_placeholders[CS_PLACEHOLDERS] = {
    [CS_PLACEHOLDER_COLOR] = "color",       [CS_PLACEHOLDER_KEY] = "key",       [CS_PLACEHOLDER_RANK] = "rank",
    [CS_PLACEHOLDER_FIRST] = "first",       [CS_PLACEHOLDER_N] = "n",           [CS_PLACEHOLDER_PARENT] = "parent",
    [CS_PLACEHOLDER_FUNCTION] = "function", [CS_PLACEHOLDER_CALLER] = "caller", [CS_PLACEHOLDER_LIBRARY] = "library",
};

enum cs_placeholder cs_placeholder_of(const char *word, size_t length)
{
    size_t i = 0;
    while (i < CS_PLACEHOLDERS && (strncmp(cs_placeholders[i], word, length) != 0 || cs_placeholders[i][length]))
        i++;
    return (enum cs_placeholder)i;
}

struct writer {
    char *text;
    size_t size, used;
    bool full;
};

static void put(struct writer *writer, const char *text, size_t length)
{
    size_t room = writer->size - 1 - writer->used;
    if (writer->full)
        return;
    writer->full = length > room;
    if (writer->full)
        length = cs_utf8_cut(text, room);
    memcpy(writer->text + writer->used, text, length);
    writer->used += length;
}

static void put_text(struct writer *writer, const char *text)
{
    if (!text || !*text)
        text = "?";
    put(writer, text, strlen(text));
}

static void put_number(struct writer *writer, int64_t number, bool known)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%lld", (long long)number);
    put_text(writer, known ? digits : NULL);
}

static void put_caller(struct writer *writer, const struct cs_rules_site *site)
{
    const struct cs_source *source = site->source ? site->source(site->context) : NULL;
    const char *outer = source ? strstr(source->function, CS_INLINED_INTO) : NULL;
    if (outer)
        put(writer, source->function, (size_t)(outer - source->function));
    else
        put_text(writer, source ? source->function : NULL);
}

static void put_placeholder(struct writer *writer, enum cs_placeholder placeholder, const struct cs_rules_site *site,
                            const struct cs_rules_values *values)
{
    switch (placeholder) {
    case CS_PLACEHOLDER_COLOR:
        put_number(writer, values->color, values->color != INT64_MIN);
        break;
    case CS_PLACEHOLDER_KEY:
        put_number(writer, values->key, values->key != INT64_MIN);
        break;
    case CS_PLACEHOLDER_RANK:
        put_number(writer, values->rank, values->rank >= 0);
        break;
    case CS_PLACEHOLDER_FIRST:
        put_number(writer, values->first, values->first >= 0);
        break;
    case CS_PLACEHOLDER_N:
        put_number(writer, values->nth, values->nth != 0);
        break;
    case CS_PLACEHOLDER_PARENT:
        put_text(writer, values->parent);
        break;
    case CS_PLACEHOLDER_FUNCTION:
        put_text(writer, site->function);
        break;
    case CS_PLACEHOLDER_CALLER:
        put_caller(writer, site);
        break;
    case CS_PLACEHOLDER_LIBRARY:
        put_text(writer, site->library);
        break;
    case CS_PLACEHOLDERS:
        break;
    }
}

void cs_rule_write_name(const struct cs_rule *rule, const struct cs_rules_site *site,
                        const struct cs_rules_values *values, char *name, size_t size)
{
    struct writer writer = {.text = name, .size = size};
    if (size == 0)
        return;
    for (const char *at = rule->name; *at && !writer.full;) {
        size_t plain = strcspn(at, "{}");
        put(&writer, at, plain);
        at += plain;
        if (!*at)
            break;
        if (at[0] == at[1]) { /* {{ or }} */
            put(&writer, at, 1);
            at += 2;
            continue;
        }
        size_t word = strcspn(at + 1, "}");
        put_placeholder(&writer, cs_placeholder_of(at + 1, word), site, values);
        at += word + 2;
    }
    name[writer.used] = '\0';
}
