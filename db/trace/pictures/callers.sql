-- MPI time by call path: the 1,000 with the most time. path: functions from the outermost one to the MPI function, with
-- ";" between them. paths: how many there are. ranks, and the ranks with the least and the most time of those that
-- called: NULL if several call sites share the path.
WITH spread (name, site, least_ns, most_ns, least_rank, most_rank) AS MATERIALIZED (
         SELECT f.name, s.site, s.least_ns, s.most_ns, s.least_rank, s.most_rank
         FROM summary s JOIN function f ON f.function = s.function WHERE likely(s.part = 'site'))
SELECT p.path, sum(p.calls) AS calls, sum(p.time_ns) / 1e9 AS seconds,
       CASE count(*) WHEN 1 THEN max(p.ranks) END AS ranks,
       CASE count(*) WHEN 1 THEN max(s.least_ns) / 1e9 END AS least_seconds,
       CASE count(*) WHEN 1 THEN max(s.least_rank) END AS least_rank,
       CASE count(*) WHEN 1 THEN max(s.most_ns) / 1e9 END AS most_seconds,
       CASE count(*) WHEN 1 THEN max(s.most_rank) END AS most_rank, count(*) OVER () AS paths
FROM call_paths p LEFT JOIN spread s ON s.name = p.function AND s.site = p.site
WHERE NOT p.lifecycle AND p.time_ns > 0 GROUP BY p.path ORDER BY 3 DESC, 1 LIMIT 1000
