#include "cli/compare/compare_rules.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "cli/command/command.h"
#include "cli/compare/compare_figures.h"
#include "cli/compare/compare_rank_test.h"
#include "cli/rows/rows.h"
#include "cli/text/text.h"
#include "cli/text/xml.h"
#include "functions.h"
#include "journal_words.h"
#include "reports_sql.h"

enum unit { IN_NUMBERS, IN_SECONDS, IN_BYTES };

static const struct {
    const char *name;
    enum unit unit;
} metrics[] = {{"time", IN_SECONDS},  {"wait", IN_SECONDS},       {"elapsed", IN_SECONDS}, {"calls", IN_NUMBERS},
               {"bytes", IN_BYTES},   {"remote_bytes", IN_BYTES}, {"objects", IN_NUMBERS}, {"leaks", IN_NUMBERS},
               {"ranks", IN_NUMBERS}, {"nodes", IN_NUMBERS},      {"cores", IN_NUMBERS},   {"load", IN_NUMBERS},
               {"bound", IN_NUMBERS}, {"code", IN_SECONDS}};

static const struct {
    const char *name;
    enum unit unit;
    double factor;
} units[] = {{"s", IN_SECONDS, 1},
             {"ms", IN_SECONDS, 1e-3},
             {"us", IN_SECONDS, 1e-6},
             {"B", IN_BYTES, 1},
             {"KiB", IN_BYTES, 1024},
             {"MiB", IN_BYTES, 1024.0 * 1024},
             {"GiB", IN_BYTES, 1024.0 * 1024 * 1024}};

/* ---- the grammar ---- */

struct parsed {
    char metric[16];
    const char *name; /* NULL: none */
    size_t name_length;
    double threshold;
    bool relative;
};

/* The number behind ">". False: it is none. */
static bool parse_threshold(const char *text, enum unit unit, struct parsed *rule)
{
    char *end;
    text += strspn(text, " ");
    rule->threshold = strtod(text, &end);
    if (end == text || !isfinite(rule->threshold) || rule->threshold < 0 || !strchr("0123456789.", *text))
        return false;
    end += strspn(end, " ");
    rule->relative = strcmp(end, "%") == 0;
    if (!*end || rule->relative)
        return true;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i].name) == 0 && units[i].unit == unit) {
            rule->threshold *= units[i].factor;
            return true;
        }
    return false;
}

static bool parse(const char *text, struct parsed *rule)
{
    const char *than = strrchr(text, '>'), *at = strchr(text, '@');
    size_t length = strcspn(text, "@>");
    while (length > 0 && text[length - 1] == ' ')
        length--;
    if (!than) {
        cs_log("compare: --fail-on %s: a rule is METRIC>NUMBER, such as 'leaks>0' or 'time>5%%'", text);
        return false;
    }
    if (at && at < than) {
        rule->name = at + 1;
        rule->name_length = (size_t)(than - rule->name);
        while (rule->name_length && rule->name[rule->name_length - 1] == ' ')
            rule->name_length--;
    }
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
        if (strlen(metrics[i].name) != length || strncmp(metrics[i].name, text, length) != 0)
            continue;
        snprintf(rule->metric, sizeof rule->metric, "%s", metrics[i].name);
        if (parse_threshold(than + 1, metrics[i].unit, rule) && !(rule->name && !rule->name_length))
            return true;
        cs_log("compare: --fail-on %s: after > comes a number, with %% or a unit of %s", text, rule->metric);
        return false;
    }
    cs_log("compare: --fail-on %s: there is no metric %.*s; callsign help compare lists them", text, (int)length, text);
    return false;
}

static bool is_named(const struct parsed *rule, const char *name)
{
    return strlen(name) == rule->name_length && strncmp(name, rule->name, rule->name_length) == 0;
}

/* Whether the name is that of an MPI function or of a kind of object, which a run may have none of. */
static bool is_known(const struct parsed *rule)
{
    const char *kind;
    for (int64_t i = 1; rule->name && (kind = cs_name_of_kind(i)); i++)
        if (is_named(rule, kind))
            return true;
    for (size_t i = 0; rule->name && i < cs_function_count; i++)
        if (is_named(rule, cs_functions[i].name))
            return true;
    return false;
}

bool cs_compare_rule_add(sqlite3 *figures, const char *text)
{
    static const char insert[] =
        "INSERT INTO rule (text, metric, name, threshold, relative, known) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    struct parsed rule = {.name = NULL};
    if (!parse(text, &rule))
        return false;
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(figures, insert, -1, &row, NULL) == SQLITE_OK) {
        sqlite3_bind_text(row, 1, text, -1, SQLITE_STATIC);
        sqlite3_bind_text(row, 2, rule.metric, -1, SQLITE_STATIC);
        sqlite3_bind_text(row, 3, rule.name, (int)rule.name_length, SQLITE_STATIC);
        sqlite3_bind_double(row, 4, rule.threshold);
        sqlite3_bind_int(row, 5, rule.relative);
        sqlite3_bind_int(row, 6, is_known(&rule));
        sqlite3_step(row);
    }
    bool added = sqlite3_finalize(row) == SQLITE_OK;
    if (!added)
        cs_log("compare: --fail-on: %s", sqlite3_errmsg(figures));
    return added;
}

