#include "db/replay/forecasts.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/log.h"
#include "db/replay/late_ranks.h"
#include "db/replay/replay.h"
#include "db/trace/each_row.h"

enum {
    CODES = 6,
    SITES = 6,
    OBJECTS = 4,
    REGIONS = 4,
    PATHS = 8,
};
/* Code is uneven, and calls are worth a question, with so much of the run. */
static const double code_share = 0.01, call_share = 0.01;
/* Smaller gains are not worth a path. */
static const double gain_least = 0.01;
/* So are smaller parts of one. */
static const double part_least = 0.05;

/* What rows are: answers, parts of critical paths, facts. */
enum word {
    NOT_ASKED,
    LATE_RANK,
    BALANCE,
    BALANCED_CODE,
    IDEAL_NETWORK,
    NO_BARRIERS,
    NO_WAIT, /* and one for each kind of wait */
    FREE_SITE = NO_WAIT + CS_NEED_KINDS,
    FREE_OBJECT,
    FREE_REGION,
    FASTER_REGION,
    FASTER_RANK,
    NETWORK,
    PLACEMENT,
    PATH,
    FACT_EVENTS,
    FACT_RANKS,
    FACT_FROM,
    FACT_TO,
    FACT_RECORDED,
    FACT_REPLAYED,
    FACT_TYPICAL,
    FACT_IDEAL,
    FACT_WAITING,
    FACT_UNKNOWN,
    FACT_USEFUL,
    FACT_MOST_USEFUL,
    FACT_LATENCY,
    FACT_BANDWIDTH,
    WORDS
};

static const char *const words[WORDS] = {
    [LATE_RANK] = "late_rank",
    [BALANCE] = "balance",
    [BALANCED_CODE] = "balanced_code",
    [IDEAL_NETWORK] = "ideal_network",
    [NO_BARRIERS] = "no_barriers",
    [NO_WAIT + CS_NEED_MESSAGE] = "no_late_sender", /* these are named like wait states */
    [NO_WAIT + CS_NEED_RECEIVE] = "no_late_receiver",
    [NO_WAIT + CS_NEED_BARRIER] = "no_wait_at_barrier",
    [NO_WAIT + CS_NEED_ALL] = "no_wait_at_nxn",
    [NO_WAIT + CS_NEED_ROOT] = "no_late_broadcast",
    [NO_WAIT + CS_NEED_MEMBERS] = "no_early_reduce",
    [NO_WAIT + CS_NEED_LOWER] = "no_early_scan",
    [NO_WAIT + CS_NEED_EPOCH] = "no_wait_for_epoch",
    [NO_WAIT + CS_NEED_LOCK] = "no_wait_for_lock",
    [NO_WAIT + CS_NEED_ALGORITHM] = "no_wait_for_algorithm",
    [FREE_SITE] = "free_site",
    [FREE_OBJECT] = "free_object",
    [FREE_REGION] = "free_region",
    [FASTER_REGION] = "faster_region",
    [FASTER_RANK] = "faster_rank",
    [NETWORK] = "network",
    [PLACEMENT] = "placement",
    [PATH] = "path",
    [FACT_EVENTS] = "events",
    [FACT_RANKS] = "ranks",
    [FACT_FROM] = "from_seconds",
    [FACT_TO] = "to_seconds",
    [FACT_RECORDED] = "recorded_seconds",
    [FACT_REPLAYED] = "replayed_seconds",
    [FACT_TYPICAL] = "typical_seconds",
    [FACT_IDEAL] = "ideal_seconds",
    [FACT_WAITING] = "waiting_seconds",
    [FACT_UNKNOWN] = "unknown_seconds",
    [FACT_USEFUL] = "useful_seconds",
    [FACT_MOST_USEFUL] = "most_useful_seconds",
    [FACT_LATENCY] = "latency_seconds",
    [FACT_BANDWIDTH] = "bytes_per_second",
};

struct question {
    enum word kind;
    int64_t rank;                          /* -1: none */
    int64_t site;                          /* 0: none */
    const struct cs_replay_region *region; /* NULL: none */
    int64_t named_by, object;              /* a rank, and its number of the object; 0: none */
    bool about_network;                    /* true only if the time of calls is that of the network */
    int64_t length_ns;                     /* the answer */
    bool followed;                         /* the path is known */
    struct cs_path path;
};

