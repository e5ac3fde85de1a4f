-- Placement
-- overview: 8, 16 rows
-- Up to 32 ranks have a row each; more are put together by node.
SELECT CASE WHEN rank < 0 THEN 'process ' || -rank ELSE ranges(rank) END AS rank, node, processor_name AS processor,
       ranges(start_cpu) AS start_cpu, ranges(end_cpu) AS end_cpu, sum(moves) AS moves
FROM placements
GROUP BY CASE WHEN (SELECT count(*) FROM process) <= 32 THEN rank ELSE rank < 0 END, node, processor_name
ORDER BY min(placements.rank) < 0, min(placements.rank)
