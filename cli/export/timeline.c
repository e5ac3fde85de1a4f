/* callsign timeline: what each rank did when, at most a screen. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/command/command.h"
#include "cli/command/newest_run.h"
#include "cli/command/options.h"
#include "cli/rows/rows.h"
#include "cli/rows/sql.h"
#include "cli/rows/threads_without.h"
#include "cli/text/phrase.h"
#include "cli/text/text.h"
#include "reports_sql.h"

static const char help[] = "Usage: callsign timeline [RUN] [--last TIME | --around WHEN]\n"
                           "       callsign timeline [RUN] [--from TIME] [--to TIME]\n\n"
                           "Draws what each rank did when: a line for each rank, or for several. A letter is\n"
                           "the MPI function and communicator that took most of that moment.\n"
                           "It shows recorded events: the last calls of ranks that died, or of all ranks\n"
                           "with callsign run --events keep (docs/timeline.md).\n"
                           "Without RUN it reads the newest run of the current folder.\n\n"
                           "  -l, --last TIME    the last TIME of the events, such as 10s, 500ms or 20us\n"
                           "  -a, --around WHEN  a second around WHEN; --last sets another length. WHEN is a\n"
                           "                     time after MPI_Init; hang: the begin of the call that\n"
                           "                     the last rank is stuck in; rank3: its last call\n"
                           "      --from TIME    begin at this time after MPI_Init\n"
                           "      --to TIME      end at this time after MPI_Init\n"
                           "  -h, --help         print this\n\n"
                           "Examples:\n"
                           "  callsign timeline program.k3f9a2xq.callsign --last 2s\n"
                           "  callsign timeline program.k3f9a2xq.callsign --from 12.5s --to 13s\n";

enum {
    WIDTH = 80,      /* of a terminal that does not say */
    HEIGHT = 24,     /* likewise */
    HEAD = 3,        /* lines above the ranks */
    CALLS_MOST = 20, /* calls with a time of their own, and letters */
    LEGEND = 8,      /* lines of the legend that are always there */
    OTHERS = '*',    /* calls without a letter of their own */
};
static const char letters[] = "ABCDEFGHIJKLMNOPQRST";

/* ---- options ---- */

struct timeline {
    const char *run;
    enum { AROUND_TIME, AROUND_HANG, AROUND_RANK } around_what;
    int64_t rank;
    double last, around, from, to; /* seconds; NAN: not given */
};

/* "10s", "500ms", "20us", "1.5": seconds. */
static bool parse_time(const char *text, double *seconds)
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"min", 60}};
    char *end;
    double value = strtod(text, &end);
    for (size_t i = 0; end > text && i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i].unit) == 0 && isfinite(value) && fabs(value) < 1e9) {
            *seconds = value * units[i].seconds;
            return true;
        }
    cs_log("timeline: %s is no time, such as 10s or 500ms", text);
    return false;
}

/* "hang", "rank3", "rank 3", or a time. */
static bool parse_around(const char *text, struct timeline *timeline)
{
    char *end;
    if (strcmp(text, "hang") == 0) {
        timeline->around_what = AROUND_HANG;
        return true;
    }
    if (strncmp(text, "rank", 4) != 0) {
        timeline->around_what = AROUND_TIME;
        return parse_time(text, &timeline->around);
    }
    text += 4 + strspn(text + 4, " =");
    timeline->around_what = AROUND_RANK;
    timeline->rank = strtoll(text, &end, 10);
    if (end > text && !*end && timeline->rank >= 0)
        return true;
    cs_log("timeline: %s is no rank, such as rank3", text);
    return false;
}

/* ---- the window ---- */

struct window {
    double from_ns, to_ns;
    int64_t ranks;
};

/* Finds the time that --around names; NAN: an error was logged. */
static double find_around(sqlite3 *db, const struct timeline *timeline)
{
    double seconds = NAN;
    if (timeline->around_what == AROUND_TIME)
        return timeline->around;
    sqlite3_stmt *row = cs_sql_prepare(db, cs_sql_timeline_around);
    sqlite3_bind_int64(row, 1, timeline->around_what == AROUND_RANK ? timeline->rank : -1);
    if (row && sqlite3_step(row) == SQLITE_ROW && sqlite3_column_type(row, 0) != SQLITE_NULL)
        seconds = sqlite3_column_double(row, 0);
    if (sqlite3_finalize(row) != SQLITE_OK)
        cs_log("timeline: %s", sqlite3_errmsg(db));
    else if (isnan(seconds) && timeline->around_what == AROUND_HANG)
        cs_log("timeline: no rank of %s is inside a call", timeline->run);
    else if (isnan(seconds))
        cs_log("timeline: rank %" PRId64 " of %s has no events", timeline->rank, timeline->run);
    return seconds;
}

