/* callsign top: what the ranks of a running job do now, by the differences between readings of their journals. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/log.h"
#include "cli/command/command.h"
#include "cli/command/newest_run.h"
#include "cli/command/options.h"
#include "cli/text/table.h"
#include "cli/text/text.h"
#include "cli/top/top_reading.h"
#include "functions.h"

static const char help[] = "Usage: callsign top [OPTION...] [RUN]\n\n"
                           "Prints what each rank of a running job does now: its share of time in MPI, its\n"
                           "calls, messages sent and their bytes per second, the call that it is in and for\n"
                           "how long. A new table comes every second until the run ends. Reads the journals\n"
                           "of the ranks and stops no process. Beyond 32 ranks it prints the 16 with the\n"
                           "least time in MPI and the 16 with the most. Without RUN it takes the newest run\n"
                           "folder (*.callsign) in the current folder.\n\n"
                           "  -i, --interval SECONDS  time between two tables: 0.1 to 86400 (default: 1)\n"
                           "  -n, --count N           end after N tables\n"
                           "      --once              end after one table\n"
                           "      --json              a line of JSON for each table, with all ranks\n"
                           "  -h, --help              print this\n\n"
                           "Examples:\n"
                           "  callsign top\n"
                           "  callsign top --once program.k3f9a2xq.callsign\n"
                           "  callsign top --json --interval 60 > job.jsonl\n";

enum { EXTREMES = 16 };

struct request {
    double interval;
    uint64_t count; /* 0: until the run ends */
    bool json;
};

struct rates {
    bool known;
    double share, calls, messages, bytes;
};

/* Sums may shrink: several words are not read at one instant, and a journal may be damaged. No rate is negative. */
static double rate(uint64_t before, uint64_t after, double seconds)
{
    return after > before ? (double)(after - before) / seconds : 0;
}

/* Unknown for a rank that began or ended before this interval. */
static struct rates rates_of(const struct cs_top_rank *rank)
{
    const struct cs_top_sums *before = &rank->before, *now = &rank->now;
    double seconds = (now->at_ns - before->at_ns) / 1e9;
    if (rank->is_new || !rank->ran || seconds <= 0)
        return (struct rates){0};
    return (struct rates){.known = true,
                          .share = cs_top_share(rank),
                          .calls = rate(before->calls, now->calls, seconds),
                          .messages = rate(before->messages, now->messages, seconds),
                          .bytes = rate(before->bytes, now->bytes, seconds)};
}

/* ---- the whole run ---- */

struct whole {
    size_t ranks, running, silent, unread;
    double age_ns, mpi_ns, lived_ns, messages_per_second, bytes_per_second;
    uint64_t messages, bytes;
};

static struct whole whole_of(const struct cs_top *top)
{
    struct whole whole = {.ranks = top->traces};
    for (size_t i = 0; i < top->count; i++) {
        const struct cs_top_rank *rank = &top->journal[i].rank;
        struct rates rates = rates_of(rank);
        if (top->journal[i].unread) {
            whole.unread++;
            continue;
        }
        whole.ranks++;
        whole.running += rank->running;
        whole.silent += rank->silent;
        whole.messages += rank->now.messages;
        whole.bytes += rank->now.bytes;
        if (rank->age_ns > whole.age_ns)
            whole.age_ns = rank->age_ns;
        whole.messages_per_second += rates.messages;
        whole.bytes_per_second += rates.bytes;
        double lived = rates.known && rank->running ? rank->now.lived_ns - rank->before.lived_ns : 0;
        if (lived > 0) {
            whole.lived_ns += lived;
            whole.mpi_ns += rates.share * lived;
        }
    }
    return whole;
}

static double share_of_whole(const struct whole *whole)
{
    return whole->lived_ns > 0 ? whole->mpi_ns / whole->lived_ns : 0;
}

/* ---- JSON ---- */

/* Seconds since 1970 of an instant on the monotonic clock. */
static double day_time(double monotonic_ns)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + ((double)now.tv_nsec + monotonic_ns - (double)cs_clock_monotonic_ns()) / 1e9;
}

