/* callsign whatif: how long the run would have taken with something changed. docs/whatif.md explains the model. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "cli/command/command.h"
#include "cli/command/newest_run.h"
#include "cli/command/options.h"
#include "cli/rows/location.h"
#include "cli/rows/result.h"
#include "cli/rows/rows.h"
#include "cli/rows/sql.h"
#include "cli/text/phrase.h"
#include "cli/text/table.h"
#include "cli/text/text.h"
#include "db/replay/forecasts.h"
#include "db/replay/replay.h"
#include "reports_sql.h"

static const char help[] = "Usage: callsign whatif [OPTION...] [RUN]\n\n"
                           "Replays the events of a run with something changed, and prints how long the run\n"
                           "would have taken. It needs recorded events: callsign run --events all.\n"
                           "Without options it asks the usual questions, and prints the best answers first.\n"
                           "Without RUN it reads the newest run of the current folder.\n\n"
                           "  -r, --rank N                 change the code of this rank between MPI calls\n"
                           "      --region NAME            change this region, named by MPI_Pcontrol\n"
                           "      --faster PERCENT         the rank or region takes so much less time\n"
                           "      --latency TIME           the network has this latency, such as 2us\n"
                           "      --bandwidth RATE         and this bandwidth, such as 12GB/s\n"
                           "      --ranks-per-node N       each node has N ranks, in order; --latency and\n"
                           "                               --bandwidth are those between nodes\n"
                           "      --without-site TEXT      calls at sites with this text take no time\n"
                           "  -f, --format table|csv|json  csv, json: plain numbers\n"
                           "  -h, --help                   print this\n\n"
                           "Examples:\n"
                           "  callsign whatif program.k3f9a2xq.callsign\n"
                           "  callsign whatif --rank 2 --faster 30%\n"
                           "  callsign whatif --latency 2us --bandwidth 12GB/s\n"
                           "  callsign whatif --ranks-per-node 64\n";

/* Smaller gains are not worth a sentence. */
static const double told_least_percent = 1;

/* ---- options ---- */

static bool parse_number(const char *text, double *value, const char *const *unit, const double *factor)
{
    char *end;
    *value = strtod(text, &end);
    if (end == text || !isfinite(*value) || *value < 0)
        return false;
    for (size_t i = 0; unit[i]; i++)
        if (strcmp(end, unit[i]) == 0) {
            *value *= factor[i];
            return true;
        }
    return false;
}

static bool parse_percent(const char *text, double *percent)
{
    static const char *const units[] = {"%", "", NULL};
    static const double factors[] = {1, 1};
    if (parse_number(text, percent, units, factors) && *percent <= 100)
        return true;
    cs_log("whatif: %s is no share of the time, such as 30%%", text);
    return false;
}

static bool parse_latency(const char *text, double *ns)
{
    static const char *const units[] = {"ns", "us", "ms", "s", NULL};
    static const double factors[] = {1, 1e3, 1e6, 1e9};
    if (parse_number(text, ns, units, factors))
        return true;
    cs_log("whatif: %s is no latency, such as 2us", text);
    return false;
}

static bool parse_bandwidth(const char *text, double *bytes_per_second)
{
    static const char *const units[] = {"B/s", "kB/s", "MB/s", "GB/s", "KiB/s", "MiB/s", "GiB/s", NULL};
    static const double factors[] = {1, 1e3, 1e6, 1e9, 1024, 1024.0 * 1024, 1024.0 * 1024 * 1024};
    if (parse_number(text, bytes_per_second, units, factors) && *bytes_per_second > 0)
        return true;
    cs_log("whatif: %s is no bandwidth, such as 12GB/s", text);
    return false;
}

static bool parse_whole(const char *text, int64_t least, const char *what, int64_t *number)
{
    char *end;
    *number = strtoll(text, &end, 10);
    if (end > text && !*end && *number >= least)
        return true;
    cs_log("whatif: %s is no %s, such as 2", text, what);
    return false;
}

