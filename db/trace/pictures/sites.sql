-- MPI time by communicator (its key, as in communicators), function and line of the program: the first 400. `ranks` is
-- the most of one call site, if several share the line.
WITH used (key, function, site, ranks, calls, open, time_ns, sent_bytes) AS MATERIALIZED (
         SELECT coalesce(g.similar_to, 0), coalesce(f.name, 'function ' || s.function), s.site, s.ranks, s.calls,
                s.open, s.time_ns, s.sent_bytes
         FROM summary s LEFT JOIN similar_groups g ON g.similar = s.similar
              LEFT JOIN function f ON f.function = s.function
         WHERE likely(s.part = 'line') AND f.class IS NOT 'lifecycle'),
     place (site, location) AS MATERIALIZED ( -- each site is looked up once
         SELECT site, location(charged(site)) FROM (SELECT DISTINCT site FROM used))
SELECT u.key, u.function, min(u.site) AS site, max(u.ranks) AS ranks, sum(u.calls) AS calls,
       sum(u.open) AS open, total(u.time_ns) / 1e9 AS seconds, sum(u.sent_bytes) AS sent_bytes,
       count(*) OVER () AS lines
FROM used u JOIN place p ON p.site = u.site
GROUP BY u.key, u.function, p.location ORDER BY 7 DESC, 1, 2, 3 LIMIT 400
