/* callsign compare: what changed from some runs of a program to others. */
#include <inttypes.h>
#include <math.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/status.h"
#include "cli/command/command.h"
#include "cli/command/newest_run.h"
#include "cli/command/options.h"
#include "cli/compare/compare_figures.h"
#include "cli/compare/compare_rank_test.h"
#include "cli/compare/compare_rules.h"
#include "cli/rows/location.h"
#include "cli/rows/result.h"
#include "cli/rows/rows.h"
#include "cli/rows/sql.h"
#include "cli/text/table.h"
#include "cli/text/text.h"
#include "reports_sql.h"

static const char help[] = "Usage: callsign compare [OPTION...] BASE... -- NEW...\n"
                           "       callsign compare [OPTION...] [BASE]\n\n"
                           "Compares runs of a program before and after a change: folders or merged files.\n"
                           "Communicators, functions and callers are matched by name, so other lines,\n"
                           "addresses and rank counts do no harm. One run of each side is enough for\n"
                           "calls, bytes, objects, leaks and placement; times need 4 runs of each side,\n"
                           "made in turns: old, new, old, new.\n"
                           "Without NEW it takes the newest run of the current folder, and without BASE the\n"
                           "one before it.\n\n"
                           "  --fail-on RULE   exit code 1 if the rule is met, 2 if that cannot be decided.\n"
                           "                   RULE: METRIC[@NAME]>NUMBER with %, s, ms, us, B, KiB ...:\n"
                           "                   how much more NEW may have. METRIC: time wait code elapsed\n"
                           "                   calls bytes remote_bytes objects leaks ranks nodes cores\n"
                           "                   load bound. NAME: a function, communicator, caller or kind\n"
                           "                   of object. Repeatable\n"
                           "  --region NAME    compare only MPI calls in this region of the program (see the\n"
                           "                   report regions): time wait calls bytes\n"
                           "  --junit FILE     write the results of the rules as JUnit XML\n"
                           "  --markdown       print Markdown\n"
                           "  -n, --rows N     show at most N rows of each table (0: all)\n"
                           "  -f, --format table|csv|json  csv: the changes; json: runs, changes and rules\n"
                           "  -h, --help       print this\n\n"
                           "Examples:\n"
                           "  callsign compare\n"
                           "  callsign compare old.callsign -- new.callsign\n"
                           "  callsign compare --fail-on 'time>5%' --fail-on 'leaks>0' \\\n"
                           "    old/*.callsign -- new/*.callsign\n";

/* ---- printing, for terminals and as Markdown ---- */

struct output {
    sqlite3 *figures;
    FILE *stream;
    size_t rows; /* rows of a table, at most; 0: all */
    bool markdown;
    bool tested;        /* there are runs enough for tests */
    const char *region; /* NULL: the whole program */
};

enum { CHANGES_ROWS = 20, UNTESTED_ROWS = 10, UNCLEAR_ROWS = 5, VALUE_BYTES = 64 };

/* ---- values ---- */

static bool is(const char *metric, const char *other)
{
    return strcmp(metric, other) == 0;
}

/* From this ratio on, "45 times" is read more easily than "+4400 %". */
enum { RATIO_LEAST = 10 };

/* "+12.5 %", "45.9 times". From or to nothing the difference itself: "+4". */
static void add_change(struct cs_phrase *phrase, struct cs_rows *row)
{
    double base = cs_rows_real(row, "base"), new = cs_rows_real(row, "new");
    if (base > 0 && new >= RATIO_LEAST * base) {
        cs_phrase_add(phrase, "%.3g times", new / base);
        return;
    }
    if (base > 0 && new > 0 && fabs(new - base) >= 0.0005 * base) {
        cs_phrase_add(phrase, "%+.1f %%", (new - base) * 100 / base);
        return;
    }
    cs_phrase_add(phrase, "%s", new > base ? "+" : "");
    cs_figures_add_value(phrase, cs_rows_text(row, "metric"), new - base);
}

