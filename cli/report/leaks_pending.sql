-- Communicators whose names differ only by digits share a row.
SELECT CASE count(DISTINCT label) WHEN 1 THEN max(label) ELSE pattern(label) END AS communicator,
       count(DISTINCT label) AS names, freed_by, min(freed_site) AS freed_site, function, min(site) AS site,
       sum(requests) AS requests, ranges(rank) AS ranks
FROM pending_requests GROUP BY pattern(label), freed_by, location(charged(freed_site)), function, location(charged(site))
ORDER BY requests DESC, communicator, function, location(charged(site))
