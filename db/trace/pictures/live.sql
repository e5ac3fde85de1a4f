-- How many objects of a call site were live as time went by, all ranks together: the twelve sites that free the least,
-- then those with the highest peak. A row is one of 60 equal parts of the run: `live` at its end, `peak_live` the most
-- in it. Parts in which nothing was created or freed have none.
WITH span (begin_ns, end_ns) AS (SELECT min(began_ns), max(last_seen_ns) FROM process),
     top (number, kind, created_by, site, not_freed, peak, created, ranks) AS MATERIALIZED (
         SELECT row_number() OVER (ORDER BY not_freed DESC, peak DESC, created DESC, kind, created_by, site), kind,
                created_by, site, not_freed, peak, created, ranks
         FROM growth ORDER BY 1 LIMIT 12),
     step (number, part, at_ns, change) AS (
         SELECT t.number, min(max((s.at_ns - begin_ns) * 60 / max(end_ns - begin_ns, 1), 0), 59), s.at_ns, s.change
         FROM (SELECT kind, function, site, coalesce(created_ns, 0) AS at_ns, 1 AS change FROM program_objects
               UNION ALL
               SELECT kind, function, site, freed_ns, -1 FROM program_objects WHERE freed_ns IS NOT NULL) s
              JOIN function f ON f.function = s.function
              JOIN top t ON t.kind = s.kind AND t.created_by = f.name AND t.site IS s.site, span),
     -- live: after all changes at that instant; most: one after the other, those that free first
     level (number, part, last, live, most) AS (
         SELECT number, part, row_number() OVER (PARTITION BY number, part ORDER BY at_ns DESC),
                sum(change) OVER (PARTITION BY number ORDER BY at_ns RANGE UNBOUNDED PRECEDING),
                sum(change) OVER (PARTITION BY number ORDER BY at_ns, change ROWS UNBOUNDED PRECEDING)
         FROM step)
SELECT t.number, t.kind, t.created_by, t.site, t.not_freed, t.peak, t.created, t.ranks,
       (l.part + 1) * (end_ns - begin_ns) / 60e9 AS until_seconds,
       max(CASE l.last WHEN 1 THEN l.live END) AS live, max(l.most) AS peak_live,
       (end_ns - begin_ns) / 1e9 AS end_seconds
FROM top t JOIN level l ON l.number = t.number, span GROUP BY t.number, l.part ORDER BY 1, l.part
