#include "db/replay/delays.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "db/replay/wait_tape.h"
#include "db/trace/event_pass.h"
#include "db/trace/partners.h"

enum {
    CODES_MOST = 512,
    OTHER_CODE = 0,
    GROUPS_OF_LANE = 16,    /* communicators that a thread synchronizes on: the last ones */
    MARKS_BYTES = 128 << 20 /* of pairs and communicators: the oldest ones go */
};

struct code {
    struct code_key {
        int64_t site, in_call;
    } key;
    UT_hash_handle hh;
    size_t number;
};

/* What a thread had done when it synchronized with others: its time by code, and its waits. */
struct mark {
    int64_t at_ns;
    double *spent;
    size_t codes; /* later ones were 0 */
    size_t waits;
    double waited_ns;
};

/* Two threads that waited for each other, by their places. */
struct pair {
    struct pair_key {
        size_t low, high;
    } key;
    UT_hash_handle hh;
    struct mark low, high;
};

/* The threads that a synchronizing collective call brings together: the members of a communicator, window or file. */
struct group {
    int64_t id;
    UT_hash_handle hh;
    int64_t number, begun; /* the newest call, and how many members have begun it */
    size_t members;
    struct member {
        struct lane *lane;
        int64_t number; /* of its last synchronizing call; 0: none */
        struct mark mark;
    } member[];
};

struct membership {
    struct group *group;
    size_t member;
};

/* A thread. */
struct lane {
    int64_t rank, thread;
    int64_t at_ns; /* until here its time is in the sums */
    size_t code;   /* of the call that it is in */
    bool inside;
    bool of_waiter;         /* the first thread of a rank that waits */
    int64_t begun_ns, site; /* of its newest call */
    double spent[CODES_MOST];
    size_t waits;
    double waited_ns;
    struct membership membership[GROUPS_OF_LANE]; /* the newest one is at `newest` */
    size_t newest;
    /* backward: what each of its waits costs for a nanosecond, from the wait `from` on */
    struct burden {
        size_t from;
        double rate;
    } * burden; /* by `from` */
    size_t burdens, burdens_room;
    double rate; /* their sum */
};

struct wait {
    int64_t rank, thread, cause, cause_site, start_ns, end_ns;
};

/* What a wait is divided among. */
struct shares {
    uint64_t waiter, cause; /* places of threads */
    uint64_t wait, from;    /* its number among those of the waiter; the first wait of the cause in the interval */
    double wait_ns, waited_ns, delay_ns;
};

struct share {
    uint64_t code;
    double ns;
};

struct delays {
    struct cs_pass *pass;
    struct cs_partners *partners;
    sqlite3_stmt *waits;
    struct wait next;
    bool more; /* `next` is a wait */
    struct lane *lane;
    size_t lanes;
    struct code *codes;
    struct pair *pairs;   /* the oldest first */
    struct group *groups; /* likewise */
    size_t marks_bytes;
    const struct group *ending; /* whose last member has just come */
    int64_t ending_ns;
    int64_t from_ns;
    struct cs_wait_tape *tape;
    double *direct, *indirect; /* by lane and code */
    double nobody_ns;
    int64_t wait_ns; /* of all waits */
};

static size_t used_codes(const struct delays *delays)
{
    return HASH_COUNT(delays->codes) + 1;
}

static size_t code_of(struct delays *delays, int64_t site, bool in_call)
{
    const struct code_key key = {site, in_call};
    struct code *code;
    HASH_FIND(hh, delays->codes, &key, sizeof key, code);
    if (code || used_codes(delays) == CODES_MOST)
        return code ? code->number : OTHER_CODE;
    code = calloc(1, sizeof *code);
    if (!code)
        return OTHER_CODE;
    code->key = key;
    code->number = used_codes(delays);
    CS_TABLE_ADD(delays->codes, key, code);
    return code ? code->number : OTHER_CODE;
}

/* ---- marks ---- */

