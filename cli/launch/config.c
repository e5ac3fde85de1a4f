/* Configuration files, and callsign config: what is in force, and where it comes from. */
#include "cli/launch/config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/log.h"
#include "base/path.h"
#include "base/quoted.h"
#include "base/trust.h"
#include "cli/command/command.h"
#include "cli/command/options.h"
#include "cli/command/program.h"
#include "cli/launch/detect_mpi.h"
#include "cli/rows/similar_name.h"
#include "cli/text/table.h"
#include "cli/text/text.h"

static const char help[] = "Usage: callsign config [--] [PROGRAM [ARGUMENT...]]\n\n"
                           "Lists the options of callsign run that are in force, and where each comes from.\n"
                           "Earlier sources take precedence:\n\n"
                           "  1. options of callsign run\n"
                           "  2. environment variables CALLSIGN_NAME\n"
                           "  3. callsign.conf in the folder of the program\n"
                           "  4. $XDG_CONFIG_HOME/callsign/config, or ~/.config/callsign/config\n\n"
                           "Each line of a file has the name of an option and its value, which may be in\n"
                           "double quotes. # begins a comment:\n\n"
                           "  events = keep\n"
                           "  output = ~/runs\n"
                           "  report = yes\n\n"
                           "callsign ignores a file that others can write, also as members of its group, or\n"
                           "that belongs to neither you, root nor the owner of the program.\n\n"
                           "  -h, --help  print this\n\n"
                           "Examples:\n"
                           "  callsign config\n"
                           "  callsign config mpirun -n 4 ./program\n";

enum { FILE_MOST = 65536, LINE_MOST = PATH_MAX };

static const struct cs_setting others[] = {
    [CS_CONFIG_QUIET - CS_SETTING_COUNT] = {.name = "QUIET", .option = "quiet", .allowed = "no|yes", .fallback = "no"},
    [CS_CONFIG_REPORT - CS_SETTING_COUNT] = {.name = "REPORT", .option = "report", .fallback = "no"},
    [CS_CONFIG_SNAPSHOT_ON - CS_SETTING_COUNT] = {.name = "SNAPSHOT_ON",
                                                  .option = "snapshot-on",
                                                  .allowed = "SIGUSR1|SIGUSR2|USR1|USR2",
                                                  .fallback = ""},
};
_Static_assert(sizeof others / sizeof *others == CS_CONFIG_COUNT - CS_SETTING_COUNT, "an option has no entry");

static const struct cs_setting *setting_of(size_t item)
{
    return item < CS_SETTING_COUNT ? &cs_settings[item] : &others[item - CS_SETTING_COUNT];
}

/* Without dashes; NULL: it is for callsign itself. */
static const char *option_of(size_t item)
{
    return setting_of(item)->option;
}

/* ---- reading ---- */

struct source {
    struct cs_config *config;
    const char *path;
    unsigned line;
    bool quiet;
};

#define REFUSE(source, format, ...)                                                                                    \
    do {                                                                                                               \
        if (!(source)->quiet)                                                                                          \
            cs_log("%s:%u: " format "; the line is ignored", (source)->path, (source)->line, __VA_ARGS__);             \
    } while (0)

static char *trim(char *text)
{
    static const char blank[] = " \t\r";
    text += strspn(text, blank);
    size_t length = strlen(text);
    while (length && strchr(blank, text[length - 1]))
        text[--length] = 0;
    return text;
}

/* Takes a value from the end of a line, which may be in double quotes. Behind it, # begins a comment. NULL: the quotes
   do not end, or text follows them. */
static char *take_value(char *text)
{
    char *value = trim(text), *at = value;
    if (*value == '"') {
        size_t length = cs_quoted_read(value, strlen(value), value);
        const char *rest = trim(value + length);
        return length && (!*rest || *rest == '#') ? value : NULL;
    }
    while (*at && (*at != '#' || (at > value && at[-1] != ' ' && at[-1] != '\t')))
        at++;
    *at = 0;
    return trim(value);
}

static bool has_controls(const char *text)
{
    for (; *text; text++)
        if (((unsigned char)*text < ' ' && *text != '\t' && *text != '\r') || *text == 0x7f)
            return true;
    return false;
}

/* A path from the home folder, or a file of rules from the folder of the configuration file. NULL: no memory. */
static char *complete(const char *value, size_t item, const char *config_path)
{
    char folder[PATH_MAX], *path = NULL;
    const char *home = getenv("HOME");
    if (strncmp(value, "~/", 2) == 0 && home)
        return asprintf(&path, "%s%s", home, value + 1) < 0 ? NULL : path;
    if (item != CS_SETTING_NAMES || !*value || *value == '/')
        return strdup(value);
    snprintf(folder, sizeof folder, "%s", config_path);
    cs_path_to_folder(folder);
    return asprintf(&path, "%s/%s", folder, value) < 0 ? NULL : path;
}

