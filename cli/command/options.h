/* Reads the options of a command, as its help page lists them: the page is the only table of options. A wrong option
   gives one line that names the most similar one. */
#pragma once

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { CS_OPTIONS_MOST = 64 };

/* Points into itself: do not copy it. */
struct cs_options {
    int argc;
    char **argv;
    const char *help;
    char letters[CS_OPTIONS_MOST * 3]; /* as getopt takes them */
    char names[2048];                  /* of `list`, one after another */
    size_t used;
    struct option list[CS_OPTIONS_MOST + 1];
    size_t count;
};

/* Reads the lines of options from a help page: "  -n, --rows N  text", "      --html[=FILE]  text". `mode`: "", or the
   first letter that getopt takes ("+": stop at the first argument, "-": return arguments, too). */
void cs_options_begin(struct cs_options *options, int argc, char **argv, const char *mode, const char *help);

/* Reads the options of one page more. */
void cs_options_read(struct cs_options *options, const char *help);

/* Accepts a letter that the page does not list. */
void cs_options_set_letter(struct cs_options *options, const char *name, char letter);

/* Adds an option with a value that the page does not list. `name` must live as long as the options. */
void cs_options_add(struct cs_options *options, const char *name);

/* The name of the next option, with its value in optarg. NULL: no more; "?": a wrong one, which was logged unless
   opterr is 0; "": an argument, in the mode "-". */
const char *cs_option_next(struct cs_options *options);

static inline bool cs_option_is(const char *option, const char *name)
{
    return strcmp(option, name) == 0;
}

/* Ends the command after --help or an option that it cannot use: prints the help page or points to it. Returns the
   exit code. */
int cs_option_stop(const struct cs_options *options, const char *option);

/* Reads the options of a command that has only --help. Returns -1, or the exit code. */
int cs_options_only_help(int argc, char **argv, const char *mode, const char *help);
