#include "cli/top/top_metrics.h"

#include <inttypes.h>
#include <string.h>

#include "base/path.h"
#include "callsign/debug.h"
#include "cli/command/command.h"
#include "cli/top/top_rates.h"
#include "journal_words.h"

enum { COMMUNICATORS_MOST = 10, OBJECTS_MOST = 4096 };

struct output {
    FILE *stream;
    enum cs_top_metrics form;
    const char *run; /* its name */
};

static void put_label(FILE *stream, const char *value)
{
    putc('"', stream);
    for (; *value; value++)
        if (*value == '\n')
            fputs("\\n", stream);
        else if (*value == '"' || *value == '\\')
            fprintf(stream, "\\%c", *value);
        else
            putc(*value, stream);
    putc('"', stream);
}

/* unit: the end of the name, or NULL. A counter's samples end in _total; OpenMetrics does not count that as its name.
 */
static void begin(const struct output *output, const char *name, const char *type, const char *unit, const char *help)
{
    bool open = output->form == CS_TOP_OPENMETRICS;
    const char *end = !open && strcmp(type, "counter") == 0 ? "_total" : "";
    fprintf(output->stream, "# HELP %s%s %s\n# TYPE %s%s %s\n", name, end, help, name, end, type);
    if (open && unit)
        fprintf(output->stream, "# UNIT %s %s\n", name, unit);
}

/* label NULL: none but the run's */
static void sample(const struct output *output, const char *name, const char *label, const char *text, double value)
{
    fprintf(output->stream, "%s{run=", name);
    put_label(output->stream, output->run);
    if (label) {
        fprintf(output->stream, ",%s=", label);
        put_label(output->stream, text);
    }
    fprintf(output->stream, "} %.17g\n", value);
}

static void gauge(const struct output *output, const char *name, const char *unit, const char *help, double value)
{
    begin(output, name, "gauge", unit, help);
    sample(output, name, NULL, NULL, value);
}

static void counter(const struct output *output, const char *name, const char *unit, const char *help, double value)
{
    char total[128];
    snprintf(total, sizeof total, "%s_total", name);
    begin(output, name, "counter", unit, help);
    sample(output, total, NULL, NULL, value);
}

static void put_extremes(const struct output *output, const struct cs_top *top)
{
    double least = 2, most = -1;
    for (size_t i = 0; i < top->count; i++) {
        struct cs_top_rates rates = cs_top_rates_of(&top->journal[i].rank);
        if (top->journal[i].unread || !rates.known || !top->journal[i].rank.running)
            continue;
        least = rates.share < least ? rates.share : least;
        most = rates.share > most ? rates.share : most;
    }
    if (most < 0)
        return;
    gauge(output, "callsign_mpi_least_ratio", "ratio", "Share of time in MPI of the rank with least.", least);
    gauge(output, "callsign_mpi_most_ratio", "ratio", "Share of time in MPI of the rank with most.", most);
}

static void put_communicators(const struct output *output, const struct cs_top_view *view, double lived_ns)
{
    struct cs_top_line *line[COMMUNICATORS_MOST];
    size_t count = cs_top_activity_lines(view->top->activity, CS_TOP_COMMUNICATOR, line, COMMUNICATORS_MOST);
    static const char name[] = "callsign_communicator_mpi_ratio";
    if (!count || lived_ns <= 0)
        return;
    begin(output, name, "gauge", "ratio", "Share of the ranks' time in calls on the communicators with most of it.");
    for (size_t i = 0; i < count; i++) {
        const char *text = cs_top_name(view->names, view->top, line[i]);
        bool told = false; /* several lines may have one name */
        for (size_t j = 0; j < i; j++)
            told |= strcmp(text, cs_top_name(view->names, view->top, line[j])) == 0;
        double ns = line[i]->ns;
        for (size_t j = i + 1; j < count && !told; j++)
            if (strcmp(text, cs_top_name(view->names, view->top, line[j])) == 0)
                ns += line[j]->ns;
        if (!told)
            sample(output, name, "communicator", text, ns / lived_ns);
    }
}

static void put_objects(const struct output *output, const struct cs_top_view *view)
{
    static struct cs_top_line *line[OBJECTS_MOST];
    uint64_t live[CALLSIGN_KINDS] = {0};
    size_t count = cs_top_activity_lines(view->top->activity, CS_TOP_OBJECT, line, OBJECTS_MOST);
    for (size_t i = 0; i < count; i++)
        if (line[i]->kind < CALLSIGN_KINDS)
            live[line[i]->kind] += line[i]->live;
    begin(output, "callsign_live_objects", "gauge", NULL,
          "Objects of all ranks that the program made and did not free.");
    for (int kind = CALLSIGN_COMMUNICATOR; kind < CALLSIGN_KINDS; kind++)
        if (live[kind] || kind <= CALLSIGN_WINDOW)
            sample(output, "callsign_live_objects", "kind", cs_name_of_kind(kind), (double)live[kind]);
}

static void put_all(const struct output *output, const struct cs_top_view *view)
{
    struct cs_top_whole whole = cs_top_whole_of(view->top);
    begin(output, "callsign_ranks", "gauge", NULL, "Ranks of the run.");
    sample(output, "callsign_ranks", "state", "running", (double)whole.running);
    sample(output, "callsign_ranks", "state", "ended", (double)(whole.ranks - whole.running - whole.silent));
    sample(output, "callsign_ranks", "state", "silent", (double)whole.silent);
    gauge(output, "callsign_age_seconds", "seconds", "Time since the run began.", whole.age_ns / 1e9);
    gauge(output, "callsign_mpi_ratio", "ratio", "Share of the ranks' time that they were in MPI.", whole.share);
    put_extremes(output, view->top);
    put_communicators(output, view, whole.lived_ns);
    counter(output, "callsign_mpi_seconds", "seconds", "Time in MPI, of all ranks.", whole.total_mpi_ns / 1e9);
    counter(output, "callsign_calls", NULL, "MPI calls of all ranks.", (double)whole.calls);
    counter(output, "callsign_messages", NULL, "Messages sent.", (double)whole.messages);
    counter(output, "callsign_sent_bytes", "bytes", "Bytes sent in messages.", (double)whole.bytes);
    gauge(output, "callsign_resident_bytes", "bytes", "Memory of the ranks on this machine.", (double)whole.resident);
    put_objects(output, view);
    if (output->form == CS_TOP_OPENMETRICS)
        fputs("# EOF\n", output->stream);
}

int cs_top_write_metrics(const struct cs_top_view *view, enum cs_top_metrics form, const char *path)
{
    struct cs_output file;
    if (!cs_command_open_output(&file, path, CS_OUTPUT_NAMED, NULL))
        return CS_EXIT_TROUBLE;
    struct output output = {file.stream, form, cs_path_name(view->top->run)};
    put_all(&output, view);
    return cs_command_end_output(&file, path, true);
}