static bool set_mark(struct delays *delays, struct mark *mark, const struct lane *lane, int64_t now_ns)
{
    size_t codes = used_codes(delays);
    if (codes > mark->codes) {
        double *spent = realloc(mark->spent, codes * sizeof *spent);
        if (!spent)
            return false;
        delays->marks_bytes += (codes - mark->codes) * sizeof *spent;
        mark->spent = spent;
        mark->codes = codes;
    }
    memcpy(mark->spent, lane->spent, codes * sizeof *mark->spent);
    mark->at_ns = now_ns;
    mark->waits = lane->waits;
    mark->waited_ns = lane->waited_ns;
    return true;
}

static void free_mark(struct delays *delays, struct mark *mark)
{
    delays->marks_bytes -= mark->codes * sizeof *mark->spent;
    free(mark->spent);
}

/* Time in a code since a mark; NULL: since the window began. */
static double spent_since(const struct lane *lane, const struct mark *mark, size_t code)
{
    return lane->spent[code] - (mark && code < mark->codes ? mark->spent[code] : 0);
}

static void drop_pair(struct delays *delays, struct pair *pair)
{
    HASH_DELETE(hh, delays->pairs, pair);
    free_mark(delays, &pair->low);
    free_mark(delays, &pair->high);
    free(pair);
    delays->marks_bytes -= sizeof *pair;
}

static void drop_group(struct delays *delays, struct group *group)
{
    HASH_DELETE(hh, delays->groups, group);
    delays->marks_bytes -= sizeof *group + group->members * sizeof *group->member;
    for (size_t i = 0; i < group->members; i++) {
        struct lane *lane = group->member[i].lane;
        for (size_t k = 0; lane && k < GROUPS_OF_LANE; k++)
            if (lane->membership[k].group == group)
                lane->membership[k].group = NULL;
        free_mark(delays, &group->member[i].mark);
    }
    free(group);
}

static void drop_oldest(struct delays *delays, const struct pair *but_pair, const struct group *but_group)
{
    while (delays->marks_bytes > MARKS_BYTES && delays->pairs && delays->pairs != but_pair)
        drop_pair(delays, delays->pairs);
    while (delays->marks_bytes > MARKS_BYTES && delays->groups && delays->groups != but_group)
        drop_group(delays, delays->groups);
}

/* ---- groups ---- */

/* NULL: it has too few or too many members, or there is no memory. */
static struct group *find_group(struct delays *delays, int64_t id, int64_t members)
{
    struct group *group;
    HASH_FIND(hh, delays->groups, &id, sizeof id, group);
    if (group || members < 2 || (uint64_t)members > delays->lanes)
        return group;
    group = calloc(1, sizeof *group + (size_t)members * sizeof *group->member);
    if (!group)
        return NULL;
    group->id = id;
    group->members = (size_t)members;
    CS_TABLE_ADD(delays->groups, id, group);
    if (group)
        delays->marks_bytes += sizeof *group + group->members * sizeof *group->member;
    return group;
}

static void join_group(struct lane *lane, struct group *group, size_t member)
{
    struct member *own = &group->member[member];
    if (own->lane == lane)
        for (size_t i = 0; i < GROUPS_OF_LANE; i++)
            if (lane->membership[i].group == group)
                return;
    if (own->lane != lane)
        own->number = 0;
    own->lane = lane;
    lane->newest = (lane->newest + 1) % GROUPS_OF_LANE;
    lane->membership[lane->newest] = (struct membership){group, member};
}

/* The marks that two threads left in the newest call that both were in. False: there is none. */
static bool find_common_marks(const struct lane *one, const struct lane *other, const struct mark **mark,
                              const struct mark **other_mark)
{
    *mark = *other_mark = NULL;
    for (size_t i = 0; i < GROUPS_OF_LANE; i++) {
        const struct group *group = one->membership[i].group;
        const struct member *own = group ? &group->member[one->membership[i].member] : NULL;
        if (!own || own->lane != one || !own->number || (*mark && (*mark)->at_ns >= own->mark.at_ns))
            continue;
        for (size_t k = 0; k < GROUPS_OF_LANE; k++) {
            if (other->membership[k].group != group)
                continue;
            const struct member *its = &group->member[other->membership[k].member];
            if (its->lane != other || its->number != own->number)
                continue;
            *mark = &own->mark;
            *other_mark = &its->mark;
        }
    }
    return *mark != NULL;
}

