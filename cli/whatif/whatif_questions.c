#include "cli/whatif/whatif_questions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/log.h"
#include "cli/rows/location.h"
#include "cli/rows/rows.h"
#include "db/replay/late_ranks.h"

enum {
    CODES = 6,
    SITES = 6,
    OBJECTS = 4,
    REGIONS = 4,
    PATHS = 8,
};
/* Code is uneven, and calls are worth a question, with so much of the run. */
static const double code_share = 0.01, call_share = 0.01;
/* Smaller gains are not worth a sentence. */
static const double gain_least = 0.01;

/* ---- groups of call sites ---- */

struct place {
    int64_t site, group;
    char *text;
};

struct places {
    sqlite3 *db;
    struct cs_resolver *resolver;
    struct place *place;
    size_t count, room;
};

/* Call sites with equal known locations are one group, named by the first of them. */
static int64_t group_site(void *context, int64_t site)
{
    struct places *places = context;
    char text[512];
    cs_location_of_site(places->db, places->resolver, site, text, sizeof text);
    if (strcmp(text, "?") == 0)
        *text = '\0';
    if (!cs_array_grow(&places->place, places->count, &places->room, sizeof *places->place))
        return site;
    int64_t group = site;
    for (size_t i = 0; i < places->count && group == site; i++)
        if (*text && strcmp(places->place[i].text, text) == 0)
            group = places->place[i].group;
    char *copy = strdup(text);
    if (copy)
        places->place[places->count++] = (struct place){site, group, copy};
    return group;
}

static const char *place_of(const struct places *places, int64_t group)
{
    for (size_t i = 0; i < places->count; i++)
        if (places->place[i].site == group)
            return places->place[i].text;
    return "";
}

static void free_places(struct places *places)
{
    for (size_t i = 0; i < places->count; i++)
        free(places->place[i].text);
    free(places->place);
}

/* ---- questions ---- */

static struct cs_whatif_question *ask(struct cs_whatif *whatif, const char *kind, struct cs_change change)
{
    if (whatif->count == CS_CHANGES_MOST)
        return NULL;
    whatif->change[whatif->count] = change;
    struct cs_whatif_question *question = &whatif->question[whatif->count++];
    *question = (struct cs_whatif_question){.kind = kind, .rank = -1};
    return question;
}

static void ask_of_site(struct cs_whatif *whatif, const struct places *places, const char *kind,
                        enum cs_change_kind change, int64_t group)
{
    struct cs_whatif_question *question = ask(whatif, kind, (struct cs_change){.kind = change, .target = group});
    if (!question)
        return;
    question->about_network = change == CS_CHANGE_SITES;
    question->site = group;
    question->place = strdup(place_of(places, group));
}

