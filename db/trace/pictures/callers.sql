-- MPI time by call path: the 1,000 with the most time. path: functions from the outermost one to the MPI function, with
-- ";" between them. paths: how many there are.
SELECT path, sum(calls) AS calls, sum(time_ns) / 1e9 AS seconds, count(*) OVER () AS paths
FROM call_paths WHERE NOT lifecycle AND time_ns > 0 GROUP BY path ORDER BY 3 DESC, 1 LIMIT 1000