struct forecasts {
    struct cs_replay *replay;
    const struct cs_forecast_wishes *wishes; /* NULL: none */
    struct cs_change change[CS_CHANGES_MOST];
    struct question question[CS_CHANGES_MOST];
    size_t count;
    /* without change; with typical costs for all calls; without time for the network */
    int64_t recorded_ns, replayed_ns, fitted_ns, ideal_ns;
    struct cs_node_stages *stages;
};

/* ---- groups of call sites ---- */

struct place {
    int64_t site, group;
    char *text;
};

struct places {
    struct place *place; /* by site */
    size_t count, room;
};

static int add_place(void *context, sqlite3_stmt *row)
{
    struct places *places = context;
    const char *text = (const char *)sqlite3_column_text(row, 2);
    char *copy = strdup(text ? text : "");
    if (!copy || !cs_array_grow(&places->place, places->count, &places->room, sizeof *places->place)) {
        free(copy);
        return SQLITE_NOMEM;
    }
    places->place[places->count++] = (struct place){sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 1), copy};
    return SQLITE_OK;
}

/* Call sites with equal locations are one group, named by the first of them. */
static int read_places(sqlite3 *db, struct places *places)
{
    static const char sql[] = "SELECT c.site, min(c.site) OVER (PARTITION BY coalesce(s.location, c.site)), s.location"
                              " FROM charged_sites c LEFT JOIN sites s ON s.site = c.charged_site ORDER BY c.site";
    return cs_each_row(db, sql, add_place, places);
}

static int compare_place(const void *item, const void *key)
{
    return cs_compare(((const struct place *)item)->site, *(const int64_t *)key);
}

/* NULL: there is none, as for calls without call site. */
static const struct place *find_place(const struct places *places, int64_t site)
{
    size_t i = cs_array_lower_bound(places->place, places->count, sizeof *places->place, &site, compare_place);
    return i < places->count && places->place[i].site == site ? &places->place[i] : NULL;
}

static int64_t group_site(void *context, int64_t site)
{
    const struct place *place = find_place(context, site);
    return place ? place->group : site;
}

static void free_places(struct places *places)
{
    for (size_t i = 0; i < places->count; i++)
        free(places->place[i].text);
    free(places->place);
}

/* ---- questions ---- */

static struct question *ask(struct forecasts *forecasts, enum word kind, struct cs_change change)
{
    if (forecasts->count == CS_CHANGES_MOST)
        return NULL;
    forecasts->change[forecasts->count] = change;
    struct question *question = &forecasts->question[forecasts->count++];
    *question = (struct question){.kind = kind, .rank = -1};
    return question;
}

static void ask_of_site(struct forecasts *forecasts, enum word kind, enum cs_change_kind change, int64_t group)
{
    struct question *question = ask(forecasts, kind, (struct cs_change){.kind = change, .target = group});
    if (!question)
        return;
    question->about_network = change == CS_CHANGE_SITES;
    question->site = group;
}

/* The ranks with the most time between calls, each as fast as the median. */
static void ask_of_late_ranks(struct forecasts *forecasts)
{
    struct cs_change change[CS_LATE_RANKS_MOST];
    size_t late = cs_late_ranks_find(forecasts->replay, change);
    for (size_t i = 0; i < late; i++) {
        struct question *question = ask(forecasts, LATE_RANK, change[i]);
        if (question)
            question->rank = change[i].target;
    }
}

/* Groups with the largest sums, at most `most`. */
struct top {
    struct {
        int64_t group, ns;
        int64_t rank, object;
    } item[512];
    size_t count;
    size_t ranks;
    int64_t *sum; /* of one group, by rank */
};

static void add_to_top(struct top *top, int64_t group, int64_t ns, int64_t rank, int64_t object)
{
    for (size_t i = 0; i < top->count; i++)
        if (top->item[i].group == group) {
            top->item[i].ns += ns;
            return;
        }
    if (top->count == sizeof top->item / sizeof *top->item)
        return;
    top->item[top->count].group = group;
    top->item[top->count].ns = ns;
    top->item[top->count].rank = rank;
    top->item[top->count++].object = object;
}

static void add_calls(void *context, const struct cs_replay_site *site)
{
    add_to_top(context, site->group, site->calls_ns, 0, 0);
}

static void add_object(void *context, const struct cs_replay_object *object)
{
    add_to_top(context, object->similar, object->calls_ns, object->rank, object->object);
}