/* ---- rows ---- */

/* What the replay found, from the view forecast_facts. */
struct facts {
    struct cs_replay_facts run; /* events, from_ns, to_ns, waiting_ns, unknown_ns, networks */
    int64_t ranks, recorded_ns, replayed_ns, typical_ns;
    double ideal_ns, useful_ns, most_useful_ns;
    double load_balance, serialization, transfer; /* shares of 1 */
};

/* As in the sentences, and in the column distance of traffic_pairs. */
static const struct {
    const char *words, *name;
} distances[CS_DISTANCES] = {
    [CS_DISTANCE_CORE] = {"on a core", "core"},
    [CS_DISTANCE_PACKAGE] = {"in a package", "package"},
    [CS_DISTANCE_NODE] = {"in a node", "node"},
    [CS_DISTANCE_REMOTE] = {"between nodes", "remote"},
};

static void take_network(struct facts *facts, const char *name, const char *distance, double value)
{
    for (int i = 0; i < CS_DISTANCES; i++) {
        if (strcmp(distances[i].name, distance) != 0)
            continue;
        facts->run.has_network[i] = true;
        if (strcmp(name, "latency_seconds") == 0)
            facts->run.network[i].latency_ns = 1e9 * value;
        else
            facts->run.network[i].ns_per_byte = 1e9 / value;
    }
}

static void take_fact(struct facts *facts, const char *name, double value)
{
    int64_t ns = llround(1e9 * value);
    const struct {
        const char *name;
        int64_t *to, value;
    } known[] = {{"events", &facts->run.events, (int64_t)value}, {"ranks", &facts->ranks, (int64_t)value},
                 {"from_seconds", &facts->run.from_ns, ns},      {"to_seconds", &facts->run.to_ns, ns},
                 {"recorded_seconds", &facts->recorded_ns, ns},  {"replayed_seconds", &facts->replayed_ns, ns},
                 {"typical_seconds", &facts->typical_ns, ns},    {"waiting_seconds", &facts->run.waiting_ns, ns},
                 {"unknown_seconds", &facts->run.unknown_ns, ns}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0)
            *known[i].to = known[i].value;
    if (strcmp(name, "ideal_seconds") == 0)
        facts->ideal_ns = (double)ns;
    else if (strcmp(name, "useful_seconds") == 0)
        facts->useful_ns = (double)ns;
    else if (strcmp(name, "most_useful_seconds") == 0)
        facts->most_useful_ns = (double)ns;
}

static enum cs_status read_facts(sqlite3 *db, struct facts *facts)
{
    struct cs_rows row = cs_rows_begin(db, "SELECT * FROM forecast_facts");
    while (cs_rows_next(&row)) {
        const char *distance = cs_rows_text(&row, "distance"), *name = cs_rows_text(&row, "name");
        double value = cs_rows_real(&row, "value");
        if (distance)
            take_network(facts, name, distance, value);
        else
            take_fact(facts, name, value);
    }
    facts->load_balance =
        facts->most_useful_ns > 0 ? facts->useful_ns / (double)facts->ranks / facts->most_useful_ns : 0;
    facts->serialization = facts->ideal_ns > 0 ? facts->most_useful_ns / facts->ideal_ns : 0;
    facts->transfer = facts->replayed_ns > 0 ? facts->ideal_ns / (double)facts->replayed_ns : 0;
    return cs_rows_end(&row);
}

static const char answers_sql[] =
    "SELECT kind, rank, site, object_name, region, seconds, saved_seconds, saved_percent, claimed FROM forecasts"
    " ORDER BY claimed DESC, saved_seconds DESC, kind";

static void print_member(const char *name, double value)
{
    if (isnan(value))
        printf("\"%s\": null, ", name);
    else
        printf("\"%s\": %.9g, ", name, value);
}

