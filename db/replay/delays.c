#include "db/replay/delays.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "db/replay/event_pass.h"

/* Causes are numbered by rank and code; their number decides what a wait costs to compute. */
enum { CODES_MOST = 512, CODES_LEAST = 8, CAUSES_MOST = 2048, OTHER_CODE = 0, NOBODY = 0 };

struct code {
    struct code_key {
        int64_t site, in_call;
    } key;
    UT_hash_handle hh;
    size_t number;
};

/* The sums of a rank until some instant: its time by code, and what its waits cost by cause. */
struct sums {
    double *spent, *cost;
};

/* The sums of two ranks when they last waited for each other. */
struct pair {
    struct pair_key {
        int64_t first, second;
    } key; /* the lower place first */
    UT_hash_handle hh;
    struct sums first, second;
};

struct lane {
    int64_t rank, thread;
    int64_t at_ns; /* until here its time is in the sums */
    size_t code;   /* of the call that it is in */
    bool inside;
    struct sums sums;
};

struct wait {
    int64_t rank, thread, cause, start_ns, end_ns;
};

struct delays {
    struct cs_pass *pass;
    sqlite3_stmt *waits;
    struct wait next;
    bool more; /* `next` is a wait */
    struct lane *lane;
    size_t ranks, codes_most, causes;
    struct code *codes;
    struct pair *pairs;
    int64_t from_ns;
    double *direct, *indirect; /* by cause */
    double nobody_ns;
    double *share; /* of the wait at hand */
};

/* Those of the known codes come first. */
static size_t cause_of(const struct delays *delays, size_t lane, size_t code)
{
    return 1 + code * delays->ranks + lane;
}

static size_t used_codes(const struct delays *delays)
{
    return HASH_COUNT(delays->codes) + 1;
}

static size_t used_causes(const struct delays *delays)
{
    return cause_of(delays, 0, used_codes(delays));
}

static size_t code_of(struct delays *delays, int64_t site, bool in_call)
{
    const struct code_key key = {site, in_call};
    struct code *code;
    HASH_FIND(hh, delays->codes, &key, sizeof key, code);
    if (code || HASH_COUNT(delays->codes) + 1 >= delays->codes_most)
        return code ? code->number : OTHER_CODE;
    code = calloc(1, sizeof *code);
    if (!code)
        return OTHER_CODE;
    code->key = key;
    code->number = HASH_COUNT(delays->codes) + 1;
    CS_TABLE_ADD(delays->codes, key, code);
    return code ? code->number : OTHER_CODE;
}

static bool make_sums(const struct delays *delays, struct sums *sums)
{
    sums->spent = calloc(delays->codes_most, sizeof *sums->spent);
    sums->cost = calloc(delays->causes, sizeof *sums->cost);
    return sums->spent && sums->cost;
}

static void free_sums(struct sums *sums)
{
    free(sums->spent);
    free(sums->cost);
}

static void copy_sums(const struct delays *delays, struct sums *to, const struct sums *from)
{
    memcpy(to->spent, from->spent, used_codes(delays) * sizeof *to->spent);
    memcpy(to->cost, from->cost, used_causes(delays) * sizeof *to->cost);
}

static int compare_lane(const void *item, const void *key)
{
    return cs_compare(((const struct lane *)item)->rank, *(const int64_t *)key);
}

static struct lane *find_lane(const struct delays *delays, int64_t rank)
{
    size_t i = cs_array_lower_bound(delays->lane, delays->ranks, sizeof *delays->lane, &rank, compare_lane);
    return i < delays->ranks && delays->lane[i].rank == rank ? &delays->lane[i] : NULL;
}

/* Adds the time of the rank until then to its sums. */
static void spend(struct delays *delays, struct lane *lane, size_t code, int64_t until_ns)
{
    int64_t from_ns = lane->at_ns > delays->from_ns ? lane->at_ns : delays->from_ns;
    if (until_ns > from_ns)
        lane->sums.spent[code] += (double)(until_ns - from_ns);
    if (until_ns > lane->at_ns)
        lane->at_ns = until_ns;
}

static void free_pair(struct pair *pair)
{
    free_sums(&pair->first);
    free_sums(&pair->second);
    free(pair);
}

/* NULL: out of memory. Sums of a new pair are those at the begin of the window: nothing. */
static struct pair *find_pair(struct delays *delays, const struct lane *one, const struct lane *other)
{
    const struct lane *low = one < other ? one : other, *high = one < other ? other : one;
    const struct pair_key key = {low - delays->lane, high - delays->lane};
    struct pair *pair;
    HASH_FIND(hh, delays->pairs, &key, sizeof key, pair);
    if (pair)
        return pair;
    pair = calloc(1, sizeof *pair);
    if (!pair)
        return NULL;
    pair->key = key;
    bool made = make_sums(delays, &pair->first), both = made && make_sums(delays, &pair->second);
    if (both)
        HASH_ADD(hh, delays->pairs, key, sizeof pair->key, pair);
    if (both && pair->hh.tbl)
        return pair;
    free_pair(pair);
    return NULL;
}