static void keep(struct source *source, size_t item, const char *value)
{
    char *from = NULL, *copy = complete(value, item, source->path);
    if (!copy || asprintf(&from, "%s:%u", source->path, source->line) < 0) {
        free(copy);
        return;
    }
    free(source->config->item[item].value);
    free(source->config->item[item].from);
    source->config->item[item].value = copy;
    source->config->item[item].from = from;
}

/* The name of an option, from a variable or an option of the command: CALLSIGN_EVENT_LIMIT, --event-limit. */
static void write_as_option(char option[64], const char *name)
{
    static const char prefix[] = "CALLSIGN_";
    name += strspn(name, "-");
    name += strncmp(name, prefix, sizeof prefix - 1) == 0 ? sizeof prefix - 1 : 0;
    snprintf(option, 64, "%s", name);
    for (char *c = option; *c; c++)
        *c = *c == '_' ? '-' : cs_ascii_to_lower(*c);
}

static void read_line(struct source *source, char *line)
{
    if (has_controls(line)) {
        REFUSE(source, "%s", "it has control characters");
        return;
    }
    line = trim(line);
    if (!*line || *line == '#')
        return;
    char *equals = strchr(line, '=');
    if (!equals) {
        REFUSE(source, "%s", "it is not NAME = VALUE");
        return;
    }
    *equals = 0;
    const char *name = trim(line), *value = take_value(equals + 1);
    char as_option[64];
    if (!value) {
        REFUSE(source, "%s", "its quotes do not end the value");
        return;
    }
    write_as_option(as_option, name);
    struct cs_similar_name nearest = {.word = as_option};
    size_t item = 0;
    for (; item < CS_CONFIG_COUNT; item++) {
        const char *option = option_of(item);
        if (option && strcmp(option, name) == 0)
            break;
        if (option)
            cs_similar_name_offer(&nearest, option);
    }
    if (item == CS_CONFIG_COUNT && *nearest.name)
        REFUSE(source, "there is no option %.64s, the nearest is %s", name, nearest.name);
    else if (item == CS_CONFIG_COUNT)
        REFUSE(source, "there is no option %.64s", name);
    else if (!cs_setting_allows(setting_of(item), value))
        REFUSE(source, "%s is %s, not %.64s", name, setting_of(item)->allowed, value);
    else
        keep(source, item, setting_of(item)->allowed ? cs_setting_word(setting_of(item), value) : value);
}

static void read_text(struct source *source, char *text)
{
    char *rest = NULL;
    /* Not strtok_r: empty lines count. */
    for (char *line = text; line; line = rest) {
        rest = strchr(line, '\n');
        if (rest)
            *rest++ = 0;
        source->line++;
        if (strlen(line) > LINE_MOST)
            REFUSE(source, "it is longer than %d bytes", LINE_MOST);
        else
            read_line(source, line);
    }
}

/* Why the file is not used; NULL: it may be. others may own the program and with it the file beside it. */
static const char *distrust(const struct stat *about, const char *program)
{
    struct stat owner;
    if (!S_ISREG(about->st_mode))
        return "it is no ordinary file";
    bool of_program = program && stat(program, &owner) == 0 && owner.st_uid == about->st_uid;
    if (about->st_uid != geteuid() && about->st_uid != 0 && !of_program)
        return "it belongs to another user";
    if (about->st_size > FILE_MOST)
        return "it is too large";
    return cs_trust_others_write(about);
}

/* Returns true if the file was read. */
static bool read_file(struct source *source, const char *program)
{
    static char text[FILE_MOST + 1];
    struct stat about;
    int file = open(source->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0) {
        if (errno != ENOENT && errno != ENOTDIR && !source->quiet)
            cs_log("%s is ignored: %s", source->path, strerror(errno));
        return false;
    }
    const char *why = fstat(file, &about) == 0 ? distrust(&about, program) : strerror(errno);
    ssize_t got = why ? 0 : read(file, text, FILE_MOST);
    close(file);
    if (got < 0)
        why = strerror(errno);
    else if (memchr(text, 0, (size_t)got))
        why = "it is no text";
    if (why) {
        if (!source->quiet)
            cs_log("%s is ignored: %s", source->path, why);
        return false;
    }
    text[got] = 0;
    read_text(source, text);
    return true;
}

/* NULL: there is no home folder, or no memory. */
static char *path_of_user(void)
{
    char *path = NULL;
    const char *base = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    int length = -1;
    if (base && *base == '/')
        length = asprintf(&path, "%s/callsign/config", base);
    else if (home && *home == '/')
        length = asprintf(&path, "%s/.config/callsign/config", home);
    return length < 0 ? NULL : path;
}

static char *path_beside(const char *program)
{
    char folder[PATH_MAX], whole[PATH_MAX], *path = NULL;
    if (!program)
        return NULL;
    snprintf(folder, sizeof folder, "%s", program);
    cs_path_to_folder(folder);
    return !realpath(folder, whole) || asprintf(&path, "%s/callsign.conf", whole) < 0 ? NULL : path;
}

static void write_variable(char variable[64], size_t item)
{
    snprintf(variable, 64, "CALLSIGN_%s", setting_of(item)->name);
}

