/* callsign top: what the ranks of a running job do now, by the differences between readings of their journals. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "cli/command/command.h"
#include "cli/command/newest_run.h"
#include "cli/command/options.h"
#include "cli/top/top_metrics.h"
#include "cli/top/top_output.h"
#include "cli/top/top_rates.h"
#include "cli/top/top_screen.h"

static const char help[] = "Usage: callsign top [OPTION...] [RUN]\n\n"
                           "Shows what a running job does now: time in MPI, calls, messages and bytes per\n"
                           "second of each rank, communicator, function and call site; objects and memory;\n"
                           "the call that each rank is in, and for how long. Reads the journals of the ranks\n"
                           "each second and stops no process. On a terminal it fills the screen and obeys\n"
                           "keys; elsewhere it prints tables. Above 32 ranks, tables have the 16 with the\n"
                           "least time in MPI and the 16 with the most. Without RUN it reads the newest run\n"
                           "of the current folder.\n"
                           "\n"
                           "  -i, --interval SECONDS  time between two readings: 0.1 to 86400 (default: 1)\n"
                           "  -n, --count N           end after N readings\n"
                           "      --node              only ranks of this machine\n"
                           "      --once              print tables once\n"
                           "      --json              a line of JSON for each reading, with all ranks\n"
                           "      --csv               a line of CSV for each rank and reading\n"
                           "      --prom FILE         replace FILE at each reading, for Prometheus\n"
                           "      --openmetrics FILE  the same in the form of OpenMetrics\n"
                           "  -h, --help              print this\n\n"
                           "Keys: Tab and 1 to 6 another table; arrows, Enter: a rank; o order; p pause;\n"
                           "h callsign hang; s callsign snapshot; q quit.\n\n"
                           "Examples:\n"
                           "  callsign top\n"
                           "  callsign top --once program.k3f9a2xq.callsign\n"
                           "  callsign top --json --interval 60 > job.jsonl\n";

enum form { FORM_TABLES, FORM_JSON, FORM_CSV, FORM_SCREEN, FORM_NONE };

struct request {
    double interval;
    uint64_t count; /* 0: until the run ends */
    enum form form;
    const char *metrics[CS_TOP_METRICS]; /* files; NULL: none */
};

/* ---- readings ---- */

static void wait_until(double monotonic_ns)
{
    struct timespec until = {.tv_sec = (time_t)(monotonic_ns / 1e9)};
    until.tv_nsec = (long)(monotonic_ns - (double)until.tv_sec * 1e9);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        ;
}

static bool is_running(const struct cs_top *top)
{
    for (size_t i = 0; i < top->count; i++)
        if (top->journal[i].rank.running)
            return true;
    return false;
}

/* Says why there is nothing to watch. */
static int explain_end(const struct cs_top *top)
{
    char word[CS_SHELL_WORD_BYTES];
    struct cs_top_whole whole = cs_top_whole_of(top);
    if (!whole.ranks && whole.elsewhere) {
        cs_log("top: the journals of %s are on the storage of other nodes: run it on %s, for example", top->run,
               whole.node);
        return CS_EXIT_TROUBLE;
    }
    if (!whole.ranks) {
        cs_log("top: no journal of %s can be read", top->run);
        return CS_EXIT_TROUBLE;
    }
    if (whole.unread + whole.silent) {
        cs_log("top: the run may have ended: nothing is known of %zu of its processes", whole.unread + whole.silent);
        return CS_EXIT_OK;
    }
    cs_log("the run has ended: callsign report %s", cs_shell_word(top->run, word));
    return CS_EXIT_OK;
}