static void print_networks(const struct cs_replay_facts *facts)
{
    const char *before = "";
    printf("\"networks\": [");
    for (int i = 0; i < CS_DISTANCES; i++) {
        const struct cs_network *network = &facts->network[i];
        if (!facts->has_network[i])
            continue;
        printf("%s{\"distance\": \"%s\", \"latency_seconds\": %.9g, \"bytes_per_second\": ", before, distances[i].name,
               network->latency_ns / 1e9);
        if (network->ns_per_byte > 0)
            printf("%.9g}", 1e9 / network->ns_per_byte);
        else
            printf("null}");
        before = ", ";
    }
    printf("], ");
}

static enum cs_status print_plain(sqlite3 *db, const struct facts *facts, enum cs_format format,
                                  struct cs_resolver *resolver)
{
    sqlite3_stmt *rows = cs_sql_prepare(db, answers_sql);
    if (!rows)
        return CS_SQL;
    enum cs_status status;
    if (format == CS_FORMAT_JSON) {
        putchar('{');
        bool explained = cs_replay_explains(&facts->run, facts->typical_ns);
        print_member("events", (double)facts->run.events);
        print_member("recorded_seconds", (double)facts->recorded_ns / 1e9);
        print_member("replayed_seconds", (double)facts->replayed_ns / 1e9);
        print_member("fitted_seconds", (double)facts->typical_ns / 1e9);
        print_member("load_balance_percent", 100 * facts->load_balance);
        print_member("serialization_percent", explained ? 100 * facts->serialization : NAN);
        print_member("transfer_percent", explained ? 100 * facts->transfer : NAN);
        print_member("unknown_waits_percent",
                     facts->run.waiting_ns ? 100.0 * (double)facts->run.unknown_ns / (double)facts->run.waiting_ns : 0);
        print_networks(&facts->run);
        printf("\"answers\": ");
        status = cs_result_print_json(rows, stdout, resolver, false);
        printf(", \"paths\": ");
        sqlite3_stmt *paths = cs_sql_prepare(db, cs_sql_whatif_paths);
        status = status == CS_OK && paths ? cs_result_print_json(paths, stdout, resolver, false) : CS_SQL;
        sqlite3_finalize(paths);
        puts("}");
    } else {
        status = cs_result_print(rows, stdout, format, resolver);
    }
    sqlite3_finalize(rows);
    return status;
}

/* ---- sentences ---- */

static void put_at(struct cs_phrase *line, const struct cs_terminal *terminal, size_t column)
{
    char *visible = cs_text_visible(cs_phrase_text(line), line->length);
    if (visible)
        cs_text_wrap(stdout, visible, terminal->width, column, column + 2);
    free(visible);
    cs_phrase_clear(line);
}

static void put(struct cs_phrase *line, const struct cs_terminal *terminal)
{
    put_at(line, terminal, 0);
}

/* " (latency 512 ns and 5.1 GB/s in a package, 1.8 us and 11 GB/s between nodes)" */
static void add_networks(struct cs_phrase *line, const struct cs_replay_facts *facts)
{
    const char *before = " (latency ";
    for (int i = 0; i < CS_DISTANCES; i++) {
        if (!facts->has_network[i])
            continue;
        cs_phrase_add(line, "%s", before);
        cs_phrase_add_seconds(line, facts->network[i].latency_ns / 1e9);
        if (facts->network[i].ns_per_byte > 0)
            cs_phrase_add(line, " and %.3g GB/s", 1 / facts->network[i].ns_per_byte);
        cs_phrase_add(line, " %s", distances[i].words);
        before = ", ";
    }
    if (*before == ',')
        cs_phrase_add(line, ")");
}

static double off_percent(const struct facts *facts, int64_t ns)
{
    return 100 * fabs((double)(ns - facts->recorded_ns)) / (double)facts->recorded_ns;
}