/* What the slowest rank spends more than the mean in the code before a site. */
static void add_code(void *context, const struct cs_replay_site *site)
{
    struct top *top = context;
    int64_t sum = 0, most = 0;
    for (size_t r = 0; r < top->ranks; r++) {
        sum += site->before_ns[r];
        most = site->before_ns[r] > most ? site->before_ns[r] : most;
    }
    add_to_top(top, site->group, most - sum / (int64_t)(top->ranks ? top->ranks : 1), 0, 0);
}

/* The next largest one of at least so much, or -1. */
static int take_top(struct top *top, double least_ns)
{
    int best = -1;
    for (size_t i = 0; i < top->count; i++)
        if ((double)top->item[i].ns >= least_ns && (best < 0 || top->item[i].ns > top->item[best].ns))
            best = (int)i;
    return best;
}

static void ask_of_sites(struct forecasts *forecasts, size_t ranks, double run_ns)
{
    struct top top = {.ranks = ranks};
    cs_replay_sums_each_site(cs_replay_sums_of(forecasts->replay), add_code, &top);
    for (int i, asked = 0; asked < CODES && (i = take_top(&top, code_share * run_ns)) >= 0; asked++) {
        ask_of_site(forecasts, BALANCED_CODE, CS_CHANGE_BALANCE_CODE, top.item[i].group);
        top.item[i].ns = -1;
    }
    top.count = 0;
    cs_replay_sums_each_site(cs_replay_sums_of(forecasts->replay), add_calls, &top);
    for (int i, asked = 0; asked < SITES && (i = take_top(&top, call_share * run_ns)) >= 0; asked++) {
        ask_of_site(forecasts, FREE_SITE, CS_CHANGE_SITES, top.item[i].group);
        top.item[i].ns = -1;
    }
}

static void ask_of_objects(struct forecasts *forecasts, double run_ns)
{
    struct top top = {.ranks = 0};
    cs_replay_sums_each_object(cs_replay_sums_of(forecasts->replay), add_object, &top);
    for (int i, asked = 0; asked < OBJECTS && (i = take_top(&top, call_share * run_ns)) >= 0; asked++) {
        struct question *question =
            ask(forecasts, FREE_OBJECT, (struct cs_change){.kind = CS_CHANGE_OBJECTS, .target = top.item[i].group});
        if (question) {
            question->about_network = true;
            question->named_by = top.item[i].rank;
            question->object = top.item[i].object;
        }
        top.item[i].ns = -1;
    }
}

static void ask_of_region(struct forecasts *forecasts, enum word kind, const struct cs_replay_region *region,
                          double factor)
{
    const struct cs_replay_regions *regions = cs_replay_regions_of(forecasts->replay);
    struct question *question =
        ask(forecasts, kind,
            (struct cs_change){.kind = CS_CHANGE_REGION, .target = region - regions->region, .factor = factor});
    if (question)
        question->region = region;
}

static void ask_of_regions(struct forecasts *forecasts, double run_ns)
{
    const struct cs_replay_regions *regions = cs_replay_regions_of(forecasts->replay);
    size_t ranks;
    cs_replay_ranks(forecasts->replay, &ranks);
    struct top top = {.ranks = ranks};
    for (size_t i = 0; i < regions->count; i++)
        add_to_top(&top, (int64_t)i, regions->region[i].code_ns, 0, 0);
    for (int i, asked = 0; asked < REGIONS && (i = take_top(&top, code_share * run_ns)) >= 0; asked++) {
        ask_of_region(forecasts, FREE_REGION, &regions->region[top.item[i].group], 0);
        top.item[i].ns = -1;
    }
}

static void ask_of_waits(struct forecasts *forecasts, double run_ns)
{
    for (int i = 0; i < CS_NEED_KINDS; i++)
        if ((double)cs_replay_facts(forecasts->replay)->waited_ns[i] >= call_share * run_ns)
            ask(forecasts, NO_WAIT + i, (struct cs_change){.kind = CS_CHANGE_WAITS, .target = i});
}