/* Divides a wait among what its cause did longer than the waiter, and the waits of the cause. */
static void divide(struct delays *delays, const struct lane *cause, const struct sums *cause_then,
                   const struct lane *waiter, const struct sums *waiter_then, double wait_ns)
{
    double delay_ns = 0, waited_ns = 0, given_ns = 0;
    double *share = delays->share;
    size_t codes = used_codes(delays), causes = used_causes(delays);
    memset(share, 0, causes * sizeof *share);
    for (size_t c = 0; c < codes; c++) {
        double more_ns = cause->sums.spent[c] - cause_then->spent[c] - (waiter->sums.spent[c] - waiter_then->spent[c]);
        share[cause_of(delays, (size_t)(cause - delays->lane), c)] = more_ns > 0 ? more_ns : 0;
        delay_ns += more_ns > 0 ? more_ns : 0;
    }
    for (size_t i = 0; i < causes; i++)
        waited_ns += cause->sums.cost[i] - cause_then->cost[i];
    double whole_ns = delay_ns + waited_ns > wait_ns ? delay_ns + waited_ns : wait_ns;
    for (size_t c = 0; c < codes; c++) {
        size_t i = cause_of(delays, (size_t)(cause - delays->lane), c);
        share[i] *= wait_ns / whole_ns;
        delays->direct[i] += share[i];
    }
    for (size_t i = 0; i < causes; i++) {
        double indirect_ns = (cause->sums.cost[i] - cause_then->cost[i]) * wait_ns / whole_ns;
        share[i] += indirect_ns;
        given_ns += share[i];
        if (i != NOBODY)
            delays->indirect[i] += indirect_ns;
    }
    share[NOBODY] += wait_ns - given_ns;
}

static int handle_wait(struct delays *delays, const struct wait *wait)
{
    struct lane *waiter = find_lane(delays, wait->rank), *cause = find_lane(delays, wait->cause);
    int64_t start_ns = wait->start_ns > delays->from_ns ? wait->start_ns : delays->from_ns;
    if (start_ns > wait->end_ns)
        start_ns = wait->end_ns;
    delays->nobody_ns += (double)(start_ns - wait->start_ns);
    if (!waiter || !cause || waiter->thread != wait->thread || waiter == cause || start_ns == wait->end_ns) {
        delays->nobody_ns += (double)(wait->end_ns - start_ns);
        return SQLITE_OK;
    }
    struct pair *pair = find_pair(delays, waiter, cause);
    if (!pair)
        return SQLITE_NOMEM;
    struct sums *waiter_then = waiter < cause ? &pair->first : &pair->second,
                *cause_then = waiter < cause ? &pair->second : &pair->first;
    spend(delays, waiter, waiter->code, start_ns);
    if (waiter->at_ns < wait->end_ns)
        waiter->at_ns = wait->end_ns;
    if (cause->inside)
        spend(delays, cause, cause->code, wait->end_ns);
    divide(delays, cause, cause_then, waiter, waiter_then, (double)(wait->end_ns - start_ns));
    size_t causes = used_causes(delays);
    for (size_t i = 0; i < causes; i++)
        waiter->sums.cost[i] += delays->share[i];
    delays->nobody_ns += delays->share[NOBODY];
    copy_sums(delays, waiter_then, &waiter->sums);
    copy_sums(delays, cause_then, &cause->sums);
    return SQLITE_OK;
}

/* ---- the pass ---- */

static int read_wait(struct delays *delays)
{
    int result = sqlite3_step(delays->waits);
    delays->more = result == SQLITE_ROW;
    if (!delays->more)
        return result == SQLITE_DONE ? SQLITE_OK : result;
    delays->next.rank = sqlite3_column_int64(delays->waits, 0);
    delays->next.thread = sqlite3_column_int64(delays->waits, 1);
    delays->next.cause = sqlite3_column_int64(delays->waits, 2);
    delays->next.start_ns = sqlite3_column_int64(delays->waits, 3);
    delays->next.end_ns = delays->next.start_ns + sqlite3_column_int64(delays->waits, 4);
    return SQLITE_OK;
}

/* Handles the waits that ended before an instant, or at it. */
static int handle_waits(struct delays *delays, int64_t until_ns, bool included)
{
    int result = SQLITE_OK;
    while (result == SQLITE_OK && delays->more &&
           (delays->next.end_ns < until_ns || (included && delays->next.end_ns == until_ns))) {
        result = handle_wait(delays, &delays->next);
        if (result == SQLITE_OK)
            result = read_wait(delays);
    }
    return result;
}

static int begin_event(void *context, struct cs_pass_thread *thread, const struct cs_pass_event *event)
{
    struct delays *delays = context;
    struct lane *lane = thread->user;
    int result = handle_waits(delays, event->start_ns, false);
    if (!lane || result != SQLITE_OK)
        return result;
    spend(delays, lane, code_of(delays, event->site, false), event->start_ns);
    lane->code = code_of(delays, event->site, true);
    lane->inside = true;
    return SQLITE_OK;
}

