-- column per_rank: number on one rank, the least and the most
-- column example: name of one of them
SELECT l.kind, l.created_by, l.library, l.charged_site AS site, l.layer AS through, sum(l.objects) AS not_freed,
       g.created, g.peak, g.live, ranges(l.rank) AS ranks,
       min(l.objects) || CASE WHEN min(l.objects) < max(l.objects) THEN '-' || max(l.objects)
                              ELSE '' END AS per_rank,
       max(l.example) AS example
FROM (SELECT kind, created_by, library, site, charged_site, layer, rank, count(*) AS objects, max(name) AS example
      FROM leaks GROUP BY 1, 2, 3, 4, 5, 6, 7) l
     LEFT JOIN growth g ON g.kind = l.kind AND g.created_by IS l.created_by AND g.site IS l.site
GROUP BY l.kind, l.created_by, l.site ORDER BY not_freed DESC, l.kind, l.created_by, l.site
