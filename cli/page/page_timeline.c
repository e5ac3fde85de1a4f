#include "cli/page/page_timeline.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/log.h"
#include "cli/report/pictures.h"
#include "cli/rows/rows.h"
#include "cli/text/html.h"

enum {
    COLORS = 8,       /* the last one is for all other functions */
    COLUMNS = 240,    /* of the picture */
    CELLS_MOST = 6000 /* columns of all lanes */
};

struct call {
    size_t lane;
    double from, until, inside; /* seconds */
    char function[64];
};

struct timeline {
    struct call *call;
    size_t calls, room, lanes, columns;
    char (*label)[24];
    size_t labels_room;
    double from, until;
    const char *color[COLORS];
    size_t colors;
};

static bool read_calls(sqlite3 *db, struct timeline *timeline)
{
    int64_t last = INT64_MIN;
    bool grown = true;
    struct cs_rows row = cs_rows_begin(db, cs_picture_find("timeline")->sql);
    timeline->from = INFINITY;
    timeline->until = -INFINITY;
    while (grown && cs_rows_next(&row)) {
        int64_t rank = cs_rows_integer(&row, "rank");
        grown = cs_array_grow(&timeline->call, timeline->calls, &timeline->room, sizeof *timeline->call) &&
                cs_array_grow(&timeline->label, timeline->lanes, &timeline->labels_room, sizeof *timeline->label);
        if (!grown)
            break;
        if (rank != last)
            snprintf(timeline->label[timeline->lanes++], sizeof *timeline->label, "rank %" PRId64, rank);
        last = rank;
        const char *function = cs_rows_text(&row, "function");
        struct call *call = &timeline->call[timeline->calls++];
        *call = (struct call){.lane = timeline->lanes - 1,
                              .from = cs_rows_real(&row, "from_seconds"),
                              .until = cs_rows_real(&row, "until_seconds"),
                              .inside = cs_rows_real(&row, "inside_seconds")};
        bool open = cs_rows_integer(&row, "open") != 0;
        if (open) /* it fills the time until the rank was found dead */
            call->inside = call->until - call->from;
        snprintf(call->function, sizeof call->function, "%s%s", function ? function : "?",
                 open ? ", not returned" : "");
        timeline->from = fmin(timeline->from, call->from);
        timeline->until = fmax(timeline->until, call->until);
    }
    if (!grown)
        cs_log("report: out of memory");
    return cs_rows_end(&row) == CS_OK && grown;
}

static int by_function(const void *left, const void *right)
{
    return strcmp((*(const struct call *const *)left)->function, (*(const struct call *const *)right)->function);
}

struct total {
    const char *function;
    double inside;
};

static int by_time(const void *left, const void *right)
{
    const struct total *a = left, *b = right;
    return a->inside < b->inside ? 1 : a->inside > b->inside ? -1 : strcmp(a->function, b->function);
}

/* The functions with the most time get colours. */
static bool choose_colors(struct timeline *timeline)
{
    const struct call **sorted = calloc(timeline->calls, sizeof *sorted);
    struct total *total = calloc(timeline->calls, sizeof *total);
    size_t count = 0;
    for (size_t i = 0; sorted && i < timeline->calls; i++)
        sorted[i] = &timeline->call[i];
    if (sorted && total) {
        qsort(sorted, timeline->calls, sizeof *sorted, by_function);
        for (size_t i = 0; i < timeline->calls; i++) {
            if (!count || strcmp(total[count - 1].function, sorted[i]->function) != 0)
                total[count++].function = sorted[i]->function;
            total[count - 1].inside += sorted[i]->inside;
        }
        qsort(total, count, sizeof *total, by_time);
        for (size_t i = 0; i < count && i < COLORS - 1; i++)
            timeline->color[timeline->colors++] = total[i].function;
        if (count >= COLORS)
            timeline->color[timeline->colors++] = "other functions";
    }
    bool done = sorted && total;
    free(sorted);
    free(total);
    if (!done)
        cs_log("report: out of memory");
    return done;
}

static unsigned color_of(const struct timeline *timeline, const char *function)
{
    unsigned i = 0;
    while (i < COLORS - 1 && i < timeline->colors && strcmp(timeline->color[i], function) != 0)
        i++;
    return i;
}

/* Adds the time of a call to the cells that it covers: [lane][column][color], in columns. */
static void add_call(const struct timeline *timeline, const struct call *call, double *cells)
{
    double step = (timeline->until - timeline->from) / (double)timeline->columns;
    double first = (call->from - timeline->from) / step, last = (call->until - timeline->from) / step;
    double share = call->until > call->from ? call->inside / (call->until - call->from) : 1;
    unsigned color = color_of(timeline, call->function);
    for (size_t i = (size_t)fmax(first, 0); i < timeline->columns && (double)i <= last; i++)
        cells[(call->lane * timeline->columns + i) * COLORS + color] +=
            share * (fmin(last, (double)i + 1) - fmax(first, (double)i));
}

/* The colour with the most time in a cell; COLORS: it is mostly time outside MPI. */
static unsigned most_of(const double *cell)
{
    double all = 0;
    unsigned most = 0;
    for (unsigned i = 0; i < COLORS; i++) {
        all += cell[i];
        most = cell[i] > cell[most] ? i : most;
    }
    return all < 0.5 ? COLORS : most;
}

static bool draw(const struct timeline *timeline, FILE *stream)
{
    double *cells = calloc(timeline->lanes * timeline->columns * COLORS, sizeof *cells);
    struct cs_html_part *part = calloc(timeline->lanes * timeline->columns, sizeof *part);
    size_t parts = 0;
    bool done = cells && part;
    for (size_t i = 0; done && i < timeline->calls; i++)
        add_call(timeline, &timeline->call[i], cells);
    for (size_t i = 0; done && i < timeline->lanes * timeline->columns; i++) {
        size_t lane = i / timeline->columns, column = i % timeline->columns;
        unsigned color = most_of(cells + i * COLORS);
        double from = (double)column / (double)timeline->columns;
        if (color == COLORS)
            continue;
        struct cs_html_part *before = parts ? &part[parts - 1] : NULL;
        if (!before || before->lane != lane || before->color != color || before->until < from)
            part[parts++] = (struct cs_html_part){lane, from, 0, color};
        part[parts - 1].until = (double)(column + 1) / (double)timeline->columns;
    }
    char from[32], until[32];
    snprintf(from, sizeof from, "%.3f s", timeline->from);
    snprintf(until, sizeof until, "%.3f s", timeline->until);
    if (done)
        cs_html_lanes(stream, "What each rank did when: the MPI function that took most of each moment", from, until,
                      timeline->label, timeline->lanes, part, parts, timeline->color, timeline->colors);
    else
        cs_log("report: out of memory");
    free(cells);
    free(part);
    return done;
}

enum cs_status cs_page_draw_timeline(struct cs_report_output *output)
{
    struct timeline timeline = {.columns = COLUMNS};
    bool done = read_calls(output->db, &timeline);
    if (done && timeline.calls) {
        timeline.columns = timeline.lanes * COLUMNS > CELLS_MOST ? CELLS_MOST / timeline.lanes : COLUMNS;
        timeline.until = fmax(timeline.until, timeline.from + 1e-9);
        done = choose_colors(&timeline) && draw(&timeline, output->stream);
    }
    free(timeline.call);
    free(timeline.label);
    return done ? CS_OK : CS_NO_MEMORY;
}