/* "+2 to +17 %", "9 to 12 times", or the differences: "-3 to +4". */
static void add_interval(struct cs_phrase *phrase, struct cs_rows *row)
{
    if (!cs_rows_has(row, "change_low"))
        return;
    const char *metric = cs_rows_text(row, "metric");
    double base = cs_rows_real(row, "base"), low = cs_rows_real(row, "change_low"),
           high = cs_rows_real(row, "change_high");
    if (base > 0 && low > -base && base + high >= RATIO_LEAST * base) {
        cs_phrase_add(phrase, "%.3g to %.3g times", 1 + low / base, 1 + high / base);
        return;
    }
    if (base > 0) {
        cs_phrase_add(phrase, "%+.0f to %+.0f %%", low * 100 / base, high * 100 / base);
        return;
    }
    cs_phrase_add(phrase, "%s", low > 0 ? "+" : "");
    cs_figures_add_value(phrase, metric, low);
    cs_phrase_add(phrase, " to %s", high > 0 ? "+" : "");
    cs_figures_add_value(phrase, metric, high);
}

static void add_probability(struct cs_phrase *phrase, double p)
{
    if (p < 0.001)
        cs_phrase_add(phrase, "<0.001");
    else
        cs_phrase_add(phrase, p < 0.1 ? "%.3f" : "%.2f", p);
}

/* "slower", "perhaps slower", "more calls", "fewer leaks"; without a verdict the figure: "time" */
static void add_verdict(struct cs_phrase *phrase, struct cs_rows *row)
{
    static const struct {
        const char *metric, *more, *less;
    } words[] = {{"time", "slower", "faster"},
                 {"elapsed", "slower run", "faster run"},
                 {"wait", "more waiting", "less waiting"},
                 {"outside", "slower outside MPI", "faster outside MPI"},
                 {"code", "slower code before", "faster code before"},
                 {"calls", "more calls", "fewer calls"},
                 {"bytes", "more bytes", "fewer bytes"},
                 {"remote_bytes", "more to other nodes", "less to other nodes"},
                 {"objects", "more objects", "fewer objects"},
                 {"leaks", "more leaks", "fewer leaks"},
                 {"ranks", "more ranks", "fewer ranks"},
                 {"nodes", "more nodes", "fewer nodes"},
                 {"cores", "more cores", "fewer cores"},
                 {"load", "more ranks per core", "fewer ranks per core"},
                 {"bound", "more ranks bound", "fewer ranks bound"}};
    const char *metric = cs_rows_text(row, "metric"), *verdict = cs_rows_text(row, "verdict");
    bool more = strstr(verdict, "more"), judged = more || strstr(verdict, "less"),
         whole = !cs_rows_has(row, "function");
    if (is(metric, "code") && whole)
        metric = "outside";
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (judged && is(metric, words[i].metric)) {
            cs_phrase_add(phrase, "%s%s%s", strncmp(verdict, "perhaps", 7) == 0 ? "perhaps " : "",
                          more ? words[i].more : words[i].less, is(metric, "time") && whole ? " in MPI" : "");
            return;
        }
    cs_phrase_add(phrase, "%s",
                  is(metric, "time")      ? "MPI time"
                  : is(metric, "wait")    ? "waiting"
                  : is(metric, "code")    ? "code before"
                  : is(metric, "outside") ? "outside MPI"
                                          : metric);
}

/* ---- Markdown ---- */

/* A name as code: a fence longer than every row of backquotes in it; in a table, | ends a cell there too. */
static void put_code(FILE *stream, const char *text)
{
    size_t longest = 0, row = 0;
    for (const char *c = text; *c; c++) {
        row = *c == '`' ? row + 1 : 0;
        longest = row > longest ? row : longest;
    }
    const char *blank = longest ? " " : "";
    for (size_t i = 0; i <= longest; i++)
        fputc('`', stream);
    fputs(blank, stream);
    for (; *text; text++)
        fprintf(stream, *text == '|' ? "\\|" : "%c", *text);
    fputs(blank, stream);
    for (size_t i = 0; i <= longest; i++)
        fputc('`', stream);
}

/* A sentence with names in it: characters that Markdown interprets are escaped. */
static void put_markdown(FILE *stream, const char *text)
{
    for (; *text; text++) {
        if (strchr("\\`*_{}[]()<>#|~@&!", *text))
            fputc('\\', stream);
        fputc(*text, stream);
    }
}

/* ---- lines and tables ---- */

static void print_line(const struct output *output, struct cs_phrase *line)
{
    char *visible = cs_text_visible(cs_phrase_text(line), line->length);
    struct cs_terminal terminal = cs_terminal_of(output->stream);
    if (visible && output->markdown) {
        put_markdown(output->stream, visible);
        fputs("\n\n", output->stream);
    } else if (visible) {
        cs_text_wrap(output->stream, visible, terminal.width, 0, 2);
    }
    free(visible);
    cs_phrase_clear(line);
}