/* The value of an option's environment variable; NULL: it is unset, or wrong and one line on stderr says so. */
static const char *value_in_environment(size_t item, bool quiet)
{
    const struct cs_setting *setting = setting_of(item);
    char variable[64];
    write_variable(variable, item);
    const char *set = getenv(variable);
    if (!set || cs_setting_allows(setting, set))
        return set && setting->allowed ? cs_setting_word(setting, set) : set;
    if (!quiet)
        cs_log("%s=%.64s is wrong: it is %s", variable, set, setting->allowed);
    return NULL;
}

/* The options that are no settings: their variables take precedence over files, like those of settings. */
static void read_variables(struct cs_config *config, bool quiet)
{
    for (size_t i = CS_SETTING_COUNT; i < CS_CONFIG_COUNT; i++) {
        const char *value = value_in_environment(i, quiet);
        char variable[64], *copy = value ? strdup(value) : NULL, *from;
        write_variable(variable, i);
        if (!copy || !(from = strdup(variable))) {
            free(copy);
            continue;
        }
        free(config->item[i].value);
        free(config->item[i].from);
        config->item[i].value = copy;
        config->item[i].from = from;
    }
}

void cs_config_read(struct cs_config *config, const char *path, char *const arguments[], bool quiet)
{
    struct cs_detected detected = {.program = ""};
    if (path)
        cs_detect_mpi(path, arguments, &detected);
    const char *program = *detected.program ? detected.program : path;
    *config = (struct cs_config){.file = {{.path = path_of_user()}, {.path = path_beside(program)}}};
    for (size_t i = 0; i < CS_CONFIG_FILES; i++) {
        struct source source = {.config = config, .path = config->file[i].path, .quiet = quiet};
        config->file[i].read = source.path && read_file(&source, i ? program : NULL);
    }
    read_variables(config, quiet);
}

void cs_config_free(struct cs_config *config)
{
    for (size_t i = 0; i < CS_CONFIG_COUNT; i++) {
        free(config->item[i].value);
        free(config->item[i].from);
    }
    for (size_t i = 0; i < CS_CONFIG_FILES; i++)
        free(config->file[i].path);
}

bool cs_config_apply(const struct cs_config *config)
{
    for (size_t i = 0; i < CS_SETTING_COUNT; i++) {
        char variable[64];
        write_variable(variable, i);
        if (config->item[i].value && setenv(variable, config->item[i].value, 0) != 0)
            return false;
    }
    return true;
}

/* ---- callsign config ---- */

static enum cs_status add_cell(struct cs_table *table, const char *text)
{
    return cs_table_cell(table, *text ? CS_CELL_TEXT : CS_CELL_EMPTY, text, strlen(text));
}

static enum cs_status add_row(struct cs_table *table, const struct cs_config *config, size_t item)
{
    const struct cs_setting *setting = setting_of(item);
    char variable[64];
    const char *value = config->item[item].value, *from = config->item[item].from;
    write_variable(variable, item);
    /* A wrong variable hides the files, too. */
    if (item < CS_SETTING_COUNT && getenv(variable)) {
        value = value_in_environment(item, false);
        from = variable;
    }
    enum cs_status status = add_cell(table, setting->option);
    if (status == CS_OK)
        status = add_cell(table, value ? value : setting->fallback);
    return status == CS_OK ? add_cell(table, value ? from : "default") : status;
}

static int list(const struct cs_config *config)
{
    static const char *const titles[] = {"option", "value", "from"};
    enum { COLUMNS = sizeof titles / sizeof *titles };
    struct cs_terminal terminal = cs_terminal_of(stdout);
    struct cs_table *table = cs_table_new(COLUMNS);
    enum cs_status status = table ? CS_OK : CS_NO_MEMORY;
    for (size_t i = 0; i < COLUMNS && status == CS_OK; i++)
        status = cs_table_title(table, i, titles[i]);
    for (size_t i = 0; i < CS_CONFIG_COUNT && status == CS_OK; i++)
        if (option_of(i))
            status = add_row(table, config, i);
    if (status == CS_OK)
        cs_table_print(table, stdout, &terminal);
    cs_table_free(table);
    if (status != CS_OK) {
        cs_log("out of memory");
        return CS_EXIT_TROUBLE;
    }
    putchar('\n');
    for (size_t i = 0; i < CS_CONFIG_FILES; i++)
        if (config->file[i].path) {
            fputs(config->file[i].read ? "Read: " : "Not used: ", stdout);
            cs_text_put(stdout, config->file[i].path);
            putchar('\n');
        }
    return cs_command_close_output(stdout, NULL);
}

int cmd_config(int argc, char **argv)
{
    int stopped = cs_options_only_help(argc, argv, "+", help);
    if (stopped >= 0)
        return stopped;
    char *path = NULL;
    int failed = optind < argc ? cs_program_find(argv[optind], &path) : 0;
    if (failed)
        return CS_EXIT_TROUBLE;
    struct cs_config config;
    cs_config_read(&config, path, argv + optind, false);
    int code = list(&config);
    cs_config_free(&config);
    free(path);
    return code;
}
