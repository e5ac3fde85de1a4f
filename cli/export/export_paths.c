#include "cli/export/export_paths.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "base/log.h"
#include "cli/rows/rows.h"
#include "cli/text/text.h"
#include "db/summary/summary.h"
#include "reports_sql.h"

enum { DEPTH_MOST = 1000 };

enum cs_status cs_folded_write(sqlite3 *db, FILE *stream, int64_t *paths)
{
    struct cs_rows row = cs_rows_begin(db, "SELECT path, CAST(total(time_ns) AS INT) AS time_ns\n"
                                           "FROM call_paths GROUP BY path HAVING time_ns > 0 ORDER BY path");
    for (*paths = 0; cs_rows_next(&row); ++*paths) {
        cs_text_put(stream, cs_rows_text(&row, "path"));
        fprintf(stream, " %" PRId64 "\n", cs_rows_integer(&row, "time_ns"));
    }
    return cs_rows_end(&row);
}

/* ---- callgrind ---- */

/* A function of the program or of MPI. */
struct function {
    UT_hash_handle hh;
    struct cs_call_sums sums; /* of its own: none for functions that are not of MPI */
    struct call *calls;
    size_t count, room;
    char *name, *file, *module;
    char key[]; /* the three, each with its NUL */
};

/* The calls of a function from a line of another one. */
struct call {
    const struct function *callee;
    int64_t line;
    struct cs_call_sums sums;
    int64_t path; /* the last path that was added: a recursive path counts once */
};

/* A call site and its innermost frame. */
struct site {
    UT_hash_handle hh;
    int64_t number, caller, line;
    struct function *function;
};

struct graph {
    struct function *functions;
    struct site *sites;
};

static char *copy_part(char **at, const char *text)
{
    char *copy = *at;
    *at += strlen(strcpy(copy, text)) + 1;
    return copy;
}

/* NULL: out of memory. */
static struct function *find_function(struct graph *graph, const char *name, const char *file, const char *module)
{
    size_t bytes = strlen(name) + strlen(file) + strlen(module) + 3;
    struct function *made = calloc(1, sizeof *made + bytes), *found = NULL;
    if (!made)
        return NULL;
    char *at = made->key;
    made->name = copy_part(&at, name);
    made->file = copy_part(&at, file);
    made->module = copy_part(&at, module);
    HASH_FIND(hh, graph->functions, made->key, bytes, found);
    if (!found) {
        CS_TABLE_ADD_UNDER(graph->functions, made->key, bytes, made);
        return made;
    }
    free(made);
    return found;
}

static enum cs_status read_sites(struct graph *graph, sqlite3 *db)
{
    enum cs_status status = CS_OK;
    struct cs_rows row = cs_rows_begin(db, cs_sql_callgrind_sites);
    while (status == CS_OK && cs_rows_next(&row)) {
        struct site *site = calloc(1, sizeof *site);
        if (site) {
            site->number = cs_rows_integer(&row, "site");
            site->caller = cs_rows_integer(&row, "caller");
            site->line = cs_rows_integer(&row, "line");
            site->function = find_function(graph, cs_rows_text(&row, "function"), cs_rows_text(&row, "file"),
                                           cs_rows_text(&row, "module"));
            CS_TABLE_ADD(graph->sites, number, site);
        }
        if (!site || !site->function)
            status = CS_NO_MEMORY;
    }
    enum cs_status ended = cs_rows_end(&row);
    return status == CS_OK ? ended : status;
}

static struct call *find_call(struct function *caller, const struct function *callee, int64_t line)
{
    for (size_t i = 0; i < caller->count; i++)
        if (caller->calls[i].callee == callee && caller->calls[i].line == line)
            return &caller->calls[i];
    if (!cs_array_grow(&caller->calls, caller->count, &caller->room, sizeof *caller->calls))
        return NULL;
    caller->calls[caller->count] = (struct call){.callee = callee, .line = line};
    return &caller->calls[caller->count++];
}

