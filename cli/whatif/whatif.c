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
#include "cli/whatif/whatif_questions.h"

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

/* Smaller parts of a critical path are not told. */
static const double part_least = 0.05;

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

static int bind_text(sqlite3_stmt *row, int column, const char *text)
{
    return sqlite3_bind_text(row, column, text, -1, SQLITE_TRANSIENT);
}

static int add_answer(sqlite3_stmt *row, const struct cs_whatif *whatif, const struct cs_whatif_question *question)
{
    double saved = (double)(whatif->replayed_ns - question->length_ns);
    sqlite3_reset(row);
    sqlite3_clear_bindings(row);
    bind_text(row, 1, question->kind);
    sqlite3_bind_int64(row, 10, question - whatif->question);
    if (question->rank >= 0)
        sqlite3_bind_int64(row, 2, question->rank);
    if (question->site)
        sqlite3_bind_int64(row, 3, question->site);
    bind_text(row, 4, question->object);
    bind_text(row, 5, question->place);
    bind_text(row, 11, question->region);
    sqlite3_bind_int(row, 9, cs_whatif_claims(whatif, question));
    if (cs_whatif_claims(whatif, question)) {
        sqlite3_bind_double(row, 6, (double)question->length_ns / 1e9);
        sqlite3_bind_double(row, 7, saved / 1e9);
        sqlite3_bind_double(row, 8, 100 * saved / (double)whatif->replayed_ns);
    }
    return sqlite3_step(row) == SQLITE_DONE ? SQLITE_OK : SQLITE_ERROR;
}

static int add_path(sqlite3_stmt *row, const struct cs_whatif *whatif, size_t number)
{
    const struct cs_whatif_question *question = &whatif->question[number];
    int result = SQLITE_OK;
    for (int i = 0; question->followed && result == SQLITE_OK && i < CS_PATH_PARTS; i++) {
        const struct cs_path_part *part = &question->path.part[i];
        double share = question->length_ns > 0 ? (double)part->ns / (double)question->length_ns : 0;
        if (share < part_least)
            continue;
        sqlite3_reset(row);
        sqlite3_bind_int64(row, 1, (int64_t)number);
        bind_text(row, 2, part->in_call ? "in" : "before");
        sqlite3_bind_int64(row, 3, part->group);
        sqlite3_bind_double(row, 4, (double)part->ns / 1e9);
        sqlite3_bind_double(row, 5, 100 * share);
        sqlite3_bind_int64(row, 6, part->rank);
        sqlite3_bind_double(row, 7, 100 * (double)part->rank_ns / (double)part->ns);
        result = sqlite3_step(row) == SQLITE_DONE ? SQLITE_OK : SQLITE_ERROR;
    }
    return result;
}

static int write_paths(sqlite3 *db, const struct cs_whatif *whatif)
{
    sqlite3_stmt *row = NULL;
    int result = sqlite3_exec(db,
                              "CREATE TEMP TABLE whatif_path (question INT, part TEXT, site INT, seconds REAL,"
                              " percent REAL, rank INT, rank_percent REAL)",
                              NULL, NULL, NULL);
    if (result == SQLITE_OK)
        result =
            sqlite3_prepare_v2(db, "INSERT INTO temp.whatif_path VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", -1, &row, NULL);
    for (size_t i = 0; result == SQLITE_OK && i < whatif->count; i++)
        result = add_path(row, whatif, i);
    sqlite3_finalize(row);
    return result;
}

/* The answers as tables of this connection. */
static enum cs_status write_answers(struct cs_run *run, const struct cs_whatif *whatif)
{
    sqlite3 *db = cs_run_database(run);
    sqlite3_stmt *row = NULL;
    cs_run_allow_temporary(run, true);
    int result = sqlite3_exec(
        db,
        "CREATE TEMP TABLE whatif (question INT, kind TEXT, rank INT, site INT, object_name TEXT, place TEXT,"
        " seconds REAL, saved_seconds REAL, saved_percent REAL, claimed INT, region TEXT)",
        NULL, NULL, NULL);
    if (result == SQLITE_OK)
        result = sqlite3_prepare_v2(db, "INSERT INTO temp.whatif VALUES (?10, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?11)",
                                    -1, &row, NULL);
    for (size_t i = 0; result == SQLITE_OK && i < whatif->count; i++)
        if (whatif->question[i].kind)
            result = add_answer(row, whatif, &whatif->question[i]);
    sqlite3_finalize(row);
    result = result == SQLITE_OK ? write_paths(db, whatif) : result;
    cs_run_allow_temporary(run, false);
    if (result != SQLITE_OK)
        cs_log("whatif: %s", sqlite3_errmsg(db));
    return result == SQLITE_OK ? CS_OK : CS_SQL;
}

