#include "base/rules_parser.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/launched.h"
#include "base/log.h"
#include "base/path.h"
#include "base/quoted.h"
#include "base/utf8.h"

/* The line that is parsed, not ended by NUL. */
struct line {
    const char *text;
    size_t length, at;
    size_t begin; /* begin of the rule, after blanks */
    unsigned number;
    const struct cs_rules_options *options;
    enum cs_status status; /* CS_INVALID: reported; CS_NO_MEMORY */
};

/* ---- mistakes ---- */

/* Reports a mistake at this byte of the line; only the first mistake of a line is reported. Returns false. */
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

/* Joins words, up to a NULL or `count`, as "a, b and c". */
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

/* True if only a comment follows. */
static bool at_end(const struct line *line)
{
    return line->at == line->length || line->text[line->at] == '#';
}

/* Reads a word up to the next blank, or a quoted text. NULL: the mistake was reported. */
static char *read_value(struct line *line)
{
    const char *text = line->text + line->at;
    size_t begin = line->at, left = line->length - begin;
    char *value = malloc(left + 1);
    bool quoted = left && *text == '"', good = true;
    if (!value) {
        no_memory(line);
        return NULL;
    }
    if (quoted) {
        line->at += cs_quoted_read(text, left, value);
        if (line->at == begin)
            good = wrong(line, begin, "the quote is not closed");
        else if (line->at < line->length && !is_blank(line->text[line->at]))
            good = wrong(line, line->at, "a blank is missing after the closing quote");
    } else {
        while (line->at < line->length && !is_blank(line->text[line->at]))
            line->at++;
        memcpy(value, text, line->at - begin);
        value[line->at - begin] = '\0';
    }
    if (good)
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

/* Parses FILE:LINE or FILE:*. The pattern keeps the last part of FILE. */
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

/* Checks the braces of the name as it is written in the file. */
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
        enum cs_placeholder placeholder = cs_placeholder_find(at + 1, length);
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

/* Takes over what the rule points to. Returns false without memory. */
static bool add_rule(struct cs_rules *rules, const struct cs_rule *rule)
{
    if (!cs_array_grow(&rules->rule, rules->count, &rules->room, sizeof *rule))
        return false;
    rules->rule[rules->count++] = *rule;
    rules->kinds |= rule->kinds;
    rules->needs_source = rules->needs_source || rule->needs_source;
    return true;
}

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

/* Control characters are refused: names are printed on terminals, and NUL would end them. */
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
    if (!is_plain(line) || !read_rule(line, &rule) || !add_rule(rules, &rule)) {
        cs_rule_clear(&rule);
        return line->status == CS_INVALID ? CS_OK : CS_NO_MEMORY;
    }
    return CS_OK;
}

enum cs_status cs_rules_parse(const char *text, size_t bytes, const struct cs_rules_options *options,
                              struct cs_rules **rules)
{
    static const char mark[] = "\xef\xbb\xbf"; /* some editors write this mark before UTF-8 text */
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

/* ---- file ---- */

enum { MISTAKES_LOGGED = 10 };

struct reporter {
    const char *path;
    bool quiet;
    size_t mistakes;
};

static void report(void *context, unsigned line, unsigned column, const char *what)
{
    struct reporter *reporter = context;
    if (reporter->mistakes++ < MISTAKES_LOGGED && !reporter->quiet)
        cs_log("%s:%u:%u: %s", reporter->path, line, column, what);
}

/* The path comes from the environment and may name anything: opening a pipe would wait for ever. The file may grow
   while it is read, so one byte more than its size is requested. CS_INVALID: no regular file. */
static enum cs_status read_file(const char *path, char **text, size_t *bytes)
{
    struct stat about;
    ssize_t got = 1;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return CS_IO;
    enum cs_status status = fstat(fd, &about) == 0 && S_ISREG(about.st_mode) ? CS_OK : CS_INVALID;
    *bytes = 0;
    *text = status == CS_OK ? malloc(CS_RULES_BYTES_MAX + 1) : NULL;
    if (status == CS_OK && !*text)
        status = CS_NO_MEMORY;
    while (status == CS_OK && got > 0 && *bytes <= CS_RULES_BYTES_MAX) {
        got = read(fd, *text + *bytes, CS_RULES_BYTES_MAX + 1 - *bytes);
        if (got < 0 && errno == EINTR)
            got = 1;
        else if (got < 0)
            status = CS_IO;
        else
            *bytes += (size_t)got;
    }
    if (status == CS_OK && *bytes > CS_RULES_BYTES_MAX)
        status = CS_INVALID;
    if (status != CS_OK)
        free(*text);
    int saved_errno = errno;
    close(fd);
    errno = saved_errno;
    return status;
}

enum cs_status cs_rules_load(const char *path, const struct cs_rules_options *options, bool quiet,
                             struct cs_rules **rules, size_t *mistakes)
{
    char *text = NULL;
    size_t bytes;
    struct reporter reporter = {.path = path, .quiet = quiet};
    struct cs_rules_options reporting = *options;
    reporting.complain = report;
    reporting.context = &reporter;
    enum cs_status status = read_file(path, &text, &bytes);
    const char *why = status == CS_IO        ? strerror(errno)
                      : status == CS_INVALID ? "not a file of at most 1 MiB"
                                             : cs_status_text(CS_NO_MEMORY);
    if (status == CS_OK) {
        status = cs_rules_parse(text, bytes, &reporting, rules);
        free(text);
    }
    if (status != CS_OK && quiet && cs_launched_local_rank() > 0)
        ; /* each node reports it once: a file may be missing on one of them */
    else if (status != CS_OK)
        cs_log("cannot read the naming rules %s: %s", path, why);
    else if (reporter.mistakes > MISTAKES_LOGGED && !quiet)
        cs_log("%s: %zu more lines with mistakes", path, reporter.mistakes - MISTAKES_LOGGED);
    *mistakes = reporter.mistakes;
    return status;
}