/* ---- waits ---- */

/* Adds the time of the thread until then to its sums. */
static void spend(struct delays *delays, struct lane *lane, size_t code, int64_t until_ns)
{
    int64_t from_ns = lane->at_ns > delays->from_ns ? lane->at_ns : delays->from_ns;
    if (until_ns > from_ns)
        lane->spent[code] += (double)(until_ns - from_ns);
    if (until_ns > lane->at_ns)
        lane->at_ns = until_ns;
}

static int compare_lane(const void *item, const void *key)
{
    const struct lane *lane = item;
    const struct wait *wait = key;
    int by_rank = cs_compare(lane->rank, wait->rank);
    return by_rank ? by_rank : cs_compare(lane->thread, wait->thread);
}

static struct lane *find_lane(const struct delays *delays, int64_t rank, int64_t thread, bool any)
{
    const struct wait key = {.rank = rank, .thread = thread};
    size_t i = cs_array_lower_bound(delays->lane, delays->lanes, sizeof *delays->lane, &key, compare_lane);
    if (i == delays->lanes || delays->lane[i].rank != rank || (!any && delays->lane[i].thread != thread))
        return NULL;
    return &delays->lane[i];
}

/* The thread whose call ended the wait; the first one of the rank if that is not known. */
static struct lane *find_cause(const struct delays *delays, const struct wait *wait)
{
    struct lane *first = find_lane(delays, wait->cause, INT64_MIN, true);
    for (struct lane *lane = first; lane && lane < delays->lane + delays->lanes && lane->rank == wait->cause; lane++)
        if (lane->begun_ns == wait->end_ns && lane->site == wait->cause_site)
            return lane;
    return first;
}

/* NULL: there is none, or out of memory. A new pair has no marks. */
static struct pair *find_pair(struct delays *delays, const struct lane *one, const struct lane *other, bool add)
{
    const struct lane *low = one < other ? one : other, *high = one < other ? other : one;
    const struct pair_key key = {(size_t)(low - delays->lane), (size_t)(high - delays->lane)};
    struct pair *pair;
    HASH_FIND(hh, delays->pairs, &key, sizeof key, pair);
    if (pair || !add)
        return pair;
    pair = calloc(1, sizeof *pair);
    if (!pair)
        return NULL;
    pair->key = key;
    CS_TABLE_ADD(delays->pairs, key, pair);
    if (pair)
        delays->marks_bytes += sizeof *pair;
    return pair;
}

/* Divides a wait among what its cause did longer than the waiter since the marks, and the waits of the cause. */
static bool divide(struct delays *delays, const struct lane *cause, const struct mark *cause_then,
                   const struct lane *waiter, const struct mark *waiter_then, double wait_ns)
{
    struct share share[CODES_MOST];
    struct shares shares = {.waiter = (uint64_t)(waiter - delays->lane),
                            .cause = (uint64_t)(cause - delays->lane),
                            .wait = waiter->waits,
                            .from = cause_then ? cause_then->waits : 0,
                            .wait_ns = wait_ns,
                            .waited_ns = cause->waited_ns - (cause_then ? cause_then->waited_ns : 0)};
    size_t codes = used_codes(delays), count = 0;
    for (size_t c = 0; c < codes; c++) {
        double more_ns = spent_since(cause, cause_then, c) - spent_since(waiter, waiter_then, c);
        if (more_ns <= 0)
            continue;
        share[count++] = (struct share){c, more_ns};
        shares.delay_ns += more_ns;
    }
    return cs_wait_tape_write(delays->tape, &shares, sizeof shares, share, count * sizeof *share);
}

/* Whether it ends now because the last member has come: then all members get marks. */
static bool is_of_ending_group(const struct delays *delays, const struct wait *wait, const struct lane *waiter)
{
    if (!delays->ending || wait->end_ns != delays->ending_ns)
        return false;
    for (size_t i = 0; i < GROUPS_OF_LANE; i++)
        if (waiter->membership[i].group == delays->ending)
            return true;
    return false;
}

/* Divides the wait by what happened since the two threads last synchronized, or since the window began. Then marks
 * them. */