static const char answers_sql[] = "SELECT kind, rank, site, object_name, region, seconds, saved_seconds, saved_percent,"
                                  " claimed FROM temp.whatif ORDER BY claimed DESC, saved_seconds DESC, kind";
/* kind nothing: of the run as it is. The other columns until object_name say which answer has the path. */
static const char paths_sql[] =
    "SELECT coalesce(w.kind, 'nothing') AS kind, w.rank AS changed_rank, w.site AS changed_site, w.object_name,"
    " w.region,"
    " p.part, p.site, p.seconds, p.percent, p.rank, p.rank_percent"
    " FROM temp.whatif_path p LEFT JOIN temp.whatif w USING (question)"
    " ORDER BY w.saved_seconds DESC NULLS FIRST, question, p.seconds DESC";

static void print_member(const char *name, double value)
{
    if (isnan(value))
        printf("\"%s\": null, ", name);
    else
        printf("\"%s\": %.9g, ", name, value);
}

/* As in the sentences, and in the column distance of traffic_pairs. */
static const struct {
    const char *words, *name;
} distances[CS_DISTANCES] = {
    [CS_DISTANCE_CORE] = {"on a core", "core"},
    [CS_DISTANCE_PACKAGE] = {"in a package", "package"},
    [CS_DISTANCE_NODE] = {"in a node", "node"},
    [CS_DISTANCE_REMOTE] = {"between nodes", "remote"},
};

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

