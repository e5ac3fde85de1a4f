#include "db/summary/summary.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/number_table.h"

/* ---- sketches: how many ranks have about the same time ---- */

enum {
    EXACT_BITS = 7, /* that are kept of a time */
    BUCKETS = ((63 - EXACT_BITS) << (EXACT_BITS - 1)) + (1 << EXACT_BITS),
    ENTRY_BYTES = 6, /* in the table: 2 of the bucket and 4 of the count, the lowest first */
};

struct entry {
    uint16_t bucket;
    uint32_t ranks;
};

struct sketch {
    struct entry *entry; /* sorted by bucket */
    size_t count, room;
};

static unsigned dropped_bits(uint64_t time)
{
    unsigned bits = time ? 64 - (unsigned)__builtin_clzll(time) : 0;
    return bits > EXACT_BITS ? bits - EXACT_BITS : 0;
}

static uint16_t bucket_of(int64_t time_ns)
{
    unsigned dropped = dropped_bits((uint64_t)time_ns);
    return (uint16_t)((dropped << (EXACT_BITS - 1)) + (unsigned)((uint64_t)time_ns >> dropped));
}

static int64_t time_of(unsigned bucket)
{
    if (bucket < 1u << EXACT_BITS)
        return bucket;
    unsigned dropped = (bucket >> (EXACT_BITS - 1)) - 1;
    uint64_t kept = bucket - (dropped << (EXACT_BITS - 1));
    return (int64_t)((kept << dropped) + (UINT64_C(1) << dropped >> 1));
}

int64_t cs_summary_rounded(int64_t time_ns)
{
    return time_of(bucket_of(time_ns));
}

static int by_bucket(const void *item, const void *key)
{
    return cs_compare(((const struct entry *)item)->bucket, *(const uint16_t *)key);
}

static bool add_ranks(struct sketch *sketch, uint16_t bucket, uint32_t ranks)
{
    size_t at = cs_array_lower_bound(sketch->entry, sketch->count, sizeof *sketch->entry, &bucket, by_bucket);
    if (at < sketch->count && sketch->entry[at].bucket == bucket) {
        uint32_t room = UINT32_MAX - sketch->entry[at].ranks;
        sketch->entry[at].ranks += ranks < room ? ranks : room;
        return true;
    }
    if (!cs_array_grow(&sketch->entry, sketch->count, &sketch->room, sizeof *sketch->entry))
        return false;
    memmove(&sketch->entry[at + 1], &sketch->entry[at], (sketch->count - at) * sizeof *sketch->entry);
    sketch->entry[at] = (struct entry){.bucket = bucket, .ranks = ranks};
    sketch->count++;
    return true;
}

/* The time of a rank in the order of times, from 1. */
static int64_t time_at(const struct sketch *sketch, uint64_t wanted)
{
    uint64_t passed = 0;
    for (size_t i = 0; i < sketch->count; i++) {
        passed += sketch->entry[i].ranks;
        if (passed >= wanted)
            return time_of(sketch->entry[i].bucket);
    }
    return 0;
}

/* Half of the ranks: the mean of the two in the middle. Other quarters: the rank at which the quarter ends. */
static int64_t quartile(const struct sketch *sketch, uint64_t ranks, unsigned quarter)
{
    if (quarter != 2)
        return time_at(sketch, (ranks * quarter + 3) / 4);
    int64_t lower = time_at(sketch, (ranks + 1) / 2), upper = time_at(sketch, (ranks + 2) / 2);
    return lower + (upper - lower) / 2;
}

/* ---- groups ---- */

enum part { PART_FUNCTION, PART_SITE, PART_SIMILAR, PART_LINE, PART_SIZE, PARTS };

static const char *const part_word[PARTS] = {"function", "site", "similar", "line", "size"};

static const char *const kind_word[] = {"", "point-to-point", "persistent", "collective", "one-sided", "file"};
enum { KINDS = sizeof kind_word / sizeof *kind_word };

struct key {
    uint64_t part, kind; /* kind: index of kind_word */
    int64_t similar, function, site, size_class;
};

/* The time of 100,000 ranks and a day is more than 64 bits hold. */
__extension__ typedef unsigned __int128 wide_ns;

/* Over ranks. sums.time_ns is that of one rank; time_ns is that of all. */
struct figures {
    struct cs_call_sums sums;
    wide_ns time_ns;
    int64_t ranks;
    int64_t least_ns, least_rank, next_ns, most_ns, most_rank; /* next_ns: -1 for one rank */
};