/* Each journal stays open: the usual limit of 1,024 files is too small for so many ranks. */
static void allow_many_files(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static bool print_tables(const struct cs_top_view *view)
{
    enum { LINES_PRINTED = 5 }; /* of each subject */
    cs_top_print_head(view, stdout);
    bool good = cs_top_print_ranks(view, stdout, CS_TOP_BY_RANK, 0, 0) == CS_OK;
    for (int subject = 0; good && subject < CS_TOP_SUBJECTS; subject++) {
        struct cs_top_line *line;
        if (cs_top_activity_lines(view->top->activity, (enum cs_top_subject)subject, &line, 1))
            putchar('\n');
        good = cs_top_print_lines(view, stdout, (enum cs_top_subject)subject, 0, LINES_PRINTED) == CS_OK;
    }
    if (!good)
        cs_log("top: out of memory");
    return good;
}

/* Shows an interval in the form that was asked for. first: there was none before. Returns an exit code. */
static int show(const struct cs_top_view *view, const struct request *request, bool first)
{
    switch (request->form) {
    case FORM_JSON:
        cs_top_print_json(view, view->top->interval_ns / 1e9);
        break;
    case FORM_CSV:
        cs_top_print_csv(view->top, first);
        break;
    case FORM_SCREEN:
        cs_top_screen_show(view);
        break;
    case FORM_TABLES:
        if (!first)
            putchar('\n');
        if (!print_tables(view))
            return CS_EXIT_TROUBLE;
        break;
    case FORM_NONE:
        break;
    }
    for (int i = 0; i < CS_TOP_METRICS; i++)
        if (request->metrics[i] &&
            cs_top_write_metrics(view, (enum cs_top_metrics)i, request->metrics[i]) != CS_EXIT_OK)
            return CS_EXIT_TROUBLE;
    return CS_EXIT_OK;
}

/* Waits for the next reading. Returns false if the user has enough. */
static bool pause_until(const struct cs_top_view *view, const struct request *request, double monotonic_ns)
{
    if (request->form == FORM_SCREEN)
        return cs_top_screen_wait(view, monotonic_ns) == CS_TOP_GO_ON;
    wait_until(monotonic_ns);
    return true;
}

static int watch(struct cs_top *top, struct cs_top_names *names, struct cs_terminal terminal,
                 const struct request *request)
{
    struct cs_top_view view = {.top = top, .names = names, .terminal = terminal};
    double next = (double)cs_clock_monotonic_ns();
    if (cs_top_read(top) != CS_OK)
        return CS_EXIT_TROUBLE;
    if (request->form == FORM_SCREEN && is_running(top))
        cs_top_screen_show(&view);
    for (uint64_t i = 1; is_running(top); i++) {
        double now = (double)cs_clock_monotonic_ns();
        next += request->interval * 1e9;
        if (next < now) /* the screen was paused, or reading takes longer than the interval */
            next = now;
        if (!pause_until(&view, request, next))
            return CS_EXIT_OK;
        if (cs_top_read(top) != CS_OK)
            return CS_EXIT_TROUBLE;
        int code = show(&view, request, i == 1);
        if (code != CS_EXIT_OK || i == request->count)
            return code;
        if (fflush(stdout) != 0)
            return CS_EXIT_OK; /* closing it says why */
    }
    return -1;
}

/* Watches until the run or the user ends it. Returns an exit code. */
static int begin(struct cs_top *top, const struct request *request)
{
    struct cs_top_names *names = cs_top_names_new();
    struct cs_terminal terminal = cs_terminal_of(stdout); /* sets the character set, before the screen begins */
    int code = CS_EXIT_TROUBLE;
    if (!names) {
        cs_log("top: out of memory");
    } else if (request->form != FORM_SCREEN) {
        code = watch(top, names, terminal, request);
    } else if (cs_top_screen_begin()) {
        code = watch(top, names, terminal, request);
        cs_top_screen_end();
    }
    if (code < 0)
        code = explain_end(top);
    cs_top_names_free(names);
    cs_top_free(top);
    return code;
}

/* ---- options ---- */

static bool parse_interval(const char *text, double *seconds)
{
    char *end;
    *seconds = strtod(text, &end);
    if (end > text && !*end && *seconds >= 0.1 && *seconds <= 86400)
        return true;
    cs_log("top: --interval %s: not a number of seconds from 0.1 to 86400", text);
    return false;
}

static bool parse_count(const char *text, uint64_t *count)
{
    char *end;
    *count = strtoull(text, &end, 10);
    if (*text >= '0' && *text <= '9' && !*end && *count > 0)
        return true;
    cs_log("top: --count %s: not a number of readings", text);
    return false;
}

int cmd_top(int argc, char **argv)
{
    struct request request = {.interval = 1};
    struct cs_options options;
    const char *option;
    bool once = false, node = false;
    cs_options_begin(&options, argc, argv, "", help);
    while ((option = cs_option_next(&options))) {
        if (cs_option_is(option, "json"))
            request.form = FORM_JSON;
        else if (cs_option_is(option, "csv"))
            request.form = FORM_CSV;
        else if (cs_option_is(option, "node"))
            node = true;
        else if (cs_option_is(option, "prom"))
            request.metrics[CS_TOP_PROMETHEUS] = optarg;
        else if (cs_option_is(option, "openmetrics"))
            request.metrics[CS_TOP_OPENMETRICS] = optarg;
        else if (cs_option_is(option, "once")) {
            request.count = 1;
            once = true;
        } else if (cs_option_is(option, "interval") || cs_option_is(option, "count")) {
            if (*option == 'i' ? !parse_interval(optarg, &request.interval) : !parse_count(optarg, &request.count))
                return CS_EXIT_USAGE;
        } else
            return cs_option_stop(&options, option);
    }
    if (argc - optind > 1) {
        cs_log("top: give one run");
        return cs_command_usage("top");
    }
    struct cs_top top = {.run = optind < argc ? argv[optind] : cs_newest_run("top", false), .only_node = node};
    if (!top.run)
        return CS_EXIT_TROUBLE;
    allow_many_files();
    if (request.form == FORM_TABLES && !once)
        request.form = isatty(STDOUT_FILENO) && isatty(STDIN_FILENO)                               ? FORM_SCREEN
                       : request.metrics[CS_TOP_PROMETHEUS] || request.metrics[CS_TOP_OPENMETRICS] ? FORM_NONE
                                                                                                   : FORM_TABLES;
    int code = begin(&top, &request);
    int written = cs_command_close_output(stdout, NULL);
    return code == CS_EXIT_OK ? written : code;
}
