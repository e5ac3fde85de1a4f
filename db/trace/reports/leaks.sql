-- Objects left, by the place that made them
-- empty: Everything that the program made was freed.
-- Made by the program and never freed, all ranks together, the most first. per_rank: of the ranks that left some; peak: the most
-- that were alive at once; alive: after each fifth of the run, so that what grows can be told from what is made once.
SELECT l.kind, l.made_by, l.library, l.site, sum(l.objects) AS "left", g.made, g.peak, g.alive, ranges(l.rank) AS ranks,
       min(l.objects) || CASE WHEN min(l.objects) < max(l.objects) THEN '-' || max(l.objects) ELSE '' END AS per_rank,
       max(l.a_name) AS a_name
FROM (SELECT kind, made_by, library, site, rank, count(*) AS objects, max(name) AS a_name FROM leaks GROUP BY 1, 2, 3, 4, 5) l
     LEFT JOIN growth g ON g.kind = l.kind AND g.made_by IS l.made_by AND g.site IS l.site
GROUP BY l.kind, l.made_by, l.site ORDER BY 5 DESC, l.kind, l.made_by, l.site