static void print_title(const struct output *output, const char *title)
{
    struct cs_terminal terminal = cs_terminal_of(output->stream);
    if (output->markdown)
        fprintf(output->stream, "**%s**\n\n", title);
    else
        fprintf(output->stream, "\n%s%s%s\n", cs_terminal_bold(&terminal), title, cs_terminal_plain(&terminal));
}

/* The columns of all tables; the whole run has no names. */
enum { WHAT, ON, FUNCTION, CALLER, BEFORE, AFTER, CHANGE, INTERVAL, PROBABILITY, COLUMNS };
static const char *const titles[COLUMNS] = {"what",  "on",     "function",      "caller", "before",
                                            "after", "change", "95 % interval", "p"};

static bool is_shown(const struct output *output, bool whole, int column)
{
    if (column >= INTERVAL)
        return output->tested;
    return !whole || column < ON || column > CALLER;
}

struct row {
    struct cs_phrase cell[COLUMNS];
};

static void fill_row(struct row *row, struct cs_rows *from)
{
    static const char *const names[COLUMNS] = {[FUNCTION] = "function", [CALLER] = "caller"};
    const char *metric = cs_rows_text(from, "metric");
    for (int i = 0; i < COLUMNS; i++)
        cs_phrase_clear(&row->cell[i]);
    add_verdict(&row->cell[WHAT], from);
    const char *on = cs_rows_text(from, "communicator");
    on = on ? on : cs_rows_text(from, "kind");
    cs_phrase_add(&row->cell[ON], "%s", on ? on : "");
    for (int i = FUNCTION; i <= CALLER; i++)
        cs_phrase_add(&row->cell[i], "%s", cs_rows_has(from, names[i]) ? cs_rows_text(from, names[i]) : "");
    cs_figures_add_value(&row->cell[BEFORE], metric, cs_rows_real(from, "base"));
    cs_figures_add_value(&row->cell[AFTER], metric, cs_rows_real(from, "new"));
    add_change(&row->cell[CHANGE], from);
    add_interval(&row->cell[INTERVAL], from);
    if (cs_rows_has(from, "adjusted_p"))
        add_probability(&row->cell[PROBABILITY], cs_rows_real(from, "adjusted_p"));
}

static void print_markdown_row(const struct output *output, const struct row *row, bool whole)
{
    FILE *stream = output->stream;
    for (int i = 0; i < COLUMNS; i++) {
        const char *text = cs_phrase_text(&row->cell[i]);
        if (!is_shown(output, whole, i))
            continue;
        char *visible = cs_text_visible(text, strlen(text));
        fputs("| ", stream);
        if (visible && *visible && i >= ON && i <= CALLER)
            put_code(stream, visible);
        else if (visible)
            fputs(visible, stream);
        fputc(' ', stream);
        free(visible);
    }
    fputs("|\n", stream);
}

static void print_markdown_head(const struct output *output, bool whole)
{
    for (int i = 0; i < COLUMNS; i++)
        if (is_shown(output, whole, i))
            fprintf(output->stream, "| %s ", titles[i]);
    fputs("|\n", output->stream);
    for (int i = 0; i < COLUMNS; i++)
        if (is_shown(output, whole, i))
            fputs(i >= BEFORE ? "| ---: " : "| --- ", output->stream);
    fputs("|\n", output->stream);
}

static enum cs_status add_row(const struct output *output, struct cs_table *table, const struct row *row, bool whole)
{
    enum cs_status status = CS_OK;
    for (int i = 0; i < COLUMNS && status == CS_OK; i++) {
        const struct cs_phrase *cell = &row->cell[i];
        enum cs_cell kind = !cell->length ? CS_CELL_EMPTY : i >= BEFORE ? CS_CELL_NUMBER : CS_CELL_TEXT;
        if (is_shown(output, whole, i))
            status = cell->failed ? CS_NO_MEMORY : cs_table_cell(table, kind, cs_phrase_text(cell), cell->length);
    }
    return status;
}

/* Only tables with interval and p are too wide. */
static int find_turn(const struct output *output, bool whole, int column)
{
    return column == CALLER ? 1 : column == BEFORE && !whole && output->tested ? 2 : 0;
}