static void ask_usual(struct forecasts *forecasts)
{
    const struct cs_replay_facts *facts = cs_replay_facts(forecasts->replay);
    size_t ranks;
    cs_replay_ranks(forecasts->replay, &ranks);
    double run_ns = (double)forecasts->recorded_ns;
    forecasts->question[2].kind = IDEAL_NETWORK;
    ask_of_late_ranks(forecasts);
    if (ranks > 1)
        ask(forecasts, BALANCE, (struct cs_change){.kind = CS_CHANGE_BALANCE});
    if (facts->barriers_ns)
        ask(forecasts, NO_BARRIERS, (struct cs_change){.kind = CS_CHANGE_BARRIERS});
    ask_of_waits(forecasts, run_ns);
    ask_of_sites(forecasts, ranks, run_ns);
    ask_of_regions(forecasts, run_ns);
    ask_of_objects(forecasts, run_ns);
}

/* ---- wishes ---- */

static bool ask_of_rank(struct forecasts *forecasts, const struct cs_forecast_wishes *wishes)
{
    size_t ranks;
    const struct cs_replay_rank *rank = cs_replay_ranks(forecasts->replay, &ranks);
    for (size_t i = 0; i < ranks; i++)
        if (rank[i].rank == wishes->rank) {
            struct cs_change change = {
                .kind = CS_CHANGE_RANK, .target = wishes->rank, .factor = 1 - wishes->faster_percent / 100};
            struct question *question = ask(forecasts, FASTER_RANK, change);
            if (question)
                question->rank = wishes->rank;
            return true;
        }
    cs_log("whatif: the run has no events of rank %lld", (long long)wishes->rank);
    return false;
}

/* The region of this path, or the one with the most time of this name. */
static bool ask_of_wanted_region(struct forecasts *forecasts, const struct cs_forecast_wishes *wishes)
{
    const struct cs_replay_regions *regions = cs_replay_regions_of(forecasts->replay);
    const struct cs_replay_region *found = NULL;
    for (size_t i = 0; i < regions->count; i++) {
        const char *path = regions->region[i].path, *name = strrchr(path, '/');
        if (strcmp(path, wishes->region) == 0)
            found = &regions->region[i];
        else if (!found && name && strcmp(name + 1, wishes->region) == 0)
            found = &regions->region[i];
    }
    if (found)
        ask_of_region(forecasts, FASTER_REGION, found, 1 - wishes->faster_percent / 100);
    else
        cs_log("whatif: the run has no region %s, or one call site begins several", wishes->region);
    return found;
}

static struct cs_network less(struct cs_network a, struct cs_network b)
{
    return (struct cs_network){a.latency_ns - b.latency_ns, a.ns_per_byte - b.ns_per_byte};
}

/* The network that the user asks for; what is not given is that of `like`. */
static struct cs_network wished_network(const struct cs_forecast_wishes *wishes, struct cs_network like)
{
    if (!isnan(wishes->latency_ns))
        like.latency_ns = wishes->latency_ns;
    if (!isnan(wishes->bytes_per_second))
        like.ns_per_byte = 1e9 / wishes->bytes_per_second;
    return like;
}

/* Another network between nodes; if there is one node, for all messages. */
static bool ask_of_network(struct forecasts *forecasts, const struct cs_forecast_wishes *wishes)
{
    const struct cs_replay_facts *facts = cs_replay_facts(forecasts->replay);
    bool far = facts->has_network[CS_DISTANCE_REMOTE];
    enum cs_distance first = far ? CS_DISTANCE_REMOTE : CS_DISTANCE_CORE,
                     last = far ? CS_DISTANCE_REMOTE : CS_DISTANCE_NODE;
    if (!far && !facts->has_near) {
        cs_log("whatif: too few receives waited for small messages: the latency of this run is unknown");
        return false;
    }
    struct cs_change change = {.kind = CS_CHANGE_NETWORK};
    if (!isnan(wishes->bytes_per_second) && facts->network[last].ns_per_byte <= 0) {
        cs_log("whatif: too few receives waited for large messages: the bandwidth of this run is unknown");
        return false;
    }
    for (enum cs_distance i = first; i <= last; i++)
        change.more[i] = less(wished_network(wishes, facts->network[i]), facts->network[i]);
    change.more_of_calls = change.more[last];
    struct question *question = ask(forecasts, NETWORK, change);
    if (question)
        question->about_network = true;
    return true;
}

/* All call sites whose location has the text, as one group. */
struct wanted {
    const struct places *places;
    const char *text;
    int64_t group;
};

static int64_t group_wanted(void *context, int64_t site)
{
    struct wanted *wanted = context;
    const struct place *place = find_place(wanted->places, site);
    if (!place || !strstr(place->text, wanted->text))
        return place ? place->group : site;
    wanted->group = wanted->group ? wanted->group : place->group;
    return wanted->group;
}