/* Reads which time the events cover. false: there are none, or an error was logged. */
static bool read_window(sqlite3 *db, const struct timeline *timeline, struct window *window)
{
    struct cs_rows row = cs_rows_begin(db, cs_sql_timeline_window);
    bool any = cs_rows_next(&row) && cs_rows_integer(&row, "events");
    double least = cs_rows_real(&row, "least"), most = cs_rows_real(&row, "most"), ended = cs_rows_real(&row, "ended");
    window->ranks = cs_rows_integer(&row, "ranks");
    if (cs_rows_end(&row) != CS_OK)
        return false;
    if (!any) {
        cs_log("%s has no events: callsign run --events keep records them; a rank that dies always leaves them",
               timeline->run);
        return false;
    }
    most = ended > most ? ended : most;
    window->from_ns = least;
    window->to_ns = most;
    if (timeline->around_what != AROUND_TIME || !isnan(timeline->around)) {
        double half = (isnan(timeline->last) ? 1 : timeline->last) / 2, around = find_around(db, timeline);
        if (isnan(around))
            return false;
        window->from_ns = (around - half) * 1e9;
        window->to_ns = (around + half) * 1e9;
    } else if (!isnan(timeline->last)) {
        window->from_ns = most - timeline->last * 1e9;
    }
    if (!isnan(timeline->from))
        window->from_ns = timeline->from * 1e9;
    if (!isnan(timeline->to))
        window->to_ns = timeline->to * 1e9;
    if (window->to_ns - window->from_ns >= 1)
        return true;
    cs_log("timeline: the time from %.9g s to %.9g s is empty", window->from_ns / 1e9, window->to_ns / 1e9);
    return false;
}

/* ---- the picture ---- */

struct picture {
    struct window window;
    size_t columns, lines, labels; /* labels: width of the ranks before each line */
    int64_t per_line;              /* ranks */
    double *time;  /* of each call in each cell: [line][column][call]; the last call stands for all others */
    double *known; /* time that the events cover: [line][column] */
    struct cs_phrase name[CALLS_MOST + 1];
    double spent[CALLS_MOST + 1];
    size_t calls;
    size_t cells[CALLS_MOST + 1]; /* in which each call has most time */
    char letter[CALLS_MOST + 1];  /* of each call; of those without a line in the legend: others */
};

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql, const struct window *window)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK ||
        sqlite3_bind_int64(statement, 1, (int64_t)window->from_ns) != SQLITE_OK ||
        sqlite3_bind_int64(statement, 2, (int64_t)window->to_ns) != SQLITE_OK) {
        cs_log("timeline: %s", sqlite3_errmsg(db));
        sqlite3_finalize(statement);
        return NULL;
    }
    return statement;
}

static const char *text_of(sqlite3_stmt *row, int column)
{
    const char *text = (const char *)sqlite3_column_text(row, column);
    return text ? text : "a call";
}

/* The letter's number of a call. */
static size_t find_call(const struct picture *picture, const char *name)
{
    size_t i = 0;
    while (i < picture->calls && i < CALLS_MOST && strcmp(cs_phrase_text(&picture->name[i]), name) != 0)
        i++;
    return i;
}

/* The calls that took most time get letters. */
static bool name_calls(sqlite3 *db, struct picture *picture)
{
    char *sql = sqlite3_mprintf("SELECT call, sum((most - least) * share) FROM (%s) GROUP BY call ORDER BY 2 DESC",
                                cs_sql_timeline_calls);
    sqlite3_stmt *row = prepare(db, sql, &picture->window);
    sqlite3_free(sql);
    if (!row)
        return false;
    while (sqlite3_step(row) == SQLITE_ROW) {
        size_t i = picture->calls < CALLS_MOST ? picture->calls++ : CALLS_MOST;
        if (i < CALLS_MOST)
            cs_phrase_add(&picture->name[i], "%s", text_of(row, 0));
        picture->spent[i] += sqlite3_column_double(row, 1);
    }
    return sqlite3_finalize(row) == SQLITE_OK;
}

static double *cell_of(const struct picture *picture, size_t line, size_t column)
{
    return picture->time + (line * picture->columns + column) * (CALLS_MOST + 1);
}

/* Adds the time from `from` to `to` to the cells of a line. share: of this time was spent in the call. */
static void add_time(struct picture *picture, size_t line, size_t call, double from, double to, double share)
{
    double step = (picture->window.to_ns - picture->window.from_ns) / (double)picture->columns;
    double first = (from - picture->window.from_ns) / step, last = (to - picture->window.from_ns) / step;
    for (size_t column = first > 0 ? (size_t)first : 0; column < picture->columns && (double)column <= last; column++) {
        double begin = fmax(first, (double)column), end = fmin(last, (double)column + 1);
        cell_of(picture, line, column)[call] += fmax(end - begin, 1e-9) * share;
    }
}

