#include "base/settings.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/counter_names.h"
#include "base/launched.h"
#include "base/log.h"

static const char prefix[] = "CALLSIGN_";

const struct cs_setting cs_settings[CS_SETTING_COUNT] = {
    [CS_SETTING_OUTPUT] = {"OUTPUT", "output", "FOLDER", NULL, ".", "make the run folder in this folder", ""},
    [CS_SETTING_RUN] = {"RUN", "run", "FOLDER", NULL, "", "the run folder (default <program>.<id>.callsign)", ""},
    [CS_SETTING_RECORD] =
        {"RECORD", "record", "on|off", "on|off", "on", "off: record nothing",
         "The program then runs as without callsign. yes, no, 1, 0, true and false work too, here and below."},
    [CS_SETTING_CONVERT] = {"CONVERT", "convert", "finalize|later", "finalize|later", "finalize",
                            "when to convert the journal to a trace",
                            "finalize: each rank does so in MPI_Finalize. later: the next command does."},
    [CS_SETTING_KEEP_JOURNAL] = {"KEEP_JOURNAL", "keep-journal", "no|yes", "no|yes", "no",
                                 "yes: keep the journal beside the trace", ""},
    [CS_SETTING_JOURNAL] = {"JOURNAL", "journal", "FOLDER", NULL, "", "keep journals here while the program runs",
                            "Use storage of the node, such as /dev/shm or $TMPDIR, to spare a parallel file system. "
                            "run: the run folder. Default: the run folder; with one file for each node, and the run "
                            "folder on Lustre, GPFS, NFS or BeeGFS, $TMPDIR, /tmp or /dev/shm."},
    [CS_SETTING_FILES] = {"FILES", "files", "auto|rank|node", "auto|rank|node", "auto",
                          "write a file for each rank or node",
                          "node: the last rank of a node that ends writes one file for all ranks of the node. auto: "
                          "node in runs of more than 256 ranks."},
    [CS_SETTING_SYNC] = {"SYNC", "sync", "on|off", "on|off", "on", "off: do not wait until the trace is on the disk",
                         "With on, a rank removes its journal only when the trace is safe on the disk."},
    [CS_SETTING_CLOCK] =
        {"CLOCK", "clock", "auto|monotonic", "auto|monotonic", "auto",
         "auto: CPU counter (fast); monotonic: clock_gettime",
         "auto: the processor's counter, where it is reliable. monotonic: clock_gettime, which is slower."},
    [CS_SETTING_STACKS] = {"STACKS", "stacks", "objects|calls|none", "objects|calls|none", "objects",
                           "calls whose callers are recorded",
                           "objects: calls that create, name or free objects; other calls then have their innermost "
                           "frame only. calls: all. none: innermost frames only."},
    [CS_SETTING_RECOGNIZE] = {"RECOGNIZE", "recognize", "on|off", "on|off", "on",
                              "cache repeated call stacks (default on)",
                              "off: walk every stack, for 0.3 to 1.5 microseconds more each."},
    [CS_SETTING_THROUGH] = {"THROUGH", "through", "NAME,...", NULL, "",
                            "layers over MPI: charge calls to their callers",
                            "Globs of library, function or source file names, such as message_passing*. Common "
                            "libraries are known (view layers). Needs the callers: --stacks calls."},
    [CS_SETTING_NAMES] = {"NAMES", "names", "FILE", NULL, "", "naming rules for objects (see callsign names)",
                          "Use an absolute path: every rank reads the file. docs/names.md explains the rules."},
    [CS_SETTING_APPLY] = {"APPLY", "apply", "shared|all|none", "shared|all|none", "shared",
                          "shared: name communicators, windows in the MPI",
                          "The MPI's own messages then show them. shared: communicators and windows. all: datatypes, "
                          "too. none: no names."},
    [CS_SETTING_FORCE] = {"FORCE", "force", "none|names|attributes|all", "none|names|attributes|all", "none",
                          "use callsign's naming and attribute routines",
                          "They replace the MPI's, which are used by default where they exist. docs/fallback.md "
                          "explains the differences."},
    [CS_SETTING_WARN_COMMUNICATORS] = {"WARN_COMMUNICATORS", "warn-communicators", "N", CS_SETTING_IS_NUMBER, "1000",
                                       "warn when a rank has more communicators; 0: never",
                                       "One line on stderr, once, names the call site that created most of them."},
    [CS_SETTING_RING] = {"RING", "ring", "BYTES", CS_SETTING_IS_SIZE, "1M",
                         "room for the last events of a rank; 0: off",
                         "Each rank keeps its last MPI calls in its journal. 1M holds about 45,000 of them. K, M and G "
                         "stand for KiB, MiB and GiB. docs/timeline.md explains events."},
    [CS_SETTING_EVENTS] = {"EVENTS", "events", "last|keep|all", "last|keep|all", "last",
                           "all: record the events of all calls",
                           "last: the last events; only the trace of a rank that did not finalize has them. keep: each "
                           "trace has them. all: each trace has the events of all calls."},
    [CS_SETTING_EVENT_LIMIT] = {"EVENT_LIMIT", "event-limit", "BYTES", CS_SETTING_IS_SIZE, "2G",
                                "room for all events of a rank",
                                "With --events all. Beyond it, callsign drops the oldest events."},
    [CS_SETTING_EVENTS_FROM] = {"EVENTS_FROM", "events-from", "MOMENT", CS_SETTING_IS_MOMENT, "",
                                "record no events before this moment",
                                "10s or 500ms: this long after MPI_Init. level:2: when the program calls "
                                "MPI_Pcontrol(2). Messages are counted before, too."},
    [CS_SETTING_EVENTS_UNTIL] = {"EVENTS_UNTIL", "events-until", "MOMENT", CS_SETTING_IS_MOMENT, "",
                                 "record no events after this moment", "As --events-from. Events do not begin again."},
    [CS_SETTING_CHECK] =
        {"CHECK", "check", "tell|all|stop", "tell|all|stop", "tell", "all: check arguments and buffers before calls",
         "tell: only checks that cost nothing. all: arguments, buffers of pending operations, one-sided "
         "epochs and threads, too. stop: as all, and the first wrong call ends the program. "
         "docs/checks.md explains the checks."},
    [CS_SETTING_WHY] = {"WHY", "why", "on|off", "on|off", "on", "off: do not record the code between calls",
                        "With on, reports say which code makes a rank late, and whether it had a core. docs/why.md "
                        "explains it."},
    [CS_SETTING_COUNTERS] = {"COUNTERS", "counters", "NAMES|off", CS_SETTING_IS_COUNTERS, "",
                             "further hardware counters; off: none",
                             "Instructions and cycles are counted where the machine allows it. Up to two more, "
                             "separated by a comma: cache-references, cache-misses, branches, branch-misses, "
                             "ref-cycles, stalled-cycles-frontend, stalled-cycles-backend, task-clock, "
                             "alignment-faults, or rHEX for an event of the processor."},
    [CS_SETTING_LAUNCH] = {"LAUNCH", NULL, NULL, NULL, "", "a token for each `callsign run`", ""},
};
const size_t cs_settings_count = CS_SETTING_COUNT;

