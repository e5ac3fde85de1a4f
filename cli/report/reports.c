#include "cli/report/reports.h"

#include <string.h>

#include "cli/report/call_tree.h"
#include "cli/report/report_delays.h"
#include "reports_sql.h"

const struct cs_report cs_reports[] = {
    {
        .name = "attributes",
        .title = "Attributes: queries and answers",
        .drop = "calls, ranks",
        .words = report_attributes_words,
        .hidden = "key_location, keyval, other_object, objects, value_kind, answers",
        .sql = cs_sql_attributes,
        .print = report_attributes,
    },
    {
        .name = "balance",
        .by_region = true,
        .title = "Balance: which rank is late, and how long the others wait",
        .position = 5,
        .rows = 6,
        .drop = "most_seconds, least_seconds, size, of_time_percent, seconds",
        .words = report_balance_words,
        .hidden = "members, communicators, kind",
        .sql = cs_sql_balance,
        .print = report_balance,
    },
    {
        /* Call sites on one source line share a row, such as those of an unrolled loop. */
        .name = "call_sites",
        .by_region = true,
        .title = "MPI time by call site",
        .position = 6,
        .rows = 10,
        .drop = "received_bytes, sent_bytes, inner_site, calls, through",
        .sql = cs_sql_call_sites,
    },
    {
        .name = "call_tree",
        .by_region = true,
        .title = "MPI time by caller",
        .empty = "No MPI call was recorded.",
        .drop = "ranks, received_bytes, most_rank, sent_bytes",
        .words = report_call_tree_words,
        .hidden = "depth, path",
        .write_table = cs_call_tree_write,
        .sql = cs_sql_call_tree,
        .print = report_call_tree,
    },
    {
        .name = "checks",
        .title = "Calls and messages that do not match; returned errors",
        .empty = "All known collective calls and messages match, and no call returned an error.",
        .sql = cs_sql_checks,
        .print = report_checks,
    },
    {
        .name = "churn",
        .title = "Objects created and freed again, by call site",
        .empty = "No call site created and freed more than one object of a rank.",
        .drop = "freed, ranks, creating_ns, freeing_ns, kind, lifetime_ns",
        .sql = cs_sql_churn,
    },
    {
        .name = "comm_callers",
        .by_region = true,
        .title = "MPI time by communicator, window and file, and caller",
        .empty = "No MPI call was recorded.",
        .drop = "ranks, received_bytes, most_rank, sent_bytes",
        .words = report_call_tree_words,
        .hidden = "depth, path",
        .write_table = cs_call_tree_write_by_communicator,
        .sql = cs_sql_call_tree,
        .print = report_call_tree,
    },
    {
        /* Communicators without a given name from the same call site share a row, and so do those with equal name
           and site. Different rows with the same name are numbered. */
        .name = "communicators",
        .by_region = true,
        .title = "MPI time by communicator, window and file",
        .position = 4,
        .rows = 12,
        .empty = "No MPI call was recorded.",
        .drop = "parent, received_bytes, sent_bytes",
        .words = report_communicators_words,
        .hidden = "location",
        .sql = cs_sql_communicators,
    },
    {
        /* Pairs whose names differ only by digits share a line. */
        .name = "congruent",
        .title = "Communicators with the same members at the same time",
        .empty = "No two communicators had the same members at the same time without a reason.",
        .drop = "created_by, size",
        .words = report_congruent_words,
        .sql = cs_sql_congruent,
    },
    {
        .name = "counts",
        .title = "Objects created and freed",
        .position = 7,
        .rows = 12,
        .empty = "The program created no MPI objects.",
        .drop = "ranks",
        .sql = cs_sql_counts,
    },
    {
        /* A part of the path ends where the rank of the step before stops to wait for it. */
        .name = "critical_path",
        .title = "Critical path: work that decided how long the run took",
        .drop = "parts, mpi_seconds",
        .view = "critical_path",
        .shared = {"wait_states", "critical_path"},
        .sql = cs_sql_critical_path,
        .print = report_critical_path,
    },
    {
        .name = "delays",
        .title = "Delays: code that makes ranks wait, through chains of waits",
        .empty = "No rank waited, or no events were recorded.",
        .drop = "indirect_seconds, direct_seconds",
        .write_table = cs_delays_write,
        .sql = cs_sql_delays,
        .print = report_delays,
    },
    {
        .name = "disagree",
        .title = "Differences between the members of a communicator",
        .empty =
            "The members of every communicator agree on its name, size, attributes, messages, order of creation and "
            "freeing.",
        .drop = "count, about",
        .words = report_disagree_words,
        .hidden = "created_by, key, key_location, keyval, value, size, largest_size, remote_size, "
                  "largest_remote_size, other, other_created_by",
        .sql = cs_sql_disagree,
    },
    {
        .name = "efficiency",
        .title = "Efficiencies of the run and of each object, from events",
        .drop = "wait_seconds, calls_seconds, busiest_rank, transfer_percent, serialization_percent, ranks",
        .hidden = "id, seconds",
        .shared = {"wait_states", "efficiency"},
        .sql = cs_sql_efficiency,
        .print = report_efficiency,
    },
    {
        .name = "endings",
        .title = "Ranks that did not reach MPI_Finalize",
        .position = 2,
        .empty = "All ranks reached MPI_Finalize.",
        .sql = "SELECT * FROM endings",
        .print = report_endings,
    },
    {
        /* Open calls count until the rank was last seen. */
        .name = "functions",
        .by_region = true,
        .title = "MPI time by function",
        .empty = "No MPI call was recorded.",
        .drop = "received_bytes, sent_bytes, class, longest_ns, most_seconds, median_seconds, ranks",
        .sql = cs_sql_functions,
    },
    {
        /* per_rank: number on ranks that did not free some. live: number after each fifth of the run, to show
           growth. */
        .name = "leaks",
        .title = "Objects never freed, by call site",
        .empty = "Everything that the program created was freed.",
        .drop = "library, through, example, peak, per_rank, ranks, created_by, created",
        .sql = cs_sql_leaks,
        .print = report_leaks,
    },
    {
        .name = "noise",
        .title = "Noise: time of repeated code beyond its shortest repetitions",
        .empty = "No code between two call sites was repeated 20 times.",
        .drop = "repetitions, package, core",
        .view = "noise",
        .sql = cs_sql_noise,
        .print = report_noise,
    },
    {
        .name = "objects",
        .title = "Tree of communicators, each below its parent",
        .empty = "No communicator was recorded.",
        .drop = "created_ns, created_by, lifetime_ns, not_freed",
        .words = report_objects_words,
        .hidden = "depth",
        .sql = cs_sql_objects,
    },
    {
        .name = "placement",
        .title = "Placement of ranks on nodes, packages and cores",
        .drop = "processor_name, of_cores, moves, bound",
        .sql = cs_sql_placement,
        .table_sql = cs_sql_placement_map,
        .print = report_placement,
    },
    {
        /* The fifths of the run have the same columns. */
        .name = "regions",
        .title = "Regions of the program, and fifths of the run",
        .drop = "early_mpi_percent, late_mpi_percent, communicators, entries, busiest_rank, ranks",
        .sql = cs_sql_regions,
        .empty = "The program named no region, and the run was too short to be divided.",
        .print = report_regions,
    },
    {
        .name = "rules",
        .title = "Naming rules",
        .empty = "The run had no naming rules (CALLSIGN_NAMES, or callsign run --names).",
        .drop = "examples",
        .sql = cs_sql_rules,
    },
    {
        .name = "run",
        .title = "The run",
        .position = 1,
        .sql = cs_sql_run,
        .print = report_run,
    },
    {
        .name = "sizes",
        .by_region = true,
        .title = "Message sizes",
        .empty = "No message, collective call or transfer was recorded.",
        .drop = "bytes_percent, messages_percent",
        .words = report_sizes_words,
        .hidden = "least_bytes, most_bytes",
        .sql = cs_sql_sizes,
        .print = report_sizes,
    },
    {
        .name = "tags",
        .title = "Message tags, by communicator and call site",
        .empty = "No message with a tag was recorded.",
        .drop = "messages, count",
        .words = report_tags_words,
        .hidden = "first_tag",
        .view = "tags",
        .sql = cs_sql_tags,
        .print = report_tags,
    },
    {
        .name = "traffic",
        .title = "Messages between ranks, by communicator and distance",
        .empty = "No message between two known processes was recorded.",
        .drop = "count, pairs, self_percent, core_percent, package_percent",
        .sql = cs_sql_traffic,
        .print = report_traffic,
    },
    {
        .name = "unnamed",
        .title = "Objects without a name, by call site",
        .empty = "The program or a rule named every communicator, datatype and window that the program created.",
        .drop = "library, ranks, example, kind",
        .sql = cs_sql_unnamed,
    },
    {
        .name = "verdict",
        .title = "Findings",
        .position = 3,
        .sql = "SELECT * FROM findings",
        .print = report_verdict,
    },
    {
        .name = "waits",
        .title = "Waits: who makes whom wait, from recorded events",
        .empty = "No call waited for another rank, as far as the events show.",
        .drop = "waits, communicator, ranks",
        .view = "wait_states",
        .shared = {"wait_sums"},
        .sql = cs_sql_waits,
        .print = report_waits,
    },
    {
        .name = "why",
        .title = "Why ranks are late: code between MPI calls, and its cost",
        .empty = "No code between MPI calls was recorded.",
        .by_region = true,
        .drop = "exact_percent, stretches, off_seconds, from_function, to_function",
        .rows = 20,
        .view = "stretch_resources",
        .sql = cs_sql_why,
        .print = report_why,
    },
};
const size_t cs_reports_count = sizeof cs_reports / sizeof *cs_reports;

const struct cs_report *cs_report_find(const char *name)
{
    for (size_t i = 0; i < cs_reports_count; i++)
        if (strcmp(name, cs_reports[i].name) == 0)
            return &cs_reports[i];
    return NULL;
}
