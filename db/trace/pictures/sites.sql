-- MPI time by communicator (its key, as in communicators), function and line of the program: the first 400.
WITH used (key, function, site, rank, calls, open, time_ns, sent_bytes) AS MATERIALIZED (
         SELECT coalesce(a.similar_to, 0), c.name, c.site, c.rank, sum(c.calls), sum(c.open), total(c.time_ns),
                sum(c.sent_bytes)
         FROM call_times c
              LEFT JOIN similar_objects a ON a.rank = c.rank AND a.object = coalesce(nullif(c.object, 0), c.communicator)
         WHERE NOT c.lifecycle GROUP BY 1, 2, 3, 4),
     place (site, location) AS MATERIALIZED ( -- each site is looked up once
         SELECT site, location(site) FROM (SELECT DISTINCT site FROM used))
SELECT u.key, u.function, min(u.site) AS site, count(DISTINCT u.rank) AS ranks, sum(u.calls) AS calls,
       sum(u.open) AS open, total(u.time_ns) / 1e9 AS seconds, sum(u.sent_bytes) AS sent_bytes,
       count(*) OVER () AS lines
FROM used u JOIN place p ON p.site = u.site
GROUP BY u.key, u.function, p.location ORDER BY 7 DESC, 1, 2, 3 LIMIT 400