static enum cs_status print_plain(sqlite3 *db, const struct cs_whatif *whatif, enum cs_format format,
                                  struct cs_resolver *resolver)
{
    sqlite3_stmt *rows = cs_sql_prepare(db, answers_sql);
    if (!rows)
        return CS_SQL;
    enum cs_status status;
    if (format == CS_FORMAT_JSON) {
        putchar('{');
        const struct cs_replay_facts *facts = cs_replay_facts(whatif->replay);
        bool explained = cs_whatif_explains(whatif, whatif->fitted_ns);
        print_member("events", (double)facts->events);
        print_member("recorded_seconds", (double)whatif->recorded_ns / 1e9);
        print_member("replayed_seconds", (double)whatif->replayed_ns / 1e9);
        print_member("fitted_seconds", (double)whatif->fitted_ns / 1e9);
        print_member("load_balance_percent", 100 * whatif->load_balance);
        print_member("serialization_percent", explained ? 100 * whatif->serialization : NAN);
        print_member("transfer_percent", explained ? 100 * whatif->transfer : NAN);
        print_member("unknown_waits_percent",
                     facts->waiting_ns ? 100.0 * (double)facts->unknown_ns / (double)facts->waiting_ns : 0);
        print_networks(facts);
        printf("\"answers\": ");
        status = cs_result_print_json(rows, stdout, resolver, false);
        printf(", \"paths\": ");
        sqlite3_stmt *paths = cs_sql_prepare(db, paths_sql);
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

static double off_percent(const struct cs_whatif *whatif, int64_t ns)
{
    return 100 * fabs((double)(ns - whatif->recorded_ns)) / (double)whatif->recorded_ns;
}

/* "Replay of 123 events of 3 ranks, 0.000 s to 3.231 s: 3.231 s, as recorded; with typical times for all transfers and
   calls (latency ...) 1.0 % off." */
static void print_head(const struct cs_whatif *whatif, const struct cs_terminal *terminal)
{
    const struct cs_replay_facts *facts = cs_replay_facts(whatif->replay);
    struct cs_phrase line = {0};
    size_t ranks;
    cs_replay_ranks(whatif->replay, &ranks);
    cs_phrase_add(&line, "Replay of ");
    cs_phrase_add_count(&line, facts->events, "event", "events");
    cs_phrase_add(&line, " of ");
    cs_phrase_add_count(&line, (int64_t)ranks, "rank", "ranks");
    cs_phrase_add(&line, ", from ");
    cs_phrase_add_instant(&line, (double)facts->from_ns / 1e9);
    cs_phrase_add(&line, " to ");
    cs_phrase_add_instant(&line, (double)facts->to_ns / 1e9);
    cs_phrase_add(&line, ": ");
    cs_phrase_add_seconds(&line, (double)whatif->replayed_ns / 1e9);
    if (whatif->replayed_ns == whatif->recorded_ns)
        cs_phrase_add(&line, ", as recorded");
    else
        cs_phrase_add(&line, ", %.1f %% off", off_percent(whatif, whatif->replayed_ns));
    cs_phrase_add(&line, "; with typical times for all transfers and calls");
    if (cs_whatif_explains(whatif, whatif->fitted_ns))
        add_networks(&line, facts);
    cs_phrase_add(&line, " %.1f %% off.", off_percent(whatif, whatif->fitted_ns));
    put(&line, terminal);
    double percent = facts->waiting_ns ? 100.0 * (double)facts->unknown_ns / (double)facts->waiting_ns : 0;
    if (percent >= 1) {
        cs_phrase_add(&line, "%.0f %% of the time in calls that wait has no known partner: it stays in all answers.",
                      percent);
        put(&line, terminal);
    }
    cs_phrase_free(&line);
}

static void add_condition(struct cs_phrase *line, struct cs_rows *row, const struct cs_whatif_wishes *wishes)
{
    const char *kind = cs_rows_text(row, "kind"), *place = cs_rows_text(row, "place"),
               *object = cs_rows_text(row, "object_name");
    char *text = place && *place ? strdup(place) : NULL;
    place = text ? cs_table_strip_call_site(text) : "an unknown call site";
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
    else if (cs_whatif_wait_words(kind))
        cs_phrase_add(line, "%s", cs_whatif_wait_words(kind));
    else
        cs_phrase_add(line, "If the calls on %s took only the time that they wait for data", object);
    free(text);
}

/* "1.62 s instead of 2.76 s (41.3 % less)" */
static void add_lengths(struct cs_phrase *line, struct cs_rows *row, const struct cs_whatif *whatif)
{
    double percent = cs_rows_real(row, "saved_percent");
    cs_phrase_add(line, ": ");
    cs_phrase_add_seconds(line, cs_rows_real(row, "seconds"));
    cs_phrase_add(line, " instead of ");
    cs_phrase_add_seconds(line, (double)whatif->replayed_ns / 1e9);
    cs_phrase_add(line, " (%.1f %% %s)", fabs(percent), percent < 0 ? "more" : "less");
}

/* Whether the largest parts of the path, in their order, are those of the unchanged run: a line about them tells
   nothing new. */
static bool is_known_path(sqlite3 *db, int64_t question)
{
    static const char sql[] =
        "WITH part AS (SELECT question, row_number() OVER (PARTITION BY question ORDER BY seconds DESC) AS place, "
        "part,\n"
        "                     site, iif(rank_percent >= 50, rank, NULL) AS rank FROM temp.whatif_path)\n"
        "SELECT count(*) AS differ FROM (\n"
        "    SELECT place, part, site, rank FROM part WHERE question = ?1 AND place <= 3 EXCEPT\n"
        "    SELECT place, part, site, rank FROM part WHERE question = 0)";
    struct cs_rows row = cs_rows_begin(db, sql);
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
        cs_rows_begin(db, "SELECT * FROM temp.whatif_path WHERE question = ?1 ORDER BY seconds DESC LIMIT 3");
    sqlite3_bind_int64(row.statement, 1, question);
    while (cs_rows_next(&row)) {
        double of_rank = cs_rows_real(&row, "rank_percent");
        cs_location_of_site(db, resolver, cs_rows_integer(&row, "site"), location, sizeof location);
        cs_phrase_add(line, "%s%.0f %% %s %s",
                      shown++    ? ", "
                      : question ? "Then the critical path: "
                                 : "Critical path: ",
                      cs_rows_real(&row, "percent"),
                      strcmp(cs_rows_text(&row, "part"), "in") == 0 ? "calls at" : "code before",
                      strcmp(location, "?") != 0 ? cs_table_strip_call_site(location) : "an unknown call site");
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
static void print_efficiencies(const struct cs_whatif *whatif, const struct cs_terminal *terminal)
{
    struct cs_phrase line = {0};
    double communication = whatif->serialization * whatif->transfer;
    cs_phrase_add(&line, "Parallel efficiency %.1f %% = load balance %.1f %% x ",
                  100 * whatif->load_balance * communication, 100 * whatif->load_balance);
    if (cs_whatif_explains(whatif, whatif->fitted_ns))
        cs_phrase_add(&line, "serialization %.1f %% x transfer %.1f %% (POP; on the ideal network, rendezvous stays)",
                      100 * whatif->serialization, 100 * whatif->transfer);
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
static void print_doubts(sqlite3 *db, const struct cs_whatif *whatif, const struct cs_terminal *terminal)
{
    struct cs_phrase line = {0};
    struct cs_rows row = cs_rows_begin(db, lack_sql);
    bool lack = cs_rows_next(&row) && cs_rows_integer(&row, "lack");
    cs_rows_end(&row);
    if (!cs_whatif_explains(whatif, whatif->replayed_ns))
        cs_phrase_add(&line, "The replay misses the recorded length by more than 10 %%: nothing is claimed.");
    else if (!cs_whatif_explains(whatif, whatif->fitted_ns))
        cs_phrase_add(&line, "Typical times do not explain this run within 10 %%: nothing is claimed of other "
                             "networks, and of calls that take no time.");
    if (line.length)
        put(&line, terminal);
    if (lack) {
        cs_phrase_add(&line, "The ranks lack cores: less work on one of them also makes others faster, which the replay"
                             " does not know.");
        put(&line, terminal);
    }
    cs_phrase_free(&line);
}

static enum cs_status print_answers(sqlite3 *db, struct cs_resolver *resolver, const struct cs_whatif *whatif,
                                    const struct cs_whatif_wishes *wishes)
{
    struct cs_terminal terminal = cs_terminal_of(stdout);
    print_head(whatif, &terminal);
    print_doubts(db, whatif, &terminal);
    struct cs_phrase line = {0};
    size_t shown = 0;
    enum cs_status status = print_path(db, resolver, 0, &line, &terminal);
    struct cs_rows row = cs_rows_begin(db, "SELECT * FROM temp.whatif ORDER BY claimed DESC, saved_seconds DESC, kind");
    while (status == CS_OK && cs_rows_next(&row)) {
        int64_t question = cs_rows_integer(&row, "question");
        if (!cs_whatif_shows(whatif, &whatif->question[question]))
            continue;
        if (!shown++)
            putchar('\n');
        add_condition(&line, &row, wishes);
        add_lengths(&line, &row, whatif);
        put(&line, &terminal);
        if (!is_known_path(db, question))
            status = print_path(db, resolver, question, &line, &terminal);
    }
    if (!shown)
        puts(whatif->question[2].kind ? "\nNo question has an answer of 1 % or more." : "\nThere is no sure answer.");
    print_efficiencies(whatif, &terminal);
    cs_phrase_add(&line, "Receives keep the messages that they got, polls wait, and all other code keeps its speed"
                         " (docs/whatif.md).");
    put(&line, &terminal);
    cs_phrase_free(&line);
    return status == CS_OK ? cs_rows_end(&row) : (cs_rows_end(&row), status);
}

/* ---- the command ---- */

static int show(struct cs_run *run, const struct cs_whatif_wishes *wishes, enum cs_format format)
{
    sqlite3 *db = cs_run_database(run);
    struct cs_resolver *resolver = cs_resolver_new(CS_RESOLVER_IN_COMMAND);
    struct cs_whatif whatif;
    enum cs_status status = cs_whatif_answer(db, resolver, wishes, &whatif);
    if (status == CS_OK)
        status = write_answers(run, &whatif);
    if (status == CS_OK && !whatif.count && format == CS_FORMAT_TABLE)
        puts("No events were recorded that all ranks share: callsign run --events all keeps them.");
    else if (status == CS_OK)
        status = format == CS_FORMAT_TABLE ? print_answers(db, resolver, &whatif, wishes)
                                           : print_plain(db, &whatif, format, resolver);
    cs_whatif_free(&whatif);
    cs_resolver_free(resolver);
    int written = cs_command_close_output(stdout, NULL);
    return status == CS_OK ? written : status == CS_INVALID ? CS_EXIT_USAGE : CS_EXIT_TROUBLE;
}

int cmd_whatif(int argc, char **argv)
{
    struct cs_options options;
    cs_options_begin(&options, argc, argv, "", help);
    struct cs_whatif_wishes wishes = {.rank = -1, .faster_percent = NAN, .latency_ns = NAN, .bytes_per_second = NAN};
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
    struct cs_run *run = path ? cs_command_open(path, 0) : NULL;
    if (!run)
        return CS_EXIT_TROUBLE;
    int code = show(run, &wishes, format);
    cs_run_close(run);
    return code;
}