static char *values[CS_SETTING_COUNT];
static char begin_folder[PATH_MAX]; /* "": not known */

static bool is_allowed(const char *allowed, const char *value)
{
    size_t length = strlen(value);
    for (const char *at = allowed; at;) {
        const char *end = strchr(at, '|');
        size_t word = end ? (size_t)(end - at) : strlen(at);
        if (word == length && strncmp(at, value, word) == 0)
            return true;
        at = end ? end + 1 : NULL;
    }
    return false;
}

const char *cs_setting_word(const struct cs_setting *setting, const char *value)
{
    enum { WORDS = 4 };
    static const char *const words[][WORDS] = {{"off", "no", "0", "false"}, {"on", "yes", "1", "true"}};
    for (size_t truth = 0; truth < 2; truth++)
        for (size_t i = 0; i < WORDS; i++)
            for (size_t j = 0; cs_ascii_is_same(words[truth][i], value) && j < WORDS; j++)
                if (is_allowed(setting->allowed, words[truth][j]))
                    return words[truth][j];
    return value;
}

/* Programs may change the locale, so strtod is of no use. */
static bool parse_time(const char *text, uint64_t *ns)
{
    static const struct {
        const char *name;
        uint64_t ns;
    } units[] = {{"", 1000000000}, {"s", 1000000000}, {"ms", 1000000}, {"min", 60000000000}};
    size_t whole = strspn(text, "0123456789"), part = text[whole] == '.' ? strspn(text + whole + 1, "0123456789") : 0;
    const char *unit = text + whole + (text[whole] == '.' ? 1 + part : 0);
    if (!whole || whole > 9 || (text[whole] == '.' && !part))
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcmp(unit, units[i].name) != 0)
            continue;
        *ns = strtoul(text, NULL, 10) * units[i].ns;
        uint64_t share = units[i].ns / 10;
        for (const char *digit = text + whole + 1; part-- && share; digit++, share /= 10)
            *ns += (uint64_t)(*digit - '0') * share;
        return true;
    }
    return false;
}

