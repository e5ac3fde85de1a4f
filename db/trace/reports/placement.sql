-- column processor: its processor, if the core is unknown
-- column count: number of ranks that made most of their calls there
-- column ranks: these ranks
SELECT node, package, numa_node, core, CASE WHEN core IS NULL THEN cpu END AS processor,
       count(*) AS count, ranges(rank) AS ranks, sum(moves) AS moves
FROM bindings WHERE rank >= 0 GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