/* From its first event on, nothing of a thread is missing. */
static bool cover(sqlite3 *db, struct picture *picture)
{
    sqlite3_stmt *row = prepare(db, cs_sql_timeline_cover, &picture->window);
    if (!row)
        return false;
    double step = (picture->window.to_ns - picture->window.from_ns) / (double)picture->columns;
    while (sqlite3_step(row) == SQLITE_ROW) {
        size_t line = (size_t)(sqlite3_column_int64(row, 0) / picture->per_line);
        double from = (double)sqlite3_column_int64(row, 1), to = (double)sqlite3_column_int64(row, 2);
        for (size_t column = 0; line < picture->lines && column < picture->columns; column++) {
            double begin = picture->window.from_ns + step * (double)column;
            if (begin + step > from && begin <= to)
                picture->known[line * picture->columns + column] = 1;
        }
    }
    return sqlite3_finalize(row) == SQLITE_OK;
}

static bool fill(sqlite3 *db, struct picture *picture)
{
    sqlite3_stmt *row = prepare(db, cs_sql_timeline_calls, &picture->window);
    if (!row)
        return false;
    while (sqlite3_step(row) == SQLITE_ROW) {
        size_t line = (size_t)(sqlite3_column_int64(row, 0) / picture->per_line);
        if (line < picture->lines)
            add_time(picture, line, find_call(picture, text_of(row, 1)), (double)sqlite3_column_int64(row, 2),
                     (double)sqlite3_column_int64(row, 3), sqlite3_column_double(row, 4));
    }
    return sqlite3_finalize(row) == SQLITE_OK && cover(db, picture);
}

enum { CALL_NONE = CALLS_MOST + 1 };

/* The call with most time in a cell; CALL_NONE: most of the time was outside MPI. */
static size_t call_of(const struct picture *picture, size_t line, size_t column)
{
    const double *time = cell_of(picture, line, column);
    double all = 0, most = 0;
    size_t call = 0;
    for (size_t i = 0; i <= CALLS_MOST; i++) {
        all += time[i];
        if (time[i] > most) {
            most = time[i];
            call = i;
        }
    }
    return all < 0.5 * (double)picture->per_line ? (size_t)CALL_NONE : call;
}

/* Gives letters to the calls that the picture shows, as many as the legend has lines. */
static void choose_letters(struct picture *picture, size_t lines)
{
    for (size_t line = 0; line < picture->lines; line++)
        for (size_t column = 0; column < picture->columns; column++) {
            size_t call = call_of(picture, line, column);
            if (call != CALL_NONE)
                picture->cells[call]++;
        }
    size_t given = 0;
    for (size_t i = 0; i <= CALLS_MOST; i++)
        picture->letter[i] = i < CALLS_MOST && picture->cells[i] && given < lines ? letters[given++] : OTHERS;
}

/* "." for time outside MPI; " ": no events. */
static char letter_of(const struct picture *picture, size_t line, size_t column)
{
    size_t call = call_of(picture, line, column);
    if (call != CALL_NONE)
        return picture->letter[call];
    return picture->known[line * picture->columns + column] > 0 ? '.' : ' ';
}

static void print_axis(const struct picture *picture)
{
    char from[32], to[32], length[32];
    snprintf(from, sizeof from, "%.6g s", picture->window.from_ns / 1e9);
    snprintf(to, sizeof to, "%.6g s", picture->window.to_ns / 1e9);
    double step = (picture->window.to_ns - picture->window.from_ns) / (double)picture->columns;
    printf("%zu x %s, time after MPI_Init:\n", picture->columns, cs_text_duration(length, sizeof length, step));
    int gap = (int)picture->columns - (int)strlen(from) - (int)strlen(to);
    printf("%*s%s%*s%s\n", (int)picture->labels, "", from, gap > 1 ? gap : 1, "", to);
}

static void print_lines(const struct picture *picture)
{
    for (size_t line = 0; line < picture->lines; line++) {
        int64_t first = (int64_t)line * picture->per_line, last = first + picture->per_line - 1;
        char label[48];
        last = last < picture->window.ranks ? last : picture->window.ranks - 1;
        if (first == last)
            snprintf(label, sizeof label, "rank %" PRId64, first);
        else
            snprintf(label, sizeof label, "ranks %" PRId64 "-%" PRId64, first, last);
        printf("%-*s", (int)picture->labels, label);
        for (size_t column = 0; column < picture->columns; column++)
            putchar(letter_of(picture, line, column));
        putchar('\n');
    }
}