static int divide_since_marks(struct delays *delays, const struct wait *wait, const struct lane *cause,
                              struct lane *waiter, double wait_ns)
{
    const struct mark *cause_then, *waiter_then;
    bool common = find_common_marks(cause, waiter, &cause_then, &waiter_then);
    bool is_marked = is_of_ending_group(delays, wait, waiter);
    struct pair *pair = find_pair(delays, cause, waiter, !is_marked);
    if (!pair && !is_marked)
        return SQLITE_NOMEM;
    struct mark *cause_mark = !pair            ? NULL
                              : cause < waiter ? &pair->low
                                               : &pair->high,
                *waiter_mark = !pair            ? NULL
                               : cause < waiter ? &pair->high
                                                : &pair->low;
    if (pair && pair->low.codes && (!common || pair->low.at_ns >= cause_then->at_ns)) {
        cause_then = cause_mark;
        waiter_then = waiter_mark;
    }
    if (!divide(delays, cause, cause_then, waiter, waiter_then, wait_ns))
        return SQLITE_FULL;
    waiter->waits++;
    waiter->waited_ns += wait_ns;
    if (is_marked) {
        if (pair)
            drop_pair(delays, pair);
        return SQLITE_OK;
    }
    if (!set_mark(delays, cause_mark, cause, wait->end_ns) || !set_mark(delays, waiter_mark, waiter, wait->end_ns))
        return SQLITE_NOMEM;
    drop_oldest(delays, pair, NULL);
    return SQLITE_OK;
}

static int handle_wait(struct delays *delays, const struct wait *wait)
{
    struct lane *waiter = find_lane(delays, wait->rank, wait->thread, false), *cause = find_cause(delays, wait);
    int64_t start_ns = wait->start_ns > delays->from_ns ? wait->start_ns : delays->from_ns;
    if (start_ns > wait->end_ns)
        start_ns = wait->end_ns;
    delays->nobody_ns += (double)(start_ns - wait->start_ns);
    double wait_ns = (double)(wait->end_ns - start_ns);
    if (!waiter || !cause || waiter == cause || start_ns == wait->end_ns) {
        delays->nobody_ns += wait_ns;
        return SQLITE_OK;
    }
    spend(delays, waiter, waiter->code, start_ns);
    if (waiter->at_ns < wait->end_ns)
        waiter->at_ns = wait->end_ns;
    if (cause->inside)
        spend(delays, cause, cause->code, wait->end_ns);
    return divide_since_marks(delays, wait, cause, waiter, wait_ns);
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
    delays->next.cause_site = sqlite3_column_int64(delays->waits, 3);
    delays->next.start_ns = sqlite3_column_int64(delays->waits, 4);
    int64_t wait_ns = sqlite3_column_int64(delays->waits, 5);
    delays->next.end_ns = delays->next.start_ns + wait_ns;
    delays->wait_ns += wait_ns;
    struct lane *first = find_lane(delays, delays->next.rank, INT64_MIN, true);
    if (first)
        first->of_waiter = true;
    return SQLITE_OK;
}

