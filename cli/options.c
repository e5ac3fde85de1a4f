#include "cli/options.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "cli/similar_name.h"

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

int cs_option_next(int argc, char *const argv[], const char *letters, const struct option *options)
{
    char quiet[64];
    int wanted = opterr;
    size_t flags = strspn(letters, "+-");
    snprintf(quiet, sizeof quiet, "%.*s:%s", (int)flags, letters,
             letters + flags); /* ':': a missing value is told apart */
    opterr = 0;
    int option = getopt_long(argc, argv, quiet, options, NULL);
    opterr = wanted;
    if (option != '?' && option != ':')
        return option;
    if (!wanted)
        return '?';
    const char *command = argv[0], *name = optopt ? name_of(options, optopt) : NULL;
    const char *word = argv[optind - 1];
    bool is_long = strncmp(word, "--", 2) == 0;
    if (option == ':' && name)
        cs_log("%s: --%s needs a value", command, name);
    else if (option == ':')
        cs_log("%s: -%c needs a value", command, optopt);
    else if (is_long && name)
        cs_log("%s: --%s takes no value", command, name);
    else if (is_long && !optopt)
        refuse_long(command, word + 2, options);
    else
        cs_log("%s: there is no option -%c", command, optopt);
    return '?';
}