/* The network between nodes: what the user says, else what the run shows. */
static bool find_far_network(const struct cs_replay_facts *facts, const struct cs_forecast_wishes *wishes,
                             struct cs_change *change)
{
    bool has_far = facts->has_network[CS_DISTANCE_REMOTE];
    if (!facts->has_near || (!has_far && isnan(wishes->latency_ns))) {
        cs_log("whatif: %s", facts->has_near ? "all ranks are on one node: give the --latency between nodes"
                                             : "too few receives waited for small messages in a node");
        return false;
    }
    struct cs_network near = facts->network[CS_DISTANCE_NODE],
                      recorded = has_far ? facts->network[CS_DISTANCE_REMOTE] : near,
                      far = wished_network(wishes, recorded);
    for (enum cs_distance i = CS_DISTANCE_CORE; i <= CS_DISTANCE_NODE; i++)
        change->more[i] = less(far, facts->network[i]);
    change->more[CS_DISTANCE_REMOTE] = less(far, recorded);
    change->together = less(near, recorded);
    change->more_of_calls = less(far, near);
    return true;
}

static bool ask_of_placement(sqlite3 *db, struct forecasts *forecasts, const struct cs_forecast_wishes *wishes)
{
    struct cs_change change = {.kind = CS_CHANGE_PLACEMENT, .target = wishes->ranks_per_node};
    if (!find_far_network(cs_replay_facts(forecasts->replay), wishes, &change))
        return false;
    change.stages = forecasts->stages = cs_node_stages_read(db, wishes->ranks_per_node);
    if (!change.stages) {
        cs_log("whatif: %s", sqlite3_errmsg(db));
        return false;
    }
    struct question *question = ask(forecasts, PLACEMENT, change);
    if (question)
        question->about_network = true;
    return true;
}

static bool ask_of_wanted_site(struct forecasts *forecasts, const struct places *places, const char *text)
{
    struct wanted wanted = {.places = places, .text = text};
    cs_replay_sums_group_sites(cs_replay_sums_of(forecasts->replay), group_wanted, &wanted);
    if (!wanted.group) {
        cs_log("whatif: no call site has %s in its location; callsign report call_sites lists them", text);
        return false;
    }
    ask_of_site(forecasts, FREE_SITE, CS_CHANGE_SITES, wanted.group);
    return true;
}

static bool ask_wished(sqlite3 *db, struct forecasts *forecasts, const struct places *places,
                       const struct cs_forecast_wishes *wishes)
{
    if (wishes->rank >= 0 && !ask_of_rank(forecasts, wishes))
        return false;
    if (wishes->region && !ask_of_wanted_region(forecasts, wishes))
        return false;
    if (wishes->ranks_per_node && !ask_of_placement(db, forecasts, wishes))
        return false;
    if (!wishes->ranks_per_node && (!isnan(wishes->latency_ns) || !isnan(wishes->bytes_per_second)) &&
        !ask_of_network(forecasts, wishes))
        return false;
    return !wishes->site || ask_of_wanted_site(forecasts, places, wishes->site);
}

/* ---- answers ---- */

static int answer(struct forecasts *forecasts)
{
    int64_t length_ns[CS_CHANGES_MOST];
    int result = cs_replay_run(forecasts->replay, forecasts->change, forecasts->count, length_ns);
    if (result != SQLITE_OK)
        return result;
    for (size_t i = 0; i < forecasts->count; i++) {
        forecasts->question[i].length_ns = length_ns[i];
        if (forecasts->change[i].kind == CS_CHANGE_NOTHING)
            forecasts->replayed_ns = length_ns[i];
        else if (forecasts->change[i].kind == CS_CHANGE_TO_FITTED)
            forecasts->fitted_ns = length_ns[i];
        else if (forecasts->change[i].kind == CS_CHANGE_IDEAL)
            forecasts->ideal_ns = length_ns[i];
    }
    return SQLITE_OK;
}

/* Whether the model explains the run well enough for this answer. */
static bool claims(const struct forecasts *forecasts, const struct question *question)
{
    const struct cs_replay_facts *facts = cs_replay_facts(forecasts->replay);
    return cs_replay_explains(facts, forecasts->replayed_ns) &&
           (!question->about_network || cs_replay_explains(facts, forecasts->fitted_ns));
}