static bool parse_moment(const char *text, struct cs_moment *moment)
{
    static const char by_level[] = "level:";
    *moment = (struct cs_moment){.by_level = strncmp(text, by_level, sizeof by_level - 1) == 0};
    if (!moment->by_level)
        return parse_time(text, &moment->ns);
    const char *number = text + sizeof by_level - 1;
    size_t digits = strspn(number, "0123456789");
    moment->level = digits <= 9 ? (int)strtol(number, NULL, 10) : 0;
    return digits && digits <= 9 && !number[digits];
}

bool cs_setting_allows(const struct cs_setting *setting, const char *value)
{
    if (!setting->allowed)
        return true;
    value = cs_setting_word(setting, value);
    if (strcmp(setting->allowed, CS_SETTING_IS_MOMENT) == 0)
        return parse_moment(value, &(struct cs_moment){0});
    if (strcmp(setting->allowed, CS_SETTING_IS_COUNTERS) == 0)
        return cs_counter_names_parse(value, (struct cs_counter_name[CS_COUNTER_NAMES_MOST]){{0}}) >= 0;
    bool size = strcmp(setting->allowed, CS_SETTING_IS_SIZE) == 0;
    if (!size && strcmp(setting->allowed, CS_SETTING_IS_NUMBER) != 0)
        return is_allowed(setting->allowed, value);
    size_t digits = strspn(value, "0123456789"), unit = size && value[digits] && strchr("KMG", value[digits]) ? 1 : 0;
    return digits && digits <= 9 && !value[digits + unit];
}

/* Makes a path absolute: programs may change their working folder. NULL: no memory. */
static char *absolute(const char *value)
{
    char here[PATH_MAX], *path;
    const char *folder = *begin_folder ? begin_folder : getcwd(here, sizeof here);
    return !folder ? strdup(value) : asprintf(&path, "%s/%s", folder, value) < 0 ? NULL : path;
}

/* A relative run folder lies in the output folder, if one is set. */
static bool is_path_from_here(const struct cs_setting *setting, const char *value)
{
    bool is_path = setting->argument && strcmp(setting->argument, "FOLDER") == 0;
    bool in_run = setting == &cs_settings[CS_SETTING_JOURNAL] && strcmp(value, CS_SETTING_IN_RUN) == 0;
    bool in_output = setting == &cs_settings[CS_SETTING_RUN] && getenv("CALLSIGN_OUTPUT") && *getenv("CALLSIGN_OUTPUT");
    return is_path && !in_run && !in_output && *value && *value != '/';
}