static struct cs_table *make_table(const struct output *output, bool whole)
{
    size_t columns = 0;
    for (int i = 0; i < COLUMNS; i++)
        columns += is_shown(output, whole, i);
    struct cs_table *table = cs_table_new(columns);
    for (int i = 0, column = 0; table && i < COLUMNS; i++) {
        if (!is_shown(output, whole, i))
            continue;
        cs_table_yield(table, (size_t)column,
                       (struct cs_table_yield){.empty = i == CALLER || i >= INTERVAL,
                                               .cells = i == FUNCTION ? CS_CELLS_OF_FUNCTIONS : CS_CELLS_STAY,
                                               .turn = find_turn(output, whole, i)});
        if (cs_table_title(table, (size_t)column++, titles[i]) != CS_OK) {
            cs_table_free(table);
            return NULL;
        }
    }
    return table;
}

/* Prints at most so many rows (0: all), and how many there are more. No rows: nothing. */
static enum cs_status print_table(const struct output *output, const char *title, const char *sql, size_t most,
                                  bool whole)
{
    struct row row = {.cell = {{0}}};
    size_t count = 0;
    most = output->rows == SIZE_MAX ? most : output->rows;
    struct cs_terminal terminal = cs_terminal_of(output->stream);
    struct cs_table *table = output->markdown ? NULL : make_table(output, whole);
    enum cs_status status = output->markdown || table ? CS_OK : CS_NO_MEMORY;
    struct cs_rows from = cs_rows_begin(output->figures, sql);
    while (status == CS_OK && cs_rows_next(&from)) {
        if (count++ == 0) {
            print_title(output, title);
            if (output->markdown)
                print_markdown_head(output, whole);
        }
        if (most && count > most)
            continue;
        fill_row(&row, &from);
        if (output->markdown)
            print_markdown_row(output, &row, whole);
        else
            status = add_row(output, table, &row, whole);
    }
    if (status == CS_OK && count && table) {
        cs_table_print(table, output->stream, &terminal);
        if (!whole && cs_table_left_out(table, CALLER))
            fprintf(output->stream, "Columns hidden at this width: caller%s\n",
                    output->tested && cs_table_left_out(table, BEFORE) ? ", before" : "");
    }
    if (most && count > most)
        fprintf(output->stream, "%sand %zu more: --rows 0\n", output->markdown ? "\n" : "", count - most);
    if (output->markdown && count)
        fputc('\n', output->stream);
    for (int i = 0; i < COLUMNS; i++)
        cs_phrase_free(&row.cell[i]);
    cs_table_free(table);
    enum cs_status read = cs_rows_end(&from);
    return status == CS_OK ? read : status;
}

/* ---- sentences ---- */

struct summary {
    int64_t base_runs, new_runs;
    bool ranks_differ;
    int64_t changed, untested, unclear, perhaps;
    int64_t items_tested; /* together */
    bool one_after_other; /* the runs of the sides were not alternated */
};

static void add_side(struct cs_phrase *line, struct cs_rows *row, const char *runs, const char *ranks)
{
    cs_phrase_add_count(line, cs_rows_integer(row, runs), "run", "runs");
    cs_phrase_add(line, " of %s ranks", cs_rows_text(row, ranks));
}

static enum cs_status summarize(const struct output *output, struct summary *summary, struct cs_phrase *line)
{
    struct cs_rows row = cs_rows_begin(output->figures, cs_sql_compare_summary);
    if (!cs_rows_next(&row))
        return cs_rows_end(&row);
    const char *base = cs_rows_text(&row, "base_program"), *new = cs_rows_text(&row, "new_program");
    *summary = (struct summary){.base_runs = cs_rows_integer(&row, "base_runs"),
                                .new_runs = cs_rows_integer(&row, "new_runs"),
                                .ranks_differ = cs_rows_integer(&row, "ranks_differ"),
                                .changed = cs_rows_integer(&row, "changed"),
                                .untested = cs_rows_integer(&row, "untested"),
                                .unclear = cs_rows_integer(&row, "unclear"),
                                .perhaps = cs_rows_integer(&row, "perhaps"),
                                .items_tested = cs_rows_integer(&row, "items_tested"),
                                .one_after_other = cs_rows_integer(&row, "one_after_other")};
    cs_phrase_add(line, "%s", base ? base : "a program");
    if (base && new &&strcmp(base, new) != 0)
        cs_phrase_add(line, " before, %s after", new);
    cs_phrase_add(line, ": ");
    add_side(line, &row, "base_runs", "base_ranks");
    cs_phrase_add(line, " before, ");
    add_side(line, &row, "new_runs", "new_ranks");
    cs_phrase_add(line, " after");
    return cs_rows_end(&row);
}

