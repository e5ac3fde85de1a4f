/* Any bytes as naming rules: the parser must not crash or hang. Accepted rules must match and write names within
   their size, in UTF-8 if the rules were. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/rules_parser.h"
#include "base/utf8.h"
#include "journal_words.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void complain(void *context, unsigned line, unsigned column, const char *what)
{
    if (line == 0 || column == 0 || !*what)
        abort();
    ++*(size_t *)context;
}

static const struct cs_source *source(void *context)
{
    (void)context;
    static const struct cs_source place = {"add (inlined into grid::make(int))", "grid.cc", 42};
    return &place;
}

static void name_with(const struct cs_rules *rules, size_t index, size_t size, bool valid)
{
    static const struct cs_rules_site site = {
        .kind = 1, .function = "MPI_Comm_split", .library = "libgrid.so.2", .source = source};
    static const struct cs_rules_values values = {.parent = "r\xc3\xb6ws", .color = 1, .key = INT64_MIN, .rank = 2};
    char *name = malloc(size);
    if (!name)
        abort();
    cs_rule_write_name(&rules->rule[index], &site, &values, name, size);
    if (strlen(name) >= size || (valid && !cs_utf8_valid(name)))
        abort();
    cs_rule_takes_parent(&rules->rule[index], values.parent);
    if (cs_rules_next(rules, index, &site) < index)
        abort();
    free(name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t told = 0;
    const struct cs_rules_options options = {
        .kind_name = cs_name_of_kind, .usual_kinds = 14, .complain = complain, .context = &told};
    struct cs_rules *rules;
    if (cs_rules_parse((const char *)data, size, &options, &rules) != CS_OK)
        return 0;
    for (size_t i = 0; i < rules->count && i < 64; i++) {
        bool valid = cs_utf8_valid(rules->rule[i].text);
        if (rules->rule[i].line == 0)
            abort();
        name_with(rules, i, 1 + i % 40, valid);
        name_with(rules, i, 6000, valid);
    }
    cs_rules_free(rules);
    return 0;
}