struct group {
    struct key key;
    struct figures figures;
    struct sketch sketch;
    bool touched; /* by the rank that is being added: its sums so far are in `rank` */
    struct cs_call_sums rank;
};

struct place {
    uint64_t number;
    size_t group;
};

struct cs_summary {
    struct group *group;
    size_t groups, room;
    struct cs_number_table places; /* of groups */
    size_t *touched;               /* groups of the rank that is being added */
    size_t touches, touched_room;
};

struct cs_summary *cs_summary_create(void)
{
    return calloc(1, sizeof(struct cs_summary));
}

void cs_summary_destroy(struct cs_summary *summary)
{
    if (!summary)
        return;
    for (size_t i = 0; i < summary->groups; i++)
        free(summary->group[i].sketch.entry);
    free(summary->group);
    free(summary->places.slot);
    free(summary->touched);
    free(summary);
}

static bool is_same(const struct key *a, const struct key *b)
{
    return a->part == b->part && a->kind == b->kind && a->similar == b->similar && a->function == b->function &&
           a->site == b->site && a->size_class == b->size_class;
}

static uint64_t hash_of(const struct key *key)
{
    uint64_t hash = cs_hash_mix(key->part << 8 | key->kind, (uint64_t)key->similar);
    hash = cs_hash_mix(hash, (uint64_t)key->function);
    hash = cs_hash_mix(hash, (uint64_t)key->site);
    return cs_hash_mix(hash, (uint64_t)key->size_class);
}

/* Valid until the next call. NULL: out of memory. */
static struct group *find_or_add(struct cs_summary *summary, const struct key *key)
{
    if (!cs_array_grow(&summary->group, summary->groups, &summary->room, sizeof *summary->group))
        return NULL;
    /* An odd number stands for a key; the next one, if another key has the same. */
    for (uint64_t number = hash_of(key) | 1;; number += 2) {
        size_t before = summary->places.count;
        struct place *place = cs_number_table_add(&summary->places, number, sizeof *place);
        if (!place)
            return NULL;
        if (summary->places.count > before) {
            place->group = summary->groups++;
            summary->group[place->group] = (struct group){.key = *key};
        }
        if (is_same(&summary->group[place->group].key, key))
            return &summary->group[place->group];
    }
}

/* ---- adding up ---- */

static int64_t positive(int64_t number)
{
    return number < 0 ? 0 : number;
}

