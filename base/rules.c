#include "base/rules.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rule.h"

static const char inlined_into[] = " (inlined into ";

void cs_rules_free(struct cs_rules *rules)
{
    if (!rules)
        return;
    for (size_t i = 0; i < rules->count; i++) {
        for (size_t j = 0; j < CS_RULE_CONDITIONS; j++)
            free(rules->rule[i].pattern[j]);
        free(rules->rule[i].text);
        free(rules->rule[i].name);
    }
    free(rules->rule);
    free(rules);
}

size_t cs_rules_count(const struct cs_rules *rules)
{
    return rules->count;
}

unsigned cs_rules_line(const struct cs_rules *rules, size_t index)
{
    return rules->rule[index].line;
}

const char *cs_rules_text(const struct cs_rules *rules, size_t index)
{
    return rules->rule[index].text;
}

const char *cs_rules_function(const struct cs_rules *rules, size_t index)
{
    return rules->rule[index].pattern[CS_RULE_FUNCTION];
}

uint32_t cs_rules_kinds(const struct cs_rules *rules)
{
    return rules->kinds;
}

bool cs_rules_need_source(const struct cs_rules *rules)
{
    return rules->needs_source;
}

/* ---- matching ---- */

static bool matches(const char *pattern, const char *text)
{
    return !pattern || (text && fnmatch(pattern, text, 0) == 0);
}

/* A function that was inlined answers to its own name, to that of the function it is part of, and to both as told. */
static bool matches_function(const char *pattern, const char *function)
{
    char part[sizeof((struct cs_source *)0)->function];
    if (!pattern || matches(pattern, function))
        return true;
    const char *outer = strstr(function, inlined_into);
    if (!outer)
        return false;
    snprintf(part, sizeof part, "%.*s", (int)(outer - function), function);
    if (matches(pattern, part))
        return true;
    snprintf(part, sizeof part, "%s", outer + strlen(inlined_into));
    size_t length = strlen(part);
    if (length && part[length - 1] == ')')
        part[length - 1] = '\0';
    return matches(pattern, part);
}

static bool matches_source(const struct cs_rule *rule, const struct cs_rules_site *site)
{
    const char *caller = rule->pattern[CS_RULE_CALLER], *file = rule->pattern[CS_RULE_AT];
    if (!caller && !file)
        return true;
    const struct cs_source *source = site->source ? site->source(site->context) : NULL;
    if (!source || !matches_function(caller, source->function))
        return false;
    return !file ||
           (source->file[0] && matches(file, source->file) && (!rule->at_line || rule->at_line == source->line));
}

size_t cs_rules_next(const struct cs_rules *rules, size_t from, const struct cs_rules_site *site)
{
    for (size_t i = from; i < rules->count; i++) {
        const struct cs_rule *rule = &rules->rule[i];
        if (site->kind < 32 && rule->kinds >> site->kind & 1 &&
            matches(rule->pattern[CS_RULE_FUNCTION], site->function) &&
            matches(rule->pattern[CS_RULE_LIBRARY], site->library) && matches_source(rule, site))
            return i;
    }
    return rules->count;
}

bool cs_rules_takes_parent(const struct cs_rules *rules, size_t index, const char *parent)
{
    return matches(rules->rule[index].pattern[CS_RULE_PARENT], parent);
}

/* ---- names ---- */

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
        length = room;
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
    const char *outer = source ? strstr(source->function, inlined_into) : NULL;
    if (outer)
        put(writer, source->function, (size_t)(outer - source->function));
    else
        put_text(writer, source ? source->function : NULL);
}

static void put_placeholder(struct writer *writer, enum cs_rule_placeholder placeholder,
                            const struct cs_rules_site *site, const struct cs_rules_values *values)
{
    switch (placeholder) {
    case CS_PLACE_COLOR:
        put_number(writer, values->color, values->color != INT64_MIN);
        break;
    case CS_PLACE_KEY:
        put_number(writer, values->key, values->key != INT64_MIN);
        break;
    case CS_PLACE_RANK:
        put_number(writer, values->rank, values->rank >= 0);
        break;
    case CS_PLACE_FIRST:
        put_number(writer, values->first, values->first >= 0);
        break;
    case CS_PLACE_N:
        put_number(writer, values->nth, values->nth != 0);
        break;
    case CS_PLACE_PARENT:
        put_text(writer, values->parent);
        break;
    case CS_PLACE_FUNCTION:
        put_text(writer, site->function);
        break;
    case CS_PLACE_CALLER:
        put_caller(writer, site);
        break;
    case CS_PLACE_LIBRARY:
        put_text(writer, site->library);
        break;
    case CS_PLACEHOLDERS:
        break;
    }
}

/* How many bytes of a text that was cut after `used` bytes belong to whole characters. */
static size_t whole_characters(const char *text, size_t used)
{
    size_t begin = used;
    while (begin > 0 && used - begin < 4 && ((unsigned char)text[begin - 1] & 0xc0) == 0x80)
        begin--;
    if (begin == 0)
        return used;
    unsigned char lead = (unsigned char)text[begin - 1];
    size_t wanted = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    return used - (begin - 1) < wanted ? begin - 1 : used;
}

void cs_rules_write(const struct cs_rules *rules, size_t index, const struct cs_rules_site *site,
                    const struct cs_rules_values *values, char *name, size_t size)
{
    struct writer writer = {.text = name, .size = size};
    if (size == 0)
        return;
    for (const char *at = rules->rule[index].name; *at && !writer.full;) {
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
        put_placeholder(&writer, cs_rule_placeholder_of(at + 1, word), site, values);
        at += word + 2;
    }
    if (writer.full)
        writer.used = whole_characters(name, writer.used);
    name[writer.used] = '\0';
}
