-- MPI time of each rank by communicator (its key, as in communicators), without the functions of class lifecycle.
SELECT coalesce(a.similar_to, 0) AS key, c.rank, sum(c.calls) AS calls, total(c.time_ns) / 1e9 AS seconds
FROM rank_times c
     LEFT JOIN similar_objects a ON a.rank = c.rank AND a.object = coalesce(nullif(c.object, 0), c.communicator)
WHERE NOT c.lifecycle AND c.rank >= 0 GROUP BY 1, 2 ORDER BY 1, 2
