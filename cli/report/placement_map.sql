-- A row per core; of more than 20 cores a row per package; of more than 5 different nodes a row per node. Nodes with as
-- many ranks on the same cores share their rows, or with as many ranks in the last case.
WITH one AS MATERIALIZED (
         SELECT rank, substr(coalesce(node, 'unnamed node'), 1, 64) AS name, node, nullif(processor_name, node) AS processor_name,
                package, numa_node, core IS NULL AS unknown, coalesce(core, cpu) AS unit, bound, moves,
                CASE WHEN memory_elsewhere THEN substr(bound_memory_nodes, 1, 40) END AS memory,
                min(rank) OVER (PARTITION BY node) AS first,
                count(*) OVER (PARTITION BY node, package, numa_node, core IS NULL, coalesce(core, cpu)) AS sharing
         FROM bindings WHERE rank >= 0),
     place AS MATERIALIZED (
         SELECT node, first, count(*) AS ranks, coalesce(package, '') || '/' || coalesce(numa_node, '') || '/' || unknown || coalesce(unit, '') || ':' || count(*) AS text
         FROM one GROUP BY node, package, numa_node, unknown, unit),
     shape AS MATERIALIZED (
         SELECT node, first, count(*) AS places, sum(ranks) AS ranks, group_concat(text, ' ') AS text
         FROM (SELECT * FROM place ORDER BY node, text) GROUP BY node),
     grain (whole, long) AS MATERIALIZED (
         SELECT count(*) > 5, sum(places) > 20 FROM (SELECT max(places) AS places FROM shape GROUP BY text)),
     shown AS (
         SELECT min(s.first) AS first, count(*) - 1 AS more FROM shape s, grain g
         GROUP BY CASE WHEN g.whole THEN s.ranks ELSE s.text END),
     part AS (
         SELECT CASE WHEN more THEN name || ' and ' || more || ' more' ELSE name END AS node, min(processor_name) AS processor_name,
                o.node AS of_node, o.first, CASE WHEN g.whole THEN NULL ELSE package END AS package,
                CASE WHEN g.whole THEN NULL ELSE numa_node END AS numa_node,
                CASE WHEN g.whole THEN NULL ELSE ranges(DISTINCT CASE WHEN NOT unknown THEN unit END) END AS cores,
                CASE WHEN g.whole THEN NULL ELSE ranges(DISTINCT CASE WHEN unknown THEN unit END) END AS processors,
                ranges(rank, 60) AS ranks,
                CASE WHEN max(sharing) > 1 AND count(DISTINCT unit) > 1
                     THEN CASE WHEN min(sharing) < max(sharing) THEN min(sharing) || ' to ' ELSE '' END || max(sharing)
                END AS on_each,
                CASE WHEN min(bound) < max(bound) THEN 'differently' ELSE min(bound) END AS bound,
                CASE WHEN min(memory) < max(memory) THEN 'several' ELSE min(memory) END AS memory, sum(moves) AS moves
         FROM one o JOIN shown USING (first) JOIN grain g
         GROUP BY o.first, CASE WHEN g.whole THEN 0 ELSE coalesce(package, '') || '/' || coalesce(numa_node, '') || '/' || unknown END,
                  CASE WHEN g.whole OR g.long THEN 0 ELSE unit END)
SELECT p.node, p.processor_name, p.package, k.cores AS of_cores, p.numa_node, p.cores, p.processors,
       p.ranks, p.on_each, CASE WHEN max(coalesce(l.load, 0), coalesce(l.bound_load, 0)) > 1
            THEN printf('%.3g', max(coalesce(l.load, 0), coalesce(l.bound_load, 0))) END AS ranks_per_core,
       CASE WHEN l.quota_short THEN printf('%.3g', l.cpu_quota) END AS quota,
       CASE p.bound WHEN 'no' THEN 'not bound' WHEN 'part' THEN 'part of the node' ELSE p.bound END AS bound,
       p.memory AS memory_on, nullif(p.moves, 0) AS moves
FROM part p LEFT JOIN node_loads l ON l.node IS p.of_node
     LEFT JOIN node_packages k ON k.node IS p.of_node AND k.package = p.package
ORDER BY p.first, p.package, p.numa_node, CAST(coalesce(p.cores, p.processors) AS INT)
