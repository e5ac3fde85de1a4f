#include "cli/command/options.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "cli/command/command.h"
#include "cli/rows/similar_name.h"

enum { WITHOUT_LETTER = 256 };

static struct option *append(struct cs_options *options, const char *name, int has_value)
{
    if (options->count == CS_OPTIONS_MOST)
        return NULL;
    struct option *option = &options->list[options->count];
    *option = (struct option){name, has_value, NULL, WITHOUT_LETTER + (int)options->count};
    options->count++;
    return option;
}

void cs_options_add(struct cs_options *options, const char *name)
{
    append(options, name, required_argument);
}

static void set_letter(struct cs_options *options, struct option *option, char letter)
{
    size_t end = strlen(options->letters);
    option->val = letter;
    snprintf(options->letters + end, sizeof options->letters - end, "%c%.*s", letter, option->has_arg, "::");
}

/* Behind the name: "[=FILE]", " N" or "=N", or nothing; two spaces begin the text. */
static int value_behind(const char *name_end)
{
    if (*name_end == '[')
        return optional_argument;
    bool has = (*name_end == ' ' || *name_end == '=') && name_end[1] && !isspace((unsigned char)name_end[1]);
    return has ? required_argument : no_argument;
}

/* Reads one line of a help page; most are no options. manual.py reads the same lines. */
static void read_line(struct cs_options *options, const char *line)
{
    static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
    size_t indent = strspn(line, " ");
    const char *at = line + indent;
    char letter = 0;
    if (indent < 2 || indent > 6)
        return;
    if (at[0] == '-' && isalnum((unsigned char)at[1]) && strncmp(at + 2, ", ", 2) == 0) {
        letter = at[1];
        at += 4;
    }
    size_t length = strncmp(at, "--", 2) == 0 ? strspn(at + 2, word) : 0;
    if (!length || options->used + length + 1 > sizeof options->names)
        return;
    char *name = options->names + options->used;
    memcpy(name, at + 2, length);
    name[length] = 0;
    struct option *option = append(options, name, value_behind(at + 2 + length));
    if (!option)
        return;
    options->used += length + 1;
    if (letter)
        set_letter(options, option, letter);
}

void cs_options_read(struct cs_options *options, const char *help)
{
    for (const char *line = help; line; line = strchr(line, '\n'))
        read_line(options, line += *line == '\n');
}

void cs_options_set_letter(struct cs_options *options, const char *name, char letter)
{
    for (struct option *option = options->list; option->name; option++)
        if (strcmp(option->name, name) == 0)
            set_letter(options, option, letter);
}

void cs_options_begin(struct cs_options *options, int argc, char **argv, const char *mode, const char *help)
{
    *options = (struct cs_options){.argc = argc, .argv = argv, .help = help};
    /* ':': a missing value is told apart */
    snprintf(options->letters, sizeof options->letters, "%s:", mode);
    cs_options_read(options, help);
}

/* The option with this value; NULL: it has only a letter. */
static const char *name_of(const struct option *options, int value)
{
    for (; options->name; options++)
        if (options->val == value)
            return options->name;
    return NULL;
}

/* Logs that there is no option --word, and which ones may be meant. */
static void refuse_long(const char *command, const char *word, const struct option *options)
{
    char name[64];
    size_t begin_alike = 0;
    const char *alike[2] = {NULL, NULL};
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    struct cs_similar_name nearest = {.word = name};
    for (; options->name; options++) {
        cs_similar_name_offer(&nearest, options->name);
        if (strncmp(options->name, name, strlen(name)) == 0 && begin_alike++ < 2)
            alike[begin_alike - 1] = options->name;
    }
    if (begin_alike > 1)
        cs_log("%s: --%s may be --%s or --%s", command, name, alike[0], alike[1]);
    else if (*nearest.name)
        cs_log("%s: there is no option --%s; the nearest is --%s", command, name, nearest.name);
    else
        cs_log("%s: there is no option --%s", command, name);
}

/* Logs what is wrong with the option that getopt_long has just refused. */
static void log_refused(const struct cs_options *options, int option)
{
    const char *command = options->argv[0], *name = optopt ? name_of(options->list, optopt) : NULL;
    const char *word = options->argv[optind - 1];
    bool is_long = strncmp(word, "--", 2) == 0;
    if (option == ':' && name)
        cs_log("%s: --%s needs a value", command, name);
    else if (option == ':')
        cs_log("%s: -%c needs a value", command, optopt);
    else if (is_long && name)
        cs_log("%s: --%s takes no value", command, name);
    else if (is_long && !optopt)
        refuse_long(command, word + 2, options->list);
    else
        cs_log("%s: there is no option -%c", command, optopt);
}

/* Some pages have no options: these commands have --help, too. */
static void complete(struct cs_options *options)
{
    for (const struct option *option = options->list; option->name; option++)
        if (cs_option_is(option->name, "help"))
            return;
    struct option *help = append(options, "help", no_argument);
    if (help)
        set_letter(options, help, 'h');
}

const char *cs_option_next(struct cs_options *options)
{
    complete(options);
    int wanted = opterr;
    opterr = 0;
    int option = getopt_long(options->argc, options->argv, options->letters, options->list, NULL);
    opterr = wanted;
    if (option == -1)
        return NULL;
    if (option == 1)
        return "";
    if (option != '?' && option != ':')
        return name_of(options->list, option);
    if (wanted)
        log_refused(options, option);
    return "?";
}

int cs_option_stop(const struct cs_options *options, const char *option)
{
    return cs_option_is(option, "help") ? cs_command_help(options->help) : cs_command_usage(options->argv[0]);
}

int cs_options_only_help(int argc, char **argv, const char *mode, const char *help)
{
    struct cs_options options;
    cs_options_begin(&options, argc, argv, mode, help);
    const char *option = cs_option_next(&options);
    return option ? cs_option_stop(&options, option) : -1;
}
