/* Naming rules: which of them names a new object. */
#pragma once

#include "base/rules/rules.h"
#include "base/symbols/resolver.h"

/* Where an object was made. */
struct cs_rules_site {
    uint32_t kind;
    const char *function; /* of MPI; NULL: not known */
    const char *library;  /* file name; NULL: not known */
    /* Function, file and line of the call, NULL if they are not known. Costs milliseconds: asked only when everything
       that is known without it matches. */
    const struct cs_source *(*source)(void *context);
    void *context;
};

/* The index of the first rule, not before `from`, whose conditions on the site hold; the count of rules: there is none.
   A condition on something that is not known does not hold. */
size_t cs_rules_next(const struct cs_rules *rules, size_t from, const struct cs_rules_site *site);

/* Whether the rule's condition on the parent holds too. NULL: it has no name. */
bool cs_rule_takes_parent(const struct cs_rule *rule, const char *parent);