static void print_json_rank(const struct cs_top_rank *rank)
{
    const struct cs_function *function = cs_function_find(rank->function);
    struct rates rates = rates_of(rank);
    printf("{\"rank\":%d,\"pid\":%" PRIu32 ",\"at\":%.6f,\"running\":%s,\"messages\":%" PRIu64 ",\"bytes\":%" PRIu64
           ",\"calls\":%" PRIu64,
           rank->rank, rank->pid, day_time(rank->now.at_ns), rank->running ? "true" : "false", rank->now.messages,
           rank->now.bytes, rank->now.calls);
    if (rates.known)
        printf(",\"mpi_share\":%.6f,\"calls_per_second\":%.3f,\"messages_per_second\":%.3f,\"bytes_per_second\":%.3f",
               rates.share, rates.calls, rates.messages, rates.bytes);
    if (rank->running)
        printf(",\"inside\":%s,\"state_seconds\":%.6f", rank->inside ? "true" : "false", rank->state_ns / 1e9);
    if (function)
        printf(",\"function\":\"%s\"", function->name);
    putchar('}');
}

static void print_json(const struct cs_top *top, double interval)
{
    struct whole whole = whole_of(top);
    const char *comma = "";
    printf("{\"at\":%.6f,\"interval\":%.6f,\"age_seconds\":%.6f,\"ranks\":%zu,\"running\":%zu,\"unread\":%zu,"
           "\"mpi_share\":%.6f,\"messages_per_second\":%.3f,\"bytes_per_second\":%.3f,\"messages\":%" PRIu64
           ",\"bytes\":%" PRIu64 ",\"rank\":[",
           day_time((double)cs_clock_monotonic_ns()), interval, whole.age_ns / 1e9, whole.ranks, whole.running,
           whole.unread, share_of_whole(&whole), whole.messages_per_second, whole.bytes_per_second, whole.messages,
           whole.bytes);
    for (size_t i = 0; i < top->count; i++) {
        if (top->journal[i].unread)
            continue;
        fputs(comma, stdout);
        print_json_rank(&top->journal[i].rank);
        comma = ",";
    }
    puts("]}");
}

/* ---- the table ---- */

static bool put_text(struct cs_table *table, enum cs_cell kind, const char *text)
{
    return cs_table_cell(table, *text ? kind : CS_CELL_EMPTY, text, strlen(text)) == CS_OK;
}

static bool put_rate(struct cs_table *table, bool known, double value)
{
    char text[64] = "";
    if (known)
        snprintf(text, sizeof text, "%.*f", value < 100 ? 1 : 0, value);
    return put_text(table, CS_CELL_NUMBER, text);
}

static bool put_rank(struct cs_table *table, const struct cs_top_rank *rank)
{
    const struct cs_function *function = cs_function_find(rank->function);
    struct rates rates = rates_of(rank);
    char name[32], share[32] = "", bytes[64] = "", lasts[64] = "";
    snprintf(name, sizeof name, rank->rank < 0 ? "pid %" PRIu32 : "%" PRIu32,
             rank->rank < 0 ? rank->pid : (uint32_t)rank->rank);
    if (rates.known && rank->running)
        snprintf(share, sizeof share, "%.1f%%", 100 * rates.share);
    if (rates.known)
        cs_text_bytes(bytes, sizeof bytes, rates.bytes);
    if (rank->running && rank->function)
        cs_text_duration(lasts, sizeof lasts, rank->state_ns);
    const char *state = rank->silent     ? "silent"
                        : !rank->running ? "ended"
                        : !rank->inside  ? "outside MPI"
                        : function       ? function->name
                                         : "MPI";
    return put_text(table, CS_CELL_NUMBER, name) && put_text(table, CS_CELL_NUMBER, share) &&
           put_rate(table, rates.known, rates.calls) && put_rate(table, rates.known, rates.messages) &&
           put_text(table, CS_CELL_NUMBER, bytes) && put_text(table, CS_CELL_TEXT, state) &&
           put_text(table, CS_CELL_NUMBER, lasts);
}

static int by_share(const void *left, const void *right)
{
    const struct cs_top_rank *const *a = left, *const *b = right;
    double difference = cs_top_share(*a) - cs_top_share(*b);
    return difference < 0 ? -1 : difference > 0 ? 1 : cs_compare((*a)->rank, (*b)->rank);
}