/* The ranks with the most time between calls, each as fast as the median. */
static void ask_of_late_ranks(struct cs_whatif *whatif)
{
    struct cs_change change[CS_LATE_RANKS_MOST];
    size_t late = cs_late_ranks_find(whatif->replay, change);
    for (size_t i = 0; i < late; i++) {
        struct cs_whatif_question *question = ask(whatif, "late_rank", change[i]);
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

static void ask_of_sites(struct cs_whatif *whatif, const struct places *places, size_t ranks, double run_ns)
{
    struct top top = {.ranks = ranks};
    cs_replay_sums_each_site(cs_replay_sums_of(whatif->replay), add_code, &top);
    for (int i, asked = 0; asked < CODES && (i = take_top(&top, code_share * run_ns)) >= 0; asked++) {
        ask_of_site(whatif, places, "balanced_code", CS_CHANGE_BALANCE_CODE, top.item[i].group);
        top.item[i].ns = -1;
    }
    top.count = 0;
    cs_replay_sums_each_site(cs_replay_sums_of(whatif->replay), add_calls, &top);
    for (int i, asked = 0; asked < SITES && (i = take_top(&top, call_share * run_ns)) >= 0; asked++) {
        ask_of_site(whatif, places, "free_site", CS_CHANGE_SITES, top.item[i].group);
        top.item[i].ns = -1;
    }
}

static char *name_object(sqlite3 *db, int64_t rank, int64_t object)
{
    char *name = NULL;
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(db, "SELECT label FROM labels WHERE rank = ?1 AND object = ?2", -1, &row, NULL) ==
        SQLITE_OK) {
        sqlite3_bind_int64(row, 1, rank);
        sqlite3_bind_int64(row, 2, object);
        if (sqlite3_step(row) == SQLITE_ROW && sqlite3_column_text(row, 0))
            name = strdup((const char *)sqlite3_column_text(row, 0));
    }
    sqlite3_finalize(row);
    return name;
}

static void ask_of_objects(sqlite3 *db, struct cs_whatif *whatif, double run_ns)
{
    struct top top = {.ranks = 0};
    cs_replay_sums_each_object(cs_replay_sums_of(whatif->replay), add_object, &top);
    for (int i, asked = 0; asked < OBJECTS && (i = take_top(&top, call_share * run_ns)) >= 0; asked++) {
        struct cs_whatif_question *question =
            ask(whatif, "free_object", (struct cs_change){.kind = CS_CHANGE_OBJECTS, .target = top.item[i].group});
        if (question) {
            question->about_network = true;
            question->object = name_object(db, top.item[i].rank, top.item[i].object);
        }
        top.item[i].ns = -1;
    }
}

static void ask_of_region(struct cs_whatif *whatif, const char *kind, const struct cs_replay_region *region,
                          double factor)
{
    const struct cs_replay_regions *regions = cs_replay_regions_of(whatif->replay);
    struct cs_whatif_question *question =
        ask(whatif, kind,
            (struct cs_change){.kind = CS_CHANGE_REGION, .target = region - regions->region, .factor = factor});
    if (question)
        question->region = region->path;
}

static void ask_of_regions(struct cs_whatif *whatif, double run_ns)
{
    const struct cs_replay_regions *regions = cs_replay_regions_of(whatif->replay);
    size_t ranks;
    cs_replay_ranks(whatif->replay, &ranks);
    struct top top = {.ranks = ranks};
    for (size_t i = 0; i < regions->count; i++)
        add_to_top(&top, (int64_t)i, regions->region[i].code_ns, 0, 0);
    for (int i, asked = 0; asked < REGIONS && (i = take_top(&top, code_share * run_ns)) >= 0; asked++) {
        ask_of_region(whatif, "free_region", &regions->region[top.item[i].group], 0);
        top.item[i].ns = -1;
    }
}

/* Named like wait states. */
static const struct {
    const char *kind, *words;
} wait_questions[CS_NEED_KINDS] = {
    [CS_NEED_MESSAGE] = {"no_late_sender", "If no receive waited for its message"},
    [CS_NEED_RECEIVE] = {"no_late_receiver", "If no send waited for its receive"},
    [CS_NEED_BARRIER] = {"no_wait_at_barrier", "If no barrier waited for its last member"},
    [CS_NEED_ALL] = {"no_wait_at_nxn", "If no collective call waited for its last member"},
    [CS_NEED_ROOT] = {"no_late_broadcast", "If no collective call waited for its root"},
    [CS_NEED_MEMBERS] = {"no_early_reduce", "If no root waited for data of the members"},
    [CS_NEED_LOWER] = {"no_early_scan", "If no prefix reduction waited for lower ranks"},
    [CS_NEED_EPOCH] = {"no_wait_for_epoch", "If no one-sided epoch waited for its other side"},
    [CS_NEED_LOCK] = {"no_wait_for_lock", "If no lock of a window waited for its holder"},
    [CS_NEED_ALGORITHM] = {"no_wait_for_algorithm", "If no collective call waited for members that it does not need"},
};

const char *cs_whatif_wait_words(const char *kind)
{
    for (size_t i = 0; i < CS_NEED_KINDS; i++)
        if (strcmp(wait_questions[i].kind, kind) == 0)
            return wait_questions[i].words;
    return NULL;
}

static void ask_of_waits(struct cs_whatif *whatif, double run_ns)
{
    for (int i = 0; i < CS_NEED_KINDS; i++)
        if ((double)cs_replay_facts(whatif->replay)->waited_ns[i] >= call_share * run_ns)
            ask(whatif, wait_questions[i].kind, (struct cs_change){.kind = CS_CHANGE_WAITS, .target = i});
}

static void ask_usual(sqlite3 *db, struct cs_whatif *whatif, const struct places *places)
{
    const struct cs_replay_facts *facts = cs_replay_facts(whatif->replay);
    size_t ranks;
    cs_replay_ranks(whatif->replay, &ranks);
    double run_ns = (double)whatif->recorded_ns;
    whatif->question[2].kind = "ideal_network";
    ask_of_late_ranks(whatif);
    if (ranks > 1)
        ask(whatif, "balance", (struct cs_change){.kind = CS_CHANGE_BALANCE});
    if (facts->barriers_ns)
        ask(whatif, "no_barriers", (struct cs_change){.kind = CS_CHANGE_BARRIERS});
    ask_of_waits(whatif, run_ns);
    ask_of_sites(whatif, places, ranks, run_ns);
    ask_of_regions(whatif, run_ns);
    ask_of_objects(db, whatif, run_ns);
}

/* ---- wishes ---- */

static bool ask_of_rank(struct cs_whatif *whatif, const struct cs_whatif_wishes *wishes)
{
    size_t ranks;
    const struct cs_replay_rank *rank = cs_replay_ranks(whatif->replay, &ranks);
    for (size_t i = 0; i < ranks; i++)
        if (rank[i].rank == wishes->rank) {
            struct cs_change change = {
                .kind = CS_CHANGE_RANK, .target = wishes->rank, .factor = 1 - wishes->faster_percent / 100};
            struct cs_whatif_question *question = ask(whatif, "faster_rank", change);
            if (question)
                question->rank = wishes->rank;
            return true;
        }
    cs_log("whatif: the run has no events of rank %lld", (long long)wishes->rank);
    return false;
}

/* The region of this path, or the one with the most time of this name. */
static bool ask_of_wanted_region(struct cs_whatif *whatif, const struct cs_whatif_wishes *wishes)
{
    const struct cs_replay_regions *regions = cs_replay_regions_of(whatif->replay);
    const struct cs_replay_region *found = NULL;
    for (size_t i = 0; i < regions->count; i++) {
        const char *path = regions->region[i].path, *name = strrchr(path, '/');
        if (strcmp(path, wishes->region) == 0)
            found = &regions->region[i];
        else if (!found && name && strcmp(name + 1, wishes->region) == 0)
            found = &regions->region[i];
    }
    if (found)
        ask_of_region(whatif, "faster_region", found, 1 - wishes->faster_percent / 100);
    else
        cs_log("whatif: the run has no region %s, or one call site begins several", wishes->region);
    return found;
}

static struct cs_network less(struct cs_network a, struct cs_network b)
{
    return (struct cs_network){a.latency_ns - b.latency_ns, a.ns_per_byte - b.ns_per_byte};
}

/* The network that the user asks for; what is not given is that of `like`. */
static struct cs_network wished_network(const struct cs_whatif_wishes *wishes, struct cs_network like)
{
    if (!isnan(wishes->latency_ns))
        like.latency_ns = wishes->latency_ns;
    if (!isnan(wishes->bytes_per_second))
        like.ns_per_byte = 1e9 / wishes->bytes_per_second;
    return like;
}

/* Another network between nodes; if there is one node, for all messages. */
static bool ask_of_network(struct cs_whatif *whatif, const struct cs_whatif_wishes *wishes)
{
    const struct cs_replay_facts *facts = cs_replay_facts(whatif->replay);
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
    struct cs_whatif_question *question = ask(whatif, "network", change);
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
    for (size_t i = 0; i < wanted->places->count; i++) {
        const struct place *place = &wanted->places->place[i];
        if (place->site != site)
            continue;
        if (!strstr(place->text, wanted->text))
            return place->group;
        wanted->group = wanted->group ? wanted->group : place->group;
        return wanted->group;
    }
    return site;
}

/* The network between nodes: what the user says, else what the run shows. */
static bool find_far_network(const struct cs_replay_facts *facts, const struct cs_whatif_wishes *wishes,
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

static bool ask_of_placement(sqlite3 *db, struct cs_whatif *whatif, const struct cs_whatif_wishes *wishes)
{
    struct cs_change change = {.kind = CS_CHANGE_PLACEMENT, .target = wishes->ranks_per_node};
    if (!find_far_network(cs_replay_facts(whatif->replay), wishes, &change))
        return false;
    change.stages = whatif->stages = cs_node_stages_read(db, wishes->ranks_per_node);
    if (!change.stages) {
        cs_log("whatif: %s", sqlite3_errmsg(db));
        return false;
    }
    struct cs_whatif_question *question = ask(whatif, "placement", change);
    if (question)
        question->about_network = true;
    return true;
}

static bool ask_of_wanted_site(struct cs_whatif *whatif, const struct places *places, const char *text)
{
    struct wanted wanted = {.places = places, .text = text};
    cs_replay_sums_group_sites(cs_replay_sums_of(whatif->replay), group_wanted, &wanted);
    if (!wanted.group) {
        cs_log("whatif: no call site has %s in its location; callsign report call_sites lists them", text);
        return false;
    }
    ask_of_site(whatif, places, "free_site", CS_CHANGE_SITES, wanted.group);
    return true;
}

static bool ask_wished(sqlite3 *db, struct cs_whatif *whatif, const struct places *places,
                       const struct cs_whatif_wishes *wishes)
{
    if (wishes->rank >= 0 && !ask_of_rank(whatif, wishes))
        return false;
    if (wishes->region && !ask_of_wanted_region(whatif, wishes))
        return false;
    if (wishes->ranks_per_node && !ask_of_placement(db, whatif, wishes))
        return false;
    if (!wishes->ranks_per_node && (!isnan(wishes->latency_ns) || !isnan(wishes->bytes_per_second)) &&
        !ask_of_network(whatif, wishes))
        return false;
    return !wishes->site || ask_of_wanted_site(whatif, places, wishes->site);
}

/* ---- answers ---- */

static void find_efficiencies(struct cs_whatif *whatif)
{
    size_t ranks;
    const struct cs_replay_rank *rank = cs_replay_ranks(whatif->replay, &ranks);
    double sum = 0, most = 0;
    for (size_t i = 0; i < ranks; i++) {
        sum += (double)rank[i].useful_ns;
        most = fmax(most, (double)rank[i].useful_ns);
    }
    whatif->load_balance = most > 0 ? sum / (double)ranks / most : 0;
    whatif->serialization = whatif->ideal_ns > 0 ? most / (double)whatif->ideal_ns : 0;
    whatif->transfer = whatif->replayed_ns > 0 ? (double)whatif->ideal_ns / (double)whatif->replayed_ns : 0;
}

static enum cs_status status_of(sqlite3 *db, int result)
{
    if (result == SQLITE_OK)
        return CS_OK;
    cs_log("whatif: %s", result == SQLITE_NOMEM ? "out of memory" : sqlite3_errmsg(db));
    return result == SQLITE_NOMEM ? CS_NO_MEMORY : CS_SQL;
}

static enum cs_status answer(sqlite3 *db, struct cs_whatif *whatif)
{
    int64_t length_ns[CS_CHANGES_MOST];
    enum cs_status status = status_of(db, cs_replay_run(whatif->replay, whatif->change, whatif->count, length_ns));
    if (status != CS_OK)
        return status;
    for (size_t i = 0; i < whatif->count; i++) {
        whatif->question[i].length_ns = length_ns[i];
        if (whatif->change[i].kind == CS_CHANGE_NOTHING)
            whatif->replayed_ns = length_ns[i];
        else if (whatif->change[i].kind == CS_CHANGE_TO_FITTED)
            whatif->fitted_ns = length_ns[i];
        else if (whatif->change[i].kind == CS_CHANGE_IDEAL)
            whatif->ideal_ns = length_ns[i];
    }
    find_efficiencies(whatif);
    return CS_OK;
}

bool cs_whatif_explains(const struct cs_whatif *whatif, int64_t length_ns)
{
    return cs_replay_explains(cs_replay_facts(whatif->replay), length_ns);
}

bool cs_whatif_claims(const struct cs_whatif *whatif, const struct cs_whatif_question *question)
{
    return cs_whatif_explains(whatif, whatif->replayed_ns) &&
           (!question->about_network || cs_whatif_explains(whatif, whatif->fitted_ns));
}

bool cs_whatif_shows(const struct cs_whatif *whatif, const struct cs_whatif_question *question)
{
    bool wished = whatif->question[2].kind == NULL;
    return question->kind && cs_whatif_claims(whatif, question) &&
           (wished || (double)(whatif->replayed_ns - question->length_ns) >= gain_least * (double)whatif->replayed_ns);
}

/* The critical paths of the run and of the best answers. */
static enum cs_status follow(sqlite3 *db, struct cs_whatif *whatif)
{
    struct cs_change change[PATHS];
    struct cs_path path[PATHS] = {0};
    int64_t length_ns[PATHS];
    size_t asked[PATHS] = {0}, count = 1; /* the first question changes nothing */
    while (count < PATHS) {
        size_t best = 0;
        for (size_t i = 1; i < whatif->count; i++)
            if (!whatif->question[i].followed && cs_whatif_shows(whatif, &whatif->question[i]) &&
                (!best || whatif->question[i].length_ns < whatif->question[best].length_ns))
                best = i;
        if (!best)
            break;
        whatif->question[best].followed = true;
        asked[count++] = best;
    }
    for (size_t i = 0; i < count; i++)
        change[i] = whatif->change[asked[i]];
    enum cs_status status = status_of(db, cs_replay_follow(whatif->replay, change, count, length_ns, path));
    for (size_t i = 0; status == CS_OK && i < count; i++) {
        whatif->question[asked[i]].path = path[i];
        whatif->question[asked[i]].followed = true;
    }
    return status;
}

enum cs_status cs_whatif_answer(sqlite3 *db, struct cs_resolver *resolver, const struct cs_whatif_wishes *wishes,
                                struct cs_whatif *whatif)
{
    *whatif = (struct cs_whatif){.count = 0};
    enum cs_status status = status_of(db, cs_replay_open(db, &whatif->replay));
    if (status == CS_OK)
        status = status_of(db, cs_replay_measure(whatif->replay));
    if (status != CS_OK)
        return status;
    const struct cs_replay_facts *facts = cs_replay_facts(whatif->replay);
    if (!facts->events || facts->to_ns <= facts->from_ns)
        return CS_OK;
    whatif->recorded_ns = facts->to_ns - facts->from_ns;
    ask(whatif, NULL, (struct cs_change){.kind = CS_CHANGE_NOTHING});
    struct places places = {.db = db, .resolver = resolver};
    cs_replay_sums_group_sites(cs_replay_sums_of(whatif->replay), group_site, &places);
    ask(whatif, NULL, (struct cs_change){.kind = CS_CHANGE_TO_FITTED});
    struct cs_whatif_question *ideal = ask(whatif, NULL, (struct cs_change){.kind = CS_CHANGE_IDEAL});
    ideal->about_network = true;
    bool wishes_any = wishes->rank >= 0 || !isnan(wishes->latency_ns) || !isnan(wishes->bytes_per_second) ||
                      wishes->site || wishes->region || wishes->ranks_per_node;
    if (wishes_any && !ask_wished(db, whatif, &places, wishes))
        status = CS_INVALID;
    else if (!wishes_any)
        ask_usual(db, whatif, &places);
    free_places(&places);
    status = status == CS_OK ? answer(db, whatif) : status;
    return status == CS_OK ? follow(db, whatif) : status;
}

void cs_whatif_free(struct cs_whatif *whatif)
{
    for (size_t i = 0; i < whatif->count; i++) {
        free(whatif->question[i].object);
        free(whatif->question[i].place);
    }
    cs_node_stages_free(whatif->stages);
    cs_replay_close(whatif->replay);
}