static int end_event(void *context, struct cs_pass_thread *thread, const struct cs_pass_event *event)
{
    struct delays *delays = context;
    struct lane *lane = thread->user;
    int result = handle_waits(delays, event->end_ns, true);
    if (!lane || result != SQLITE_OK)
        return result;
    spend(delays, lane, lane->code, event->end_ns);
    lane->inside = false;
    return SQLITE_OK;
}

/* First threads only. The window begins when all ranks have events. */
static int make_lanes(struct delays *delays)
{
    size_t threads = cs_pass_threads(delays->pass);
    delays->from_ns = INT64_MIN;
    for (size_t i = 0; i < threads; i++)
        delays->ranks += cs_pass_thread(delays->pass, i)->first;
    if (delays->ranks > CS_DELAYS_RANKS_MOST)
        return SQLITE_TOOBIG;
    delays->codes_most = delays->ranks ? CAUSES_MOST / delays->ranks : CODES_MOST;
    delays->codes_most = delays->codes_most > CODES_MOST    ? CODES_MOST
                         : delays->codes_most < CODES_LEAST ? CODES_LEAST
                                                            : delays->codes_most;
    delays->causes = delays->ranks * delays->codes_most + 1;
    delays->lane = calloc(delays->ranks + 1, sizeof *delays->lane);
    delays->direct = calloc(delays->causes, sizeof *delays->direct);
    delays->indirect = calloc(delays->causes, sizeof *delays->indirect);
    delays->share = calloc(delays->causes, sizeof *delays->share);
    if (!delays->lane || !delays->direct || !delays->indirect || !delays->share)
        return SQLITE_NOMEM;
    struct lane *lane = delays->lane;
    for (size_t i = 0; i < threads; i++) {
        struct cs_pass_thread *thread = cs_pass_thread(delays->pass, i);
        thread->user = NULL;
        if (!thread->first)
            continue;
        *lane = (struct lane){.rank = thread->rank, .thread = thread->thread, .at_ns = thread->first_ns};
        if (!make_sums(delays, &lane->sums))
            return SQLITE_NOMEM;
        if (thread->first_ns > delays->from_ns)
            delays->from_ns = thread->first_ns;
        thread->user = lane++;
    }
    return SQLITE_OK;
}

/* What calls `each` for every delay. */
struct reporter {
    void (*each)(void *context, const struct cs_delay *delay);
    void *context;
};

static void report_code(const struct delays *delays, size_t lane, size_t code, const struct code_key *key,
                        const struct reporter *reporter)
{
    size_t i = cause_of(delays, lane, code);
    const struct cs_delay delay = {delays->lane[lane].rank, key->site, key->in_call != 0, delays->direct[i],
                                   delays->indirect[i]};
    if (delay.direct_ns > 0 || delay.indirect_ns > 0)
        reporter->each(reporter->context, &delay);
}

static void report(const struct delays *delays, const struct reporter *reporter)
{
    for (size_t r = 0; r < delays->ranks; r++) {
        report_code(delays, r, OTHER_CODE, &(struct code_key){.site = -1}, reporter);
        for (const struct code *code = delays->codes; code; code = code->hh.next)
            report_code(delays, r, code->number, &code->key, reporter);
    }
    if (delays->nobody_ns > 0)
        reporter->each(reporter->context, &(struct cs_delay){.rank = -1, .site = -1, .direct_ns = delays->nobody_ns});
}

static void end(struct delays *delays)
{
    struct pair *pair, *next;
    CS_TABLE_FREE(delays->codes);
    HASH_ITER(hh, delays->pairs, pair, next)
    {
        HASH_DELETE(hh, delays->pairs, pair);
        free_pair(pair);
    }
    for (size_t i = 0; delays->lane && i < delays->ranks; i++)
        free_sums(&delays->lane[i].sums);
    free(delays->lane);
    free(delays->direct);
    free(delays->indirect);
    free(delays->share);
    sqlite3_finalize(delays->waits);
    cs_pass_close(delays->pass);
}

static const char waits_sql[] =
    "SELECT rank, thread, cause, start_ns, wait_ns FROM wait_states ORDER BY start_ns + wait_ns, rank";

int cs_delays_find(sqlite3 *db, void (*each)(void *context, const struct cs_delay *delay), void *context)
{
    static const struct cs_pass_calls calls = {NULL, begin_event, end_event};
    struct delays delays = {.ranks = 0};
    int result = cs_pass_open(db, &delays.pass);
    if (result == SQLITE_OK)
        result = make_lanes(&delays);
    if (result == SQLITE_OK)
        result = sqlite3_prepare_v2(db, waits_sql, -1, &delays.waits, NULL);
    if (result == SQLITE_OK)
        result = read_wait(&delays);
    if (result == SQLITE_OK && delays.more)
        result = cs_pass_run(delays.pass, &calls, &delays);
    if (result == SQLITE_OK)
        result = handle_waits(&delays, INT64_MAX, true);
    if (result == SQLITE_OK)
        report(&delays, &(struct reporter){each, context});
    end(&delays);
    return result;
}