/* "Replay of 123 events of 3 ranks, 0.000 s to 3.231 s: 3.231 s, as recorded. With typical times for all transfers and
   calls (latency ...): 1.0 % off." */
static void print_head(const struct facts *facts, const struct cs_terminal *terminal)
{
    const struct cs_replay_facts *run = &facts->run;
    struct cs_phrase line = {0};
    cs_phrase_add(&line, "Replay of ");
    cs_phrase_add_count(&line, run->events, "event", "events");
    cs_phrase_add(&line, " of ");
    cs_phrase_add_count(&line, facts->ranks, "rank", "ranks");
    cs_phrase_add(&line, ", from ");
    cs_phrase_add_instant(&line, (double)run->from_ns / 1e9);
    cs_phrase_add(&line, " to ");
    cs_phrase_add_instant(&line, (double)run->to_ns / 1e9);
    cs_phrase_add(&line, ": ");
    cs_phrase_add_seconds(&line, (double)facts->replayed_ns / 1e9);
    if (facts->replayed_ns == facts->recorded_ns)
        cs_phrase_add(&line, ", as recorded");
    else
        cs_phrase_add(&line, ", %.1f %% off", off_percent(facts, facts->replayed_ns));
    cs_phrase_add(&line, ". With typical times for all transfers and calls");
    if (cs_replay_explains(&facts->run, facts->typical_ns))
        add_networks(&line, run);
    cs_phrase_add(&line, ": %.1f %% off.", off_percent(facts, facts->typical_ns));
    put(&line, terminal);
    double percent = run->waiting_ns ? 100.0 * (double)run->unknown_ns / (double)run->waiting_ns : 0;
    if (percent >= 1) {
        cs_phrase_add(&line, "%.0f %% of the time in waiting calls has no known partner: it stays in all forecasts.",
                      percent);
        put(&line, terminal);
    }
    cs_phrase_free(&line);
}

/* "norm heat.c:47" */
static const char *write_place(sqlite3 *db, struct cs_resolver *resolver, int64_t site, char *text, size_t size)
{
    cs_location_of_site(db, resolver, site, text, size);
    return *text && strcmp(text, "?") != 0 ? cs_table_strip_call_site(text) : "an unknown call site";
}

/* What questions about ways to wait ask. */
static const struct {
    const char *kind, *words;
} wait_questions[] = {
    {"no_late_sender", "If no receive waited for its message"},
    {"no_late_receiver", "If no send waited for its receive"},
    {"no_wait_at_barrier", "If no barrier waited for its last member"},
    {"no_wait_at_nxn", "If no collective call waited for its last member"},
    {"no_late_broadcast", "If no collective call waited for its root"},
    {"no_early_reduce", "If no root waited for data of the members"},
    {"no_early_scan", "If no prefix reduction waited for lower ranks"},
    {"no_wait_for_epoch", "If no one-sided epoch waited for its other side"},
    {"no_wait_for_lock", "If no lock of a window waited for its holder"},
    {"no_wait_for_algorithm", "If no collective call waited for members that it does not need"},
};

/* NULL: questions of this kind are not about a way to wait. */
static const char *wait_words(const char *kind)
{
    for (size_t i = 0; i < sizeof wait_questions / sizeof *wait_questions; i++)
        if (strcmp(wait_questions[i].kind, kind) == 0)
            return wait_questions[i].words;
    return NULL;
}