/* Limits of the comparison: other MPIs, ranks that died or are missing. */
static enum cs_status print_notes(const struct output *output, struct cs_phrase *line)
{
    struct cs_rows mpi = cs_rows_begin(
        output->figures, "SELECT (SELECT group_concat(DISTINCT mpi) FROM run WHERE side = 'base') AS base,\n"
                         "       (SELECT group_concat(DISTINCT mpi) FROM run WHERE side = 'new') AS new\n"
                         "FROM run GROUP BY 1, 2 HAVING count(DISTINCT mpi) > 1");
    while (cs_rows_next(&mpi)) {
        cs_phrase_add(line, "The MPIs differ: %s before, %s after", cs_rows_text(&mpi, "base"),
                      cs_rows_text(&mpi, "new"));
        print_line(output, line);
    }
    enum cs_status status = cs_rows_end(&mpi);
    struct cs_rows run = cs_rows_begin(output->figures, "SELECT path, ranks, unfinished, incomplete, lost FROM run\n"
                                                        "WHERE unfinished OR incomplete OR lost ORDER BY run");
    while (status == CS_OK && cs_rows_next(&run)) {
        int64_t unfinished = cs_rows_integer(&run, "unfinished");
        cs_phrase_add(line, "%s: ", cs_rows_text(&run, "path"));
        struct cs_list notes = {.phrase = line};
        if (unfinished && cs_list_next(&notes)) {
            cs_phrase_add_count(line, unfinished, "rank", "ranks");
            cs_phrase_add(line, " did not end by MPI_Finalize, so leaks are not known");
        }
        if (cs_rows_integer(&run, "incomplete") && cs_list_next(&notes))
            cs_phrase_add(line, "ranks are missing, so waiting is not known");
        if (cs_rows_integer(&run, "lost") && cs_list_next(&notes))
            cs_phrase_add(line, "a part of it was not recorded");
        print_line(output, line);
    }
    enum cs_status read = cs_rows_end(&run);
    return status == CS_OK ? read : status;
}

static enum cs_status print_rules(const struct output *output, struct cs_phrase *line)
{
    static const char *const words[] = {[CS_COMPARE_RULE_NOT_MET] = "is not met",
                                        [CS_COMPARE_RULE_MET] = "is met",
                                        [CS_COMPARE_RULE_UNDECIDED] = "cannot be decided"};
    struct cs_compare_rules rules = cs_compare_rules_begin(output->figures);
    for (bool first = true; cs_compare_rules_next(&rules); first = false) {
        if (first && !output->markdown)
            fputc('\n', output->stream);
        cs_phrase_add(line, "The rule %s %s: %s", rules.rule.text, words[rules.rule.result],
                      cs_phrase_text(&rules.rule.why));
        print_line(output, line);
    }
    return cs_compare_rules_end(&rules);
}

/* ---- all of it ---- */

#define TOLD "verdict LIKE '%more' OR verdict LIKE '%less'"

#define ORDER "ORDER BY weight DESC, abs(change) DESC, metric, communicator, function, caller"

static void print_note(const struct output *output, struct cs_phrase *line)
{
    if (!output->markdown)
        fputc('\n', output->stream);
    print_line(output, line);
}

/* What p and "perhaps" mean. */
static void print_meaning(const struct output *output, const struct summary *summary, struct cs_phrase *line)
{
    if (summary->items_tested) {
        cs_phrase_add(line, "p: probability that chance alone makes any of the ");
        cs_phrase_add_count(line, summary->items_tested, "tested figure", "tested figures");
        cs_phrase_add(line, " differ as much; at most 0.05 is a change. More runs make smaller changes visible");
        print_note(output, line);
    }
    if (summary->perhaps) {
        cs_phrase_add(line,
                      "perhaps: the test of this figure alone finds a change, the test of all figures does not; more "
                      "runs decide it");
        print_line(output, line);
    }
}