static void print_legend(const struct picture *picture, bool pending)
{
    char time[32];
    double others = 0;
    for (size_t i = 0; i <= CALLS_MOST; i++) {
        if (picture->letter[i] == OTHERS) {
            others += picture->cells[i] ? picture->spent[i] : 0;
            continue;
        }
        printf("  %c  ", picture->letter[i]);
        cs_text_put(stdout, cs_phrase_text(&picture->name[i]));
        printf(", %s\n", cs_text_duration(time, sizeof time, picture->spent[i]));
    }
    if (others > 0)
        printf("  %c  other calls, %s\n", OTHERS, cs_text_duration(time, sizeof time, others));
    puts("  .  outside MPI");
    if (pending)
        puts("Calls that never returned are drawn until their ranks were found dead or the job ended.");
}

/* Whether a rank that ended, or was killed, was inside a call. */
static bool has_pending(sqlite3 *db)
{
    struct cs_rows row = cs_rows_begin(db, "SELECT EXISTS (SELECT 1 FROM thread t JOIN process p USING (rank)\n"
                                           "WHERE t.state = 'inside' AND p.outcome NOT IN ('finalized', 'running'))\n"
                                           "AS pending");
    bool pending = cs_rows_next(&row) && cs_rows_integer(&row, "pending");
    return cs_rows_end(&row) == CS_OK && pending;
}

static bool print_threads_without(sqlite3 *db)
{
    struct cs_phrase line = {0};
    bool done = cs_threads_without_events(db, &line) == CS_OK;
    if (*cs_phrase_text(&line))
        printf("%s\n", cs_phrase_text(&line));
    cs_phrase_free(&line);
    return done;
}

static int show(sqlite3 *db, const struct timeline *timeline)
{
    struct picture picture = {.labels = 0};
    struct winsize size = {.ws_row = HEIGHT};
    struct cs_terminal terminal = cs_terminal_of(stdout);
    if (!read_window(db, timeline, &picture.window))
        return CS_EXIT_TROUBLE;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row < HEIGHT)
        size.ws_row = HEIGHT;
    size_t most = size.ws_row - HEAD - LEGEND - 1, width = terminal.width ? terminal.width : WIDTH;
    picture.per_line = (picture.window.ranks + (int64_t)most - 1) / (int64_t)most;
    if (picture.per_line < 1)
        picture.per_line = 1;
    picture.lines = (size_t)((picture.window.ranks + picture.per_line - 1) / picture.per_line);
    char widest[48];
    picture.labels = (size_t)snprintf(widest, sizeof widest,
                                      picture.per_line > 1 ? "ranks %" PRId64 "-%" PRId64 " " : "rank %" PRId64 " ",
                                      picture.window.ranks, picture.window.ranks);
    picture.columns = width > picture.labels + 40 ? width - picture.labels : 40;
    picture.time = calloc(picture.lines * picture.columns * (CALLS_MOST + 1), sizeof *picture.time);
    picture.known = calloc(picture.lines * picture.columns, sizeof *picture.known);
    bool done = picture.time && picture.known;
    if (!done)
        cs_log("timeline: out of memory");
    done = done && name_calls(db, &picture) && fill(db, &picture);
    if (done) {
        bool pending = has_pending(db);
        choose_letters(&picture, size.ws_row - HEAD - picture.lines - 2 - pending);
        print_axis(&picture);
        print_lines(&picture);
        print_legend(&picture, pending);
        done = print_threads_without(db);
    }
    free(picture.time);
    free(picture.known);
    for (size_t i = 0; i <= CALLS_MOST; i++)
        cs_phrase_free(&picture.name[i]);
    int written = cs_command_close_output(stdout, NULL);
    return done ? written : CS_EXIT_TROUBLE;
}

int cmd_timeline(int argc, char **argv)
{
    struct cs_options options;
    cs_options_begin(&options, argc, argv, "", help);
    struct timeline timeline = {.last = NAN, .around = NAN, .from = NAN, .to = NAN};
    const char *option;
    while ((option = cs_option_next(&options))) {
        double *time = cs_option_is(option, "last")   ? &timeline.last
                       : cs_option_is(option, "from") ? &timeline.from
                       : cs_option_is(option, "to")   ? &timeline.to
                                                      : NULL;
        if (cs_option_is(option, "help"))
            return cs_command_help(help);
        if (!time && !cs_option_is(option, "around"))
            return cs_command_usage("timeline");
        if (time ? !parse_time(optarg, time) : !parse_around(optarg, &timeline))
            return CS_EXIT_USAGE;
    }
    if (argc > optind + 1) {
        cs_log("timeline: give one run");
        return cs_command_usage("timeline");
    }
    timeline.run = optind < argc ? argv[optind] : cs_newest_run("timeline", false);
    struct cs_run *run = !timeline.run ? NULL : cs_command_open(timeline.run, 0);
    if (!run)
        return CS_EXIT_TROUBLE;
    int code = show(cs_run_database(run), &timeline);
    cs_run_close(run);
    return code;
}
