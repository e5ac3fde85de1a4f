#include "base/rules/parse.h"

#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/rules/placeholder.h"
#include "base/utf8.h"

/* A line that is being read, not ended by NUL. */
struct line {
    const char *text;
    size_t length, at;
    size_t begin; /* of the rule, after the blanks */
    unsigned number;
    const struct cs_rules_options *options;
    enum cs_status status; /* CS_INVALID: reported; CS_NO_MEMORY */
};

/* ---- mistakes ---- */

/* Reports a mistake at this byte of the line, the first one only. Returns false. */
__attribute__((format(printf, 3, 4))) static bool wrong(struct line *line, size_t at, const char *format, ...)
{
    char what[512];
    unsigned column = 1;
    if (line->status != CS_OK)
        return false;
    line->status = CS_INVALID;
    for (size_t i = 0; i < at; i++)
        column += !cs_utf8_continues(line->text[i]);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (line->options->complain)
        line->options->complain(line->options->context, line->number, column, what);
    return false;
}

static bool no_memory(struct line *line)
{
    line->status = CS_NO_MEMORY;
    return false;
}

/* "a, b and c" of a list of words, up to a NULL or `count`. */
static const char *list(const char *const *words, size_t count, const char *before, const char *after, char *text,
                        size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s%s%s",
                                 i == 0           ? ""
                                 : i + 1 == count ? " and "
                                                  : ", ",
                                 before, words[i], after);
    return text;
}

/* ---- words ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static void skip_blanks(struct line *line)
{
    while (line->at < line->length && is_blank(line->text[line->at]))
        line->at++;
}

/* Whether nothing but a comment follows. */
static bool at_end(const struct line *line)
{
    return line->at == line->length || line->text[line->at] == '#';
}

/* A word up to the next blank, or a text in quotes. NULL: reported. */
static char *read_value(struct line *line)
{
    size_t begin = line->at, used = 0;
    char *value = malloc(line->length - begin + 1);
    bool quoted = begin < line->length && line->text[begin] == '"';
    if (!value) {
        no_memory(line);
        return NULL;
    }
    for (line->at += quoted; line->at < line->length; line->at++) {
        char c = line->text[line->at];
        if (quoted ? c == '"' : is_blank(c))
            break;
        if (quoted && c == '\\' && line->at + 1 < line->length && strchr("\"\\", line->text[line->at + 1]))
            c = line->text[++line->at];
        value[used++] = c;
    }
    value[used] = '\0';
    bool closed = !quoted || line->at < line->length;
    if (!closed)
        wrong(line, begin, "the quote is not closed");
    line->at += quoted && closed;
    if (closed && quoted && line->at < line->length && !is_blank(line->text[line->at]))
        closed = wrong(line, line->at, "a blank is missing after the closing quote");
    if (closed)
        return value;
    free(value);
    return NULL;
}

/* ---- conditions ---- */

static bool read_kinds(struct line *line, size_t begin, const char *pattern, uint32_t *kinds)
{
    const char *names[32], *name;
    char text[300];
    size_t count = 0;
    *kinds = 0;
    for (uint32_t kind = 1; kind < 32 && (name = line->options->kind_name(kind)); kind++) {
        names[count++] = name;
        if (fnmatch(pattern, name, 0) == 0)
            *kinds |= (uint32_t)1 << kind;
    }
    return *kinds || wrong(line, begin, "there is no kind %.64s: kinds are %s", pattern,
                           list(names, count, "", "", text, sizeof text));
}

/* FILE:LINE or FILE:*; leaves the last part of FILE in the pattern. */
static bool read_location(struct line *line, size_t begin, char *pattern, int *number)
{
    char *colon = strrchr(pattern, ':'), *end;
    unsigned long value = 0;
    if (!colon || colon == pattern || !colon[1])
        return wrong(line, begin, "at=%.64s is neither FILE:LINE nor FILE:*", pattern);
    if (strcmp(colon, ":*") != 0) {
        value = strtoul(colon + 1, &end, 10);
        if (colon[1] < '0' || colon[1] > '9' || *end || value == 0 || value > INT32_MAX)
            return wrong(line, begin, "at=%.64s: %.32s is no line number", pattern, colon + 1);
    }
    *number = (int)value;
    *colon = '\0';
    const char *name = cs_path_name(pattern);
    memmove(pattern, name, strlen(name) + 1);
    return !strchr(pattern, '/') || wrong(line, begin, "at= names a folder and no file");
}

static bool read_condition(struct line *line, struct cs_rule *rule)
{
    char text[200];
    size_t begin = line->at, length = 0, i = 0;
    const char *word = line->text + begin;
    while (begin + length < line->length && ((word[length] >= 'a' && word[length] <= 'z') || word[length] == '_'))
        length++;
    if (length == 0 || begin + length == line->length || word[length] != '=')
        return wrong(line, begin, "here must be a condition (word=pattern), or -> and a name");
    while (i < CS_RULE_CONDITIONS &&
           (strncmp(cs_rule_conditions[i], word, length) != 0 || cs_rule_conditions[i][length]))
        i++;
    if (i == CS_RULE_CONDITIONS)
        return wrong(line, begin, "there is no condition %.*s: conditions are %s", length < 64 ? (int)length : 64, word,
                     list(cs_rule_conditions, CS_RULE_CONDITIONS, "", "", text, sizeof text));
    if (rule->pattern[i])
        return wrong(line, begin, "%s= stands twice", cs_rule_conditions[i]);
    line->at += length + 1;
    begin = line->at;
    char *pattern = rule->pattern[i] = read_value(line);
    if (!pattern)
        return false;
    if (!*pattern)
        return wrong(line, begin, "%s= has no pattern", cs_rule_conditions[i]);
    if (i == CS_RULE_KIND)
        return read_kinds(line, begin, pattern, &rule->kinds);
    return i != CS_RULE_AT || read_location(line, begin, pattern, &rule->at_line);
}