static int64_t sum_add(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

void cs_call_sums_add(struct cs_call_sums *sums, const struct cs_call_sums *more)
{
    if (more->timed) {
        sums->min_ns = sums->timed && sums->min_ns < more->min_ns ? sums->min_ns : more->min_ns;
        sums->max_ns = sums->timed && sums->max_ns > more->max_ns ? sums->max_ns : more->max_ns;
        sums->timed = true;
    }
    sums->calls = sum_add(sums->calls, more->calls);
    sums->open = sum_add(sums->open, more->open);
    sums->time_ns = sum_add(sums->time_ns, more->time_ns);
    sums->sent_bytes = sum_add(sums->sent_bytes, more->sent_bytes);
    sums->received_bytes = sum_add(sums->received_bytes, more->received_bytes);
}

static bool comes_first(int64_t time_ns, int64_t rank, int64_t other_ns, int64_t other_rank)
{
    return time_ns < other_ns || (time_ns == other_ns && rank < other_rank);
}

static int64_t least_known(int64_t a, int64_t b)
{
    return a < 0 || (b >= 0 && b < a) ? b : a;
}

/* Neither side's ranks are those of the other. */
static void fold_figures(struct figures *figures, const struct figures *more)
{
    if (!figures->ranks) {
        *figures = *more;
        return;
    }
    bool mine = comes_first(figures->least_ns, figures->least_rank, more->least_ns, more->least_rank);
    figures->next_ns =
        least_known(mine ? more->least_ns : figures->least_ns, least_known(figures->next_ns, more->next_ns));
    if (!mine) {
        figures->least_ns = more->least_ns;
        figures->least_rank = more->least_rank;
    }
    if (comes_first(-more->most_ns, more->most_rank, -figures->most_ns, figures->most_rank)) {
        figures->most_ns = more->most_ns;
        figures->most_rank = more->most_rank;
    }
    figures->ranks = sum_add(figures->ranks, more->ranks);
    figures->time_ns += more->time_ns;
    cs_call_sums_add(&figures->sums, &more->sums);
}

static bool fold_group(struct cs_summary *summary, const struct group *more)
{
    struct group *group = find_or_add(summary, &more->key);
    if (!group)
        return false;
    fold_figures(&group->figures, &more->figures);
    for (size_t i = 0; i < more->sketch.count; i++)
        if (!add_ranks(&group->sketch, more->sketch.entry[i].bucket, more->sketch.entry[i].ranks))
            return false;
    return true;
}

enum cs_status cs_summary_fold(struct cs_summary *summary, const struct cs_summary *other)
{
    bool folded = true;
    for (size_t i = 0; folded && i < other->groups; i++)
        folded = fold_group(summary, &other->group[i]);
    return folded ? CS_OK : CS_NO_MEMORY;
}

/* ---- adding a rank ---- */

static bool touch(struct cs_summary *summary, const struct key *key, const struct cs_call_sums *sums)
{
    struct group *group = find_or_add(summary, key);
    if (!group)
        return false;
    if (!group->touched) {
        if (!cs_array_grow(&summary->touched, summary->touches, &summary->touched_room, sizeof *summary->touched))
            return false;
        summary->touched[summary->touches++] = (size_t)(group - summary->group);
        group->touched = true;
        group->rank = (struct cs_call_sums){.calls = 0};
    }
    cs_call_sums_add(&group->rank, sums);
    return true;
}

static uint64_t kind_of(const char *word)
{
    uint64_t kind = 0;
    for (uint64_t i = 1; i < KINDS; i++)
        if (strcmp(kind_word[i], word) == 0)
            kind = i;
    return kind;
}

static bool add_cell(struct cs_summary *summary, const struct cs_summary_cell *cell)
{
    const struct cs_call_sums sums = {.calls = positive(cell->sums.calls),
                                      .open = positive(cell->sums.open),
                                      .time_ns = positive(cell->sums.time_ns),
                                      .timed = cell->sums.timed,
                                      .min_ns = positive(cell->sums.min_ns),
                                      .max_ns = positive(cell->sums.max_ns),
                                      .sent_bytes = positive(cell->sums.sent_bytes),
                                      .received_bytes = positive(cell->sums.received_bytes)};
    const struct cs_call_sums messages = {.calls = positive(cell->messages),
                                          .sent_bytes = positive(cell->message_bytes)};
    const struct key size = {.part = PART_SIZE,
                             .kind = cell->kind ? kind_of(cell->kind) : 0,
                             .similar = cell->size_similar,
                             .size_class = cell->size_class};
    struct key key = {.part = PART_FUNCTION, .function = cell->function};
    bool added = touch(summary, &key, &sums);
    key.part = PART_SITE;
    key.site = cell->site;
    added = added && touch(summary, &key, &sums);
    key.part = PART_LINE;
    key.similar = cell->similar;
    added = added && touch(summary, &key, &sums);
    key.part = PART_SIMILAR;
    key.site = 0;
    added = added && touch(summary, &key, &sums);
    return added && (!size.kind || touch(summary, &size, &messages));
}

enum cs_status cs_summary_add_rank(struct cs_summary *summary, int64_t rank, const struct cs_summary_cell *cell,
                                   size_t count)
{
    bool added = true;
    summary->touches = 0;
    for (size_t i = 0; added && i < count; i++)
        added = add_cell(summary, &cell[i]);
    for (size_t i = 0; i < summary->touches; i++) {
        struct group *group = &summary->group[summary->touched[i]];
        int64_t ns = group->rank.time_ns;
        group->touched = false;
        fold_figures(&group->figures, &(struct figures){.sums = group->rank,
                                                        .time_ns = (wide_ns)ns,
                                                        .ranks = 1,
                                                        .least_ns = ns,
                                                        .least_rank = rank,
                                                        .next_ns = -1,
                                                        .most_ns = ns,
                                                        .most_rank = rank});
        added = add_ranks(&group->sketch, bucket_of(ns), 1) && added;
    }
    return added ? CS_OK : CS_NO_MEMORY;
}

/* ---- rows ---- */

enum column {
    PART = 1,
    SIMILAR,
    KIND,
    FUNCTION,
    SITE,
    SIZE_CLASS,
    RANKS,
    CALLS,
    OPEN,
    TIME,
    LEAST,
    LEAST_RANK,
    NEXT,
    MOST,
    MOST_RANK,
    QUARTER,
    MEDIAN,
    THREE_QUARTERS,
    MIN,
    MAX,
    SENT,
    RECEIVED,
    SKETCH,
};

static void number_put(unsigned char *at, uint64_t number, int bytes)
{
    for (int i = 0; i < bytes; i++)
        at[i] = (unsigned char)(number >> 8 * i);
}

static uint64_t get(const unsigned char *at, int bytes)
{
    uint64_t number = 0;
    for (int i = 0; i < bytes; i++)
        number |= (uint64_t)at[i] << 8 * i;
    return number;
}

/* Returns the end of what was written. */
static unsigned char *write_sketch(unsigned char *to, const struct sketch *sketch)
{
    for (size_t i = 0; i < sketch->count; i++, to += ENTRY_BYTES) {
        number_put(to, sketch->entry[i].bucket, 2);
        number_put(to + 2, sketch->entry[i].ranks, 4);
    }
    return to;
}

static void bind_quartile(sqlite3_stmt *row, enum column column, const struct group *group, unsigned quarter)
{
    const struct figures *figures = &group->figures;
    int64_t ns = quartile(&group->sketch, (uint64_t)figures->ranks, quarter);
    ns = ns < figures->least_ns ? figures->least_ns : ns;
    sqlite3_bind_int64(row, column, ns > figures->most_ns ? figures->most_ns : ns);
}

static void bind_figures(sqlite3_stmt *row, const struct group *group)
{
    const struct figures *figures = &group->figures;
    const struct cs_call_sums *sums = &figures->sums;
    sqlite3_bind_int64(row, RANKS, figures->ranks);
    sqlite3_bind_int64(row, CALLS, sums->calls);
    sqlite3_bind_int64(row, OPEN, sums->open);
    if (figures->time_ns <= INT64_MAX)
        sqlite3_bind_int64(row, TIME, (int64_t)figures->time_ns);
    else
        sqlite3_bind_double(row, TIME, (double)figures->time_ns);
    sqlite3_bind_int64(row, LEAST, figures->least_ns);
    sqlite3_bind_int64(row, LEAST_RANK, figures->least_rank);
    if (figures->next_ns >= 0)
        sqlite3_bind_int64(row, NEXT, figures->next_ns);
    sqlite3_bind_int64(row, MOST, figures->most_ns);
    sqlite3_bind_int64(row, MOST_RANK, figures->most_rank);
    if (sums->timed) {
        sqlite3_bind_int64(row, MIN, sums->min_ns);
        sqlite3_bind_int64(row, MAX, sums->max_ns);
    }
    sqlite3_bind_int64(row, SENT, sums->sent_bytes);
    sqlite3_bind_int64(row, RECEIVED, sums->received_bytes);
    for (unsigned quarter = 1; quarter < 4; quarter++)
        bind_quartile(row, (enum column)(QUARTER + quarter - 1), group, quarter);
}

static int write_group(sqlite3_stmt *row, const struct group *group)
{
    size_t bytes = ENTRY_BYTES * group->sketch.count;
    unsigned char *sketch = malloc(bytes + 1);
    if (!sketch)
        return SQLITE_NOMEM;
    write_sketch(sketch, &group->sketch);
    sqlite3_clear_bindings(row);
    sqlite3_bind_text(row, PART, part_word[group->key.part], -1, SQLITE_STATIC);
    sqlite3_bind_int64(row, SIMILAR, group->key.similar);
    sqlite3_bind_text(row, KIND, kind_word[group->key.kind], -1, SQLITE_STATIC);
    sqlite3_bind_int64(row, FUNCTION, group->key.function);
    sqlite3_bind_int64(row, SITE, group->key.site);
    sqlite3_bind_int64(row, SIZE_CLASS, group->key.size_class);
    bind_figures(row, group);
    sqlite3_bind_blob64(row, SKETCH, sketch, bytes, free);
    sqlite3_step(row);
    return sqlite3_reset(row);
}

/* In the order of the table's key, whatever was added first. */
static int compare_groups(const void *left, const void *right)
{
    const struct key *a = &(*(const struct group *const *)left)->key, *b = &(*(const struct group *const *)right)->key;
    const int64_t order[] = {strcmp(part_word[a->part], part_word[b->part]), cs_compare(a->similar, b->similar),
                             strcmp(kind_word[a->kind], kind_word[b->kind]), cs_compare(a->function, b->function),
                             cs_compare(a->site, b->site)};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (order[i])
            return order[i] < 0 ? -1 : 1;
    return cs_compare(a->size_class, b->size_class);
}

int cs_summary_write(const struct cs_summary *summary, sqlite3 *db, const char *schema)
{
    static const char form[] =
        "INSERT INTO %s.summary (part, similar, kind, function, site, size_class, ranks, calls,"
        " open, time_ns, least_ns, least_rank, next_ns, most_ns, most_rank, quarter_ns, median_ns,"
        " three_quarters_ns, min_ns, max_ns, sent_bytes, received_bytes, sketch) VALUES (?1, ?2,"
        " ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21,"
        " ?22, ?23)";
    sqlite3_stmt *row = NULL;
    const struct group **sorted = malloc((summary->groups + 1) * sizeof *sorted);
    char *sql = sqlite3_mprintf(form, schema);
    int result = sorted && sql ? sqlite3_prepare_v2(db, sql, -1, &row, NULL) : SQLITE_NOMEM;
    for (size_t i = 0; sorted && i < summary->groups; i++)
        sorted[i] = &summary->group[i];
    if (sorted)
        qsort(sorted, summary->groups, sizeof *sorted, compare_groups);
    for (size_t i = 0; result == SQLITE_OK && i < summary->groups; i++)
        result = write_group(row, sorted[i]);
    sqlite3_finalize(row);
    sqlite3_free(sql);
    free(sorted);
    return result;
}

/* ---- summaries of others: rows of a table, and packed bytes. Both are checked ---- */

/* Adds checked entries of a sketch. CS_CORRUPT: they are not sorted, or not as many as the ranks. */
static enum cs_status read_sketch(struct sketch *sketch, const unsigned char *bytes, size_t length, int64_t ranks)
{
    uint64_t total = 0;
    if (length % ENTRY_BYTES)
        return CS_CORRUPT;
    for (size_t i = 0; i < length; i += ENTRY_BYTES) {
        uint64_t bucket = get(bytes + i, 2), count = get(bytes + i + 2, 4);
        if (bucket >= BUCKETS || !count || (sketch->count && bucket <= sketch->entry[sketch->count - 1].bucket))
            return CS_CORRUPT;
        if (!add_ranks(sketch, (uint16_t)bucket, (uint32_t)count))
            return CS_NO_MEMORY;
        total += count;
    }
    return ranks > 0 && total == (uint64_t)ranks ? CS_OK : CS_CORRUPT;
}

/* Whether no code that adds up can go wrong with these. */
static bool makes_sense(const struct group *group)
{
    const struct figures *figures = &group->figures;
    const struct cs_call_sums *sums = &figures->sums;
    const int64_t positives[] = {sums->calls,      sums->open,       sums->time_ns,
                                 sums->min_ns,     sums->max_ns,     figures->least_ns,
                                 figures->most_ns, sums->sent_bytes, sums->received_bytes};
    for (size_t i = 0; i < sizeof positives / sizeof *positives; i++)
        if (positives[i] < 0)
            return false;
    return figures->time_ns >> 96 == 0 && group->key.part < PARTS && group->key.kind < KINDS && figures->ranks > 0 &&
           figures->least_ns <= figures->most_ns && (figures->next_ns < 0) == (figures->ranks == 1);
}

static enum cs_status add_checked(struct cs_summary *summary, struct group *group, const unsigned char *sketch,
                                  size_t length)
{
    group->figures.next_ns = group->figures.next_ns < 0 ? -1 : group->figures.next_ns;
    enum cs_status status = makes_sense(group) ? CS_OK : CS_CORRUPT;
    if (status == CS_OK)
        status = read_sketch(&group->sketch, sketch, length, group->figures.ranks);
    if (status == CS_OK && !fold_group(summary, group))
        status = CS_NO_MEMORY;
    free(group->sketch.entry);
    return status;
}

/* The number of a word; `count` if it is none of them. */
static uint64_t number_of(const unsigned char *word, const char *const *words, uint64_t count)
{
    uint64_t number = 0;
    while (number < count && (!word || strcmp((const char *)word, words[number]) != 0))
        number++;
    return number;
}

static wide_ns wide_of(sqlite3_stmt *row, int column)
{
    double ns = sqlite3_column_double(row, column);
    if (sqlite3_column_type(row, column) == SQLITE_INTEGER)
        return (wide_ns)positive(sqlite3_column_int64(row, column));
    return ns > 0 && ns < 1e30 ? (wide_ns)ns : 0;
}

static enum cs_status read_row(struct cs_summary *summary, sqlite3_stmt *row)
{
#define NUMBER(column) sqlite3_column_int64(row, (column)-1)
    struct group group = {
        .key = {.part = number_of(sqlite3_column_text(row, PART - 1), part_word, PARTS),
                .kind = number_of(sqlite3_column_text(row, KIND - 1), kind_word, KINDS),
                .similar = NUMBER(SIMILAR),
                .function = NUMBER(FUNCTION),
                .site = NUMBER(SITE),
                .size_class = NUMBER(SIZE_CLASS)},
        .figures = {.sums = {.calls = NUMBER(CALLS),
                             .open = NUMBER(OPEN),
                             .timed = sqlite3_column_type(row, MIN - 1) != SQLITE_NULL,
                             .min_ns = NUMBER(MIN),
                             .max_ns = NUMBER(MAX),
                             .sent_bytes = NUMBER(SENT),
                             .received_bytes = NUMBER(RECEIVED)},
                    .time_ns = wide_of(row, TIME - 1),
                    .ranks = NUMBER(RANKS),
                    .least_ns = NUMBER(LEAST),
                    .least_rank = NUMBER(LEAST_RANK),
                    .next_ns = sqlite3_column_type(row, NEXT - 1) == SQLITE_NULL ? -1 : NUMBER(NEXT),
                    .most_ns = NUMBER(MOST),
                    .most_rank = NUMBER(MOST_RANK)},
    };
#undef NUMBER
    const void *sketch = sqlite3_column_blob(row, SKETCH - 1);
    return add_checked(summary, &group, sketch, (size_t)sqlite3_column_bytes(row, SKETCH - 1));
}

enum cs_status cs_summary_read(struct cs_summary *summary, sqlite3 *db, bool *found)
{
    static const char sql[] =
        "SELECT part, similar, kind, function, site, size_class, ranks, calls, open, time_ns,"
        " least_ns, least_rank, next_ns, most_ns, most_rank, quarter_ns, median_ns,"
        " three_quarters_ns, min_ns, max_ns, sent_bytes, received_bytes, sketch FROM main.summary";
    sqlite3_stmt *row;
    *found = false;
    if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) != SQLITE_OK)
        return CS_CORRUPT;
    enum cs_status status = CS_OK;
    int step;
    while (status == CS_OK && (step = sqlite3_step(row)) == SQLITE_ROW) {
        *found = true;
        status = read_row(summary, row);
    }
    if (sqlite3_finalize(row) != SQLITE_OK && status == CS_OK)
        status = CS_CORRUPT;
    return status;
}

