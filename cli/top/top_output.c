#include "cli/top/top_output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/clock.h"
#include "cli/rows/result.h"
#include "cli/text/table.h"
#include "cli/top/top_rates.h"
#include "functions.h"
#include "journal_words.h"

enum {
    EXTREMES = 16,   /* ranks at each end of a list that is too long */
    LINES_JSON = 10, /* of a subject */
    TREND = 12,      /* characters of a trend */
};

/* Seconds since 1970 of an instant on the monotonic clock. */
static double day_time(double monotonic_ns)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + ((double)now.tv_nsec + monotonic_ns - (double)cs_clock_monotonic_ns()) / 1e9;
}

/* ---- JSON ---- */

static void print_json_rank(const struct cs_top_rank *rank)
{
    const struct cs_function *function = cs_function_find(rank->function);
    struct cs_top_rates rates = cs_top_rates_of(rank);
    printf("{\"rank\":%d,\"pid\":%" PRIu32 ",\"at\":%.6f,\"running\":%s,\"messages\":%" PRIu64 ",\"bytes\":%" PRIu64
           ",\"calls\":%" PRIu64,
           rank->rank, rank->pid, day_time(rank->now.at_ns), rank->running ? "true" : "false", rank->now.messages,
           rank->now.bytes, rank->now.calls);
    if (rates.known)
        printf(",\"mpi_share\":%.6f,\"calls_per_second\":%.3f,\"messages_per_second\":%.3f,\"bytes_per_second\":%.3f",
               rates.share, rates.calls, rates.messages, rates.bytes);
    if (rank->running)
        printf(",\"inside\":%s,\"state\":\"%s\",\"state_seconds\":%.6f", rank->inside ? "true" : "false",
               cs_top_state(rank), rank->state_ns / 1e9);
    if (rank->look.stat.resident_bytes)
        printf(",\"resident_bytes\":%" PRIu64, rank->look.stat.resident_bytes);
    if (function)
        printf(",\"function\":\"%s\"", function->name);
    putchar('}');
}

static void print_json_line(const struct cs_top_view *view, struct cs_top_line *line, double lived_ns, double seconds)
{
    fputs("{\"name\":", stdout);
    cs_result_print_json_text(stdout, cs_top_name(view->names, view->top, line));
    if (line->subject == CS_TOP_OBJECT) {
        printf(",\"kind\":\"%s\",\"live\":%" PRIu64 "}", cs_name_of_kind(line->kind), line->live);
        return;
    }
    printf(",\"mpi_share\":%.6f,\"calls_per_second\":%.3f,\"bytes_per_second\":%.3f",
           lived_ns > 0 ? line->ns / lived_ns : 0, (double)line->calls / seconds, (double)line->bytes / seconds);
    if (line->ranks)
        printf(",\"least\":{\"rank\":%d,\"seconds\":%.6f},\"most\":{\"rank\":%d,\"seconds\":%.6f}", line->least.rank,
               line->least.ns / 1e9, line->most.rank, line->most.ns / 1e9);
    putchar('}');
}

void cs_top_print_json(const struct cs_top_view *view, double interval)
{
    static const char *const lists[] = {"communicators", "functions", "call_sites", "objects"};
    const struct cs_top *top = view->top;
    struct cs_top_whole whole = cs_top_whole_of(top);
    const char *comma = "";
    printf("{\"at\":%.6f,\"interval\":%.6f,\"age_seconds\":%.6f,\"ranks\":%zu,\"running\":%zu,\"unread\":%zu,"
           "\"elsewhere\":%zu,\"mpi_share\":%.6f,\"messages_per_second\":%.3f,\"bytes_per_second\":%.3f,\"messages\":"
           "%" PRIu64 ",\"bytes\":%" PRIu64 ",\"rank\":[",
           day_time((double)cs_clock_monotonic_ns()), interval, whole.age_ns / 1e9, whole.ranks, whole.running,
           whole.unread, whole.elsewhere, whole.share, whole.messages_per_second, whole.bytes_per_second,
           whole.messages, whole.bytes);
    for (size_t i = 0; i < top->count; i++) {
        if (top->journal[i].unread)
            continue;
        fputs(comma, stdout);
        print_json_rank(&top->journal[i].rank);
        comma = ",";
    }
    const struct cs_top_rank *awaited = cs_top_awaited(top);
    putchar(']');
    if (awaited)
        printf(",\"awaited\":%d", awaited->rank);
    for (int subject = 0; subject < CS_TOP_SUBJECTS; subject++) {
        struct cs_top_line *line[LINES_JSON];
        size_t count = cs_top_activity_lines(top->activity, (enum cs_top_subject)subject, line, LINES_JSON);
        printf(",\"%s\":[", lists[subject]);
        for (size_t i = 0; i < count; i++) {
            fputs(i ? "," : "", stdout);
            print_json_line(view, line[i], cs_top_activity_lived(top->activity), interval);
        }
        putchar(']');
    }
    puts("}");
}