static void add_condition(struct cs_phrase *line, sqlite3 *db, struct cs_resolver *resolver, struct cs_rows *row,
                          const struct cs_forecast_wishes *wishes)
{
    char text[512];
    const char *kind = cs_rows_text(row, "kind"), *object = cs_rows_text(row, "object_name"),
               *place = write_place(db, resolver, cs_rows_integer(row, "site"), text, sizeof text);
    object = object ? object : "an object without name";
    int64_t rank = cs_rows_integer(row, "rank");
    if (strcmp(kind, "late_rank") == 0)
        cs_phrase_add(line, "If rank %" PRId64 " were as fast as the median rank between calls", rank);
    else if (strcmp(kind, "faster_rank") == 0)
        cs_phrase_add(line, "If rank %" PRId64 " took %g %% less time between calls", rank, wishes->faster_percent);
    else if (strcmp(kind, "free_region") == 0)
        cs_phrase_add(line, "If the code in region %s took no time between calls", cs_rows_text(row, "region"));
    else if (strcmp(kind, "faster_region") == 0)
        cs_phrase_add(line, "If the code in region %s took %g %% less time between calls", cs_rows_text(row, "region"),
                      wishes->faster_percent);
    else if (strcmp(kind, "balance") == 0)
        cs_phrase_add(line, "If all ranks took the mean time between calls");
    else if (strcmp(kind, "balanced_code") == 0)
        cs_phrase_add(line, "If all ranks took the mean time in the code before %s", place);
    else if (strcmp(kind, "ideal_network") == 0)
        cs_phrase_add(line, "If the network took no time");
    else if (strcmp(kind, "network") == 0)
        cs_phrase_add(line, "With this network");
    else if (strcmp(kind, "placement") == 0)
        cs_phrase_add(line, "With %" PRId64 " %s on each node", wishes->ranks_per_node,
                      wishes->ranks_per_node == 1 ? "rank" : "ranks");
    else if (strcmp(kind, "no_barriers") == 0)
        cs_phrase_add(line, "Without barriers");
    else if (strcmp(kind, "free_site") == 0)
        cs_phrase_add(line, "If the calls at %s were left out, and ranks still waited for their data", place);
    else if (wait_words(kind))
        cs_phrase_add(line, "%s", wait_words(kind));
    else
        cs_phrase_add(line, "If the calls on %s took only the time that they wait for data", object);
}

/* "1.62 s instead of 2.76 s (41.3 % less)" */
static void add_lengths(struct cs_phrase *line, struct cs_rows *row, const struct facts *facts)
{
    double percent = cs_rows_real(row, "saved_percent");
    cs_phrase_add(line, ": ");
    cs_phrase_add_seconds(line, cs_rows_real(row, "seconds"));
    cs_phrase_add(line, " instead of ");
    cs_phrase_add_seconds(line, (double)facts->replayed_ns / 1e9);
    cs_phrase_add(line, " (%.1f %% %s)", fabs(percent), percent < 0 ? "more" : "less");
}

/* Whether the largest parts of the path, in their order, are those of the unchanged run: a line about them tells
   nothing new. */
static bool is_known_path(sqlite3 *db, int64_t question)
{
    struct cs_rows row = cs_rows_begin(db, cs_sql_whatif_known_path);
    sqlite3_bind_int64(row.statement, 1, question);
    bool known = cs_rows_next(&row) && cs_rows_integer(&row, "differ") == 0;
    cs_rows_end(&row);
    return known;
}

/* "Critical path: 62 % the code before norm heat.c:47 (rank 1), 20 % the calls at exchange heat.c:40 (mostly rank 2)"
 */
static enum cs_status print_path(sqlite3 *db, struct cs_resolver *resolver, int64_t question, struct cs_phrase *line,
                                 const struct cs_terminal *terminal)
{
    char location[512];
    size_t shown = 0;
    struct cs_rows row =
        cs_rows_begin(db, "SELECT * FROM forecast_paths WHERE question = ?1 ORDER BY seconds DESC LIMIT 3");
    sqlite3_bind_int64(row.statement, 1, question);
    while (cs_rows_next(&row)) {
        double of_rank = cs_rows_real(&row, "rank_percent");
        const char *place = write_place(db, resolver, cs_rows_integer(&row, "site"), location, sizeof location);
        cs_phrase_add(line, "%s%.0f %% %s %s",
                      shown++    ? ", "
                      : question ? "Then the critical path: "
                                 : "Critical path: ",
                      cs_rows_real(&row, "percent"),
                      strcmp(cs_rows_text(&row, "part"), "in") == 0 ? "calls at" : "code before", place);
        if (of_rank >= 50)
            cs_phrase_add(line, " (%srank %" PRId64 ")", of_rank >= 90 ? "" : "mostly ", cs_rows_integer(&row, "rank"));
    }
    if (shown && question)
        fputs("  ", stdout);
    if (shown)
        put_at(line, terminal, question ? 2 : 0);
    return cs_rows_end(&row);
}

