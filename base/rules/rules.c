#include "base/rules/rules.h"

#include <stdlib.h>

#include "base/array.h"

const char *const cs_rule_conditions[CS_RULE_CONDITIONS] = {
    [CS_RULE_KIND] = "kind",     [CS_RULE_LIBRARY] = "library", [CS_RULE_FUNCTION] = "function",
    [CS_RULE_CALLER] = "caller", [CS_RULE_AT] = "at",           [CS_RULE_PARENT] = "parent",
};

bool cs_rules_add(struct cs_rules *rules, const struct cs_rule *rule)
{
    if (!cs_array_grow(&rules->rule, rules->count, &rules->room, sizeof *rule))
        return false;
    rules->rule[rules->count++] = *rule;
    rules->kinds |= rule->kinds;
    rules->needs_source = rules->needs_source || rule->needs_source;
    return true;
}

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
