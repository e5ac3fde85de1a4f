#include "base/rules/match.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/symbols/signature.h"

static bool matches(const char *pattern, const char *text)
{
    return !pattern || (text && fnmatch(pattern, text, 0) == 0);
}

/* A function that was inlined matches by its own name, by that of the function it is part of, and by both as they are
 * written. */
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

bool cs_rule_takes_parent(const struct cs_rule *rule, const char *parent)
{
    return matches(rule->pattern[CS_RULE_PARENT], parent);
}
