-- Objects never freed, by call site
-- empty: Everything that the program created was freed.
-- drop: library, example, peak, per_rank, ranks, created_by, created
-- Created by the program and never freed, all ranks together, the most first; then lines for what was freed too early. per_rank: of the ranks that did not free some; peak: the
-- most that were live at once; live: after each fifth of the run, so that what grows can be told from what is created once.
SELECT l.kind, l.created_by, l.library, l.site, sum(l.objects) AS not_freed, g.created, g.peak, g.live, ranges(l.rank) AS ranks,
       min(l.objects) || CASE WHEN min(l.objects) < max(l.objects) THEN '-' || max(l.objects) ELSE '' END AS per_rank,
       max(l.example) AS example
FROM (SELECT kind, created_by, library, site, rank, count(*) AS objects, max(name) AS example FROM leaks GROUP BY 1, 2, 3, 4, 5) l
     LEFT JOIN growth g ON g.kind = l.kind AND g.created_by IS l.created_by AND g.site IS l.site
GROUP BY l.kind, l.created_by, l.site ORDER BY 5 DESC, l.kind, l.created_by, l.site;

-- Freed while requests on it were pending: the MPI keeps it until they are complete.
WITH told (communicator, freed_by, freed_location, function, location, requests, ranks) AS (
         SELECT CASE count(DISTINCT l.label) WHEN 1 THEN max(l.label) ELSE pattern(l.label) || ' (' || count(DISTINCT l.label) || ')' END, ff.name,
                location(o.freed_site), f.name, location(r.site), sum(r.requests), CASE count(DISTINCT r.rank) WHEN 1 THEN 'rank ' ELSE 'ranks ' END || ranges(r.rank)
         FROM pending_request r JOIN object o ON o.rank = r.rank AND o.object = r.object JOIN labels l ON l.rank = r.rank AND l.object = r.object
              LEFT JOIN function ff ON ff.function = o.freed_function LEFT JOIN function f ON f.function = r.function
         GROUP BY pattern(l.label), 2, 3, 4, 5),
     line (place, line) AS MATERIALIZED (
         SELECT row_number() OVER (ORDER BY requests DESC, communicator, function, location),
                communicator || ' was freed' || coalesce(' by ' || freed_by, '') || coalesce(' at ' || freed_location, '') || ' while ' || requests
                || CASE requests WHEN 1 THEN ' request of ' ELSE ' requests of ' END || coalesce(function, 'other functions') || coalesce(' at ' || location, '')
                || CASE requests WHEN 1 THEN ' was pending, ' ELSE ' were pending, ' END || ranks
         FROM told)
SELECT line FROM (SELECT line FROM line WHERE place <= 8 ORDER BY place)
UNION ALL
SELECT 'and ' || count(*) || ' more like that: view pending_requests' FROM line WHERE place > 8 HAVING count(*) > 0
