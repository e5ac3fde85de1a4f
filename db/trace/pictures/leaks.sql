-- The call stacks that create objects which nobody frees, innermost frame first: the twelve that leak the most.
WITH RECURSIVE
    top (number, kind, created_by, leaking, objects, ranks) AS MATERIALIZED (
        SELECT row_number() OVER (ORDER BY count(*) DESC, kind, created_by, site), kind, created_by, site, count(*),
               count(DISTINCT rank)
        FROM leaks GROUP BY kind, created_by, site ORDER BY 1 LIMIT 12),
    frame (number, depth, site) AS (
        SELECT number, 0, leaking FROM top
        UNION ALL
        SELECT f.number, f.depth + 1, s.caller FROM frame f JOIN site s ON s.site = f.site
        WHERE s.caller IS NOT NULL AND f.depth < 24)
SELECT t.number, t.kind, t.created_by, t.objects, t.ranks, f.depth, f.site
FROM top t JOIN frame f ON f.number = t.number ORDER BY 1, f.depth