/* ---- results ---- */

_Static_assert(CS_RANK_TEST_LEAST == 4, "the SQL of compare says so, too");

static void add_why(struct cs_phrase *why, struct cs_rows *row, bool undecided)
{
    const char *metric = cs_rows_text(row, "metric");
    bool base = cs_rows_has(row, "base"), new = cs_rows_has(row, "new");
    if (cs_rows_integer(row, "absent") && cs_rows_has(row, "name")) {
        cs_phrase_add(why, undecided ? "no run has anything of this name" : "no run has any");
        return;
    }
    if (!base || !new) {
        cs_phrase_add(why, "%s is not known on both sides", metric);
        return;
    }
    cs_figures_add_value(why, metric, cs_rows_real(row, "base"));
    cs_phrase_add(why, " before, ");
    cs_figures_add_value(why, metric, cs_rows_real(row, "new"));
    cs_phrase_add(why, " after");
    int64_t before = cs_rows_integer(row, "base_runs"), after = cs_rows_integer(row, "new_runs");
    if (undecided)
        cs_phrase_add(why, "; this needs %d runs of each side, and there are %lld and %lld", CS_RANK_TEST_LEAST,
                      (long long)before, (long long)after);
    else if (cs_rows_integer(row, "measured"))
        cs_phrase_add(why, ", p = %.3g%s", cs_rows_real(row, "p"),
                      cs_rows_integer(row, "one_after_other") ? "; but " CS_COMPARE_ONE_AFTER_OTHER : "");
}

struct cs_compare_rules cs_compare_rules_begin(sqlite3 *figures)
{
    struct cs_rows rows = cs_rows_begin(figures, cs_sql_compare_rules);
    return (struct cs_compare_rules){.statement = rows.statement, .status = rows.status};
}

bool cs_compare_rules_next(struct cs_compare_rules *rules)
{
    struct cs_rows row = {.statement = rules->statement, .status = rules->status};
    bool found = cs_rows_next(&row);
    cs_phrase_clear(&rules->rule.why);
    if (found) {
        const char *result = cs_rows_text(&row, "result");
        rules->rule.text = cs_rows_text(&row, "text");
        rules->rule.result = strcmp(result, "met") == 0         ? CS_COMPARE_RULE_MET
                             : strcmp(result, "undecided") == 0 ? CS_COMPARE_RULE_UNDECIDED
                                                                : CS_COMPARE_RULE_NOT_MET;
        add_why(&rules->rule.why, &row, rules->rule.result == CS_COMPARE_RULE_UNDECIDED);
    }
    rules->status = row.status;
    return found;
}

enum cs_status cs_compare_rules_end(struct cs_compare_rules *rules)
{
    sqlite3_finalize(rules->statement);
    cs_phrase_free(&rules->rule.why);
    rules->statement = NULL;
    return rules->status;
}

/* ---- JUnit ---- */

static void put_case(FILE *stream, const struct cs_compare_rule *rule)
{
    static const char *const element[] = {[CS_COMPARE_RULE_NOT_MET] = "system-out",
                                          [CS_COMPARE_RULE_MET] = "failure",
                                          [CS_COMPARE_RULE_UNDECIDED] = "error"};
    fputs("  <testcase classname=\"callsign.compare\" name=\"", stream);
    cs_xml_text(stream, rule->text);
    fprintf(stream, "\">\n    <%s", element[rule->result]);
    if (rule->result != CS_COMPARE_RULE_NOT_MET) {
        fputs(" message=\"", stream);
        cs_xml_text(stream, cs_phrase_text(&rule->why));
        fputs("\"", stream);
    }
    fputs(">", stream);
    cs_xml_text(stream, cs_phrase_text(&rule->why));
    fprintf(stream, "</%s>\n  </testcase>\n", element[rule->result]);
}

bool cs_compare_rules_write_junit(sqlite3 *figures, const char *file)
{
    size_t count[3] = {0};
    struct cs_compare_rules rules = cs_compare_rules_begin(figures);
    while (cs_compare_rules_next(&rules))
        count[rules.rule.result]++;
    if (cs_compare_rules_end(&rules) != CS_OK)
        return false;
    struct cs_output output;
    if (!cs_command_open_output(&output, file, CS_OUTPUT_NAMED, NULL))
        return false;
    FILE *stream = output.stream;
    fprintf(stream,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuite name=\"callsign compare\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"0\">\n",
            count[CS_COMPARE_RULE_NOT_MET] + count[CS_COMPARE_RULE_MET] + count[CS_COMPARE_RULE_UNDECIDED],
            count[CS_COMPARE_RULE_MET], count[CS_COMPARE_RULE_UNDECIDED]);
    rules = cs_compare_rules_begin(figures);
    while (cs_compare_rules_next(&rules))
        put_case(stream, &rules.rule);
    fputs("</testsuite>\n", stream);
    bool read = cs_compare_rules_end(&rules) == CS_OK;
    return cs_command_end_output(&output, file, read) == CS_EXIT_OK;
}