/* A group as packed, followed by its sketch. Those who send it run the same callsign on the same kind of processor. */
struct packed {
    struct key key;
    struct figures figures;
    uint64_t timed, entries;
};

void *cs_summary_pack(const struct cs_summary *summary, size_t *bytes)
{
    size_t length = 0;
    for (size_t i = 0; i < summary->groups; i++)
        length += sizeof(struct packed) + ENTRY_BYTES * summary->group[i].sketch.count;
    unsigned char *packed = malloc(length + 1), *at = packed;
    for (size_t i = 0; packed && i < summary->groups; i++) {
        const struct group *group = &summary->group[i];
        const struct packed head = {.key = group->key,
                                    .figures = group->figures,
                                    .timed = group->figures.sums.timed,
                                    .entries = group->sketch.count};
        memcpy(at, &head, sizeof head);
        at = write_sketch(at + sizeof head, &group->sketch);
    }
    *bytes = length;
    return packed;
}

enum cs_status cs_summary_unpack(struct cs_summary *summary, const void *packed, size_t bytes)
{
    const unsigned char *at = packed;
    enum cs_status status = CS_OK;
    while (status == CS_OK && bytes) {
        struct packed head;
        if (bytes < sizeof head)
            return CS_CORRUPT;
        memcpy(&head, at, sizeof head);
        at += sizeof head;
        bytes -= sizeof head;
        if (head.entries > bytes / ENTRY_BYTES)
            return CS_CORRUPT;
        size_t length = ENTRY_BYTES * (size_t)head.entries;
        head.figures.sums.timed = head.timed != 0; /* any byte may be there */
        struct group group = {.key = head.key, .figures = head.figures};
        status = add_checked(summary, &group, at, length);
        at += length;
        bytes -= length;
    }
    return status;
}