/* ---- CSV ---- */

void cs_top_print_csv(const struct cs_top *top, bool first)
{
    if (first)
        puts("at,rank,pid,state,state_seconds,mpi_share,calls_per_second,messages_per_second,bytes_per_second,calls,"
             "messages,bytes,resident_bytes");
    for (size_t i = 0; i < top->count; i++) {
        const struct cs_top_rank *rank = &top->journal[i].rank;
        struct cs_top_rates rates = cs_top_rates_of(rank);
        if (top->journal[i].unread)
            continue;
        printf("%.6f,%d,%" PRIu32 ",%s,", day_time(rank->now.at_ns), rank->rank, rank->pid, cs_top_state(rank));
        if (rank->running)
            printf("%.6f", rank->state_ns / 1e9);
        if (rates.known)
            printf(",%.6f,%.3f,%.3f,%.3f", rates.share, rates.calls, rates.messages, rates.bytes);
        else
            fputs(",,,,", stdout);
        printf(",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", rank->now.calls, rank->now.messages, rank->now.bytes);
        if (rank->look.stat.resident_bytes)
            printf("%" PRIu64, rank->look.stat.resident_bytes);
        putchar('\n');
    }
}

/* ---- bars ---- */

/* A bar for a share from 0 to 1. */
static const char *bar_of(const struct cs_terminal *terminal, double share)
{
    static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const digits[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    share = share > 0 ? share < 1 ? share : 1 : 0;
    return terminal->utf8 ? blocks[(int)(share * 7 + 0.5)] : digits[(int)(share * 9 + 0.5)];
}

/* Writes the course of a line since it was known, at most CS_TOP_HISTORY intervals, the newest at the right; the
   highest value of a bar's intervals counts, and the highest of all fills a bar. */
static void write_trend(const struct cs_terminal *terminal, const struct cs_top_line *line, char *text, size_t size)
{
    enum { EACH = CS_TOP_HISTORY / TREND };
    double highest = 0, value[TREND] = {0};
    size_t used = 0;
    for (size_t i = CS_TOP_HISTORY - line->known; i < CS_TOP_HISTORY; i++) {
        double *bar = &value[i / EACH];
        *bar = line->history[i] > *bar ? line->history[i] : *bar;
        highest = *bar > highest ? *bar : highest;
    }
    *text = '\0';
    for (size_t i = (CS_TOP_HISTORY - line->known) / EACH; i < TREND && used + 8 < size; i++)
        used +=
            (size_t)snprintf(text + used, size - used, "%s", bar_of(terminal, highest > 0 ? value[i] / highest : 0));
}

/* ---- the head ---- */

static void print_awaited(const struct cs_top *top, FILE *stream)
{
    const struct cs_top_rank *rank = cs_top_awaited(top);
    char lasts[64];
    if (rank && rank->rank >= 0)
        fprintf(stream,
                "All ranks but %d have been in a call for a second or longer. Rank %d left its last call %s ago: %s\n",
                rank->rank, rank->rank, cs_text_duration(lasts, sizeof lasts, rank->state_ns), cs_top_state(rank));
}

void cs_top_print_head(const struct cs_top_view *view, FILE *stream)
{
    struct cs_top_whole whole = cs_top_whole_of(view->top);
    char age[64], bytes[64];
    size_t ended = whole.ranks - whole.running - whole.silent;
    fprintf(stream, "%zu %s", whole.ranks, whole.ranks == 1 ? "rank" : "ranks");
    if (ended)
        fprintf(stream, ", of which %zu ended", ended);
    fprintf(stream, "; %s since the start", cs_text_duration(age, sizeof age, whole.age_ns));
    if (whole.stuck)
        fprintf(stream, "; %zu in one call since the last reading", whole.stuck);
    fprintf(stream, "\nIn MPI %.1f%% of the time, %.*f messages/s, %s/s", 100 * whole.share,
            whole.messages_per_second < 100 ? 1 : 0, whole.messages_per_second,
            cs_text_bytes(bytes, sizeof bytes, whole.bytes_per_second));
    if (whole.resident)
        fprintf(stream, "; memory %s", cs_text_bytes(bytes, sizeof bytes, (double)whole.resident));
    putc('\n', stream);
    if (whole.unread)
        fprintf(stream, "%zu %s cannot be read\n", whole.unread, whole.unread == 1 ? "journal" : "journals");
    if (whole.elsewhere) {
        char *node = cs_text_visible(whole.node, strlen(whole.node));
        fprintf(stream, "%zu more %s on the storage of other nodes: run callsign top on %s%s\n", whole.elsewhere,
                whole.elsewhere == 1 ? "rank writes" : "ranks write", node ? node : "?",
                whole.elsewhere == 1 ? "" : ", for example");
        free(node);
    }
    print_awaited(view->top, stream);
}

void cs_top_print_strip(const struct cs_top_view *view, FILE *stream)
{
    enum { BEGIN = 12 }; /* columns of "MPI of ranks" */
    size_t width = view->terminal.width > BEGIN + 10 ? view->terminal.width - BEGIN - 1 : 66, count;
    const struct cs_top_journal **journal = cs_top_sorted(view->top, CS_TOP_BY_RANK, &count);
    const struct cs_top_rank *awaited = cs_top_awaited(view->top);
    size_t together = (count + width - 1) / width;
    if (count < 2) {
        free(journal);
        return;
    }
    fputs("MPI by rank ", stream);
    for (size_t i = 0; i < count; i += together) {
        double lived = 0, mpi = 0;
        bool is_awaited = false;
        for (size_t j = i; j < i + together && j < count; j++) {
            const struct cs_top_rank *rank = &journal[j]->rank;
            is_awaited |= rank == awaited;
            if (!cs_top_rates_of(rank).known || !rank->running)
                continue;
            lived += rank->now.lived_ns - rank->before.lived_ns;
            mpi += cs_top_share(rank) * (rank->now.lived_ns - rank->before.lived_ns);
        }
        fputs(is_awaited ? "!" : lived > 0 ? bar_of(&view->terminal, mpi / lived) : ".", stream);
    }
    putc('\n', stream);
    free(journal);
}

/* ---- tables ---- */

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

static bool put_bytes(struct cs_table *table, bool known, double bytes)
{
    char text[64] = "";
    if (known)
        cs_text_bytes(text, sizeof text, bytes);
    return put_text(table, CS_CELL_NUMBER, text);
}

static struct cs_table *new_table(const char *const *titles, size_t count)
{
    struct cs_table *table = cs_table_new(count);
    for (size_t i = 0; table && i < count; i++)
        if (cs_table_title(table, i, titles[i]) != CS_OK) {
            cs_table_free(table);
            table = NULL;
        }
    return table;
}

static bool put_rank(struct cs_table *table, const struct cs_top_rank *rank)
{
    struct cs_top_rates rates = cs_top_rates_of(rank);
    char name[32], share[32] = "", lasts[64] = "";
    snprintf(name, sizeof name, rank->rank < 0 ? "pid %" PRIu32 : "%" PRIu32,
             rank->rank < 0 ? rank->pid : (uint32_t)rank->rank);
    if (rates.known && rank->running)
        snprintf(share, sizeof share, "%.1f%%", 100 * rates.share);
    if (rank->running && rank->function)
        cs_text_duration(lasts, sizeof lasts, rank->state_ns);
    return put_text(table, CS_CELL_NUMBER, name) && put_text(table, CS_CELL_NUMBER, share) &&
           put_rate(table, rates.known, rates.calls) && put_rate(table, rates.known, rates.messages) &&
           put_bytes(table, rates.known, rates.bytes) &&
           put_bytes(table, rank->look.stat.resident_bytes, (double)rank->look.stat.resident_bytes) &&
           put_text(table, CS_CELL_TEXT, cs_top_state(rank)) && put_text(table, CS_CELL_NUMBER, lasts);
}

/* qsort has no context. */
static enum cs_top_order sorted_by;

static int by_order(const void *left, const void *right)
{
    const struct cs_top_journal *const *a = left, *const *b = right;
    struct cs_top_rates x = cs_top_rates_of(&(*a)->rank), y = cs_top_rates_of(&(*b)->rank);
    double difference = sorted_by == CS_TOP_BY_SHARE   ? y.share - x.share
                        : sorted_by == CS_TOP_BY_CALLS ? y.calls - x.calls
                        : sorted_by == CS_TOP_BY_BYTES ? y.bytes - x.bytes
                                                       : 0;
    return difference < 0 ? -1 : difference > 0 ? 1 : cs_compare((*a)->rank.rank, (*b)->rank.rank);
}

const struct cs_top_journal **cs_top_sorted(const struct cs_top *top, enum cs_top_order order, size_t *count)
{
    const struct cs_top_journal **rank = malloc((top->count + 1) * sizeof *rank);
    *count = 0;
    for (size_t i = 0; rank && i < top->count; i++)
        if (!top->journal[i].unread)
            rank[(*count)++] = &top->journal[i];
    sorted_by = order;
    if (*count && order != CS_TOP_BY_RANK)
        qsort(rank, *count, sizeof *rank, by_order);
    return rank;
}

/* Reduces a long list: first the ranks that have the least time in MPI, then those that have the most. Leaves out ranks
   that ended. */
static size_t keep_extremes(const struct cs_top_journal **rank, size_t count, size_t *hidden)
{
    size_t running = 0;
    *hidden = 0;
    if (count <= (size_t)2 * EXTREMES)
        return count;
    for (size_t i = 0; i < count; i++)
        if (rank[i]->rank.running)
            rank[running++] = rank[i];
    for (size_t i = 0; i < running / 2; i++) { /* the order is by most */
        const struct cs_top_journal *one = rank[i];
        rank[i] = rank[running - 1 - i];
        rank[running - 1 - i] = one;
    }
    if (running <= (size_t)2 * EXTREMES)
        return running;
    memmove(rank + EXTREMES, rank + running - EXTREMES, EXTREMES * sizeof *rank);
    *hidden = running - (size_t)2 * EXTREMES;
    return (size_t)2 * EXTREMES;
}

enum cs_status cs_top_print_ranks(const struct cs_top_view *view, FILE *stream, enum cs_top_order order, size_t first,
                                  size_t most)
{
    static const char *const titles[] = {"rank", "MPI", "calls/s", "messages/s", "bytes/s", "memory", "now", "for"};
    bool many = !most && view->top->count > (size_t)2 * EXTREMES;
    size_t count, hidden = 0;
    struct cs_table *table = new_table(titles, sizeof titles / sizeof *titles);
    const struct cs_top_journal **rank = cs_top_sorted(view->top, many ? CS_TOP_BY_SHARE : order, &count);
    bool good = table && rank;
    if (good && many)
        count = keep_extremes(rank, count, &hidden);
    if (table)
        cs_table_yield(table, 5, (struct cs_table_yield){.empty = true, .turn = 1});
    for (size_t i = first; good && i < count && (!most || i < first + most); i++)
        good = put_rank(table, &rank[i]->rank);
    if (good)
        cs_table_print(table, stream, &view->terminal);
    if (good && hidden)
        fprintf(stream, "%zu ranks are not shown: their shares in MPI lie between these\n", hidden);
    free(rank);
    cs_table_free(table);
    return good ? CS_OK : CS_NO_MEMORY;
}

static bool put_extreme(struct cs_table *table, const struct cs_top_line *line, struct cs_top_extreme extreme,
                        double interval_ns)
{
    char text[64] = "";
    if (line->ranks > 1 && interval_ns > 0)
        snprintf(text, sizeof text, "%.0f%% (%d)", 100 * extreme.ns / interval_ns, extreme.rank);
    return put_text(table, CS_CELL_NUMBER, text);
}

static bool put_object(struct cs_table *table, const struct cs_top_view *view, struct cs_top_line *line,
                       const char *trend)
{
    char live[32], growth[64] = "";
    double seconds = view->top->interval_ns / 1e9;
    snprintf(live, sizeof live, "%" PRIu64, line->live);
    if (line->known > 1 && seconds > 0)
        snprintf(growth, sizeof growth, "%+.1f",
                 (line->history[CS_TOP_HISTORY - 1] - line->history[CS_TOP_HISTORY - line->known]) /
                     ((double)(line->known - 1) * seconds));
    return put_text(table, CS_CELL_TEXT, cs_name_of_kind(line->kind)) &&
           put_text(table, CS_CELL_TEXT, cs_top_name(view->names, view->top, line)) &&
           put_text(table, CS_CELL_NUMBER, live) && put_text(table, CS_CELL_NUMBER, growth) &&
           put_text(table, CS_CELL_TEXT, trend);
}

static bool put_calls(struct cs_table *table, const struct cs_top_view *view, struct cs_top_line *line, double lived_ns,
                      const char *trend)
{
    double seconds = view->top->interval_ns / 1e9;
    char share[32] = "";
    if (lived_ns > 0)
        snprintf(share, sizeof share, "%.1f%%", 100 * line->ns / lived_ns);
    return put_text(table, CS_CELL_TEXT, cs_top_name(view->names, view->top, line)) &&
           put_text(table, CS_CELL_NUMBER, share) && put_extreme(table, line, line->least, view->top->interval_ns) &&
           put_extreme(table, line, line->most, view->top->interval_ns) &&
           put_rate(table, seconds > 0, (double)line->calls / seconds) &&
           put_bytes(table, seconds > 0, (double)line->bytes / seconds) && put_text(table, CS_CELL_TEXT, trend);
}

enum cs_status cs_top_print_lines(const struct cs_top_view *view, FILE *stream, enum cs_top_subject subject,
                                  size_t first, size_t most)
{
    enum { LINES_READ = 4096 };
    static const char *const calls[][7] = {
        {"communicator", "MPI", "least (rank)", "most (rank)", "calls/s", "bytes/s", "trend"},
        {"function", "MPI", "least (rank)", "most (rank)", "calls/s", "bytes/s", "trend"},
        {"call site", "MPI", "least (rank)", "most (rank)", "calls/s", "bytes/s", "trend"},
    };
    static const char *const objects[] = {"object", "created at", "live", "growth/s", "trend"};
    bool is_objects = subject == CS_TOP_OBJECT;
    struct cs_top_line **line = malloc(LINES_READ * sizeof *line);
    struct cs_table *table = is_objects ? new_table(objects, 5) : new_table(calls[subject], 7);
    bool good = line && table;
    size_t count = good ? cs_top_activity_lines(view->top->activity, subject, line, LINES_READ) : 0;
    double lived_ns = cs_top_activity_lived(view->top->activity);
    if (good && (is_objects || subject == CS_TOP_CALL_SITE))
        cs_table_yield(table, is_objects ? 1 : 0, (struct cs_table_yield){.cells = CS_CELLS_OF_CALL_SITES});
    if (good && is_objects)
        cs_table_yield(table, 4, (struct cs_table_yield){.turn = 1});
    if (good && !is_objects) {
        cs_table_yield(table, 2, (struct cs_table_yield){.empty = true, .turn = 2});
        cs_table_yield(table, 3, (struct cs_table_yield){.empty = true, .turn = 2});
        cs_table_yield(table, 6, (struct cs_table_yield){.turn = 1});
    }
    for (size_t i = first; good && i < count && i < first + most; i++) {
        char trend[4 * TREND + 8];
        write_trend(&view->terminal, line[i], trend, sizeof trend);
        good = is_objects ? put_object(table, view, line[i], trend) : put_calls(table, view, line[i], lived_ns, trend);
    }
    if (good && count)
        cs_table_print(table, stream, &view->terminal);
    free(line);
    cs_table_free(table);
    return good ? CS_OK : CS_NO_MEMORY;
}