/* ---- the name ---- */

/* The braces of the name that lies here, as it is written. */
static bool check_braces(struct line *line, size_t begin, size_t end, struct cs_rule *rule)
{
    char text[200];
    for (size_t i = begin; i < end; i++) {
        const char *at = line->text + i;
        if (*at != '{' && *at != '}')
            continue;
        if (i + 1 < end && at[1] == *at) {
            i++;
            continue;
        }
        if (*at == '}')
            return wrong(line, i, "} without {: a brace itself is }}");
        const char *close = memchr(at, '}', end - i);
        if (!close)
            return wrong(line, i, "{ without }: a brace itself is {{");
        size_t length = (size_t)(close - at) - 1;
        enum cs_placeholder placeholder = cs_placeholder_of(at + 1, length);
        if (placeholder == CS_PLACEHOLDERS)
            return wrong(line, i, "there is no placeholder {%.*s}: placeholders are %s", length < 32 ? (int)length : 32,
                         at + 1, list(cs_placeholders, CS_PLACEHOLDERS, "{", "}", text, sizeof text));
        if (placeholder == CS_PLACEHOLDER_CALLER)
            rule->needs_source = true;
        i += length + 1;
    }
    return true;
}

static bool read_name(struct line *line, struct cs_rule *rule)
{
    skip_blanks(line);
    size_t begin = line->at;
    if (at_end(line))
        return wrong(line, begin, "the name is missing");
    rule->name = read_value(line);
    if (!rule->name)
        return false;
    size_t end = line->at;
    if (!*rule->name)
        return wrong(line, begin, "the name is empty");
    if (!check_braces(line, begin, end, rule))
        return false;
    skip_blanks(line);
    if (!at_end(line))
        return wrong(line, line->at, "nothing but a comment may follow the name; a name with blanks stands in quotes");
    rule->text = strndup(line->text + line->begin, end - line->begin);
    return rule->text || no_memory(line);
}

/* ---- lines ---- */

static bool is_arrow(const struct line *line)
{
    return line->length - line->at >= 2 && memcmp(line->text + line->at, "->", 2) == 0;
}

static bool read_rule(struct line *line, struct cs_rule *rule)
{
    rule->line = line->number;
    line->begin = line->at;
    rule->kinds = line->options->usual_kinds;
    for (skip_blanks(line); !is_arrow(line); skip_blanks(line)) {
        if (at_end(line))
            return wrong(line, line->at, "-> and a name are missing");
        if (!read_condition(line, rule))
            return false;
    }
    line->at += 2;
    if (!read_name(line, rule))
        return false;
    rule->needs_source = rule->needs_source || rule->pattern[CS_RULE_CALLER] || rule->pattern[CS_RULE_AT];
    return true;
}

/* No control characters: names are printed on terminals, and NUL would end them. */
static bool is_plain(struct line *line)
{
    for (size_t i = 0; i < line->length; i++) {
        unsigned char c = (unsigned char)line->text[i];
        if ((c < 0x20 && c != '\t') || c == 0x7f)
            return wrong(line, i, "a control character (0x%02x)", c);
    }
    return line->length <= CS_RULE_LINE_MAX ||
           wrong(line, CS_RULE_LINE_MAX, "the line has more than %d bytes", CS_RULE_LINE_MAX);
}

static enum cs_status read_line(struct line *line, struct cs_rules *rules)
{
    struct cs_rule rule = {0};
    if (line->length && line->text[line->length - 1] == '\r') /* written on Windows */
        line->length--;
    skip_blanks(line);
    if (at_end(line))
        return CS_OK;
    if (!is_plain(line) || !read_rule(line, &rule) || !cs_rules_add(rules, &rule)) {
        cs_rule_clear(&rule);
        return line->status == CS_INVALID ? CS_OK : CS_NO_MEMORY;
    }
    return CS_OK;
}

enum cs_status cs_rules_parse(const char *text, size_t bytes, const struct cs_rules_options *options,
                              struct cs_rules **rules)
{
    static const char mark[] = "\xef\xbb\xbf"; /* some editors begin UTF-8 with it */
    const char *at = text, *end = text + bytes;
    struct cs_rules *made = calloc(1, sizeof *made);
    enum cs_status status = made ? CS_OK : CS_NO_MEMORY;
    if (bytes >= sizeof mark - 1 && memcmp(text, mark, sizeof mark - 1) == 0)
        at += sizeof mark - 1;
    for (unsigned number = 1; status == CS_OK && at < end; number++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((newline ? newline : end) - at);
        struct line line = {.text = at, .length = length, .number = number, .options = options};
        status = read_line(&line, made);
        at += length + 1;
    }
    if (status == CS_OK)
        *rules = made;
    else
        cs_rules_free(made);
    return status;
}
