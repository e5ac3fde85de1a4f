-- The waits with one cause, longest first, as findings.
SELECT kind, object_name AS communicator, function, min(site) AS site, cause AS rank,
       nullif(cause_function, function) AS cause_function, nullif(min(cause_site), min(site)) AS cause_site,
       ranges(DISTINCT rank) AS ranks, count(DISTINCT rank) AS processes,
       sum(wait_ns) / 1e9 / count(DISTINCT rank) AS mean_seconds
FROM wait_sums GROUP BY kind, object_name, function, location(charged(site)), cause, cause_function, location(charged(cause_site))
ORDER BY sum(wait_ns) DESC LIMIT 3
