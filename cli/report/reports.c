#include "cli/report/reports.h"

#include <string.h>

#include "cli/report/call_tree.h"

/* imbalance: how far the mean of all ranks is below the busiest rank, as in the load balance of an efficiency. */
static const char call_tree_sql[] =
    "SELECT call, depth, path, call_tree.ranks, calls, nullif(open, 0) AS open, time_ns,\n"
    "       CASE WHEN NOT lifecycle THEN time_ns * 100.0 / nullif(sum(time_ns) FILTER (WHERE depth = 0\n"
    "                 AND NOT lifecycle) OVER (), 0) END AS percent,\n"
    "       CASE WHEN world.ranks > 1 AND most_ns > 0 THEN 100 - time_ns * 100.0 / most_ns / world.ranks END\n"
    "           AS imbalance_percent,\n"
    "       most_rank, sent_bytes, received_bytes\n"
    "FROM call_tree, world ORDER BY line";

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
        .title = "Time by call site: % of MPI time without Init and Finalize",
        .position = 6,
        .rows = 10,
        .drop = "sent_bytes, inner_site, calls, through",
        .sql = "SELECT function, min(charged_site) AS site, layer AS through,\n"
               "       CASE WHEN min(site) <> min(charged_site) THEN min(site) END AS inner_site,\n"
               "       sum(calls) AS calls, nullif(sum(open), 0) AS open,\n"
               "       CASE WHEN sum(seconds) > 0 OR sum(open) = 0 THEN sum(seconds) END AS seconds,\n"
               "       sum(percent) AS percent, sum(sent_bytes) AS sent_bytes\n"
               "FROM call_sites GROUP BY function, location(charged_site), layer,\n"
               "                         CASE WHEN layer IS NOT NULL THEN location(site) END\n"
               "ORDER BY sum(percent) IS NULL, sum(seconds) DESC, 1, 2",
    },
    {
        .name = "call_tree",
        .by_region = true,
        .title = "Callers of MPI calls: % of MPI time without Init and Finalize",
        .empty = "No MPI call was recorded.",
        .drop = "ranks, received_bytes, most_rank, sent_bytes",
        .words = report_call_tree_words,
        .hidden = "depth, path",
        .write_table = cs_call_tree_write,
        .sql = call_tree_sql,
        .print = report_call_tree,
    },
    {
        .name = "checks",
        .title = "Calls and messages that do not match; returned errors",
        .empty = "All known collective calls and messages match, and no call returned an error.",
        .sql = "SELECT object_name AS communicator, kind, number, last_number, calls, ranks, side, function, root,\n"
               "       operation, size_bytes, datatype, site, NULL AS tag, NULL AS messages, NULL AS other_rank,\n"
               "       NULL AS error, members\n"
               "FROM (SELECT * FROM mismatches ORDER BY object_name, id, number, kind, rank, side)\n"
               "UNION ALL\n"
               "SELECT communicator, CASE kind WHEN 'type' THEN 'message_type' ELSE kind END, NULL, NULL, NULL,\n"
               "       ranks, side, NULL, NULL, NULL, sent_bytes, datatype, site, tag, counted, other_rank, NULL,\n"
               "       NULL\n"
               "FROM (SELECT * FROM mismatched_messages ORDER BY communicator, id, kind, tag, side DESC, rank)\n"
               "UNION ALL\n"
               "SELECT communicator, 'error_returned', NULL, NULL, NULL, ranks, NULL, function, NULL, NULL, NULL,\n"
               "       NULL, site, tag, NULL, peer, error, NULL\n"
               "FROM failed_calls WHERE misuse\n"
               "UNION ALL\n"
               "SELECT communicator, kind, NULL, NULL, NULL, ranks, NULL, function, NULL, NULL, NULL,\n"
               "       NULL, site, NULL, value, NULL, NULL, NULL\n"
               "FROM misuses",
        .print = report_checks,
    },
    {
        .name = "churn",
        .title = "Objects created and freed again, by call site",
        .empty = "The program freed no MPI object.",
        .drop = "freed, ranks, creating_ns, freeing_ns, kind, lifetime_ns",
        .sql = "SELECT kind, created_by, site, ranks, created, freed,\n"
               "       CAST(printf('%.3g', per_second) AS REAL) AS per_second, mean_lifetime_ns AS lifetime_ns,\n"
               "       creating_seconds * 1e9 AS creating_ns, freeing_seconds * 1e9 AS freeing_ns\n"
               "FROM churn",
    },
    {
        .name = "comm_callers",
        .by_region = true,
        .title = "The same callers, for each communicator, window and file",
        .empty = "No MPI call was recorded.",
        .drop = "ranks, received_bytes, most_rank, sent_bytes",
        .words = report_call_tree_words,
        .hidden = "depth, path",
        .write_table = cs_call_tree_write_by_communicator,
        .sql = call_tree_sql,
        .print = report_call_tree,
    },
    {
        /* Communicators without a given name from the same call site share a row, and so do those with equal name
           and site. Different rows with the same name are numbered. */
        .name = "communicators",
        .by_region = true,
        .title = "Time by communicator, window, file: % without Init and Finalize",
        .position = 4,
        .rows = 12,
        .empty = "No MPI call was recorded.",
        .drop = "parent, received_bytes, sent_bytes",
        .words = report_communicators_words,
        .hidden = "location",
        .sql = "SELECT row_name(communicator, number, names, CASE WHEN objects > ranks THEN communicators END, kind)\n"
               "       AS communicator,\n"
               "       CASE WHEN number THEN location(charged(site)) END AS location, size, parent, calls, "
               "nullif(open, 0) AS "
               "open,\n"
               "       CASE WHEN seconds > 0 OR open = 0 THEN seconds END AS seconds, percent, sent_bytes,\n"
               "       received_bytes\n"
               "FROM communicator_time",
    },
    {
        /* Pairs whose names differ only by digits share a line. */
        .name = "congruent",
        .title = "Communicators with the same members at the same time",
        .empty = "No two communicators had the same members at the same time without a reason.",
        .drop = "created_by, size",
        .words = report_congruent_words,
        .sql =
            "SELECT pattern(name) AS communicator, pattern(other_name) AS other, size, count(*) AS count, created_by,\n"
            "       min(site) AS site\n"
            "FROM congruent GROUP BY 1, 2, size, created_by, location(charged(site)) ORDER BY count(*) DESC, 1, 2",
    },
    {
        .name = "counts",
        .title = "Objects created and freed",
        .position = 7,
        .rows = 12,
        .empty = "The program created no MPI objects.",
        .drop = "ranks",
        .sql = "SELECT kind, created_by, ranks, created, freed, not_freed FROM object_counts\n"
               "ORDER BY not_freed DESC, created DESC",
    },
    {
        /* A part of the path ends where the rank of the step before stops to wait for it. */
        .name = "critical_path",
        .title = "Critical path: work that decided how long the run took",
        .drop = "parts, mpi_seconds",
        .view = "critical_path",
        .shared = "critical_path",
        .sql = "SELECT rank, coalesce(function, '(end of the events)') AS until, min(site) AS site, count(*) AS parts, "
               "sum(duration_ns) / 1e9 AS seconds,\n"
               "       sum(duration_ns) * 100.0 / sum(sum(duration_ns)) OVER () AS percent, sum(mpi_ns) / 1e9 AS "
               "mpi_seconds\n"
               "FROM (SELECT rank, duration_ns, mpi_ns, lag(cause_function) OVER latest AS function,\n"
               "             lag(cause_site) OVER latest AS site\n"
               "      FROM critical_path WINDOW latest AS (ORDER BY step))\n"
               "GROUP BY rank, function, location(charged(site)) ORDER BY sum(duration_ns) DESC, 1, 2, 3",
        .print = report_critical_path,
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
        .shared = "efficiency",
        .sql = "SELECT coalesce(object_name, CASE WHEN id IS NULL THEN '(the run)' END) AS communicator, id, ranks,\n"
               "       seconds, parallel_percent, load_balance_percent, communication_percent,\n"
               "       serialization_percent, transfer_percent, busiest_rank, calls_seconds, wait_seconds\n"
               "FROM efficiency",
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
        .title = "Time by function: % of MPI time without Init and Finalize",
        .empty = "No MPI call was recorded.",
        .drop = "received_bytes, sent_bytes, class, longest_ns, most_seconds, median_seconds, ranks",
        .sql = "SELECT function, class, ranks, calls, nullif(open, 0) AS open,\n"
               "       CASE WHEN seconds > 0 OR open = 0 THEN seconds END AS seconds, percent, median_seconds,\n"
               "       most_seconds, longest_ns,\n"
               "       sent_bytes, received_bytes\n"
               "FROM function_time",
    },
    {
        /* per_rank: number on ranks that did not free some. live: number after each fifth of the run, to show
           growth. */
        .name = "leaks",
        .title = "Objects never freed, by call site",
        .empty = "Everything that the program created was freed.",
        .drop = "library, through, example, peak, per_rank, ranks, created_by, created",
        .sql = "SELECT l.kind, l.created_by, l.library, l.charged_site AS site, l.layer AS through, sum(l.objects) AS "
               "not_freed, g.created, g.peak,\n"
               "       g.live, ranges(l.rank) AS ranks,\n"
               "       min(l.objects) || CASE WHEN min(l.objects) < max(l.objects) THEN '-' || max(l.objects)\n"
               "                              ELSE '' END AS per_rank,\n"
               "       max(l.example) AS example\n"
               "FROM (SELECT kind, created_by, library, site, charged_site, layer, rank, count(*) AS objects, "
               "max(name) AS example\n"
               "      FROM leaks GROUP BY 1, 2, 3, 4, 5, 6, 7) l\n"
               "     LEFT JOIN growth g ON g.kind = l.kind AND g.created_by IS l.created_by AND g.site IS l.site\n"
               "GROUP BY l.kind, l.created_by, l.site ORDER BY not_freed DESC, l.kind, l.created_by, l.site",
        .print = report_leaks,
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
        .sql = "SELECT node, package, numa_node, core, CASE WHEN core IS NULL THEN cpu END AS processor,\n"
               "       count(*) AS count, ranges(rank) AS ranks, sum(moves) AS moves\n"
               "FROM bindings WHERE rank >= 0 GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5",
        .print = report_placement,
    },
    {
        /* The fifths of the run have the same columns. */
        .name = "regions",
        .title = "Regions of the program, and fifths of the run",
        .drop = "early_mpi_percent, late_mpi_percent, communicators, entries, busiest_rank, ranks",
        .sql = "SELECT r.path AS region, r.ranks, r.entries, r.seconds, r.mpi_percent,\n"
               "       r.imbalance_percent, r.busiest_rank, r.early_ns, r.late_ns, r.early_mpi_percent,\n"
               "       r.late_mpi_percent,\n"
               "       (SELECT group_concat(printf('%s %.0f %%', communicator, percent), ', ')\n"
               "        FROM (SELECT communicator, percent FROM region_communicators c\n"
               "              WHERE c.region = r.region AND percent >= 1 ORDER BY percent DESC, 1 LIMIT 3)) AS "
               "communicators\n"
               "FROM regions r\n"
               "UNION ALL\n"
               "SELECT printf('(fifth %d of the run)', fifth), v.ranks, NULL, v.seconds, v.mpi_percent,\n"
               "       v.imbalance_percent, v.busiest_rank, NULL, NULL, NULL, NULL, NULL\n"
               "FROM fifths v\n"
               "ORDER BY 1",
        .empty = "The program named no region, and the run was too short to be divided.",
        .print = report_regions,
    },
    {
        .name = "rules",
        .title = "Naming rules",
        .empty = "The run had no naming rules (CALLSIGN_NAMES, or callsign run --names).",
        .drop = "examples",
        .sql = "SELECT rule AS line, text AS rule, objects, examples FROM rules",
    },
    {
        .name = "run",
        .title = "The run",
        .position = 1,
        .sql = "SELECT * FROM run_summary",
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
        .sql =
            "SELECT kind, size_class, CASE WHEN size_class THEN 1 << (size_class - 1) ELSE 0 END AS least_bytes,\n"
            "       (1 << size_class) - 1 AS most_bytes, sum(messages) AS messages,\n"
            "       sum(messages) * 100.0 / nullif(sum(sum(messages)) OVER same, 0) AS messages_percent,\n"
            "       sum(bytes) AS bytes, sum(bytes) * 100.0 / nullif(sum(sum(bytes)) OVER same, 0) AS bytes_percent\n"
            "FROM message_sizes GROUP BY kind, size_class WINDOW same AS (PARTITION BY kind)\n"
            "ORDER BY instr('point-to-point persistent collective one-sided file', kind), size_class",
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
        .sql = "SELECT kind, created_by, library, site, objects, ranks, example FROM unnamed",
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
        .drop = "cause_site, waits, kind",
        .view = "wait_states",
        .shared = "wait_states",
        .sql =
            "SELECT kind, object_name AS communicator, function, min(site) AS site, ranges(DISTINCT rank) AS ranks,\n"
            "       cause, min(cause_site) AS cause_site, count(*) AS waits, sum(wait_ns) / 1e9 AS seconds\n"
            "FROM wait_states\n"
            "GROUP BY kind, object_name, function, location(charged(site)), cause, cause_function, "
            "location(charged(cause_site))\n"
            "ORDER BY sum(wait_ns) DESC, 1, 2, 3",
        .print = report_waits,
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
