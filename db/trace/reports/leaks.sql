-- Objects never freed, by call site
-- empty: Everything that the program created was freed.
-- Created by the program and never freed, all ranks together, the most first. per_rank: of the ranks that did not free some; peak: the
-- most that were live at once; live: after each fifth of the run, so that what grows can be told from what is created once.
SELECT l.kind, l.created_by, l.library, l.site, sum(l.objects) AS not_freed, g.created, g.peak, g.live, ranges(l.rank) AS ranks,
       min(l.objects) || CASE WHEN min(l.objects) < max(l.objects) THEN '-' || max(l.objects) ELSE '' END AS per_rank,
       max(l.example) AS example
FROM (SELECT kind, created_by, library, site, rank, count(*) AS objects, max(name) AS example FROM leaks GROUP BY 1, 2, 3, 4, 5) l
     LEFT JOIN growth g ON g.kind = l.kind AND g.created_by IS l.created_by AND g.site IS l.site
GROUP BY l.kind, l.created_by, l.site ORDER BY 5 DESC, l.kind, l.created_by, l.site