/* Without a sure ideal network, serialization and transfer stay together. */
static void print_efficiencies(const struct facts *facts, const struct cs_terminal *terminal)
{
    struct cs_phrase line = {0};
    double communication = facts->serialization * facts->transfer;
    cs_phrase_add(&line, "Parallel efficiency %.1f %% = load balance %.1f %% x ",
                  100 * facts->load_balance * communication, 100 * facts->load_balance);
    if (cs_replay_explains(&facts->run, facts->typical_ns))
        cs_phrase_add(&line, "serialization %.1f %% x transfer %.1f %% (POP; on the ideal network, rendezvous stays)",
                      100 * facts->serialization, 100 * facts->transfer);
    else
        cs_phrase_add(&line, "communication %.1f %% (POP)", 100 * communication);
    putchar('\n');
    put(&line, terminal);
    cs_phrase_free(&line);
}

/* Whether a machine has more ranks than cores, or the ranks waited for cores. */
static const char lack_sql[] = "SELECT EXISTS (SELECT 1 FROM run_placement WHERE oversubscribed_nodes > 0)"
                               " OR EXISTS (SELECT 1 FROM core_findings) AS lack";

/* What makes the answers less sure. */
static void print_doubts(sqlite3 *db, const struct facts *facts, const struct cs_terminal *terminal)
{
    struct cs_phrase line = {0};
    struct cs_rows row = cs_rows_begin(db, lack_sql);
    bool lack = cs_rows_next(&row) && cs_rows_integer(&row, "lack");
    cs_rows_end(&row);
    if (!cs_replay_explains(&facts->run, facts->replayed_ns))
        cs_phrase_add(&line, "The replay misses the recorded length by more than 10 %%: callsign makes no forecast.");
    else if (!cs_replay_explains(&facts->run, facts->typical_ns))
        cs_phrase_add(&line,
                      "That is more than 10 %%: callsign makes no forecast for other networks, or for calls that "
                      "take no time.");
    if (line.length)
        put(&line, terminal);
    if (lack) {
        cs_phrase_add(
            &line, "The ranks lack cores: less work on one of them would make others faster, too. The replay does not "
                   "know that.");
        put(&line, terminal);
    }
    cs_phrase_free(&line);
}

static enum cs_status print_answers(sqlite3 *db, struct cs_resolver *resolver, const struct facts *facts,
                                    const struct cs_forecast_wishes *wishes)
{
    struct cs_terminal terminal = cs_terminal_of(stdout);
    print_head(facts, &terminal);
    print_doubts(db, facts, &terminal);
    struct cs_phrase line = {0};
    size_t shown = 0;
    enum cs_status status = print_path(db, resolver, 0, &line, &terminal);
    bool wished = cs_forecast_wishes_any(wishes);
    struct cs_rows row =
        cs_rows_begin(db, "SELECT * FROM forecasts WHERE claimed ORDER BY saved_seconds DESC, kind, question");
    while (status == CS_OK && cs_rows_next(&row)) {
        int64_t question = cs_rows_integer(&row, "question");
        if (!wished && cs_rows_real(&row, "saved_percent") < told_least_percent)
            continue;
        if (!shown++)
            putchar('\n');
        add_condition(&line, db, resolver, &row, wishes);
        add_lengths(&line, &row, facts);
        put(&line, &terminal);
        if (!is_known_path(db, question))
            status = print_path(db, resolver, question, &line, &terminal);
    }
    if (!shown)
        puts(wished ? "\nThis run allows no forecast for this change."
                    : "\nNo change that callsign tries gains 1 % or more.");
    print_efficiencies(facts, &terminal);
    cs_phrase_add(&line, "All forecasts assume that receives get the same messages, and that other code keeps its speed"
                         " (docs/whatif.md).");
    put(&line, &terminal);
    cs_phrase_free(&line);
    return status == CS_OK ? cs_rows_end(&row) : (cs_rows_end(&row), status);
}