static bool put_ranks(struct cs_table *table, const struct cs_top *top, size_t *hidden)
{
    static const char *const titles[] = {"rank", "MPI", "calls/s", "messages/s", "bytes/s", "now", "for"};
    const struct cs_top_rank **rank = malloc((top->count + 1) * sizeof *rank);
    size_t count = 0, all = 0;
    bool good = rank != NULL;
    for (size_t i = 0; good && i < sizeof titles / sizeof *titles; i++)
        good = cs_table_title(table, i, titles[i]) == CS_OK;
    for (size_t i = 0; i < top->count; i++)
        all += !top->journal[i].unread;
    bool many = all > (size_t)2 * EXTREMES;
    for (size_t i = 0; good && i < top->count; i++)
        if (!top->journal[i].unread && (!many || top->journal[i].rank.running))
            rank[count++] = &top->journal[i].rank;
    if (good && many && count)
        qsort(rank, count, sizeof *rank, by_share);
    for (size_t i = 0; good && i < count; i++)
        if (!many || i < EXTREMES || i + EXTREMES >= count)
            good = put_rank(table, rank[i]);
        else
            ++*hidden;
    free(rank);
    return good;
}

static bool print_table(const struct cs_top *top)
{
    struct cs_terminal terminal = cs_terminal_of(stdout);
    struct whole whole = whole_of(top);
    struct cs_table *table = cs_table_new(7);
    char age[64], bytes[64];
    size_t hidden = 0;
    bool good = table && put_ranks(table, top, &hidden);
    if (good) {
        printf("%zu %s", whole.ranks, whole.ranks == 1 ? "rank" : "ranks");
        size_t ended = whole.ranks - whole.running - whole.silent;
        if (ended)
            printf(", of which %zu ended", ended);
        printf("; %s since the start\n", cs_text_duration(age, sizeof age, whole.age_ns));
        printf("In MPI %.1f%% of the time, %.*f messages/s, %s/s\n", 100 * share_of_whole(&whole),
               whole.messages_per_second < 100 ? 1 : 0, whole.messages_per_second,
               cs_text_bytes(bytes, sizeof bytes, whole.bytes_per_second));
        cs_table_print(table, stdout, &terminal);
        if (hidden)
            printf("%zu ranks are not shown: their shares in MPI lie between these\n", hidden);
        if (whole.unread)
            printf("%zu %s cannot be read\n", whole.unread, whole.unread == 1 ? "journal" : "journals");
    } else {
        cs_log("top: out of memory");
    }
    cs_table_free(table);
    return good;
}

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
    struct whole whole = whole_of(top);
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

static int watch(struct cs_top *top, const struct request *request)
{
    double begun = (double)cs_clock_monotonic_ns(), last = begun;
    if (cs_top_read(top) != CS_OK)
        return CS_EXIT_TROUBLE;
    for (uint64_t i = 1; is_running(top); i++) {
        wait_until(begun + (double)i * request->interval * 1e9);
        if (cs_top_read(top) != CS_OK)
            return CS_EXIT_TROUBLE;
        double now = (double)cs_clock_monotonic_ns();
        if (request->json)
            print_json(top, (now - last) / 1e9);
        else if (!print_table(top))
            return CS_EXIT_TROUBLE;
        last = now;
        if (i == request->count)
            return CS_EXIT_OK;
        if (!request->json && is_running(top))
            putchar('\n');
        if (fflush(stdout) != 0)
            return CS_EXIT_OK; /* closing it says why */
    }
    return explain_end(top);
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
    cs_log("top: --count %s: not a number of tables", text);
    return false;
}

int cmd_top(int argc, char **argv)
{
    struct request request = {.interval = 1};
    struct cs_options options;
    const char *option;
    cs_options_begin(&options, argc, argv, "", help);
    while ((option = cs_option_next(&options))) {
        if (cs_option_is(option, "json"))
            request.json = true;
        else if (cs_option_is(option, "once"))
            request.count = 1;
        else if (cs_option_is(option, "interval") || cs_option_is(option, "count")) {
            if (*option == 'i' ? !parse_interval(optarg, &request.interval) : !parse_count(optarg, &request.count))
                return CS_EXIT_USAGE;
        } else
            return cs_option_stop(&options, option);
    }
    if (argc - optind > 1) {
        cs_log("top: give one run");
        return cs_command_usage("top");
    }
    struct cs_top top = {.run = optind < argc ? argv[optind] : cs_newest_run("top", false)};
    if (!top.run)
        return CS_EXIT_TROUBLE;
    allow_many_files();
    int code = watch(&top, &request);
    cs_top_free(&top);
    int written = cs_command_close_output(stdout, NULL);
    return code == CS_EXIT_OK ? written : code;
}