static bool deserves_path(const struct forecasts *forecasts, const struct question *question)
{
    double gain_ns = (double)(forecasts->replayed_ns - question->length_ns);
    return question->kind && claims(forecasts, question) &&
           (forecasts->wishes || gain_ns >= gain_least * (double)forecasts->replayed_ns);
}

/* The critical paths of the run and of the best answers. */
static int follow(struct forecasts *forecasts)
{
    struct cs_change change[PATHS];
    struct cs_path path[PATHS] = {0};
    int64_t length_ns[PATHS];
    size_t asked[PATHS] = {0}, count = 1; /* the first question changes nothing */
    while (count < PATHS) {
        size_t best = 0;
        for (size_t i = 1; i < forecasts->count; i++)
            if (!forecasts->question[i].followed && deserves_path(forecasts, &forecasts->question[i]) &&
                (!best || forecasts->question[i].length_ns < forecasts->question[best].length_ns))
                best = i;
        if (!best)
            break;
        forecasts->question[best].followed = true;
        asked[count++] = best;
    }
    for (size_t i = 0; i < count; i++)
        change[i] = forecasts->change[asked[i]];
    int result = cs_replay_follow(forecasts->replay, change, count, length_ns, path);
    for (size_t i = 0; result == SQLITE_OK && i < count; i++) {
        forecasts->question[asked[i]].path = path[i];
        forecasts->question[asked[i]].followed = true;
    }
    return result;
}

/* ---- rows of computed_forecasts ---- */

enum column { KIND, QUESTION, RANK, SITE, NAMED_BY, OBJECT, REGION, VALUE, CLAIMED, IN_CALL, RANK_NS, DISTANCE };

/* The caller sets the columns that are not NULL. */
static struct cs_event_number *add_row(struct cs_event_rows *rows, enum word kind, int64_t value)
{
    struct cs_event_row *row = cs_event_rows_add(rows);
    if (!row)
        return NULL;
    *row = (struct cs_event_row){.value[KIND] = {kind, true}, .value[VALUE] = {value, true}};
    return row->value;
}

static struct cs_event_number number(int64_t value)
{
    return (struct cs_event_number){value, true};
}

static void add_answer(struct cs_event_rows *rows, const struct forecasts *forecasts, size_t i)
{
    const struct question *question = &forecasts->question[i];
    struct cs_event_number *row = add_row(rows, question->kind, question->length_ns);
    if (!row)
        return;
    row[QUESTION] = number((int64_t)i);
    row[RANK] = (struct cs_event_number){question->rank, question->rank >= 0};
    row[SITE] = (struct cs_event_number){question->site, question->site != 0};
    row[NAMED_BY] = (struct cs_event_number){question->named_by, question->object != 0};
    row[OBJECT] = (struct cs_event_number){question->object, question->object != 0};
    if (question->region)
        row[REGION] = number(question->region->region);
    row[CLAIMED] = number(claims(forecasts, question));
}

static void add_path(struct cs_event_rows *rows, const struct forecasts *forecasts, size_t i)
{
    const struct question *question = &forecasts->question[i];
    for (int k = 0; question->followed && k < CS_PATH_PARTS; k++) {
        const struct cs_path_part *part = &question->path.part[k];
        if (part->ns <= 0 || (double)part->ns < part_least * (double)question->length_ns)
            continue;
        struct cs_event_number *row = add_row(rows, PATH, part->ns);
        if (!row)
            return;
        row[QUESTION] = number((int64_t)i);
        row[RANK] = number(part->rank);
        row[SITE] = number(part->group);
        row[IN_CALL] = number(part->in_call);
        row[RANK_NS] = number(part->rank_ns);
    }
}

static void add_networks(struct cs_event_rows *rows, const struct cs_replay_facts *facts)
{
    for (int i = 0; i < CS_DISTANCES; i++) {
        const struct cs_network *network = &facts->network[i];
        if (!facts->has_network[i])
            continue;
        struct cs_event_number *row = add_row(rows, FACT_LATENCY, llround(1e3 * network->latency_ns)); /* ps */
        if (row)
            row[DISTANCE] = number(i);
        if (network->ns_per_byte > 0 && (row = add_row(rows, FACT_BANDWIDTH, llround(1e9 / network->ns_per_byte))))
            row[DISTANCE] = number(i);
    }
}