/* Adds the calls of an MPI function from a site to all calls on their path. */
static enum cs_status add_path(struct graph *graph, struct cs_rows *row, int64_t path, struct cs_call_sums *total)
{
    const struct cs_call_sums sums = {.calls = cs_rows_integer(row, "calls"),
                                      .time_ns = cs_rows_integer(row, "time_ns"),
                                      .sent_bytes = cs_rows_integer(row, "sent_bytes"),
                                      .received_bytes = cs_rows_integer(row, "received_bytes")};
    struct function *callee = find_function(graph, cs_rows_text(row, "function"), "MPI", "MPI");
    if (!callee)
        return CS_NO_MEMORY;
    cs_call_sums_add(&callee->sums, &sums);
    cs_call_sums_add(total, &sums);
    int64_t number = cs_rows_integer(row, "site");
    for (int depth = 0; number && depth < DEPTH_MOST; depth++) {
        struct site *site = NULL;
        HASH_FIND(hh, graph->sites, &number, sizeof number, site);
        if (!site)
            break;
        struct call *call = find_call(site->function, callee, site->line);
        if (!call)
            return CS_NO_MEMORY;
        if (call->path != path)
            cs_call_sums_add(&call->sums, &sums);
        call->path = path;
        callee = site->function;
        number = site->caller;
    }
    return CS_OK;
}

static void print_costs(FILE *stream, int64_t line, const struct cs_call_sums *sums)
{
    fprintf(stream, "%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", line, sums->time_ns, sums->calls,
            sums->sent_bytes, sums->received_bytes);
}

/* Readers take a number in parentheses for the abbreviation of a name. */
static void print_name(FILE *stream, const char *key, const char *name)
{
    fprintf(stream, "%s=%s", key, name[0] == '(' && isdigit((unsigned char)name[1]) ? "\\" : "");
    cs_text_put(stream, name);
    fputc('\n', stream);
}

static void print_function(FILE *stream, const struct function *function)
{
    print_name(stream, "ob", function->module);
    print_name(stream, "fl", function->file);
    print_name(stream, "fn", function->name);
    print_costs(stream, 0, &function->sums);
    for (size_t i = 0; i < function->count; i++) {
        const struct call *call = &function->calls[i];
        print_name(stream, "cob", call->callee->module);
        print_name(stream, "cfi", call->callee->file);
        print_name(stream, "cfn", call->callee->name);
        fprintf(stream, "calls=%" PRId64 " 0\n", call->sums.calls);
        print_costs(stream, call->line, &call->sums);
    }
    fputc('\n', stream);
}

static void print_graph(FILE *stream, const struct graph *graph, const struct cs_call_sums *total)
{
    fputs("# callgrind format\nversion: 1\ncreator: callsign\npositions: line\n"
          "event: Time : time in MPI, nanoseconds of all ranks\nevent: Calls : calls of MPI functions\n"
          "event: Sent : bytes sent\nevent: Received : bytes received\nevents: Time Calls Sent Received\n",
          stream);
    fprintf(stream, "summary: %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n\n", total->time_ns, total->calls,
            total->sent_bytes, total->received_bytes);
    for (const struct function *function = graph->functions; function; function = function->hh.next)
        print_function(stream, function);
}

static void free_graph(struct graph *graph)
{
    for (struct function *function = graph->functions; function; function = function->hh.next)
        free(function->calls);
    CS_TABLE_FREE(graph->functions);
    CS_TABLE_FREE(graph->sites);
}

enum cs_status cs_callgrind_write(sqlite3 *db, FILE *stream, int64_t *paths)
{
    struct graph graph = {.functions = NULL};
    struct cs_call_sums total = {.calls = 0};
    enum cs_status status = read_sites(&graph, db);
    struct cs_rows row =
        cs_rows_begin(db, "SELECT site, function, calls, CAST(time_ns AS INT) AS time_ns, sent_bytes,\n"
                          "       received_bytes FROM call_paths");
    for (*paths = 0; status == CS_OK && cs_rows_next(&row);)
        status = add_path(&graph, &row, ++*paths, &total);
    enum cs_status ended = cs_rows_end(&row);
    if (status == CS_OK)
        status = ended;
    if (status == CS_OK)
        print_graph(stream, &graph, &total);
    else if (status == CS_NO_MEMORY)
        cs_log("out of memory");
    free_graph(&graph);
    return status;
}