/* ---- the command ---- */

static int show(struct cs_run *run, const struct cs_forecast_wishes *wishes, enum cs_format format)
{
    sqlite3 *db = cs_run_database(run);
    struct cs_resolver *resolver = cs_resolver_new(CS_RESOLVER_IN_COMMAND);
    struct facts facts = {.ranks = 0};
    enum cs_status status = read_facts(db, &facts);
    if (status == CS_OK && wishes->refused)
        status = CS_INVALID;
    if (status == CS_OK && !facts.run.events && format == CS_FORMAT_TABLE)
        puts("No events were recorded in a time that all ranks share: callsign run --events all keeps them.");
    else if (status == CS_OK)
        status = format == CS_FORMAT_TABLE ? print_answers(db, resolver, &facts, wishes)
                                           : print_plain(db, &facts, format, resolver);
    cs_resolver_free(resolver);
    int written = cs_command_close_output(stdout, NULL);
    return status == CS_OK ? written : status == CS_INVALID ? CS_EXIT_USAGE : CS_EXIT_TROUBLE;
}

int cmd_whatif(int argc, char **argv)
{
    struct cs_options options;
    cs_options_begin(&options, argc, argv, "", help);
    struct cs_forecast_wishes wishes = CS_FORECAST_WISHES_NONE;
    enum cs_format format = CS_FORMAT_TABLE;
    const char *option;
    while ((option = cs_option_next(&options))) {
        bool good;
        if (cs_option_is(option, "rank"))
            good = parse_whole(optarg, 0, "rank", &wishes.rank);
        else if (cs_option_is(option, "region"))
            good = (wishes.region = optarg) != NULL;
        else if (cs_option_is(option, "ranks-per-node"))
            good = parse_whole(optarg, 1, "number of ranks", &wishes.ranks_per_node);
        else if (cs_option_is(option, "faster"))
            good = parse_percent(optarg, &wishes.faster_percent);
        else if (cs_option_is(option, "latency"))
            good = parse_latency(optarg, &wishes.latency_ns);
        else if (cs_option_is(option, "bandwidth"))
            good = parse_bandwidth(optarg, &wishes.bytes_per_second);
        else if (cs_option_is(option, "format"))
            good = cs_format_parse(optarg, &format);
        else if (cs_option_is(option, "without-site"))
            good = (wishes.site = optarg) != NULL;
        else
            return cs_option_stop(&options, option);
        if (!good)
            return cs_command_usage("whatif");
    }
    if (((wishes.rank >= 0) + (wishes.region != NULL)) != !isnan(wishes.faster_percent) || argc > optind + 1) {
        cs_log("whatif: %s", argc > optind + 1 ? "give one run" : "--faster needs either --rank or --region");
        return cs_command_usage("whatif");
    }
    const char *path = optind < argc ? argv[optind] : cs_newest_run("whatif", false);
    struct cs_event_finder wished = cs_forecasts;
    wished.context = &wishes;
    struct cs_reading reading = {.forecasts = cs_forecast_wishes_any(&wishes) ? &wished : NULL};
    struct cs_run *run = path ? cs_command_open_as(path, CS_OPEN_FOR_FORECASTS, reading) : NULL;
    if (!run)
        return CS_EXIT_TROUBLE;
    int code = show(run, &wishes, format);
    cs_run_close(run);
    return code;
}
