-- column ranks: ranks that waited
-- column waits: number of waits
-- column seconds: waiting time, all these ranks together
SELECT kind, object_name AS communicator, function, min(site) AS site, ranges(DISTINCT rank) AS ranks,
       cause, min(cause_site) AS cause_site, sum(waits) AS waits, sum(wait_ns) / 1e9 AS seconds
FROM wait_sums
GROUP BY kind, object_name, function, location(charged(site)), cause, cause_function, location(charged(cause_site))
ORDER BY sum(wait_ns) DESC, 1, 2, 3
