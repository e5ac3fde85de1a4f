#include "base/rules.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/symbols/signature.h"
#include "base/utf8.h"

/* ---- rules ---- */

const char *const cs_rule_conditions[CS_RULE_CONDITIONS] = {
    [CS_RULE_KIND] = "kind",     [CS_RULE_LIBRARY] = "library", [CS_RULE_FUNCTION] = "function",
    [CS_RULE_CALLER] = "caller", [CS_RULE_AT] = "at",           [CS_RULE_PARENT] = "parent",
};

void cs_rule_clear(struct cs_rule *rule)
{
    for (size_t i = 0; i < CS_RULE_CONDITIONS; i++)
        free(rule->pattern[i]);
    free(rule->text);
    free(rule->name);
}

void cs_rules_free(struct cs_rules *rules)
{
    if (!rules)
        return;
    for (size_t i = 0; i < rules->count; i++)
        cs_rule_clear(&rules->rule[i]);
    free(rules->rule);
    free(rules);
}

/* ---- match ---- */

static bool matches(const char *pattern, const char *text)
{
    return !pattern || (text && fnmatch(pattern, text, 0) == 0);
}

/* An inlined function matches by its own name, by the function that it is inlined into, and by "a (inlined into b)". */
static bool matches_function(const char *pattern, const char *function)
{
    char part[sizeof((struct cs_source *)0)->function];
    if (!pattern || matches(pattern, function))
        return true;
    const char *outer = strstr(function, CS_INLINED_INTO);
    if (!outer)
        return false;
    snprintf(part, sizeof part, "%.*s", (int)(outer - function), function);
    if (matches(pattern, part))
        return true;
    snprintf(part, sizeof part, "%s", outer + strlen(CS_INLINED_INTO));
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
    return !file || (source->file[0] && (matches(file, source->file) || matches(file, cs_path_name(source->file))) &&
                     (!rule->at_line || rule->at_line == source->line));
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

bool cs_rule_takes_parent(const struct cs_rule *rule, const char *parent)
{
    return matches(rule->pattern[CS_RULE_PARENT], parent);
}

/* ---- placeholder ---- */

const char *const cs_placeholders[CS_PLACEHOLDERS] = {
    [CS_PLACEHOLDER_COLOR] = "color",       [CS_PLACEHOLDER_KEY] = "key",       [CS_PLACEHOLDER_RANK] = "rank",
    [CS_PLACEHOLDER_FIRST] = "first",       [CS_PLACEHOLDER_N] = "n",           [CS_PLACEHOLDER_PARENT] = "parent",
    [CS_PLACEHOLDER_FUNCTION] = "function", [CS_PLACEHOLDER_CALLER] = "caller", [CS_PLACEHOLDER_LIBRARY] = "library",
};

enum cs_placeholder cs_placeholder_find(const char *word, size_t length)
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

static void writer_put(struct writer *writer, const char *text, size_t length)
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
    writer_put(writer, text, strlen(text));
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
        writer_put(writer, source->function, (size_t)(outer - source->function));
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
        writer_put(&writer, at, plain);
        at += plain;
        if (!*at)
            break;
        if (at[0] == at[1]) { /* {{ or }} */
            writer_put(&writer, at, 1);
            at += 2;
            continue;
        }
        size_t word = strcspn(at + 1, "}");
        put_placeholder(&writer, cs_placeholder_find(at + 1, word), site, values);
        at += word + 2;
    }
    name[writer.used] = '\0';
}