static enum cs_status print_changes(const struct output *output, const struct summary *summary, struct cs_phrase *line)
{
    static const char whole[] =
        "SELECT * FROM change WHERE scope = 'run' AND (" TOLD " OR verdict IN ('untested', 'unclear'))\n"
        "ORDER BY metric NOT IN ('elapsed', 'time', 'wait', 'code'), weight DESC, metric";
    static const char items[] = "SELECT * FROM change WHERE scope = 'item' AND (" TOLD ")\n" ORDER;
    static const char untested[] = "SELECT * FROM change WHERE scope = 'item' AND verdict = 'untested'\n" ORDER;
    static const char unclear[] = "SELECT * FROM change WHERE scope = 'item' AND verdict = 'unclear'\n" ORDER;
    if (!summary->changed) {
        cs_phrase_add(line, output->region ? "Nothing changed in calls and bytes"
                                           : "Nothing changed in calls, bytes, objects, leaks and placement");
        print_line(output, line);
    }
    enum cs_status status = print_table(output, output->region ? "The whole region" : "The whole run", whole, 0, true);
    if (status == CS_OK)
        status = print_table(output, "Changes, the largest part of the run first", items, CHANGES_ROWS, false);
    if (status == CS_OK)
        status = print_table(output, "May be chance, the largest difference first", unclear, UNCLEAR_ROWS, false);
    if (status == CS_OK && summary->untested) {
        cs_phrase_add(line,
                      "A verdict on times, and on counts that depend on them, needs %d runs of each side; there are "
                      "%" PRId64 " and %" PRId64 ". These are their figures:",
                      CS_RANK_TEST_LEAST, summary->base_runs, summary->new_runs);
        print_note(output, line);
        status = print_table(output, "Figures without a verdict, the largest difference first", untested, UNTESTED_ROWS,
                             false);
    }
    if (status == CS_OK)
        print_meaning(output, summary, line);
    return status;
}

/* Prints the comparison. CS_SQL, CS_NO_MEMORY: logged. */
static enum cs_status print_comparison(struct output *output)
{
    struct cs_phrase line = {0};
    struct summary summary = {0};
    enum cs_status status = summarize(output, &summary, &line);
    output->tested = summary.base_runs >= CS_RANK_TEST_LEAST && summary.new_runs >= CS_RANK_TEST_LEAST;
    bool nothing = !summary.changed && !summary.untested && !summary.unclear;
    if (nothing)
        cs_phrase_add(&line, ": nothing changed%s",
                      output->tested ? ", and no figure of at least 1 % of the run differs by 1 %" : "");
    if (summary.ranks_differ)
        cs_phrase_add(&line, ". Figures are those of one rank: the median of the ranks that have them");
    print_line(output, &line);
    if (output->region) {
        cs_phrase_add(&line, "Only MPI calls in the region %s", output->region);
        print_line(output, &line);
    }
    if (summary.one_after_other && output->tested) {
        cs_phrase_add(&line, "Caution: " CS_COMPARE_ONE_AFTER_OTHER);
        print_line(output, &line);
    }
    if (status == CS_OK)
        status = print_notes(output, &line);
    if (status == CS_OK && !nothing)
        status = print_changes(output, &summary, &line);
    if (status == CS_OK)
        status = print_rules(output, &line);
    cs_phrase_free(&line);
    if (status != CS_OK)
        cs_log("cannot print the comparison: %s", cs_status_text(status));
    return status;
}

struct comparison {
    const char **runs[2], **rules;
    size_t runs_count[2], rules_count;
    const char *junit;
    const char *region; /* NULL: the whole program */
    bool markdown;
    enum cs_format format;
    size_t rows;
};

/* Reads options and runs of one side, up to "--" or the end. -1: good; otherwise the exit code. */
static int parse_side(int argc, char **argv, enum cs_side side, struct comparison *comparison)
{
    struct cs_options options;
    cs_options_begin(&options, argc, argv, "-", help);
    const char *option;
    optind = 0; /* begin anew */
    while ((option = cs_option_next(&options))) {
        if (cs_option_is(option, ""))
            comparison->runs[side][comparison->runs_count[side]++] = optarg;
        else if (cs_option_is(option, "fail-on"))
            comparison->rules[comparison->rules_count++] = optarg;
        else if (cs_option_is(option, "region"))
            comparison->region = optarg;
        else if (cs_option_is(option, "junit"))
            comparison->junit = optarg;
        else if (cs_option_is(option, "markdown"))
            comparison->markdown = true;
        else if (cs_option_is(option, "rows") && cs_command_rows("compare", optarg, &comparison->rows))
            continue;
        else if (cs_option_is(option, "format") && cs_format_parse(optarg, &comparison->format))
            continue;
        else
            return cs_option_stop(&options, option);
    }
    return -1;
}