static int64_t count_waiters(const struct delays *delays)
{
    int64_t count = 0;
    for (size_t i = 0; delays->lane && i < delays->lanes; i++)
        count += delays->lane[i].of_waiter;
    return count;
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

/* All have come: their waits end, and what each did until now is behind them. */
static int mark_group(struct delays *delays, struct group *group, int64_t now_ns)
{
    delays->ending = group;
    delays->ending_ns = now_ns;
    int result = handle_waits(delays, now_ns, true);
    delays->ending = NULL;
    for (size_t i = 0; result == SQLITE_OK && i < group->members; i++) {
        struct member *member = &group->member[i];
        if (!member->lane || !member->lane->inside)
            continue;
        spend(delays, member->lane, member->lane->code, now_ns);
        member->number = group->number;
        result = set_mark(delays, &member->mark, member->lane, now_ns) ? SQLITE_OK : SQLITE_NOMEM;
    }
    drop_oldest(delays, NULL, group);
    return result;
}

/* A member has come to a call that nobody leaves before all have. */
static int come_to_group(struct delays *delays, struct lane *lane, const struct cs_pass_event *event)
{
    const struct cs_partner_object *object = cs_partners_object(delays->partners, lane->rank, event->message.object);
    if (!object || object->own < 0 || object->own >= object->members)
        return SQLITE_OK;
    struct group *group = find_group(delays, object->id, object->members);
    if (!group || object->own >= (int64_t)group->members || event->collective < group->number)
        return SQLITE_OK;
    if (event->collective > group->number) {
        group->number = event->collective;
        group->begun = 0;
    }
    join_group(lane, group, (size_t)object->own);
    group->begun++;
    return group->begun == (int64_t)group->members ? mark_group(delays, group, event->start_ns) : SQLITE_OK;
}

static int begin_event(void *context, struct cs_pass_thread *thread, const struct cs_pass_event *event)
{
    struct delays *delays = context;
    struct lane *lane = thread->user;
    int result = handle_waits(delays, event->start_ns, false);
    spend(delays, lane, code_of(delays, event->site, false), event->start_ns);
    lane->code = code_of(delays, event->site, true);
    lane->inside = true;
    lane->begun_ns = event->start_ns;
    lane->site = event->site;
    const struct cs_partner_function *function = cs_partners_function(delays->partners, event->function);
    if (result == SQLITE_OK && event->collective && function->synchronizing && function->blocking &&
        function->members == CS_MEMBERS_ALL)
        result = come_to_group(delays, lane, event);
    return result;
}

static int end_event(void *context, struct cs_pass_thread *thread, const struct cs_pass_event *event)
{
    struct delays *delays = context;
    struct lane *lane = thread->user;
    int result = handle_waits(delays, event->end_ns, true);
    spend(delays, lane, lane->code, event->end_ns);
    lane->inside = false;
    return result;
}

/* The window begins when all ranks have events. */
static int make_lanes(struct delays *delays)
{
    delays->lanes = cs_pass_threads(delays->pass);
    delays->from_ns = INT64_MIN;
    delays->lane = calloc(delays->lanes + 1, sizeof *delays->lane);
    if (!delays->lane)
        return SQLITE_NOMEM;
    for (size_t i = 0; i < delays->lanes; i++) {
        struct cs_pass_thread *thread = cs_pass_thread(delays->pass, i);
        struct lane *lane = &delays->lane[i];
        lane->rank = thread->rank;
        lane->thread = thread->thread;
        lane->at_ns = thread->first_ns;
        lane->begun_ns = INT64_MIN;
        thread->user = lane;
        if (thread->first && thread->first_ns > delays->from_ns)
            delays->from_ns = thread->first_ns;
    }
    return SQLITE_OK;
}

/* ---- costs, from the last wait to the first ---- */

/* What a nanosecond of the wait with this number costs beyond itself: waits of others that it caused. */
static double take_rate(struct lane *lane, size_t wait)
{
    size_t kept = lane->burdens;
    while (kept && lane->burden[kept - 1].from > wait)
        kept--;
    if (kept == lane->burdens)
        return lane->rate;
    lane->burdens = kept;
    lane->rate = 0;
    for (size_t i = 0; i < kept; i++)
        lane->rate += lane->burden[i].rate;
    return lane->rate;
}

static bool add_burden(struct lane *lane, size_t from, double rate)
{
    size_t at = lane->burdens;
    lane->rate += rate;
    while (at && lane->burden[at - 1].from > from)
        at--;
    if (at && lane->burden[at - 1].from == from) {
        lane->burden[at - 1].rate += rate;
        return true;
    }
    if (!cs_array_grow(&lane->burden, lane->burdens, &lane->burdens_room, sizeof *lane->burden))
        return false;
    memmove(lane->burden + at + 1, lane->burden + at, (lane->burdens - at) * sizeof *lane->burden);
    lane->burden[at] = (struct burden){from, rate};
    lane->burdens++;
    return true;
}

static bool add_costs(struct delays *delays, const struct shares *shares, const struct share *share, size_t count)
{
    double sum_ns = shares->delay_ns + shares->waited_ns,
           whole_ns = sum_ns > shares->wait_ns ? sum_ns : shares->wait_ns;
    double cost_ns = shares->wait_ns * (1 + take_rate(&delays->lane[shares->waiter], shares->wait));
    for (size_t i = 0; i < count; i++) {
        size_t place = shares->cause * CODES_MOST + share[i].code;
        delays->direct[place] += shares->wait_ns * share[i].ns / whole_ns;
        delays->indirect[place] += (cost_ns - shares->wait_ns) * share[i].ns / whole_ns;
    }
    delays->nobody_ns += cost_ns * (whole_ns - sum_ns) / whole_ns;
    return shares->waited_ns <= 0 || add_burden(&delays->lane[shares->cause], shares->from, cost_ns / whole_ns);
}

static int find_costs(struct delays *delays)
{
    size_t bytes;
    bool failed;
    const struct shares *shares;
    delays->direct = calloc(delays->lanes + 1, CODES_MOST * sizeof *delays->direct);
    delays->indirect = calloc(delays->lanes + 1, CODES_MOST * sizeof *delays->indirect);
    if (!delays->direct || !delays->indirect)
        return SQLITE_NOMEM;
    while ((shares = cs_wait_tape_read_back(delays->tape, &bytes, &failed)))
        if (!add_costs(delays, shares, (const struct share *)(shares + 1),
                       (bytes - sizeof *shares) / sizeof(struct share)))
            return SQLITE_NOMEM;
    return failed ? SQLITE_IOERR : SQLITE_OK;
}

/* ---- the answer ---- */

/* What calls `each` for every delay. */
struct reporter {
    void (*each)(void *context, const struct cs_delay *delay);
    void *context;
};

static void report_code(const struct delays *delays, size_t lane, size_t code, const struct code_key *key,
                        const struct reporter *reporter)
{
    size_t i = lane * CODES_MOST + code;
    const struct cs_delay delay = {delays->lane[lane].rank, key->site, key->in_call != 0, delays->direct[i],
                                   delays->indirect[i]};
    if (delay.direct_ns > 0 || delay.indirect_ns > 0)
        reporter->each(reporter->context, &delay);
}

static void report(const struct delays *delays, const struct reporter *reporter)
{
    for (size_t i = 0; i < delays->lanes; i++) {
        report_code(delays, i, OTHER_CODE, &(struct code_key){.site = -1}, reporter);
        for (const struct code *code = delays->codes; code; code = code->hh.next)
            report_code(delays, i, code->number, &code->key, reporter);
    }
    if (delays->nobody_ns > 0)
        reporter->each(reporter->context, &(struct cs_delay){.rank = -1, .site = -1, .direct_ns = delays->nobody_ns});
}

static void end(struct delays *delays)
{
    while (delays->pairs)
        drop_pair(delays, delays->pairs);
    while (delays->groups)
        drop_group(delays, delays->groups);
    CS_TABLE_FREE(delays->codes);
    for (size_t i = 0; delays->lane && i < delays->lanes; i++)
        free(delays->lane[i].burden);
    free(delays->lane);
    free(delays->direct);
    free(delays->indirect);
    cs_wait_tape_free(delays->tape);
    sqlite3_finalize(delays->waits);
    cs_partners_free(delays->partners);
    cs_pass_close(delays->pass);
}

static const char waits_sql[] =
    "SELECT rank, thread, cause, coalesce(cause_site, 0), start_ns, wait_ns FROM wait_states"
    " ORDER BY start_ns + wait_ns, rank";

int cs_delays_find(sqlite3 *db, void (*each)(void *context, const struct cs_delay *delay), void *context,
                   struct cs_delayed *delayed)
{
    static const struct cs_pass_calls calls = {NULL, begin_event, end_event};
    struct delays delays = {.tape = cs_wait_tape_new()};
    int result = delays.tape ? cs_pass_open(db, &delays.pass) : SQLITE_NOMEM;
    if (result == SQLITE_OK)
        result = cs_partners_read(db, &delays.partners);
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
        result = find_costs(&delays);
    if (result == SQLITE_OK)
        report(&delays, &(struct reporter){each, context});
    *delayed = (struct cs_delayed){count_waiters(&delays), delays.wait_ns};
    end(&delays);
    return result;
}