static void add_facts(struct cs_event_rows *rows, const struct forecasts *forecasts)
{
    const struct cs_replay_facts *facts = cs_replay_facts(forecasts->replay);
    size_t ranks;
    const struct cs_replay_rank *rank = cs_replay_ranks(forecasts->replay, &ranks);
    int64_t sum_ns = 0, most_ns = 0;
    for (size_t i = 0; i < ranks; i++) {
        sum_ns += rank[i].useful_ns;
        most_ns = rank[i].useful_ns > most_ns ? rank[i].useful_ns : most_ns;
    }
    add_row(rows, FACT_EVENTS, facts->events);
    add_row(rows, FACT_RANKS, (int64_t)ranks);
    add_row(rows, FACT_FROM, facts->from_ns);
    add_row(rows, FACT_TO, facts->to_ns);
    add_row(rows, FACT_RECORDED, forecasts->recorded_ns);
    add_row(rows, FACT_REPLAYED, forecasts->replayed_ns);
    add_row(rows, FACT_TYPICAL, forecasts->fitted_ns);
    add_row(rows, FACT_IDEAL, forecasts->ideal_ns);
    add_row(rows, FACT_WAITING, facts->waiting_ns);
    add_row(rows, FACT_UNKNOWN, facts->unknown_ns);
    add_row(rows, FACT_USEFUL, sum_ns);
    add_row(rows, FACT_MOST_USEFUL, most_ns);
    add_networks(rows, facts);
}

static int add_rows(struct cs_event_rows *rows, const struct forecasts *forecasts)
{
    for (size_t i = 0; i < forecasts->count; i++) {
        if (forecasts->question[i].kind)
            add_answer(rows, forecasts, i);
        add_path(rows, forecasts, i);
    }
    add_facts(rows, forecasts);
    return rows->failed ? SQLITE_NOMEM : SQLITE_OK;
}

/* ---- all ---- */

bool cs_forecast_wishes_any(const struct cs_forecast_wishes *wishes)
{
    return wishes->rank >= 0 || !isnan(wishes->latency_ns) || !isnan(wishes->bytes_per_second) || wishes->site ||
           wishes->region || wishes->ranks_per_node;
}

/* The first three questions are not for the user, unless nothing was wished for. *asked: the wishes fit. */
static int ask_all(sqlite3 *db, struct forecasts *forecasts, bool *asked)
{
    struct places places = {0};
    int result = read_places(db, &places);
    if (result == SQLITE_OK) {
        ask(forecasts, NOT_ASKED, (struct cs_change){.kind = CS_CHANGE_NOTHING});
        cs_replay_sums_group_sites(cs_replay_sums_of(forecasts->replay), group_site, &places);
        ask(forecasts, NOT_ASKED, (struct cs_change){.kind = CS_CHANGE_TO_FITTED});
        ask(forecasts, NOT_ASKED, (struct cs_change){.kind = CS_CHANGE_IDEAL})->about_network = true;
        *asked = !forecasts->wishes || ask_wished(db, forecasts, &places, forecasts->wishes);
        if (!forecasts->wishes)
            ask_usual(forecasts);
    }
    free_places(&places);
    return result;
}

static int find_forecasts(sqlite3 *db, void *context, struct cs_event_rows *rows)
{
    struct cs_forecast_wishes *wishes = context;
    struct forecasts forecasts = {.wishes = wishes};
    int result = cs_replay_open(db, &forecasts.replay);
    if (result == SQLITE_OK)
        result = cs_replay_measure(forecasts.replay);
    const struct cs_replay_facts *facts = result == SQLITE_OK ? cs_replay_facts(forecasts.replay) : NULL;
    bool asked = false;
    if (facts && facts->events && facts->to_ns > facts->from_ns) {
        forecasts.recorded_ns = facts->to_ns - facts->from_ns;
        result = ask_all(db, &forecasts, &asked);
        if (wishes)
            wishes->refused = !asked;
    }
    if (result == SQLITE_OK && asked)
        result = answer(&forecasts);
    if (result == SQLITE_OK && asked)
        result = follow(&forecasts);
    if (result == SQLITE_OK && asked)
        result = add_rows(rows, &forecasts);
    cs_node_stages_free(forecasts.stages);
    cs_replay_close(forecasts.replay);
    return result;
}

const struct cs_event_finder cs_forecasts = {.find = find_forecasts, .words = words};