static int refuse(const char *why)
{
    cs_log("compare: %s", why);
    return cs_command_usage("compare");
}

/* -1: good; otherwise the exit code. */
static int parse(int argc, char **argv, struct comparison *comparison)
{
    int code = parse_side(argc, argv, CS_SIDE_BASE, comparison);
    if (code >= 0)
        return code;
    bool divided = optind >= 2 && strcmp(argv[optind - 1], "--") == 0;
    if (divided) {
        argv[optind - 1] = argv[0]; /* the command's name, for messages */
        code = parse_side(argc - optind + 1, argv + optind - 1, CS_SIDE_NEW, comparison);
    }
    if (code >= 0)
        return code;
    if (!divided && comparison->runs_count[CS_SIDE_BASE] > 1)
        return refuse("-- is missing between the runs before and after: callsign compare BASE... -- NEW...");
    if (divided && (!comparison->runs_count[CS_SIDE_BASE] || !comparison->runs_count[CS_SIDE_NEW]))
        return refuse(comparison->runs_count[CS_SIDE_BASE] ? "give runs after --" : "give runs before --");
    if (comparison->junit && !comparison->rules_count)
        return refuse("--junit has a test case for each --fail-on; give one");
    if (comparison->markdown && comparison->format != CS_FORMAT_TABLE)
        return refuse("--markdown or --format, not both");
    return -1;
}

/* A member of the JSON object; name NULL: CSV. */
static enum cs_status print_rows(sqlite3 *figures, const char *before, const char *name, const char *sql)
{
    sqlite3_stmt *rows = cs_sql_prepare(figures, sql);
    if (!rows)
        return CS_SQL;
    if (name)
        printf("%s\"%s\": ", before, name);
    enum cs_status status =
        name ? cs_result_print_json(rows, stdout, NULL, false) : cs_result_print(rows, stdout, CS_FORMAT_CSV, NULL);
    if (status != CS_OK)
        cs_log("compare: %s", status == CS_SQL ? sqlite3_errmsg(figures) : cs_status_text(status));
    sqlite3_finalize(rows);
    return status;
}

static enum cs_status print(sqlite3 *figures, const struct comparison *comparison)
{
    struct output output = {.figures = figures,
                            .stream = stdout,
                            .rows = comparison->rows,
                            .markdown = comparison->markdown,
                            .region = comparison->region};
    if (comparison->format == CS_FORMAT_TABLE)
        return print_comparison(&output);
    struct cs_rows sequence = cs_rows_begin(
        figures, "SELECT one_after_other FROM sequence WHERE EXISTS (SELECT 1 FROM change WHERE adjusted_p NOT NULL)");
    if (cs_rows_next(&sequence) && cs_rows_integer(&sequence, "one_after_other"))
        cs_log("compare: " CS_COMPARE_ONE_AFTER_OTHER);
    cs_rows_end(&sequence);
    if (comparison->format == CS_FORMAT_CSV)
        return print_rows(figures, "", NULL, cs_sql_compare_listed);
    enum cs_status status = print_rows(figures, "{", "runs", "SELECT * FROM run ORDER BY run");
    if (status == CS_OK)
        status = print_rows(figures, ",\n", "changes", cs_sql_compare_listed);
    if (status == CS_OK)
        status = print_rows(figures, ",\n", "rules", cs_sql_compare_rules);
    puts("}");
    return status;
}

/* The exit code that the rules ask for. */
static int judge(sqlite3 *figures)
{
    bool met = false, undecided = false;
    struct cs_compare_rules rules = cs_compare_rules_begin(figures);
    while (cs_compare_rules_next(&rules)) {
        met |= rules.rule.result == CS_COMPARE_RULE_MET;
        undecided |= rules.rule.result == CS_COMPARE_RULE_UNDECIDED;
        if (rules.rule.result == CS_COMPARE_RULE_UNDECIDED)
            cs_log("--fail-on %s cannot be decided: %s", rules.rule.text, cs_phrase_text(&rules.rule.why));
    }
    if (cs_compare_rules_end(&rules) != CS_OK || met)
        return CS_EXIT_TROUBLE;
    return undecided ? CS_EXIT_USAGE : CS_EXIT_OK;
}