/* Variables for callsign's own commands, and options of `callsign run` (cli/launch/config.c): children inherit them. */
static bool is_ours(const char *name, size_t length)
{
    static const char *const ours[] = {"GDB_LIBRARY", "LLDB_LIBRARY", "LLDB_PYTHONPATH",
                                       "QUIET",       "REPORT",       "SNAPSHOT_ON"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (strlen(ours[i]) == length && strncmp(ours[i], name, length) == 0)
            return true;
    return false;
}

static void accept(const struct cs_setting *setting, const char *value, bool quiet)
{
    value = cs_setting_word(setting, value);
    if (!cs_setting_allows(setting, value)) {
        if (quiet)
            return;
        bool number = strcmp(setting->allowed, CS_SETTING_IS_NUMBER) == 0;
        bool size = strcmp(setting->allowed, CS_SETTING_IS_SIZE) == 0;
        bool moment = strcmp(setting->allowed, CS_SETTING_IS_MOMENT) == 0;
        bool counters = strcmp(setting->allowed, CS_SETTING_IS_COUNTERS) == 0;
        cs_log("%s%s=%.64s is not %s%s: using %s", prefix, setting->name, value,
               number || size || moment || counters ? "" : "one of ",
               number     ? "a whole number below 1000000000"
               : size     ? "a number of bytes such as 4M"
               : moment   ? "a time such as 10s or 500ms, or a level such as level:2"
               : counters ? "off, or one or two names such as cache-misses"
                          : setting->allowed,
               *setting->fallback ? setting->fallback : "none");
        return;
    }
    /* The program may change its environment later, so callsign keeps a copy. Without memory the fallback applies. */
    free(values[setting - cs_settings]);
    values[setting - cs_settings] = is_path_from_here(setting, value) ? absolute(value) : strdup(value);
}

void cs_settings_begin_in(const char *folder)
{
    snprintf(begin_folder, sizeof begin_folder, "%s", folder);
}

bool cs_setting_in_environment(enum cs_setting_id id, const char *value)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s", prefix, cs_settings[id].name);
    const char *set = secure_getenv(name);
    return set && strcmp(cs_setting_word(&cs_settings[id], set), value) == 0;
}

void cs_settings_read(void)
{
    if (getauxval(AT_SECURE))
        return;
    /* Ranks of a launch usually have the same environment: one line for all is enough. */
    bool quiet = cs_launched_rank() > 0;
    for (char **variable = environ; variable && *variable; variable++) {
        if (strncmp(*variable, prefix, sizeof prefix - 1) != 0)
            continue;
        const char *name = *variable + sizeof prefix - 1;
        const char *equals = strchr(name, '=');
        if (!equals)
            continue;
        size_t i = 0;
        while (i < CS_SETTING_COUNT &&
               (strncmp(cs_settings[i].name, name, (size_t)(equals - name)) != 0 || cs_settings[i].name[equals - name]))
            i++;
        if (i < CS_SETTING_COUNT)
            accept(&cs_settings[i], equals + 1, quiet);
        else if (!quiet && !is_ours(name, (size_t)(equals - name)))
            cs_log("unknown setting %.*s is ignored; `callsign run --help` lists the settings",
                   (int)(equals - *variable), *variable);
    }
}

const char *cs_setting_text(enum cs_setting_id id)
{
    return values[id] ? values[id] : cs_settings[id].fallback;
}

uint32_t cs_setting_number(enum cs_setting_id id)
{
    return (uint32_t)strtoul(cs_setting_text(id), NULL, 10);
}

uint64_t cs_setting_bytes(enum cs_setting_id id)
{
    char *unit;
    uint64_t bytes = strtoul(cs_setting_text(id), &unit, 10);
    return bytes << (*unit == 'K' ? 10 : *unit == 'M' ? 20 : *unit == 'G' ? 30 : 0);
}

bool cs_setting_moment(enum cs_setting_id id, struct cs_moment *moment)
{
    return parse_moment(cs_setting_text(id), moment);
}

bool cs_setting_is(enum cs_setting_id id, const char *value)
{
    return strcmp(cs_setting_text(id), value) == 0;
}
