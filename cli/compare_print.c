#include "cli/compare_print.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "cli/compare_figures.h"
#include "cli/compare_rank_test.h"
#include "cli/compare_rules.h"
#include "cli/rows.h"
#include "cli/table.h"
#include "cli/text.h"

enum { CHANGES_ROWS = 20, UNTESTED_ROWS = 10, VALUE_BYTES = 64 };

/* ---- values ---- */

static bool is(const char *metric, const char *other)
{
    return strcmp(metric, other) == 0;
}

/* "+12.5 %". From or to nothing the difference itself: "+4". */
static void add_change(struct cs_phrase *phrase, struct cs_rows *row)
{
    double base = cs_rows_real(row, "base"), new = cs_rows_real(row, "new");
    if (base > 0 && new > 0 && fabs(new - base) >= 0.0005 * base) {
        cs_phrase_add(phrase, "%+.1f %%", (new - base) * 100 / base);
        return;
    }
    cs_phrase_add(phrase, "%s", new > base ? "+" : "");
    cs_figures_add_value(phrase, cs_rows_text(row, "metric"), new - base);
}

/* "slower", "perhaps slower", "more calls", "fewer leaks"; without a verdict the figure: "time" */
static void add_verdict(struct cs_phrase *phrase, struct cs_rows *row)
{
    static const struct {
        const char *metric, *more, *less;
    } words[] = {{"time", "slower", "faster"},
                 {"elapsed", "slower run", "faster run"},
                 {"wait", "more waiting", "less waiting"},
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
    bool more = strstr(verdict, "more"), judged = more || strstr(verdict, "less");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (judged && is(metric, words[i].metric)) {
            cs_phrase_add(phrase, "%s%s%s", strncmp(verdict, "perhaps", 7) == 0 ? "perhaps " : "",
                          more ? words[i].more : words[i].less,
                          is(metric, "time") && !cs_rows_has(row, "function") ? " in MPI" : "");
            return;
        }
    cs_phrase_add(phrase, "%s", is(metric, "time") ? "MPI time" : is(metric, "wait") ? "waiting" : metric);
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

static void print_line(const struct cs_compare_output *output, struct cs_phrase *line)
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

static void print_title(const struct cs_compare_output *output, const char *title)
{
    struct cs_terminal terminal = cs_terminal_of(output->stream);
    if (output->markdown)
        fprintf(output->stream, "**%s**\n\n", title);
    else
        fprintf(output->stream, "\n%s%s%s\n", cs_terminal_bold(&terminal), title, cs_terminal_plain(&terminal));
}

/* The columns of all tables; the whole run has no names. */
enum { WHAT, ON, FUNCTION, CALLER, BEFORE, AFTER, CHANGE, COLUMNS };
static const char *const titles[COLUMNS] = {"what", "on", "function", "caller", "before", "after", "change"};

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
}

static void print_markdown_row(FILE *stream, const struct row *row, bool whole)
{
    for (int i = 0; i < COLUMNS; i++) {
        const char *text = cs_phrase_text(&row->cell[i]);
        if (whole && i >= ON && i <= CALLER)
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

static void print_markdown_head(FILE *stream, bool whole)
{
    for (int i = 0; i < COLUMNS; i++)
        if (!whole || i < ON || i > CALLER)
            fprintf(stream, "| %s ", titles[i]);
    fputs("|\n", stream);
    for (int i = 0; i < COLUMNS; i++)
        if (!whole || i < ON || i > CALLER)
            fputs(i >= BEFORE ? "| ---: " : "| --- ", stream);
    fputs("|\n", stream);
}

static enum cs_status add_row(struct cs_table *table, const struct row *row, bool whole)
{
    enum cs_status status = CS_OK;
    for (int i = 0; i < COLUMNS && status == CS_OK; i++) {
        const struct cs_phrase *cell = &row->cell[i];
        enum cs_cell kind = i >= BEFORE ? CS_CELL_NUMBER : cell->length ? CS_CELL_TEXT : CS_CELL_EMPTY;
        if (!whole || i < ON || i > CALLER)
            status = cell->failed ? CS_NO_MEMORY : cs_table_cell(table, kind, cs_phrase_text(cell), cell->length);
    }
    return status;
}

static struct cs_table *make_table(bool whole)
{
    struct cs_table *table = cs_table_new(whole ? COLUMNS - 3 : COLUMNS);
    for (int i = 0, column = 0; table && i < COLUMNS; i++) {
        if (whole && i >= ON && i <= CALLER)
            continue;
        cs_table_yield(table, (size_t)column,
                       (struct cs_table_yield){.empty = i == CALLER, .functions = i == FUNCTION, .turn = i == CALLER});
        if (cs_table_title(table, (size_t)column++, titles[i]) != CS_OK) {
            cs_table_free(table);
            return NULL;
        }
    }
    return table;
}

/* Prints at most so many rows (0: all), and how many there are more. No rows: nothing. */
static enum cs_status print_table(const struct cs_compare_output *output, const char *title, const char *sql,
                                  size_t most, bool whole)
{
    struct row row = {.cell = {{0}}};
    size_t count = 0;
    most = output->rows == SIZE_MAX ? most : output->rows;
    struct cs_terminal terminal = cs_terminal_of(output->stream);
    struct cs_table *table = output->markdown ? NULL : make_table(whole);
    enum cs_status status = output->markdown || table ? CS_OK : CS_NO_MEMORY;
    struct cs_rows from = cs_rows_begin(output->figures, sql);
    while (status == CS_OK && cs_rows_next(&from)) {
        if (count++ == 0) {
            print_title(output, title);
            if (output->markdown)
                print_markdown_head(output->stream, whole);
        }
        if (most && count > most)
            continue;
        fill_row(&row, &from);
        if (output->markdown)
            print_markdown_row(output->stream, &row, whole);
        else
            status = add_row(table, &row, whole);
    }
    if (status == CS_OK && count && table) {
        cs_table_print(table, output->stream, &terminal);
        if (cs_table_left_out(table, CALLER) && !whole)
            fputs("Left out for the width: caller\n", output->stream);
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
    int64_t changed, untested, perhaps;
};

static void add_side(struct cs_phrase *line, struct cs_rows *row, const char *runs, const char *ranks)
{
    cs_phrase_add_count(line, cs_rows_integer(row, runs), "run", "runs");
    cs_phrase_add(line, " of %s ranks", cs_rows_text(row, ranks));
}

static enum cs_status summarize(const struct cs_compare_output *output, struct summary *summary, struct cs_phrase *line)
{
    static const char sql[] =
        "SELECT *, (SELECT count(*) FROM change WHERE scope <> 'rule'\n"
        "           AND (verdict LIKE '%more' OR verdict LIKE '%less')) AS changed,\n"
        "       (SELECT count(*) FROM change WHERE scope <> 'rule' AND verdict = 'untested') AS untested,\n"
        "       (SELECT count(*) FROM change WHERE verdict LIKE 'perhaps%') AS perhaps\n"
        "FROM (SELECT sum(side = 'base') AS base_runs, sum(side = 'new') AS new_runs,\n"
        "             (SELECT group_concat(DISTINCT ranks) FROM run WHERE side = 'base') AS base_ranks,\n"
        "             (SELECT group_concat(DISTINCT ranks) FROM run WHERE side = 'new') AS new_ranks,\n"
        "             (SELECT max(programs) FROM run WHERE side = 'base') AS base_program,\n"
        "             (SELECT max(programs) FROM run WHERE side = 'new') AS new_program,\n"
        "             min(ranks) < max(ranks) AS ranks_differ FROM run)";
    struct cs_rows row = cs_rows_begin(output->figures, sql);
    if (!cs_rows_next(&row))
        return cs_rows_end(&row);
    const char *base = cs_rows_text(&row, "base_program"), *new = cs_rows_text(&row, "new_program");
    *summary = (struct summary){.base_runs = cs_rows_integer(&row, "base_runs"),
                                .new_runs = cs_rows_integer(&row, "new_runs"),
                                .ranks_differ = cs_rows_integer(&row, "ranks_differ"),
                                .changed = cs_rows_integer(&row, "changed"),
                                .untested = cs_rows_integer(&row, "untested"),
                                .perhaps = cs_rows_integer(&row, "perhaps")};
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
static enum cs_status print_notes(const struct cs_compare_output *output, struct cs_phrase *line)
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

static enum cs_status print_rules(const struct cs_compare_output *output, struct cs_phrase *line)
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

static enum cs_status print_changes(const struct cs_compare_output *output, const struct summary *summary,
                                    struct cs_phrase *line)
{
    static const char whole[] = "SELECT * FROM change WHERE scope = 'run' AND (" TOLD " OR verdict = 'untested')\n"
                                "ORDER BY metric NOT IN ('elapsed', 'time', 'wait'), weight DESC, metric";
    static const char items[] = "SELECT * FROM change WHERE scope = 'item' AND (" TOLD ")\n"
                                "ORDER BY weight DESC, abs(change) DESC, metric, communicator, function, caller";
    static const char untested[] = "SELECT * FROM change WHERE scope = 'item' AND verdict = 'untested'\n"
                                   "ORDER BY weight DESC, abs(change) DESC, metric, communicator, function, caller";
    if (!summary->changed) {
        cs_phrase_add(line, "Nothing changed in calls, bytes, objects, leaks and placement");
        print_line(output, line);
    }
    enum cs_status status = print_table(output, "The whole run", whole, 0, true);
    if (status == CS_OK)
        status = print_table(output, "Changes, the largest part of the run first", items, CHANGES_ROWS, false);
    if (status == CS_OK && summary->untested) {
        cs_phrase_add(line,
                      "Times, and counts that depend on them, get a verdict from %d runs of each side on; there are "
                      "%" PRId64 " and %" PRId64 ". Their figures as they are:",
                      CS_RANK_TEST_LEAST, summary->base_runs, summary->new_runs);
        if (!output->markdown)
            fputc('\n', output->stream);
        print_line(output, line);
        status = print_table(output, "Figures without a verdict, the largest difference first", untested, UNTESTED_ROWS,
                             false);
    }
    if (status == CS_OK && summary->perhaps) {
        cs_phrase_add(line, "perhaps: the test says so of this figure alone, not among all that were tested; more runs "
                            "decide it");
        print_line(output, line);
    }
    return status;
}

enum cs_status cs_compare_print(const struct cs_compare_output *output)
{
    struct cs_phrase line = {0};
    struct summary summary = {0};
    enum cs_status status = summarize(output, &summary, &line);
    bool nothing = !summary.changed && !summary.untested;
    if (nothing)
        cs_phrase_add(&line, ": nothing changed%s",
                      summary.base_runs >= CS_RANK_TEST_LEAST && summary.new_runs >= CS_RANK_TEST_LEAST
                          ? ", and times differ by no more than chance"
                          : "");
    if (summary.ranks_differ)
        cs_phrase_add(&line, ". Figures are those of one rank: the median of the ranks that have them");
    print_line(output, &line);
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