static bool gather(sqlite3 *figures, const struct comparison *comparison)
{
    for (enum cs_side side = CS_SIDE_BASE; side <= CS_SIDE_NEW; side++)
        for (size_t i = 0; i < comparison->runs_count[side]; i++)
            if (!cs_figures_add(figures, comparison->runs[side][i], side, comparison->region))
                return false;
    return cs_figures_compare(figures);
}

/* False: logged. */
static bool rules_are_of_regions(sqlite3 *figures)
{
    struct cs_rows rule =
        cs_rows_begin(figures, "SELECT text FROM rule WHERE metric NOT IN " CS_FIGURES_OF_REGIONS " ORDER BY rule");
    bool others = cs_rows_next(&rule);
    if (others)
        cs_log("compare: --fail-on %s: --region is for time, wait, calls and bytes", cs_rows_text(&rule, "text"));
    return cs_rows_end(&rule) == CS_OK && !others;
}

static int compare(const struct comparison *comparison)
{
    sqlite3 *figures = cs_figures_open();
    if (!figures)
        return CS_EXIT_TROUBLE;
    int code = CS_EXIT_OK;
    for (size_t i = 0; i < comparison->rules_count && code == CS_EXIT_OK; i++)
        if (!cs_compare_rule_add(figures, comparison->rules[i]))
            code = cs_command_usage("compare");
    if (code == CS_EXIT_OK && comparison->region && !rules_are_of_regions(figures))
        code = cs_command_usage("compare");
    if (code == CS_EXIT_OK && !gather(figures, comparison))
        code = CS_EXIT_TROUBLE;
    if (code == CS_EXIT_OK) {
        bool done = print(figures, comparison) == CS_OK;
        cs_location_print_lost(NULL);
        done = (!comparison->junit || cs_compare_rules_write_junit(figures, comparison->junit)) && done;
        done = cs_command_close_output(stdout, NULL) == CS_EXIT_OK && done;
        code = done ? judge(figures) : CS_EXIT_TROUBLE;
    }
    sqlite3_close(figures);
    return code;
}

/* Runs that the user did not name: NEW is the newest run here, BASE the one before it. Returns an exit code. */
static int take_newest(struct comparison *comparison)
{
    static struct cs_newest_runs newest;
    char before[CS_SHELL_WORD_BYTES], after[CS_SHELL_WORD_BYTES];
    if (comparison->runs_count[CS_SIDE_NEW])
        return CS_EXIT_OK;
    if (!cs_newest_runs_find("compare", &newest))
        return CS_EXIT_TROUBLE;
    bool named = comparison->runs_count[CS_SIDE_BASE];
    if (newest.count < (named ? 1 : 2)) {
        cs_log(named ? "compare: no run (*.callsign) in the current folder; give one after --"
                     : "compare: fewer than two runs (*.callsign) in the current folder; give them");
        return CS_EXIT_TROUBLE;
    }
    comparison->runs[CS_SIDE_NEW][comparison->runs_count[CS_SIDE_NEW]++] = newest.name[0];
    if (!named)
        comparison->runs[CS_SIDE_BASE][comparison->runs_count[CS_SIDE_BASE]++] = newest.name[1];
    cs_log("these are the newest runs here: compare %s -- %s", cs_shell_word(comparison->runs[CS_SIDE_BASE][0], before),
           cs_shell_word(newest.name[0], after));
    return CS_EXIT_OK;
}

int cmd_compare(int argc, char **argv)
{
    struct comparison comparison = {.format = CS_FORMAT_TABLE, .rows = SIZE_MAX};
    const char **words = calloc(3 * (size_t)argc, sizeof *words);
    if (!words) {
        cs_log("out of memory");
        return CS_EXIT_TROUBLE;
    }
    comparison.runs[CS_SIDE_BASE] = words;
    comparison.runs[CS_SIDE_NEW] = words + argc;
    comparison.rules = words + 2 * argc;
    int code = parse(argc, argv, &comparison);
    if (code < 0 && (code = take_newest(&comparison)) == CS_EXIT_OK)
        code = compare(&comparison);
    free(words);
    return code;
}
